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
    stale: { message: "它刚才在别处被修改了。", hint: "请重新查看，然后再修改。没有保存任何东西。" },
    connection_not_found: { message: "这个连接已不在列表中。", hint: "它已被删除，可能是在另一个窗口中。" },
    tunnel_in_use: { message: "另一个连接已在使用这个隧道。", hint: "一个隧道只属于一个连接。请新建一个隧道，或编辑那个连接。" },
    tunnel_invalid: { message: "Tunnel ID 格式不正确。", hint: "请从平台的 Tunnels 页面重新复制。" },
    key_invalid: { message: "API 密钥缺失，或含有不该有的字符。", hint: "请从 OpenAI 平台重新复制密钥。" },
    name_invalid: { message: "这个名称不能用。", hint: "名称为 1 到 64 个字符。" },
    organization_invalid: { message: "组织 ID 格式不正确。", hint: "请从组织设置中重新复制，或留空。" },
    proxy_invalid: { message: "代理地址不能用。", hint: "它以 http://、https:// 或 socks5:// 开头，并包含主机。" },
    ca_file_invalid: { message: "证书文件无法读取，或其中没有证书。", hint: "请选择含有证书的 PEM 文件，或移除它。" },
    too_many: { message: "连接数已达上限。", hint: "请删除一个不需要的。" },
    secrets_unavailable: { message: "这台电脑没有安全的地方存放密钥。", hint: "没有保存任何东西。首页可以改为存放在只有你的账户能读取的文件中。" },
    no_answer: { message: "没有及时得到应答。", hint: "不会自动重复；需要时请重试。" },
  },
};
