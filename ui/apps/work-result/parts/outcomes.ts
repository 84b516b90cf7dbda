import type { StateIcon } from "$kit/icons-of-pages";
import type { WorkResultText } from "$text/apps";
import type { Check } from "../data/types";

/** The shape of a check's end. Only `passed` counts as success. */
export function checkIcon(check: Check): StateIcon {
  if (check.execution_state === "pending") return "working";
  switch (check.outcome) {
    case "passed": return check.outdated ? "degraded" : "ready";
    case "failed": case "timed_out": return "problem";
    case "stopped": return "off";
    default: return "unknown";
  }
}

export function checkWord(check: Check, t: WorkResultText): string {
  if (check.execution_state === "pending") return t.checkRunning;
  if (check.execution_state === "not_started") return t.checkNotStarted;
  switch (check.outcome) {
    case "passed": return t.checkPassed;
    case "failed": return check.exit_code === undefined ? t.checkFailedPlain : t.checkFailed(String(check.exit_code));
    case "timed_out": return t.checkTimedOut;
    case "stopped": return t.checkStopped;
    default: return t.checkLost;
  }
}
