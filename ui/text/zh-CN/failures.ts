import type { Text } from "..";

export const failures: Text["failures"] = {
  close: "关闭这条消息",
  codes: {
    permission_denied: { message: "系统拒绝了访问。", hint: "请检查文件夹的权限，然后重试。" },
    disk_full: { message: "磁盘已满，没有保存。", hint: "请腾出空间后重试。没有改动任何东西。" },
    server_unreachable: { message: "Server 没有应答。", hint: "正在重新启动它，请稍后再试。" },
    project_not_found: { message: "这个项目已不在列表中。", hint: "它已被移除，可能是在另一个窗口中。" },
    job_not_found: { message: "已找不到这个命令。", hint: "它已结束；“活动”页会显示结果。" },
    approval_gone: { message: "这个请求已不再等待。", hint: "时间已到，或客户端撤回了它。没有运行任何东西。" },
    editor_not_found: { message: "这台电脑上没有找到编辑器。", hint: "可以改为在文件管理器中显示文件夹。" },
    no_answer: { message: "没有及时得到应答。", hint: "不会自动重复；需要时请重试。" },
  },
};
