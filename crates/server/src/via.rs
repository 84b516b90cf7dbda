//! From where a request comes, as far as it shows.

use std::sync::Arc;

use axum::extract::Request;
use http::HeaderMap;
use http::header::{FORWARDED, HOST, HeaderName, USER_AGENT};
pub(crate) use webcodex_contracts::control::Via;
use webcodex_tunnel::ThroughTunnel;

use crate::guard::Guard;

/// Headers that a proxy adds.
const OF_A_PROXY: [HeaderName; 4] = [
    FORWARDED,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
];
/// Longest name of a program, in characters.
const MAX_PROGRAM: usize = 80;

/// From where a request comes; middleware puts it into the request's extensions.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) via: Via,
    /// What the program calls itself in its `User-Agent`.
    pub(crate) program: Option<Arc<str>>,
}

impl Origin {
    /// Where `request` comes from: a proxy shows itself by the public name or by what it adds.
    pub(crate) fn of(guard: &Guard, request: &Request) -> Self {
        let headers = request.headers();
        let public = || {
            let forwarded = OF_A_PROXY.iter().any(|name| headers.contains_key(name));
            forwarded || headers.get(HOST).is_some_and(|host| guard.is_public(host))
        };
        let via = match request.extensions().get::<ThroughTunnel>() {
            Some(_) => Via::Tunnel,
            None if public() => Via::Public,
            None => Via::Local,
        };
        Self { via, program: program(headers) }
    }
}

/// The first product of the `User-Agent`, without its version.
fn program(headers: &HeaderMap) -> Option<Arc<str>> {
    let named = headers.get(USER_AGENT)?.to_str().ok()?;
    let product = named.split(['/', ' ', '(']).next()?;
    let product: String = product.chars().take(MAX_PROGRAM).collect();
    (!product.is_empty()).then(|| Arc::from(product))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_program_is_named_by_its_first_product() {
        let named = |agent: &str| {
            let headers = HeaderMap::from_iter([(USER_AGENT, HeaderValue::from_str(agent).unwrap())]);
            program(&headers).map(|name| name.to_string())
        };
        assert_eq!(named("openai-mcp/1.0.0 (ChatGPT)").as_deref(), Some("openai-mcp"));
        assert_eq!(named("claude-code/2.1").as_deref(), Some("claude-code"));
        assert_eq!(named("/1.0"), None);
        assert_eq!(program(&HeaderMap::new()), None);
    }
}
