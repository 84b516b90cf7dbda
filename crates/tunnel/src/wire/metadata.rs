//! What the control plane tells about a tunnel.

use serde_json::Value;

use super::BodyError;

/// Longest name that is shown, in characters.
const MAX_NAME: usize = 200;

/// The name of the tunnel, where it has one. Whatever else is said does not matter.
///
/// # Errors
/// The body is not about a tunnel at all.
pub fn read_tunnel_name(body: &[u8]) -> Result<Option<String>, BodyError> {
    let Ok(Value::Object(about)) = serde_json::from_slice(body) else { return Err(BodyError::of(body)) };
    let name = about.get("name").and_then(Value::as_str);
    Ok(name.map(|name| name.chars().take(MAX_NAME).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_matters_and_only_where_it_is_one() {
        let read = |body: &str| read_tunnel_name(body.as_bytes());
        assert_eq!(read(r#"{"id": "t", "name": "home-pc", "new": [1]}"#), Ok(Some("home-pc".to_owned())));
        assert_eq!(read(&format!(r#"{{"name": "{}"}}"#, "ü".repeat(300))), Ok(Some("ü".repeat(200))));
        for nameless in ["{}", r#"{"name": null}"#, r#"{"name": 7}"#] {
            assert_eq!(read(nameless), Ok(None), "{nameless}");
        }
        assert_eq!(read("\n<html>"), Err(BodyError::WebPage));
        for other in ["", "[]", "null", r#"{"name": "#] {
            assert_eq!(read(other), Err(BodyError::Unexpected), "{other}");
        }
    }
}
