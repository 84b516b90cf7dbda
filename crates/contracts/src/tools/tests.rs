use serde_json::{Value, json};

use crate::table::{self, Descriptor};
use crate::{Exposure, ToolName, schema};

#[test]
fn every_tool_is_listed_once_and_direct_ones_come_first() {
    let names: Vec<_> = table::all().iter().map(|tool| tool.name).collect();
    assert_eq!(names, ToolName::ALL, "the table and the closed list of names have one order");
    let last_direct = table::all().iter().rposition(Descriptor::is_direct).unwrap();
    assert!(table::all()[..=last_direct].iter().all(Descriptor::is_direct));
}

#[test]
fn schemas_are_plain_objects_without_references() {
    for tool in table::all() {
        for schema in
            [&tool.input_schema, &tool.result_schema, &schema::brief_result_schema(&tool.result_schema)]
        {
            assert_eq!(schema["type"], "object", "{}", tool.name);
            for keyword in ["oneOf", "anyOf", "allOf", "not", "enum"] {
                assert!(schema.get(keyword).is_none(), "{}: {keyword} at the top", tool.name);
            }
            let text = schema.to_string();
            for keyword in ["$ref", "$defs", "\"format\"", "\"title\":\"", "\"null\""] {
                assert!(!text.contains(keyword), "{}: {keyword} in {text}", tool.name);
            }
        }
        assert_eq!(tool.input_schema["additionalProperties"], json!(false), "{}", tool.name);
        assert!(tool.name.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", tool.name);
    }
}

#[test]
fn what_a_host_lists_stays_small() {
    let listed: Vec<Value> = table::all()
        .iter()
        .filter(|tool| tool.is_direct())
        .map(|tool| {
            json!({
                "name": tool.name, "title": tool.title, "description": tool.about,
                "inputSchema": tool.input_schema, "outputSchema": schema::brief_result_schema(&tool.result_schema),
                "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
            })
        })
        .collect();
    let bytes = serde_json::to_string(&listed).unwrap().len();
    assert!(bytes < 23_000, "tools/list costs {bytes} bytes");
}

#[test]
fn the_gateway_cannot_call_itself() {
    assert_eq!(table::get(ToolName::CallRuntimeTool).exposure, Exposure::DirectOnly);
    assert!(!table::get(ToolName::CallRuntimeTool).effect.is_read_only(), "a gateway can mutate");
}

#[test]
fn errors_name_the_field_and_what_would_be_right() {
    let check = |tool: &str, arguments: Value, field: &str, message: &str| {
        let error = table::find(tool).unwrap().canonicalise(arguments).unwrap_err();
        assert_eq!(error.field.as_deref().unwrap_or_default(), field, "{error:?}");
        assert!(error.to_text().contains(message), "{}", error.to_text());
    };
    let p = "agent:a:b";
    check(
        "read_files",
        json!({"project": p, "items": [{"path": "a", "start_lin": 1}]}),
        "items[0].start_lin",
        "Did you mean `start_line`?",
    );
    check("read_files", json!({"project": p}), "items", "`items` is required");
    check("read_files", json!({"project": p, "items": [{}]}), "items[0].path", "is required");
    check("read_files", json!({"project": p, "items": []}), "items", "1 to 8");
    check(
        "read_files",
        json!({"project": p, "items": [{"path": "../a"}]}),
        "items[0].path",
        "leads out of the project",
    );
    check(
        "read_files",
        json!({"project": p, "items": [{"path": "a", "start_line": 1.5}]}),
        "items[0].start_line",
        "from 1 to 9007199254740991",
    );
    check("read_files", json!({"project": 5, "items": [{"path": "a"}]}), "project", "expected a string");
    check(
        "edit_project_files",
        json!({"project": p, "changes": [{"kind": "replace", "path": "a"}]}),
        "changes[0].kind",
        "replace_exact",
    );
    check("read_files", json!([]), "", "must be an object");
}

#[test]
fn wrapped_lists_are_understood_and_texts_left_alone() {
    let tool = table::find("run_process").unwrap();
    let wrapped = json!({"project": "agent:a:b", "executable": "[1]", "args": "[\"{\\\"a\\\":1}\"]", "timeout_secs": 30.0});
    let canonical = tool.canonicalise(wrapped).unwrap();
    assert_eq!(canonical["args"], json!(["{\"a\":1}"]));
    assert_eq!(canonical["executable"], json!("[1]"));
    assert_eq!(canonical["timeout_secs"].to_string(), "30");
}

#[test]
fn retired_names_say_what_to_use_today() {
    for (name, today) in [
        ("task_start", "work_on_project"),
        ("files_read", "read_files"),
        ("edits_apply", "edit_project_files"),
    ] {
        assert!(table::find(name).is_none());
        assert!(table::unknown_tool(name).to_text().contains(today), "{name}");
    }
    assert!(table::unknown_tool("read_fils").to_text().contains("Did you mean `read_files`?"));
}
