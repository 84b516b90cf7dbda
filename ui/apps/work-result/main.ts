import "$kit/tokens.css";
import "$kit/base.css";
import "./work-result.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("work-result");
if (target) mount(App, { target });
