//! Whole numbers as hosts really send them.
//!
//! Some adapters turn `30` into `30.0`. Both mean the same up to 2^53−1, the largest whole number every JSON reader
//! keeps exactly. There is one deserialiser for all whole-number fields; output is always a JSON integer.
//! Source: `mcp-client-contract-alignment.md`, "Equivalent numeric fences".

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 2^53−1, the largest whole number that survives every JSON reader.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A whole number from `MIN` to `MAX`; anything else is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whole<const MIN: u64, const MAX: u64>(u64);

/// A limit from `MIN` to `MAX`; a larger whole number is clamped to `MAX`, a smaller one refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit<const MIN: u64, const MAX: u64>(u64);

/// Proof of what a caller has read: a keyed 53-bit number over project, path and content (`contract.md` 5).
pub type ReadRevision = Whole<1, MAX_SAFE_INTEGER>;

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    /// The number, if it lies in the range.
    pub fn new(value: u64) -> Option<Self> {
        (MIN..=MAX).contains(&value).then_some(Self(value))
    }

    /// The nearest number in the range; for numbers that lie in it by the way they were made.
    pub fn nearest(value: u64) -> Self {
        Self(value.clamp(MIN, MAX))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }

    /// The number as a size; saturates where the platform's is smaller.
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const MIN: u64, const MAX: u64> Limit<MIN, MAX> {
    /// The nearest value inside the range.
    pub fn clamped(value: u64) -> Self {
        Self(value.clamp(MIN, MAX))
    }

    /// The effective limit.
    pub fn get(self) -> u64 {
        self.0
    }

    /// The effective limit as a size; saturates where the platform's is smaller.
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const MIN: u64, const MAX: u64> fmt::Display for Whole<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Accepts JSON integers and integral floats up to 2^53−1 and says the range when it refuses.
struct WholeVisitor {
    min: u64,
    max: u64,
    clamp: bool,
}

impl WholeVisitor {
    fn accept<E: Error>(&self, value: u64) -> Result<u64, E> {
        if value > MAX_SAFE_INTEGER || value < self.min || (value > self.max && !self.clamp) {
            return Err(self.refuse(value));
        }
        Ok(value.min(self.max))
    }

    fn refuse<E: Error>(&self, given: impl fmt::Display) -> E {
        E::custom(format_args!("{given} is out of range: a whole number from {} to {}", self.min, self.max))
    }
}

impl Visitor<'_> for WholeVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.min, self.max)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        self.accept(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        u64::try_from(value).map_err(|_| self.refuse(value)).and_then(|value| self.accept(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        // Above 2^53−1 neighbouring floats are no longer one apart, so the sender's number is unknown.
        if value.fract() != 0.0 || value.is_sign_negative() && value != 0.0 || value > MAX_SAFE_INTEGER as f64
        {
            return Err(self.refuse(value));
        }
        self.accept(value as u64)
    }
}

macro_rules! whole_number_impls {
    ($name:ident, $clamp:literal) => {
        impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for $name<MIN, MAX> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = WholeVisitor { min: MIN, max: MAX, clamp: $clamp };
                // `deserialize_u64` keeps self-describing formats free to offer a float.
                deserializer.deserialize_u64(visitor).map(Self)
            }
        }

        impl<const MIN: u64, const MAX: u64> Serialize for $name<MIN, MAX> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u64(self.0)
            }
        }

        impl<const MIN: u64, const MAX: u64> JsonSchema for $name<MIN, MAX> {
            fn schema_name() -> Cow<'static, str> {
                format!("{}_{MIN}_{MAX}", stringify!($name)).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
            }
        }
    };
}

whole_number_impls!(Whole, false);
whole_number_impls!(Limit, true);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(json: &str) -> Result<u64, String> {
        serde_json::from_str::<ReadRevision>(json).map(ReadRevision::get).map_err(|error| error.to_string())
    }

    #[test]
    fn integral_representations_are_the_same_number() {
        for json in ["8535043794784493", "8535043794784493.0", "8.535043794784493e15"] {
            assert_eq!(read(json), Ok(8_535_043_794_784_493), "{json}");
        }
        assert_eq!(read("9007199254740991.0"), Ok(MAX_SAFE_INTEGER), "the float reader must round-trip");
        assert_eq!(read("2e0"), Ok(2));
    }

    #[test]
    fn everything_else_is_refused_with_the_range() {
        let refused = [
            "0",
            "-1",
            "-1.0",
            "-0.0",
            "1.5",
            "0.5",
            "null",
            "\"12\"",
            "true",
            "[]",
            "{}",
            "9007199254740992",
            "9007199254740992.0",
            "9007199254740993.0",
            "1e16",
            "1e300",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775809",
            "9007199254740991.5",
        ];
        for json in refused {
            let error = read(json).expect_err(json);
            assert!(error.contains("from 1 to 9007199254740991"), "{json}: {error}");
        }
    }

    #[test]
    fn a_value_read_through_a_json_value_keeps_the_same_rules() {
        let value: serde_json::Value = serde_json::from_str("[9007199254740991.0, 3]").unwrap();
        let read: Vec<ReadRevision> = serde_json::from_value(value).unwrap();
        assert_eq!(read[0].get(), MAX_SAFE_INTEGER);
    }

    #[test]
    fn a_limit_is_clamped_above_and_refused_below() {
        let limit = |json| serde_json::from_str::<Limit<1, 2000>>(json).map(Limit::get);
        assert_eq!(limit("9999.0").unwrap(), 2000);
        assert!(limit("0").is_err());
        assert!(limit("9007199254740992").is_err(), "not a number every reader keeps");
    }

    proptest! {
        #[test]
        fn a_safe_integer_survives_as_integer_and_as_float(value in 1..=MAX_SAFE_INTEGER) {
            prop_assert_eq!(read(&value.to_string()), Ok(value));
            prop_assert_eq!(read(&format!("{value}.0")), Ok(value));
            let canonical = serde_json::to_string(&ReadRevision::new(value)).unwrap();
            prop_assert_eq!(canonical, value.to_string());
        }
    }
}
