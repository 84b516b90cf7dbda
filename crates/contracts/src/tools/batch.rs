//! A list of at least one and at most `MAX` entries.

use std::borrow::Cow;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// 1 to `MAX` entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Batch<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Batch<T, MAX> {
    /// The batch, if its length is allowed.
    pub fn new(items: Vec<T>) -> Option<Self> {
        (1..=MAX).contains(&items.len()).then_some(Self(items))
    }

    /// The entries.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const MAX: usize> Deref for Batch<T, MAX> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Batch<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::deserialize(deserializer)?;
        let count = items.len();
        Self::new(items).ok_or_else(|| {
            serde::de::Error::custom(format_args!("holds {count} entries; 1 to {MAX} are allowed"))
        })
    }
}

impl<T: JsonSchema, const MAX: usize> JsonSchema for Batch<T, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Batch_{}_{MAX}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<T>(),
            "minItems": 1,
            "maxItems": MAX,
        })
    }
}
