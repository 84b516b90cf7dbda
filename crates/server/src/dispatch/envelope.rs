//! The `_wc` envelope: what a client of the 2026-07-28 era may say about a call besides its arguments.
//!
//! Closed, untrusted, and taken off before the tool sees its arguments. It grants nothing.

use serde_json::{Map, Value};
use webcodex_contracts::decode::{invalid, nearest};
use webcodex_contracts::{SessionId, ToolError};
use webcodex_store::Door;

/// The member of the arguments that holds the envelope.
const ENVELOPE: &str = "_wc";
/// The members of the envelope.
const MEMBERS: [&str; 8] =
    ["record", "ack", "ack_ref", "resolve", "reply", "context", "control", "compact_execution"];
/// Where older eras put these things, and the member that holds them now.
const OLD_NAMES: [(&str, &str); 7] = [
    ("recording_session_id", "record"),
    ("ack_session_message_ids", "ack"),
    ("ack_ref", "ack_ref"),
    ("session_message_resolution", "resolve"),
    ("window_reply", "reply"),
    ("context_request", "context"),
    ("_control", "control"),
];

/// What of the envelope changes how a call is served.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Envelope {
    /// The session that records the call, and the field that named it.
    pub(crate) record: Option<(&'static str, SessionId)>,
    /// Present results of execution tools as control facts and details.
    pub(crate) compact_execution: bool,
}

/// Takes the envelope off `arguments`.
pub(crate) fn take(arguments: &mut Value, door: Door) -> Result<Envelope, ToolError> {
    let Value::Object(fields) = arguments else { return Ok(Envelope::default()) };
    match door {
        Door::McpModern => take_modern(fields),
        Door::McpLegacy => take_legacy(fields),
        Door::Api => Ok(Envelope::default()),
    }
}

/// Refuses an envelope inside the arguments of a gateway's target.
pub(crate) fn refuse_nested(arguments: &Map<String, Value>, door: Door) -> Result<(), ToolError> {
    if arguments.contains_key(ENVELOPE) {
        let message =
            "`_wc` belongs to the outer call, beside `tool` and `arguments`, not inside `arguments`";
        return Err(invalid("arguments._wc", message));
    }
    if door != Door::McpModern {
        return Ok(());
    }
    match old_name(arguments) {
        Some((old, member)) => {
            let message =
                format!("`{old}` is not a field of this tool; its place is `_wc.{member}` of the outer call");
            Err(invalid(&format!("arguments.{old}"), message))
        }
        None => Ok(()),
    }
}

fn old_name(fields: &Map<String, Value>) -> Option<(&'static str, &'static str)> {
    OLD_NAMES.into_iter().find(|(old, _)| fields.contains_key(*old))
}

fn take_legacy(fields: &mut Map<String, Value>) -> Result<Envelope, ToolError> {
    const FIELD: &str = "recording_session_id";
    let Some(value) = fields.shift_remove(FIELD) else { return Ok(Envelope::default()) };
    Ok(Envelope { record: Some((FIELD, session(FIELD, &value)?)), compact_execution: false })
}

fn take_modern(fields: &mut Map<String, Value>) -> Result<Envelope, ToolError> {
    if let Some((old, member)) = old_name(fields) {
        let message = format!("`{old}` is not a field here any more; send it as `_wc.{member}`");
        return Err(invalid(old, message));
    }
    let members = match fields.shift_remove(ENVELOPE) {
        None => return Ok(Envelope::default()),
        Some(Value::Object(members)) => members,
        Some(_) => return Err(invalid(ENVELOPE, "`_wc` must be an object")),
    };
    let mut envelope = Envelope::default();
    for (name, value) in &members {
        let place = format!("{ENVELOPE}.{name}");
        match name.as_str() {
            "record" => envelope.record = Some(("_wc.record", session(&place, value)?)),
            "compact_execution" => {
                let wanted = value.as_bool();
                envelope.compact_execution = wanted.ok_or_else(|| wrong_type(&place, "true or false"))?;
            }
            "ack" if !is_text_list(value) => return Err(wrong_type(&place, "a list of message ids")),
            "ack_ref" if !value.is_string() => return Err(wrong_type(&place, "text")),
            "resolve" | "reply" | "context" | "control" if !is_structured(value) => {
                return Err(wrong_type(&place, "an object, a list or text"));
            }
            "ack" | "ack_ref" | "resolve" | "reply" | "context" | "control" => {}
            unknown => return Err(unknown_member(&place, unknown)),
        }
    }
    Ok(envelope)
}

