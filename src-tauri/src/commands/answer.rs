//! The answer to a command: a value or a failure, never an exception.

use serde::Serialize;
use webcodex_contracts::control::Failure;

/// See `Answer` in `ui/desktop/bridge/types.ts`.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer<T> {
    /// It was done.
    Done { ok: bool, value: T },
    /// It was not.
    Failed { ok: bool, error: Failure },
}

impl<T> From<Result<T, Failure>> for Answer<T> {
    fn from(result: Result<T, Failure>) -> Self {
        match result {
            Ok(value) => Self::Done { ok: true, value },
            Err(error) => Self::Failed { ok: false, error },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_tell_a_value_from_a_failure() {
        let done = serde_json::to_string(&Answer::from(Ok(7))).unwrap();
        assert_eq!(done, r#"{"ok":true,"value":7}"#);
        let nothing = serde_json::to_string(&Answer::from(Ok(()))).unwrap();
        assert_eq!(nothing, r#"{"ok":true,"value":null}"#);
        let failure = Failure { code: "no".into(), message: "It is not so.".into(), hint: None };
        let failed = serde_json::to_string(&Answer::<()>::from(Err(failure))).unwrap();
        assert_eq!(failed, r#"{"ok":false,"error":{"code":"no","message":"It is not so.","hint":null}}"#);
    }
}
