//! The pages outside that the app opens, by name. Nothing else is ever opened in a browser.

use serde::Deserialize;

/// A page that the window may ask for; see `LinkName` in `ui/desktop/bridge/bridge.ts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LinkName {
    /// Where ChatGPT is told of a new server.
    ChatgptConnectors,
    /// How this computer gets a public address.
    GuidePublicAddress,
    /// How ChatGPT is connected through a tunnel.
    GuideTunnel,
    /// Where API keys are made.
    OpenaiKeys,
    /// Where tunnels are made.
    OpenaiTunnels,
    /// What is new in each version.
    ReleaseNotes,
    /// The source code.
    Source,
}

impl LinkName {
    /// The address.
    pub(crate) fn address(self) -> &'static str {
        match self {
            Self::ChatgptConnectors => "https://chatgpt.com/#settings/Connectors",
            Self::GuidePublicAddress => {
                "https://github.com/webcodex/webcodex/blob/main/docs/public-address.md"
            }
            Self::GuideTunnel => "https://developers.openai.com/api/docs/guides/secure-mcp-tunnels",
            Self::OpenaiKeys => "https://platform.openai.com/api-keys",
            Self::OpenaiTunnels => "https://platform.openai.com/settings/organization/tunnels",
            Self::ReleaseNotes => "https://github.com/webcodex/webcodex/releases",
            Self::Source => "https://github.com/webcodex/webcodex",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_lead_anywhere_and_always_over_https() {
        for name in [
            "chatgpt_connectors",
            "guide_public_address",
            "guide_tunnel",
            "openai_keys",
            "openai_tunnels",
            "release_notes",
            "source",
        ] {
            let link: LinkName = serde_json::from_value(name.into()).unwrap();
            assert!(link.address().starts_with("https://"), "{name}");
        }
        let own = LinkName::GuidePublicAddress.address().rsplit_once("/blob/main/").unwrap().1;
        assert!(std::path::Path::new("..").join(own).is_file(), "{own} is a page of this repository");
        for foreign in ["https://example.com", "file:///etc/passwd", "", "Source"] {
            assert!(serde_json::from_value::<LinkName>(foreign.into()).is_err(), "{foreign}");
        }
    }
}
