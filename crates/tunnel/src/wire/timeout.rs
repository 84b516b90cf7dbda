//! How long a caller waits for the answer to a command.

use std::time::Duration;

/// Reads `response_timeout`, given as the JSON text of its value.
///
/// One unsigned integer and one unit out of `ns us ms s m h`, as a JSON string. Anything else means that there is no
/// deadline; the command still runs.
pub fn read_timeout(json: &str) -> Option<Duration> {
    let text: String = serde_json::from_str(json).ok()?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let nanos_per_unit: u64 = match unit {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60 * 1_000_000_000,
        "h" => 3_600 * 1_000_000_000,
        _ => return None,
    };
    let nanos = number.parse::<u64>().ok()?.checked_mul(nanos_per_unit)?;
    // The other side counts in signed 64-bit nanoseconds: more than that is an overflow there, too.
    i64::try_from(nanos).is_ok().then(|| Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_and_one_unit() {
        for (json, millis) in [
            ("\"0s\"", 0),
            ("\"1500ms\"", 1500),
            ("\"2m\"", 120_000),
            ("\"1h\"", 3_600_000),
            ("\"007s\"", 7_000),
        ] {
            assert_eq!(read_timeout(json), Some(Duration::from_millis(millis)), "{json}");
        }
        assert_eq!(read_timeout("\"3us\""), Some(Duration::from_micros(3)));
        assert_eq!(read_timeout("\"9223372036854775807ns\""), Some(Duration::from_nanos(i64::MAX as u64)));
    }

    #[test]
    fn everything_else_is_no_deadline() {
        for json in [
            "null",
            "120",
            "\"\"",
            "\"s\"",
            "\"120\"",
            "\"-1s\"",
            "\"+1s\"",
            "\"1.5s\"",
            "\" 1s\"",
            "\"1s \"",
            "\"1 s\"",
            "\"1m30s\"",
            "\"1e3s\"",
            "\"1S\"",
            "\"1d\"",
            "\"9223372036854775808ns\"",
            "\"99999999999999999999s\"",
            "\"9999999999h\"",
            "[\"1s\"]",
            "{}",
            "true",
        ] {
            assert_eq!(read_timeout(json), None, "{json}");
        }
    }
}
