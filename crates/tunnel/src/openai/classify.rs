//! What an answer or an error means.

use std::error::Error;
use std::io;

use http::StatusCode;

use super::connector::DialFailed;
use crate::fault::Fault;
use crate::route::demands_client_certificate;
use crate::status::Reason;
use crate::wire::Refusal;

/// Which question was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// What is known of the tunnel.
    Tunnel,
    /// Is there work?
    Poll,
    /// Here is a result.
    Respond,
}

/// Why `status` is no success.
pub(super) fn reason_of(endpoint: Endpoint, status: StatusCode, refusal: &Refusal) -> Reason {
    match refusal.code.as_deref() {
        Some("invalid_tunnel_id_format") => return Reason::TunnelIdInvalid,
        Some("tunnel_active_organization_required") => return Reason::OrganizationNeeded,
        Some("tunnel_missing_principals") => return Reason::KeyWithoutWorkspace,
        Some("certificate_required") => return Reason::ClientCertificateNeeded,
        Some("tunnel_use_forbidden") => return Reason::KeyCannotUseTunnel,
        Some("rate_limit_exceeded") => return Reason::RateLimited,
        Some("tunnel_transport_unavailable") => return Reason::ServiceTrouble,
        _ => {}
    }
    match status.as_u16() {
        300..=399 | 511 => Reason::CaptivePortal,
        401 => Reason::KeyRejected,
        403 if endpoint == Endpoint::Tunnel => Reason::TunnelNotVisible,
        403 => Reason::KeyCannotUseTunnel,
        404 if endpoint == Endpoint::Tunnel => Reason::TunnelNotVisible,
        404 => Reason::TunnelNotFound,
        407 => Reason::ProxyAuthNeeded,
        408 | 500..=599 => Reason::ServiceTrouble,
        409 => Reason::ServiceConflict,
        429 => Reason::RateLimited,
        400..=499 => Reason::ServiceRefuses,
        _ => Reason::UnexpectedAnswer,
    }
}

/// Why no complete answer came.
pub(super) fn fault_of(error: &(dyn Error + 'static)) -> Fault {
    if let Some(DialFailed(reason)) = find(error) {
        return Fault { unsent: true, ..Fault::new(*reason) };
    }
    if demands_client_certificate(error) {
        return Fault::new(Reason::ClientCertificateNeeded);
    }
    match find::<hyper::Error>(error) {
        Some(error) if error.is_parse() || error.is_parse_status() => Fault::new(Reason::UnexpectedAnswer),
        _ => Fault::new(Reason::ConnectionCut),
    }
}

/// Whether the other end just ended the connection.
pub(super) fn is_cut(error: &(dyn Error + 'static)) -> bool {
    let ended = |error: &io::Error| {
        matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof
                | io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
        )
    };
    find::<hyper::Error>(error).is_some_and(hyper::Error::is_incomplete_message)
        || find::<io::Error>(error).is_some_and(ended)
}

/// The first error of type `E` behind `error`.
fn find<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        match error.downcast_ref() {
            Some(found) => return Some(found),
            None => next = error.source(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(endpoint: Endpoint, status: u16, code: &str) -> Reason {
        let code = (!code.is_empty()).then(|| code.to_owned());
        reason_of(endpoint, StatusCode::from_u16(status).unwrap(), &Refusal { code })
    }

    #[test]
    fn a_code_says_more_than_a_status() {
        use Endpoint::{Poll, Tunnel};
        for (endpoint, status, code, expected) in [
            (Poll, 400, "invalid_tunnel_id_format", Reason::TunnelIdInvalid),
            (Poll, 400, "", Reason::ServiceRefuses),
            (Poll, 401, "", Reason::KeyRejected),
            (Poll, 401, "tunnel_use_forbidden", Reason::KeyCannotUseTunnel),
            (Poll, 403, "tunnel_active_organization_required", Reason::OrganizationNeeded),
            (Poll, 403, "tunnel_missing_principals", Reason::KeyWithoutWorkspace),
            (Poll, 403, "certificate_required", Reason::ClientCertificateNeeded),
            (Poll, 403, "new_code", Reason::KeyCannotUseTunnel),
            (Tunnel, 403, "", Reason::TunnelNotVisible),
            (Tunnel, 404, "", Reason::TunnelNotVisible),
            (Poll, 404, "", Reason::TunnelNotFound),
            (Poll, 302, "", Reason::CaptivePortal),
            (Poll, 511, "", Reason::CaptivePortal),
            (Poll, 409, "wrong_cluster", Reason::ServiceConflict),
            (Poll, 202, "", Reason::UnexpectedAnswer),
        ] {
            assert_eq!(reason(endpoint, status, code), expected, "{endpoint:?} {status} {code}");
        }
    }
}
