import type { Text } from "..";

export const home: Text["home"] = {
  runningNow: "正在运行",
  runningFor: (project, length, limit, output) => `${project} · 已运行 ${length} · 上限 ${limit} · 输出 ${output}`,
  showOutput: "查看输出",
  stop: "停止",
  stopping: "正在停止",
  stopNamed: (command) => `停止 ${command}`,
  lately: "最近发生的事",
  allActivity: "全部活动",
  nothingYet: "还没有",
  nothingYetMore: "已连接的客户端一有调用，就会显示在这里。",
  connect: "连接客户端",
  connectDetails: "全部连接",
  other: "其他",
};