fn session(place: &str, value: &Value) -> Result<SessionId, ToolError> {
    let text = value.as_str().ok_or_else(|| wrong_type(place, "the id of a session"))?;
    SessionId::parse(text).map_err(|error| invalid(place, format!("`{place}`: {error}")))
}

fn is_text_list(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

fn is_structured(value: &Value) -> bool {
    value.is_object() || value.is_array() || value.is_string()
}

fn wrong_type(place: &str, wanted: &str) -> ToolError {
    invalid(place, format!("`{place}` must be {wanted}"))
}

fn unknown_member(place: &str, name: &str) -> ToolError {
    let error = invalid(place, format!("`{place}` is not a member of the envelope"));
    match nearest(name, MEMBERS.into_iter()) {
        Some(nearest) => error.hint(format!("Did you mean `_wc.{nearest}`?")),
        None => error.hint(format!("Known members: {}.", MEMBERS.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn modern(mut arguments: Value) -> Result<(Envelope, Value), ToolError> {
        take(&mut arguments, Door::McpModern).map(|envelope| (envelope, arguments))
    }

    #[test]
    fn the_envelope_is_taken_off_and_understood() {
        let sent = json!({"project": "p", "_wc": {"record": "~s1", "compact_execution": true, "ack": ["m1"], "ack_ref": "r",
            "resolve": {}, "reply": "yes", "context": ["status"], "control": {}}});
        let (envelope, rest) = modern(sent).unwrap();
        assert_eq!(
            envelope,
            Envelope {
                record: Some(("_wc.record", SessionId::parse("~s1").unwrap())),
                compact_execution: true,
            }
        );
        assert_eq!(rest, json!({"project": "p"}));
        assert_eq!(modern(json!({"a": 1})).unwrap(), (Envelope::default(), json!({"a": 1})));
    }

    #[test]
    fn members_are_closed_and_typed() {
        let refused = |envelope: Value| {
            let error = modern(json!({"_wc": envelope})).unwrap_err();
            (error.field.clone().unwrap_or_default(), error.to_text())
        };
        for (envelope, field, text) in [
            (json!(5), "_wc", "must be an object"),
            (json!({"recrod": "~s1"}), "_wc.recrod", "Did you mean `_wc.record`?"),
            (json!({"zzz": 1}), "_wc.zzz", "Known members: record"),
            (json!({"record": 1}), "_wc.record", "the id of a session"),
            (json!({"record": "a b"}), "_wc.record", "is not a session id"),
            (json!({"ack": "m1"}), "_wc.ack", "a list"),
            (json!({"ack": [1]}), "_wc.ack", "a list"),
            (json!({"ack_ref": []}), "_wc.ack_ref", "text"),
            (json!({"context": true}), "_wc.context", "an object"),
            (json!({"compact_execution": "true"}), "_wc.compact_execution", "true or false"),
        ] {
            let (seen, message) = refused(envelope);
            assert_eq!(seen, field);
            assert!(message.contains(text), "{message}");
        }
    }

    #[test]
    fn old_names_name_their_member() {
        for (old, member) in OLD_NAMES {
            let error = modern(json!({old: "x"})).unwrap_err();
            assert!(error.to_text().contains(&format!("`_wc.{member}`")), "{error:?}");
        }
    }

    #[test]
    fn the_legacy_era_knows_the_recording_session_only() {
        let mut arguments = json!({"recording_session_id": "wcs_1", "ack_ref": "x", "_wc": {}});
        let envelope = take(&mut arguments, Door::McpLegacy).unwrap();
        assert_eq!(envelope.record, Some(("recording_session_id", SessionId::parse("wcs_1").unwrap())));
        assert_eq!(arguments, json!({"ack_ref": "x", "_wc": {}}), "left for the schema to refuse");
    }

    #[test]
    fn the_gateways_target_has_no_envelope_of_its_own() {
        let nested = |value: Value, door| refuse_nested(value.as_object().unwrap(), door);
        let error = nested(json!({"_wc": {}}), Door::McpModern).unwrap_err();
        assert!(error.to_text().contains("outer call"));
        let error = nested(json!({"window_reply": {}}), Door::McpModern).unwrap_err();
        assert!(error.to_text().contains("`_wc.reply` of the outer call"));
        assert!(nested(json!({"_wc": {}}), Door::McpLegacy).is_err());
        assert!(nested(json!({"project": "p"}), Door::McpModern).is_ok());
    }
}
