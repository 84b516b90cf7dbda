import { activity } from "./activity";
import { approvals } from "./approvals";
import { calls } from "./calls";
import { common } from "./common";
import { connections } from "./connections";
import { failures } from "./failures";
import { firstRun } from "./first-run";
import { home } from "./home";
import { projects } from "./projects";
import { reasons } from "./reasons";
import { settings } from "./settings";
import { tunnelReasons } from "./tunnel-reasons";
import { tunnels } from "./tunnels";
import { work } from "./work";

export default { common, reasons, calls, home, projects, work, activity, approvals, connections, tunnels, tunnelReasons, settings, firstRun, failures };
