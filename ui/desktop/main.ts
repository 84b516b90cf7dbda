import "$kit/tokens.css";
import "$kit/base.css";
import "$kit/controls.css";
import { mount } from "svelte";
import { openBridge } from "$bridge/open";
import App from "./App.svelte";
import NoShell from "./NoShell.svelte";

const target = document.getElementById("window");
if (target) {
  const bridge = openBridge();
  if (bridge) mount(App, { target, props: { bridge } });
  else mount(NoShell, { target });
}
