//! The words for every reason: what is wrong, and the one thing that helps.

use super::Reason;

/// A language of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Simplified Chinese.
    Chinese,
}

/// One sentence and one action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// What is the matter.
    pub sentence: &'static str,
    /// What helps.
    pub action: &'static str,
}

impl Reason {
    /// The words for this reason.
    pub fn text(self, language: Language) -> Text {
        let [en, en_action, zh, zh_action] = self.words();
        match language {
            Language::English => Text { sentence: en, action: en_action },
            Language::Chinese => Text { sentence: zh, action: zh_action },
        }
    }

    /// English sentence and action, Chinese sentence and action.
    #[rustfmt::skip]
    fn words(self) -> [&'static str; 4] {
        match self {
            Self::LocalServerDown => [
                "The tunnel is up, but the WebCodex Server on this computer does not answer.", "Restart the Server.",
                "隧道已连通,但本机的 WebCodex Server 没有响应。", "请重新启动 Server。"],
            Self::LocalServerRefuses => [
                "The WebCodex Server on this computer refuses the tunnel's own credential.", "Restart the Server; if it comes back, report it.",
                "本机的 WebCodex Server 拒绝了隧道自己的凭据。", "请重新启动 Server;若再次出现,请反馈。"],
            Self::Busy => [
                "So many calls are running that no new ones are taken.", "Wait, or stop running jobs.",
                "正在运行的调用过多,暂不接受新的调用。", "请稍候,或停止正在运行的任务。"],
            Self::AddressInvalid => [
                "The control plane address is not usable: it must be https, or http on this computer.", "Correct or remove CONTROL_PLANE_BASE_URL.",
                "控制面地址不可用:必须是 https,或本机的 http。", "请更正或删除 CONTROL_PLANE_BASE_URL。"],
            Self::ProxyUnsupported => [
                "The proxy setting is of a kind that is not supported, such as a configuration script (PAC).", "Enter the proxy by hand as an HTTP or SOCKS5 proxy, or choose Direct.",
                "不支持这种代理设置(例如 PAC 自动配置脚本)。", "请手动填写 HTTP 或 SOCKS5 代理,或选择直连。"],
            Self::ProxyFailed => [
                "The proxy does not answer.", "Start the proxy, or choose another route.",
                "代理没有响应。", "请启动代理,或选择其他线路。"],
            Self::ProxyAuthNeeded => [
                "The proxy wants a login.", "Enter the proxy's user name and password.",
                "代理要求登录。", "请填写代理的用户名和密码。"],
            Self::ProxyRefuses => [
                "The proxy does not let connections to OpenAI through.", "Allow api.openai.com in the proxy, or choose another route.",
                "代理不允许连接 OpenAI。", "请在代理中放行 api.openai.com,或选择其他线路。"],
            Self::DnsFailed => [
                "The address of OpenAI cannot be found.", "Check the internet connection and DNS, or set a proxy.",
                "找不到 OpenAI 的地址。", "请检查网络和 DNS,或设置代理。"],
            Self::NetworkBlocked => [
                "OpenAI cannot be reached from this network.", "Check the internet connection; a proxy may be needed.",
                "当前网络无法连接 OpenAI。", "请检查网络;可能需要代理。"],
            Self::ConnectTimedOut => [
                "Connecting to OpenAI gets no answer.", "Check firewall and internet connection; a proxy may be needed.",
                "连接 OpenAI 没有回应。", "请检查防火墙和网络;可能需要代理。"],
            Self::TlsFailed => [
                "The secure connection to OpenAI fails.", "Check the proxy or security software that inspects connections.",
                "与 OpenAI 的安全连接失败。", "请检查会拦截连接的代理或安全软件。"],
            Self::CertificateUntrusted => [
                "The certificate comes from an issuer this computer does not trust; a company proxy may be inspecting the connection.", "Add the company's certificate file in the connection's settings.",
                "证书的签发者不受本机信任;可能有公司代理在检查连接。", "请在连接设置中添加公司的证书文件。"],
            Self::CertificateExpired => [
                "The certificate is out of date, or this computer's clock is wrong.", "Set the clock of this computer.",
                "证书已过期,或本机时间不正确。", "请校准本机时间。"],
            Self::CertificateFileUnusable => [
                "The additional certificate file cannot be read or holds no certificate.", "Choose a PEM file with certificates, or remove the setting.",
                "附加的证书文件无法读取,或其中没有证书。", "请选择含有证书的 PEM 文件,或删除该设置。"],
            Self::ClientCertificateNeeded => [
                "The organization demands a client certificate, which is not supported.", "Use a key of an organization without this demand.",
                "该组织要求客户端证书,目前不支持。", "请使用没有此要求的组织的密钥。"],
            Self::CaptivePortal => [
                "Something on the network answers in place of OpenAI, for example a login page.", "Open a browser and log in to the network.",
                "网络中有其他设备代替 OpenAI 应答,例如登录页面。", "请打开浏览器登录网络。"],
            Self::ConnectionCut => [
                "The connection to OpenAI was cut; it is being made again.", "Nothing; if it lasts, check the network.",
                "与 OpenAI 的连接中断,正在重新连接。", "无需操作;若持续出现,请检查网络。"],
            Self::ProxyCutsLongPoll => [
                "The proxy ends waiting connections; shorter waits are now used.", "Nothing; a longer idle limit in the proxy helps.",
                "代理会中断等待中的连接,现已改用较短的等待。", "无需操作;在代理中延长空闲时限会有帮助。"],
            Self::NoAnswer => [
                "OpenAI did not answer in time; trying again.", "Nothing; if it lasts, check the network or the proxy.",
                "OpenAI 未及时应答,正在重试。", "无需操作;若持续出现,请检查网络或代理。"],
            Self::UnexpectedAnswer => [
                "The answer from OpenAI could not be understood; trying again.", "If it lasts, check the proxy and the control plane address.",
                "无法理解 OpenAI 的应答,正在重试。", "若持续出现,请检查代理和控制面地址。"],
            Self::ServiceTrouble => [
                "OpenAI has trouble; trying again.", "Nothing; see status.openai.com if it lasts.",
                "OpenAI 服务异常,正在重试。", "无需操作;若持续出现,请查看 status.openai.com。"],
            Self::ServiceConflict => [
                "OpenAI reports a conflict; trying again.", "Nothing; if it lasts, stop other clients of this tunnel.",
                "OpenAI 报告冲突,正在重试。", "无需操作;若持续出现,请停止使用此隧道的其他客户端。"],
            Self::RateLimited => [
                "OpenAI asks to slow down.", "Nothing; it goes on by itself.",
                "OpenAI 要求降低频率。", "无需操作,稍后会自动继续。"],
            Self::ServiceRefuses => [
                "OpenAI refuses the request without a known reason.", "Check Tunnel ID and key; update WebCodex if it lasts.",
                "OpenAI 拒绝了请求,原因不明。", "请检查 Tunnel ID 和密钥;若持续出现,请更新 WebCodex。"],
            Self::KeyMalformed => [
                "The API key is missing or has characters that no key has.", "Copy the key again from the OpenAI Platform.",
                "API 密钥缺失,或含有不该有的字符。", "请从 OpenAI 平台重新复制密钥。"],
            Self::KeyRejected => [
                "OpenAI did not accept the key: it is wrong, deleted or expired.", "Make a new key with the permissions Tunnels Read and Use.",
                "OpenAI 不接受该密钥:可能有误、已删除或已过期。", "请创建具有 Tunnels Read 和 Use 权限的新密钥。"],
            Self::KeyWithoutWorkspace => [
                "The key belongs to no organization or workspace.", "Make a new key in the organization that owns the tunnel.",
                "该密钥不属于任何组织或工作区。", "请在隧道所属的组织中创建新密钥。"],
            Self::OrganizationNeeded => [
                "OpenAI needs to know which organization owns the tunnel.", "Enter the organization ID.",
                "OpenAI 需要知道隧道属于哪个组织。", "请填写组织 ID。"],
            Self::TunnelIdInvalid => [
                "The Tunnel ID does not look right.", "Copy it again from Platform, Tunnels.",
                "Tunnel ID 格式不正确。", "请从平台的 Tunnels 页面重新复制。"],
            Self::TunnelNotFound => [
                "The tunnel was not found; it may have been deleted.", "Check the Tunnel ID on the OpenAI Platform.",
                "找不到该隧道,可能已被删除。", "请在 OpenAI 平台核对 Tunnel ID。"],
            Self::TunnelNotVisible => [
                "The key cannot see this tunnel: they belong to different organizations, or the tunnel was deleted.", "Use a key of the organization that owns the tunnel.",
                "该密钥看不到此隧道:二者属于不同组织,或隧道已被删除。", "请使用隧道所属组织的密钥。"],
            Self::KeyCannotUseTunnel => [
                "The key can see this tunnel but may not use it.", "Give the key the permissions Tunnels Read and Use; a change may take 30 minutes.",
                "该密钥能看到此隧道,但无权使用。", "请为密钥授予 Tunnels Read 和 Use 权限;更改可能需要 30 分钟生效。"],
            Self::ConnectorSendsCredentials => [
                "ChatGPT sends credentials that are not needed and were dropped.", "Set the connector in ChatGPT to \"No authentication\".",
                "ChatGPT 发送了不需要的凭据,已被丢弃。", "请在 ChatGPT 中将连接器设为“No authentication”。"],
            Self::WaitingForChatGpt => [
                "Ready: waiting for ChatGPT's first call.", "Create or refresh the connector in ChatGPT.",
                "已就绪,正在等待 ChatGPT 的首次调用。", "请在 ChatGPT 中创建或刷新连接器。"],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_reason_has_its_own_words_in_both_languages() {
        for language in [Language::English, Language::Chinese] {
            let texts: Vec<Text> = Reason::ALL.iter().map(|reason| reason.text(language)).collect();
            let sentences: HashSet<&str> = texts.iter().map(|text| text.sentence).collect();
            assert_eq!(sentences.len(), Reason::ALL.len());
            assert!(texts.iter().all(|text| !text.action.is_empty()));
        }
        assert!(Reason::ALL.iter().all(|reason| reason.text(Language::English).sentence.is_ascii()));
        assert!(Reason::ALL.iter().all(|reason| !reason.text(Language::Chinese).sentence.is_ascii()));
    }
}
