//! From untrusted JSON to parameters: one way in, with errors that name the field and what would be right.

use std::fmt::Write as _;

use serde::Deserialize as _;
use serde_json::{Map, Value};

use crate::limits::MAX_JSON_DEPTH;
use crate::{ErrorCode, Tool, ToolError};

/// Reads the arguments of `T`.
///
/// A list or an object that arrives wrapped as JSON text is unwrapped where the schema wants a list or an object;
/// text fields are never touched. Unknown fields are refused with the nearest known name.
pub fn decode<T: Tool>(mut arguments: Value, schema: &Value) -> Result<T::Params, ToolError> {
    refuse_deep_nesting(&arguments)?;
    unwrap_json_text(&mut arguments, schema);
    if !arguments.is_object() {
        return Err(invalid("", format!("the arguments must be an object, not {}", kind(&arguments))));
    }
    refuse_unknown_fields(&arguments, schema, &mut String::new())?;
    // Following the path costs more than reading, so it is done for those who are told of it.
    if let Ok(params) = T::Params::deserialize(&arguments) {
        return Ok(params);
    }
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let message = error.into_inner().to_string();
        let (field, message) = match missing_field(&message) {
            Some(name) => (join(&path, name), format!("`{}` is required", join(&path, name))),
            None if path == "." || path.is_empty() => (String::new(), message),
            None => (path.clone(), format!("`{path}`: {message}")),
        };
        invalid(&field, message)
    })
}

/// An `invalid_arguments` error at `field`.
pub fn invalid(field: &str, message: impl Into<String>) -> ToolError {
    let error = ToolError::new(ErrorCode::InvalidArguments, message).changed(false);
    if field.is_empty() || field == "." { error } else { error.field(field) }
}

/// Refuses arguments that are nested deeper than any tool needs.
pub fn refuse_deep_nesting(arguments: &Value) -> Result<(), ToolError> {
    if depth(arguments) > MAX_JSON_DEPTH {
        return Err(invalid("", format!("the arguments are nested deeper than {MAX_JSON_DEPTH} levels")));
    }
    Ok(())
}

fn missing_field(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.split('`').next()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() || path == "." { name.to_owned() } else { format!("{path}.{name}") }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Replaces a list or an object that arrived wrapped as JSON text, where the schema wants one. Text fields are never
/// touched.
pub fn unwrap_json_text(value: &mut Value, schema: &Value) {
    let wanted = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    if let (Value::String(text), "array" | "object") = (&*value, wanted)
        && let Ok(inner) = serde_json::from_str::<Value>(text)
        && (inner.is_array() && wanted == "array" || inner.is_object() && wanted == "object")
    {
        *value = inner;
    }
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| unwrap_json_text(item, schema));
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if let Some(schema) = schema.get("properties").and_then(|known| known.get(name)) {
                    unwrap_json_text(field, schema);
                }
            }
        }
        _ => {}
    }
}

/// `place` is where `value` stands; it comes back as it was unless something is refused.
fn refuse_unknown_fields(value: &Value, schema: &Value, place: &mut String) -> Result<(), ToolError> {
    let length = place.len();
    match value {
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return Ok(()) };
            for (index, item) in items.iter().enumerate() {
                // Writing to a String cannot fail.
                let _ = write!(place, "[{index}]");
                refuse_unknown_fields(item, schema, place)?;
                place.truncate(length);
            }
        }
        Value::Object(fields) => {
            let Some(Value::Object(known)) = schema.get("properties") else { return Ok(()) };
            let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            for (name, field) in fields {
                if length > 0 {
                    place.push('.');
                }
                place.push_str(name);
                match known.get(name) {
                    Some(schema) => refuse_unknown_fields(field, schema, place)?,
                    None if closed => return Err(unknown_field(place, name, known)),
                    None => {}
                }
                place.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}

fn unknown_field(place: &str, name: &str, known: &Map<String, Value>) -> ToolError {
    let message = format!("`{place}` is not a field of this tool");
    let hint = match nearest(name, known.keys().map(String::as_str)) {
        Some(nearest) => format!("Did you mean `{nearest}`?"),
        None => format!("Known fields: {}.", known.keys().cloned().collect::<Vec<_>>().join(", ")),
    };
    invalid(place, message).hint(hint)
}

/// The known name that `name` most likely stands for, if one is near.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}
