import type { Text } from "..";

export const tunnelReasons: Text["tunnelReasons"] = {
  local_server_down: {
    sentence: "隧道已连通，但本机的 WebCodex Server 没有响应。",
    action: "请重新启动 Server。",
  },
  local_server_refuses: {
    sentence: "本机的 WebCodex Server 拒绝了隧道自己的凭据。",
    action: "请重新启动 Server；若再次出现，请反馈。",
  },
  busy: {
    sentence: "正在运行的调用过多，暂不接受新的调用。",
    action: "请稍候，或停止正在运行的任务。",
  },
  address_invalid: {
    sentence: "控制面地址不可用：必须是 https，或本机的 http。",
    action: "请更正或删除 CONTROL_PLANE_BASE_URL。",
  },
  proxy_unsupported: {
    sentence: "不支持这种代理设置（例如 PAC 自动配置脚本）。",
    action: "请手动填写 HTTP 或 SOCKS5 代理，或选择直连。",
  },
  proxy_failed: {
    sentence: "代理没有响应。",
    action: "请启动代理，或选择其他线路。",
  },
  proxy_auth_needed: {
    sentence: "代理要求登录。",
    action: "请填写代理的用户名和密码。",
  },
  proxy_refuses: {
    sentence: "代理不允许连接 OpenAI。",
    action: "请在代理中放行 api.openai.com，或选择其他线路。",
  },
  dns_failed: {
    sentence: "找不到 OpenAI 的地址。",
    action: "请检查网络和 DNS，或设置代理。",
  },
  network_blocked: {
    sentence: "当前网络无法连接 OpenAI。",
    action: "请检查网络；可能需要代理。",
  },
  connect_timed_out: {
    sentence: "连接 OpenAI 没有回应。",
    action: "请检查防火墙和网络；可能需要代理。",
  },
  tls_failed: {
    sentence: "与 OpenAI 的安全连接失败。",
    action: "请检查会拦截连接的代理或安全软件。",
  },
  certificate_untrusted: {
    sentence: "证书的签发者不受本机信任；可能有公司代理在检查连接。",
    action: "请在连接设置中添加公司的证书文件。",
  },
  certificate_expired: {
    sentence: "证书已过期，或本机时间不正确。",
    action: "请校准本机时间。",
  },
  certificate_file_unusable: {
    sentence: "附加的证书文件无法读取，或其中没有证书。",
    action: "请选择含有证书的 PEM 文件，或删除该设置。",
  },
  client_certificate_needed: {
    sentence: "该组织要求客户端证书，目前不支持。",
    action: "请使用没有此要求的组织的密钥。",
  },
  captive_portal: {
    sentence: "网络中有其他设备代替 OpenAI 应答，例如登录页面。",
    action: "请打开浏览器登录网络。",
  },
  connection_cut: {
    sentence: "与 OpenAI 的连接中断，正在重新连接。",
    action: "无需操作；若持续出现，请检查网络。",
  },
  proxy_cuts_long_poll: {
    sentence: "代理会中断等待中的连接，现已改用较短的等待。",
    action: "无需操作；在代理中延长空闲时限会有帮助。",
  },
  no_answer: {
    sentence: "OpenAI 未及时应答，正在重试。",
    action: "无需操作；若持续出现，请检查网络或代理。",
  },
  unexpected_answer: {
    sentence: "无法理解 OpenAI 的应答，正在重试。",
    action: "若持续出现，请检查代理和控制面地址。",
  },
  service_trouble: {
    sentence: "OpenAI 服务异常，正在重试。",
    action: "无需操作；若持续出现，请查看 status.openai.com。",
  },
  service_conflict: {
    sentence: "OpenAI 报告冲突，正在重试。",
    action: "无需操作；若持续出现，请停止使用此隧道的其他客户端。",
  },
  rate_limited: {
    sentence: "OpenAI 要求降低频率。",
    action: "无需操作，稍后会自动继续。",
  },
  service_refuses: {
    sentence: "OpenAI 拒绝了请求，原因不明。",
    action: "请检查 Tunnel ID 和密钥；若持续出现，请更新 WebCodex。",
  },
  key_malformed: {
    sentence: "API 密钥缺失，或含有不该有的字符。",
    action: "请从 OpenAI 平台重新复制密钥。",
  },
  key_rejected: {
    sentence: "OpenAI 不接受该密钥：可能有误、已删除或已过期。",
    action: "请创建具有 Tunnels Read 和 Use 权限的新密钥。",
  },
  key_without_workspace: {
    sentence: "该密钥不属于任何组织或工作区。",
    action: "请在隧道所属的组织中创建新密钥。",
  },
  organization_needed: {
    sentence: "OpenAI 需要知道隧道属于哪个组织。",
    action: "请填写组织 ID。",
  },
  tunnel_id_invalid: {
    sentence: "Tunnel ID 格式不正确。",
    action: "请从平台的 Tunnels 页面重新复制。",
  },
  tunnel_not_found: {
    sentence: "找不到该隧道，可能已被删除。",
    action: "请在 OpenAI 平台核对 Tunnel ID。",
  },
  tunnel_not_visible: {
    sentence: "该密钥看不到此隧道：二者属于不同组织，或隧道已被删除。",
    action: "请使用隧道所属组织的密钥。",
  },
  key_cannot_use_tunnel: {
    sentence: "该密钥能看到此隧道，但无权使用。",
    action: "请为密钥授予 Tunnels Read 和 Use 权限；更改可能需要 30 分钟生效。",
  },
  connector_sends_credentials: {
    sentence: "ChatGPT 发送了不需要的凭据，已被丢弃。",
    action: "请在 ChatGPT 中将连接器设为“No authentication”。",
  },
  waiting_for_chat_gpt: {
    sentence: "已就绪，正在等待 ChatGPT 的首次调用。",
    action: "请在 ChatGPT 中创建或刷新连接器。",
  },
};
