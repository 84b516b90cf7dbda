//! Why the control plane refused a request.

use serde_json::Value;

/// No more of a refusal's body is read.
pub const MAX_REFUSAL_BYTES: usize = 64 * 1024;

/// The body of a refused request, as far as it says why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The code, for example `tunnel_use_forbidden`.
    pub code: Option<String>,
}

impl Refusal {
    /// Reads a refusal in any of its known forms: under `error`, at top level, or under `detail`.
    ///
    /// A body that says nothing usable is a refusal without a code. The message is not kept: it may repeat what was
    /// sent.
    pub fn read(body: &[u8]) -> Self {
        let Ok(Value::Object(top)) = serde_json::from_slice(body) else {
            return Self::default();
        };
        let nested = ["error", "detail"].into_iter().filter_map(|key| top.get(key)?.get("code"));
        let code = nested.chain(top.get("code")).find_map(|code| {
            let code = code.as_str()?;
            let usable = !code.is_empty()
                && code.len() <= 64
                && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            usable.then(|| code.to_owned())
        });
        Self { code }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_form_gives_the_code() {
        for body in [
            r#"{"error":{"type":"invalid_request_error","code":"x_y","message":"m","param":null}}"#,
            r#"{"code":"x_y","message":"m"}"#,
            r#"{"detail":{"code":"x_y"}}"#,
        ] {
            assert_eq!(Refusal::read(body.as_bytes()).code.as_deref(), Some("x_y"), "{body}");
        }
        for body in [
            "",
            "<html>",
            "[]",
            r#"{"error":"no"}"#,
            r#"{"detail":"no"}"#,
            r#"{"error":{"code":null}}"#,
            r#"{"code":"a b"}"#,
        ] {
            assert_eq!(Refusal::read(body.as_bytes()).code, None, "{body}");
        }
    }
}
