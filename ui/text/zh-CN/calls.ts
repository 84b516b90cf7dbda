import type { Text } from "..";

export const calls: Text["calls"] = {
  read: (count) => `读取 ${count} 个文件`,
  readOne: (file) => `读取 ${file}`,
  search: (query) => `搜索“${query}”`,
  searchMatches: (query, matches) => `搜索“${query}”，${matches} 处匹配`,
  edit: (names) => `修改 ${names}`,
  editTried: (names) => `修改 ${names}`,
  editMany: (first, more) => `${first} 等 ${more + 1} 个文件`,
  command: (command) => `运行 ${command}`,
  commandRunning: (command) => `正在运行 ${command}`,
  commandTried: (command) => `命令：${command}`,
  session: (title) => `开始会话“${title}”`,
  review: (count) => `查看 ${count} 个文件的改动`,
  other: (tool) => `调用 ${tool}`,

  saidRead: (client, project, count, length) => `${client} 读取了 ${project} 的 ${count} 个文件，用时 ${length}。`,
  saidOther: (client, project, what, length) => `${client} 在 ${project} 中${what}，用时 ${length}。`,
  noProject: "无项目",

  running: "运行中",
  waiting: "等待你",
  finished: "已完成",
  exit: (code) => `退出码 ${code}`,
  refused: "规则不允许",
  denied: "你已拒绝",
  noAnswer: "没有答复",
  failed: "失败",
  interrupted: "被中断",
};
