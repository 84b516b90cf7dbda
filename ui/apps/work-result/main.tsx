import "$kit/tokens.css";
import "$kit/base.css";
import "$kit/controls.css";
import "./styles/parts.css";
import "./styles/card.css";
import "./styles/files.css";
import "./styles/code.css";
import "./styles/document.css";
import { draw } from "../draw/draw";
import { connect } from "../bridge/connect";
import { keepingPlace } from "./keys";
import { Page } from "./Page";
import { openView } from "./view";

const APP = { name: "WebCodex Work Result", version: "1.0.0" };
const target = document.getElementById("work-result");
if (target) void connect(APP).then((host) => openView(host, () => keepingPlace(() => draw(<Page />, target))));
