//! Why something does not work.

use serde::Serialize;

use super::HopKind;

macro_rules! reasons {
    ($($(#[$about:meta])* $name:ident => $hop:ident,)+) => {
        /// Why a connection is not simply online; a closed list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason {
            $($(#[$about])* $name,)+
        }

        impl Reason {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The reason's code, as it is written in JSON.
            pub fn code(self) -> String {
                match serde_json::to_value(self) {
                    Ok(serde_json::Value::String(code)) => code,
                    // A unit variant is always written as text.
                    _ => String::new(),
                }
            }

            /// The part of the way that is broken.
            pub fn hop(self) -> HopKind {
                match self {
                    $(Self::$name => HopKind::$hop,)+
                }
            }
        }
    };
}

reasons! {
    /// Our own Server does not answer.
    LocalServerDown => LocalServer,
    /// Our own Server refuses our own credential.
    LocalServerRefuses => LocalServer,
    /// So many calls are running that no more are taken.
    Busy => LocalServer,
    /// The address of the control plane is unusable.
    AddressInvalid => Route,
    /// The proxy is of a kind we cannot use, for example a configuration script.
    ProxyUnsupported => Route,
    /// The proxy cannot be reached.
    ProxyFailed => Route,
    /// The proxy wants a login, or another one.
    ProxyAuthNeeded => Route,
    /// The proxy answers, but does not let us through.
    ProxyRefuses => Route,
    /// The name of the control plane is not found.
    DnsFailed => Dns,
    /// The control plane cannot be reached.
    NetworkBlocked => Tcp,
    /// The connection attempt gets no answer.
    ConnectTimedOut => Tcp,
    /// The secure connection fails.
    TlsFailed => Tls,
    /// The certificate is of an issuer this computer does not know.
    CertificateUntrusted => Tls,
    /// The certificate is out of date, or the clock is wrong.
    CertificateExpired => Tls,
    /// The additional certificate file cannot be used.
    CertificateFileUnusable => Tls,
    /// The organization demands a client certificate.
    ClientCertificateNeeded => Tls,
    /// Something on the network answers in place of OpenAI.
    CaptivePortal => ControlPlane,
    /// The connection ended in the middle.
    ConnectionCut => ControlPlane,
    /// A proxy ends waiting connections; shorter waits are now used.
    ProxyCutsLongPoll => ControlPlane,
    /// No answer came in time.
    NoAnswer => ControlPlane,
    /// The answer makes no sense.
    UnexpectedAnswer => ControlPlane,
    /// OpenAI has trouble.
    ServiceTrouble => ControlPlane,
    /// OpenAI says that something else is going on at the same time.
    ServiceConflict => ControlPlane,
    /// OpenAI asks us to slow down.
    RateLimited => ControlPlane,
    /// OpenAI refuses the request without a reason we know.
    ServiceRefuses => ControlPlane,
    /// The key has characters no key has, or is missing.
    KeyMalformed => Key,
    /// OpenAI does not accept the key.
    KeyRejected => Key,
    /// The key belongs to no organization or workspace.
    KeyWithoutWorkspace => Key,
    /// OpenAI wants to know the organization.
    OrganizationNeeded => Key,
    /// The Tunnel ID has the wrong shape.
    TunnelIdInvalid => Tunnel,
    /// The tunnel does not exist.
    TunnelNotFound => Tunnel,
    /// The key cannot see the tunnel.
    TunnelNotVisible => Tunnel,
    /// The key can see the tunnel, but not use it.
    KeyCannotUseTunnel => Tunnel,
    /// The connector in ChatGPT sends credentials: it is not set to "No authentication".
    ConnectorSendsCredentials => LastCall,
    /// Ready, but ChatGPT has never called.
    WaitingForChatGpt => LastCall,
}
