//! JSON Schemas as hosts need them: plain objects, nothing to resolve, no formats they do not know.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments: inlined, closed, with descriptions.
pub fn input_schema<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(SchemaSettings::draft2020_12().for_deserialize());
    tidy(&mut schema, Descriptions::Keep);
    if let Value::Object(object) = &mut schema {
        // The tool's own description says it already.
        object.remove("description");
    }
    schema
}

/// The schema of a tool's whole result, success and failure alike.
pub fn result_schema<T: JsonSchema>() -> Value {
    let mut output = generate::<T>(SchemaSettings::draft2020_12().for_serialize());
    tidy(&mut output, Descriptions::Keep);
    // A failure carries whatever facts help, so nothing inside `output` is required of every result.
    if let Value::Object(output) = &mut output {
        output.remove("required");
        output.remove("additionalProperties");
    }
    let mut error = generate::<crate::ToolError>(SchemaSettings::draft2020_12().for_serialize());
    tidy(&mut error, Descriptions::Keep);
    let mut recovery = generate::<crate::Recovery>(SchemaSettings::draft2020_12().for_serialize());
    tidy(&mut recovery, Descriptions::Keep);
    json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "output": output,
            "error": error,
            "recovery": recovery,
        },
        "required": ["success", "output"],
    })
}

/// The result schema as `tools/list` shows it: names and types of `output` without prose, one level deep.
/// `read_tool_manifest` has the whole.
pub fn brief_result_schema(full: &Value) -> Value {
    let mut output = full.pointer("/properties/output").cloned().unwrap_or_else(|| json!({"type": "object"}));
    tidy(&mut output, Descriptions::Drop);
    prune(&mut output, 1);
    json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "output": output,
            "error": {"type": "object"},
            "recovery": {"type": "object"},
        },
        "required": ["success"],
    })
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value()
}

#[derive(Clone, Copy, PartialEq)]
enum Descriptions {
    Keep,
    Drop,
}

/// Removes what hosts trip over (titles, formats, null alternatives, nested constants) and what costs bytes.
fn tidy(schema: &mut Value, descriptions: Descriptions) {
    let Value::Object(object) = schema else { return };
    for key in ["title", "format", "default", "$schema"] {
        object.remove(key);
    }
    if descriptions == Descriptions::Drop {
        object.remove("description");
    }
    drop_null_type(object);
    merge_constants(object);
    for key in ["properties", "patternProperties"] {
        if let Some(Value::Object(properties)) = object.get_mut(key) {
            properties.values_mut().for_each(|property| tidy(property, descriptions));
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = object.get_mut(key) {
            tidy(inner, descriptions);
        }
    }
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

/// `Option<T>` is an optional property, not one that may be null.
fn drop_null_type(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            object.insert("type".to_owned(), single);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(mut alternatives)) = object.remove("anyOf") {
        alternatives.retain(|schema| schema.get("type") != Some(&json!("null")));
        match alternatives.as_mut_slice() {
            [Value::Object(single)] => {
                let own_description = object.remove("description");
                object.append(single);
                if let Some(description) = own_description {
                    object.insert("description".to_owned(), description);
                }
                drop_null_type(object);
            }
            _ => {
                object.insert("anyOf".to_owned(), Value::Array(alternatives));
            }
        }
    }
}

/// An enum whose variants are documented comes as `oneOf` of constants; a plain `enum` says the same.
fn merge_constants(object: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = object.get("oneOf") else { return };
    let mut values = Vec::new();
    for alternative in alternatives {
        match (alternative.get("const"), alternative.get("enum")) {
            (Some(value), _) => values.push(value.clone()),
            (None, Some(Value::Array(several))) => values.extend(several.iter().cloned()),
            _ => return,
        }
    }
    object.remove("oneOf");
    object.insert("type".to_owned(), json!("string"));
    object.insert("enum".to_owned(), Value::Array(values));
}

/// Replaces what lies deeper than `depth` objects by its bare type.
fn prune(schema: &mut Value, depth: usize) {
    let Value::Object(object) = schema else { return };
    object.remove("required");
    object.remove("additionalProperties");
    object.remove("minimum");
    object.remove("maximum");
    object.remove("enum");
    if depth == 0 {
        object.remove("properties");
        object.remove("items");
        return;
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(|property| prune(property, depth - 1));
    }
    if let Some(items) = object.get_mut("items") {
        prune(items, depth - 1);
    }
}
