//! How long the control plane asks to be left alone.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::RETRY_AFTER;

/// A longer wish is cut to this.
pub const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Reads `Retry-After` as seconds or as an HTTP date, seen at `now`.
///
/// The answer is the least time to wait, at most [`MAX_RETRY_AFTER`]. Broken and past values count as none.
pub fn read_retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    headers.get_all(RETRY_AFTER).iter().filter_map(|value| read_one(value.to_str().ok()?.trim(), now)).max()
}

fn read_one(text: &str, now: SystemTime) -> Option<Duration> {
    let wish = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit is still a number: a very long wish.
        Duration::from_secs(text.parse().unwrap_or(u64::MAX))
    } else {
        httpdate::parse_http_date(text).ok()?.duration_since(now).ok()?
    };
    (!wish.is_zero()).then(|| wish.min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use http::HeaderValue;

    use super::*;

    fn read(values: &[&str]) -> Option<u64> {
        // 1994-11-06 08:49:00 UTC
        let now = UNIX_EPOCH + Duration::from_secs(784_111_740);
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(RETRY_AFTER, HeaderValue::from_str(value).unwrap());
        }
        read_retry_after(&headers, now).map(|wait| wait.as_secs())
    }

    #[test]
    fn seconds_and_the_three_date_forms() {
        assert_eq!(read(&["7"]), Some(7));
        assert_eq!(read(&[" 7 "]), Some(7));
        assert_eq!(read(&["86400"]), Some(60));
        assert_eq!(read(&["99999999999999999999999"]), Some(60));
        assert_eq!(read(&["Sun, 06 Nov 1994 08:49:37 GMT"]), Some(37));
        assert_eq!(read(&["Sunday, 06-Nov-94 08:49:37 GMT"]), Some(37));
        assert_eq!(read(&["Sun Nov  6 08:49:37 1994"]), Some(37));
        assert_eq!(read(&["Sat, 06 Nov 2094 08:49:37 GMT"]), Some(60));
        assert_eq!(read(&["3", "9", "soon"]), Some(9));
    }

    #[test]
    fn broken_and_past_values_count_as_none() {
        for value in [
            "",
            "0",
            "-5",
            "1.5",
            "soon",
            "7 s",
            "Sun, 06 Nov 1994 08:48:00 GMT",
            "Foo, 99 Bar 1994 08:49:37 GMT",
        ] {
            assert_eq!(read(&[value]), None, "{value}");
        }
        assert_eq!(read(&[]), None);
    }
}
