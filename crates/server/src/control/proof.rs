//! `POST /control/proof`: shows that this Server holds the control secret, without showing the secret.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use hmac::{Hmac, KeyInit, Mac};
use http::{Response, StatusCode};
use sha2::Sha256;
use webcodex_contracts::ErrorCode;
use webcodex_contracts::control::{ProofAnswer, ProofRequest};

use super::reply::{document, failure, read};
use crate::app::App;

/// Bytes of a nonce.
const NONCE_BYTES: std::ops::RangeInclusive<usize> = 16..=64;

/// Answers a nonce.
pub(super) async fn serve(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let asked: ProofRequest = match read(request).await {
        Ok(asked) => asked,
        Err(refused) => return *refused,
    };
    let Some(secret) = &app.control.secret else {
        let message = "this Server was started without a control secret";
        return failure(StatusCode::CONFLICT, ErrorCode::Unauthenticated, message, "Start it from the app.");
    };
    let nonce = unhex(&asked.nonce).filter(|nonce| NONCE_BYTES.contains(&nonce.len()));
    let Some(mac) = nonce.and_then(|nonce| prove(secret.expose(), &nonce)) else {
        let message = "the nonce must be 16 to 64 bytes in hex";
        return failure(StatusCode::BAD_REQUEST, ErrorCode::BadRequest, message, "");
    };
    document(&ProofAnswer { mac, version: app.version.clone(), pid: std::process::id() })
}

fn prove(secret: &str, nonce: &[u8]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    mac.update(ProofAnswer::CONTEXT);
    mac.update(nonce);
    let mut hex = String::with_capacity(64);
    for byte in mac.finalize().into_bytes() {
        write!(hex, "{byte:02x}").ok()?;
    }
    Some(hex)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = digits.chunks_exact(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_hex_or_nothing() {
        assert_eq!(unhex("00ffAb"), Some(vec![0, 255, 0xab]));
        for bad in ["0", "0g", "+1", "é0"] {
            assert_eq!(unhex(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_proof_is_a_mac_over_context_and_nonce() {
        let proof = prove("secret", b"nonce").unwrap();
        assert_eq!(proof.len(), 64);
        assert_ne!(proof, prove("secret", b"nonce2").unwrap());
        assert_ne!(proof, prove("secret2", b"nonce").unwrap());
    }
}
