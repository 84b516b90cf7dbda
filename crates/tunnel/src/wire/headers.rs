//! Which headers pass, in each direction.

use std::collections::HashSet;

use http::header::{AUTHORIZATION, CONNECTION};
use http::{HeaderMap, HeaderName, HeaderValue};

/// Names with their values, in the order they came.
pub type HeaderList = Vec<(String, Vec<String>)>;

/// What a command may tell the Server.
const TO_TARGET: [&str; 8] = [
    "accept",
    "mcp-session-id",
    "mcp-protocol-version",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "x-openai-session",
    "x-openai-subject",
];
/// What the Server may tell the control plane, as it is spelled there.
const TO_SERVICE: [&str; 5] = [
    "Content-Type",
    "Mcp-Session-Id",
    "Mcp-Protocol-Version",
    "Last-Event-ID",
    "Access-Control-Expose-Headers",
];
const MAX_HEADERS: usize = 64;
const MAX_BYTES: usize = 16 * 1024;

/// The headers of a command that pass, and what the rest says.
#[derive(Debug, Default)]
pub struct ForwardedHeaders {
    /// What passes.
    pub headers: HeaderMap,
    /// How many values were dropped.
    pub dropped: usize,
    /// Whether the command carried credentials, which means that the connector is not set to "No authentication".
    pub carried_credentials: bool,
}

/// Picks what passes from a command to the Server; everything else is dropped without failing the command.
pub fn for_target(list: &HeaderList) -> ForwardedHeaders {
    let mut forwarded = ForwardedHeaders::default();
    let named = named_by_connection(list.iter().flat_map(|(name, values)| {
        values.iter().filter(|_| name.eq_ignore_ascii_case(CONNECTION.as_str())).map(String::as_str)
    }));
    let mut bytes = 0;
    for (name, value) in list.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)))
    {
        let name = name.to_ascii_lowercase();
        forwarded.carried_credentials |= name == AUTHORIZATION.as_str();
        bytes += name.len() + value.len();
        let fits = bytes <= MAX_BYTES && forwarded.headers.len() < MAX_HEADERS;
        match TO_TARGET.iter().find(|allowed| **allowed == name) {
            Some(allowed) if fits && !named.contains(&name) => match HeaderValue::from_str(value) {
                Ok(value) => {
                    forwarded.headers.append(HeaderName::from_static(allowed), value);
                }
                Err(_) => forwarded.dropped += 1,
            },
            _ => forwarded.dropped += 1,
        }
    }
    forwarded
}

/// Picks what passes from the Server to the control plane.
pub fn for_service(headers: &HeaderMap) -> HeaderList {
    let named =
        named_by_connection(headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok()));
    TO_SERVICE
        .iter()
        .filter(|name| !named.contains(&name.to_ascii_lowercase()))
        .filter_map(|name| {
            let values: Vec<String> = headers
                .get_all(*name)
                .iter()
                .filter_map(|value| value.to_str().ok())
                .filter(|value| !value.is_empty())
                .map(str::to_owned)
                .collect();
            (!values.is_empty()).then(|| ((*name).to_owned(), values))
        })
        .collect()
}

fn named_by_connection<'a>(values: impl Iterator<Item = &'a str>) -> HashSet<String> {
    values.flat_map(|value| value.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(pairs: &[(&str, &[&str])]) -> HeaderList {
        pairs
            .iter()
            .map(|(name, values)| {
                ((*name).to_owned(), values.iter().map(|value| (*value).to_owned()).collect())
            })
            .collect()
    }

    #[test]
    fn only_the_allowed_pass_to_the_server() {
        let forwarded = for_target(&list(&[
            ("Accept", &["application/json", "text/event-stream"]),
            ("MCP-Session-ID", &["5f"]),
            ("Cookie", &["a=b"]),
            ("X-Forwarded-For", &["1.2.3.4"]),
            ("Host", &["evil"]),
            ("X-OpenAI-Subject", &["s"]),
        ]));
        assert_eq!(forwarded.headers.get_all("accept").iter().count(), 2);
        assert_eq!(forwarded.headers.len(), 4);
        assert_eq!(forwarded.dropped, 3);
        assert!(!forwarded.carried_credentials);
    }

    #[test]
    fn hostile_headers_are_dropped() {
        let forwarded = for_target(&list(&[
            ("aUthorization", &["Bearer stolen"]),
            ("Connection", &["close, Mcp-Session-Id"]),
            ("Mcp-Session-Id", &["5f"]),
            ("Mcp-Name", &["a\r\nAuthorization: x"]),
            ("Mcp-Method", &[&"m".repeat(20_000)]),
            ("Accept", &["late"]),
        ]));
        assert!(forwarded.headers.is_empty(), "{:?}", forwarded.headers);
        assert!(forwarded.carried_credentials);
    }

    #[test]
    fn only_the_allowed_pass_to_the_service() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("content-type", "application/json"),
            ("mcp-session-id", "5f"),
            ("mcp-session-id", ""),
            ("www-authenticate", "Bearer"),
            ("set-cookie", "a"),
            ("last-event-id", "7"),
            ("connection", "Last-Event-Id"),
        ] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let expected = list(&[("Content-Type", &["application/json"]), ("Mcp-Session-Id", &["5f"])]);
        assert_eq!(for_service(&headers), expected);
    }
}
