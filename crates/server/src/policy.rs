//! The waiting policy of one MCP request, from its headers. Nothing is remembered and nothing is guessed.

use http::{HeaderMap, HeaderName};
use webcodex_contracts::policy::{HostProfile, WaitingPolicy};

/// Selects the profile.
const PROFILE: HeaderName = HeaderName::from_static("x-webcodex-mcp-profile");
/// Shortens the budget, in whole seconds.
const BUDGET: HeaderName = HeaderName::from_static("x-webcodex-mcp-budget-secs");

/// A policy header that is refused. What it held is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PolicyFault {
    /// Sent more than once.
    #[error("the header {0} was sent more than once; send it once or not at all")]
    Repeated(&'static str),
    /// Not one of the profiles.
    #[error("the header X-WebCodex-MCP-Profile must be `direct` or `host_code_mode`")]
    Profile,
    /// Not a positive whole number.
    #[error(
        "the header X-WebCodex-MCP-Budget-Secs must be a positive whole number of seconds in decimal digits"
    )]
    Budget,
}

/// The policy of a request with `headers`, where the deployment's is `default`. A budget only shortens.
pub(crate) fn select(headers: &HeaderMap, default: WaitingPolicy) -> Result<WaitingPolicy, PolicyFault> {
    let profile = single(headers, &PROFILE, "X-WebCodex-MCP-Profile", PolicyFault::Profile)?;
    let budget = single(headers, &BUDGET, "X-WebCodex-MCP-Budget-Secs", PolicyFault::Budget)?;
    if profile.is_none() && budget.is_none() {
        return Ok(default);
    }
    let profile = match profile {
        None => default.profile,
        Some("direct") => HostProfile::Direct,
        Some("host_code_mode") => HostProfile::HostCodeMode,
        Some(_) => return Err(PolicyFault::Profile),
    };
    let budget = match budget {
        None => default.budget_secs,
        Some(text) => seconds(text).ok_or(PolicyFault::Budget)?.min(default.budget_secs),
    };
    Ok(WaitingPolicy::new(profile, budget))
}

fn single<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
    shown: &'static str,
    fault: PolicyFault,
) -> Result<Option<&'a str>, PolicyFault> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(PolicyFault::Repeated(shown));
    }
    first.to_str().map(Some).map_err(|_| fault)
}

/// Decimal digits for at least one second; a number beyond every machine integer is a very long time.
fn seconds(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match text.parse::<u64>().unwrap_or(u64::MAX) {
        0 => None,
        seconds => Some(seconds),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn select_with(headers: &[(&HeaderName, &[u8])]) -> Result<WaitingPolicy, PolicyFault> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_bytes(value).unwrap());
        }
        select(&map, WaitingPolicy::default())
    }

    #[test]
    fn absent_headers_mean_the_deployments_policy() {
        assert_eq!(select_with(&[]), Ok(WaitingPolicy::default()));
        let code = select_with(&[(&PROFILE, b"host_code_mode")]).unwrap();
        assert_eq!(code, WaitingPolicy::new(HostProfile::HostCodeMode, 55));
        let direct = select(
            &HeaderMap::from_iter([(PROFILE, HeaderValue::from_static("direct"))]),
            WaitingPolicy::new(HostProfile::HostCodeMode, 30),
        );
        assert_eq!(direct, Ok(WaitingPolicy::new(HostProfile::Direct, 30)));
    }

    #[test]
    fn a_budget_only_shortens() {
        let budget = |text: &[u8]| select_with(&[(&BUDGET, text)]).map(|policy| policy.budget_secs);
        assert_eq!(budget(b"20"), Ok(20));
        assert_eq!(budget(b"1"), Ok(1));
        assert_eq!(budget(b"55"), Ok(55));
        assert_eq!(budget(b"56"), Ok(55));
        assert_eq!(budget(b"99999999999999999999999999999999"), Ok(55), "beyond every machine integer");
    }

    #[test]
    fn malformed_headers_are_refused() {
        for text in [
            &b""[..],
            b"0",
            b"00",
            b"-5",
            b"+5",
            b"20.0",
            b"0x14",
            b"2e1",
            b"20s",
            b"1 2",
            b"20,20",
            b"\xff",
            b"\xd9\xa3",
        ] {
            assert_eq!(select_with(&[(&BUDGET, text)]), Err(PolicyFault::Budget), "{text:?}");
        }
        for text in [&b""[..], b"Direct", b"direct,direct", b"host-code-mode", b"\xff"] {
            assert_eq!(select_with(&[(&PROFILE, text)]), Err(PolicyFault::Profile), "{text:?}");
        }
        assert!(matches!(select_with(&[(&BUDGET, b"20"), (&BUDGET, b"20")]), Err(PolicyFault::Repeated(_))));
        assert!(matches!(
            select_with(&[(&PROFILE, b"direct"), (&PROFILE, b"direct")]),
            Err(PolicyFault::Repeated(_))
        ));
    }

    #[test]
    fn a_refusal_never_repeats_what_was_sent() {
        let error = select_with(&[(&PROFILE, b"secret-looking-value")]).unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }
}
