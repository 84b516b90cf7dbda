//! `docs/tools.md` and `docs/errors.md` are written from the contracts: run with `UPDATE_DOCS=1` to write them anew.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use serde_json::Value;
use webcodex_contracts::table::{self, Descriptor};
use webcodex_contracts::{Effect, ErrorCode};
use webcodex_testkit::check_document;

#[test]
fn the_page_of_tools_is_true() {
    check_document("tools.md", &tools());
}

#[test]
fn the_page_of_errors_is_true() {
    check_document("errors.md", &errors());
}

fn errors() -> String {
    let mut page = "# Error codes\n\nWritten from `crates/contracts/src/error.rs`. Every failure is `{\"success\": false, \"error\": {…}}` with one of \
        these codes; the message is for people and models, the code for programs.\n\n| Code | Meaning |\n| --- | --- |\n"
        .to_owned();
    for (code, meaning) in ErrorCode::ALL {
        writeln!(page, "| `{}` | {} |", code.as_str(), meaning.trim()).unwrap();
    }
    page
}

fn tools() -> String {
    let mut page = "# Tools\n\nWritten from `crates/contracts/src/tools`. Direct tools are listed to every host, in this order; the others \
        are called through `call_runtime_tool`. `read_tool_manifest` returns the exact schemas.\n"
        .to_owned();
    for tool in table::all() {
        write!(page, "\n## `{}`\n\n{}\n\n{}\n", tool.name, tool.about, facts(tool)).unwrap();
        arguments(&mut page, tool);
    }
    page
}

fn facts(tool: &Descriptor) -> String {
    let exposure = match (tool.is_direct(), tool.has_gateway()) {
        (true, true) => "direct and through the gateway",
        (true, false) => "direct only",
        (false, false) => "for pages of ours only, never offered to a model",
        (false, true) => "through the gateway",
    };
    let effect = match tool.effect {
        Effect::Read => "reads only",
        Effect::Record => "changes records of ours only",
        Effect::Destructive => "changes project files",
        Effect::OpenWorld => "runs what the caller names",
    };
    let scope = tool.scope.map_or("the target's".to_owned(), |scope| format!("`{}`", scope.as_str()));
    format!("*{}* · {effect} · scope: {scope} · {exposure}", tool.title)
}

fn arguments(page: &mut String, tool: &Descriptor) {
    let Some(properties) = tool.input_schema["properties"].as_object().filter(|all| !all.is_empty()) else {
        return;
    };
    let required = tool.input_schema["required"].as_array().cloned().unwrap_or_default();
    page.push_str("\n| Argument | Type | Meaning |\n| --- | --- | --- |\n");
    for (name, schema) in properties {
        row(page, name, schema, required.contains(&Value::from(name.as_str())));
        if let Some(inner) = schema.pointer("/items/properties").and_then(Value::as_object) {
            let required = schema["items"]["required"].as_array().cloned().unwrap_or_default();
            for (field, schema) in inner {
                row(
                    page,
                    &format!("{name}[].{field}"),
                    schema,
                    required.contains(&Value::from(field.as_str())),
                );
            }
        }
    }
}

fn row(page: &mut String, name: &str, schema: &Value, required: bool) {
    let star = if required { " (required)" } else { "" };
    let meaning = schema["description"].as_str().unwrap_or_default().replace('|', "\\|");
    writeln!(page, "| `{name}`{star} | {} | {meaning} |", kind(schema)).unwrap();
}

fn kind(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`"));
        return values.collect::<Vec<_>>().join(", ");
    }
    let name = schema["type"].as_str().unwrap_or("any");
    match (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
        (Some(least), Some(most)) => format!("{name}, {least} to {most}"),
        _ => match schema.pointer("/items/type").and_then(Value::as_str) {
            Some(item) => format!("{name} of {item}"),
            None => name.to_owned(),
        },
    }
}
