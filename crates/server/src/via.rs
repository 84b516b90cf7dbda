//! The way a request came, as far as it shows.

use axum::extract::Request;
use http::header::{FORWARDED, HOST, HeaderName};
use webcodex_tunnel::ThroughTunnel;

use crate::guard::Guard;

/// Headers that a proxy adds.
const OF_A_PROXY: [HeaderName; 4] = [
    FORWARDED,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
];

/// The way of `request`: a proxy shows itself by the public name or by what it adds.
pub(crate) fn of(guard: &Guard, request: &Request) -> Via {
    if request.extensions().get::<ThroughTunnel>().is_some() {
        return Via::Tunnel;
    }
    let headers = request.headers();
    let forwarded = OF_A_PROXY.iter().any(|name| headers.contains_key(name));
    match forwarded || headers.get(HOST).is_some_and(|host| guard.is_public(host)) {
        true => Via::Public,
        false => Via::Local,
    }
}

pub(crate) use webcodex_contracts::control::Via;
