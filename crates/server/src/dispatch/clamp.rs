//! Limits that were asked for beyond their maximum, so that the answer can say what was applied.

use serde_json::{Map, Value};
use webcodex_contracts::MAX_SAFE_INTEGER;

/// The numbers in `arguments` that lie above the maximum their schema states, by place, with that maximum.
///
/// A number that may not be clamped is refused when the arguments are decoded, so after a successful decoding these
/// are exactly the clamped ones.
pub(crate) fn beyond_limits(arguments: &Value, schema: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    collect(arguments, schema, &mut String::new(), &mut found);
    found
}

fn collect(value: &Value, schema: &Value, place: &mut String, found: &mut Map<String, Value>) {
    match value {
        Value::Number(number) => {
            let Some(maximum) = schema.get("maximum").and_then(Value::as_u64) else { return };
            let beyond = number.as_f64().is_some_and(|number| number > maximum as f64);
            if beyond && maximum < MAX_SAFE_INTEGER {
                found.insert(place.clone(), maximum.into());
            }
        }
        Value::Object(fields) => {
            let Some(Value::Object(properties)) = schema.get("properties") else { return };
            for (name, field) in fields {
                let Some(schema) = properties.get(name) else { continue };
                let before = place.len();
                if before > 0 {
                    place.push('.');
                }
                place.push_str(name);
                collect(field, schema, place, found);
                place.truncate(before);
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (index, item) in items.iter().enumerate() {
                let before = place.len();
                place.push_str(&format!("[{index}]"));
                collect(item, schema, place, found);
                place.truncate(before);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use webcodex_contracts::table;

    use super::*;

    #[test]
    fn limits_beyond_their_maximum_are_named_by_place() {
        let schema = &table::find("read_files").unwrap().input_schema;
        let arguments = json!({"project": "p", "items": [
            {"path": "a", "line_count": 4000}, {"path": "b", "line_count": 999_999.0, "start_line": 9_007_199_254_740_991_u64}]});
        assert_eq!(Value::Object(beyond_limits(&arguments, schema)), json!({"items[1].line_count": 4000}));
        let schema = &table::find("observe_jobs").unwrap().input_schema;
        let arguments = json!({"jobs": [{"job_id": "wcj_a_b"}], "wait_secs": 600});
        assert_eq!(Value::Object(beyond_limits(&arguments, schema)), json!({"wait_secs": 60}));
        assert!(beyond_limits(&json!({"unknown": 1e300}), schema).is_empty());
    }
}
