//! What a caller should know besides the output.

use webcodex_contracts::execution::Outcome;

use crate::core::Core;
use crate::drive::list;

/// What programs say, in lower case, when they wanted an answer that nobody could give.
const ASKED: [&str; 22] = [
    "terminal prompts disabled",
    "could not read username",
    "could not read password",
    "sudo: a terminal is required",
    "sudo: a password is required",
    "no tty present",
    "no askpass program specified",
    "can't open /dev/tty",
    "cannot open /dev/tty",
    "/dev/tty: no such device",
    "the input device is not a tty",
    "inappropriate ioctl for device",
    "host key verification failed",
    "permission denied (publickey",
    "eof when reading a line",
    "eoferror",
    "input is not from a terminal",
    "must be run from a terminal",
    "cannot prompt because user interactivity has been disabled",
    "not running in a tty",
    "stdin is not a terminal",
    "requires an interactive terminal",
];

/// How a question ends that was printed last.
const QUESTIONS: [&str; 9] =
    ["password:", "passphrase:", "username:", "login:", "[y/n]", "(y/n)", "(yes/no)", "[y/n]?", "continue?"];

/// The notes of an execution whose output is shown as `texts`.
pub(crate) fn notes(core: &Core, texts: &[&str]) -> Vec<String> {
    let (ending, survivors, mut notes) = {
        let state = core.state.lock();
        (state.ending, state.survivors.clone(), state.notes.clone())
    };
    let Some(ending) = ending else { return notes };
    let settled = core.progress.borrow().settled;
    if !settled {
        notes.push(format!(
            "The command has ended, but something it started still runs ({}). stop_job with {} ends it.",
            list(&survivors),
            core.id
        ));
    }
    if ending.outcome == Outcome::Lost && core.detached {
        notes.push(
            "It ended while no Runner, or a later one, was there to see how. Check its effects before you repeat anything."
                .to_owned(),
        );
    } else if ending.outcome == Outcome::Lost {
        notes.push(
            "Its Runner ended while it ran, so it was ended too and its result is not known. It is not run again by itself; check its effects before you repeat anything."
                .to_owned(),
        );
    }
    if matches!(ending.outcome, Outcome::Failed | Outcome::TimedOut) && texts.iter().any(|text| asked(text)) {
        let input = if core.has_input { "more input than `stdin` gave" } else { "input" };
        notes.push(format!(
            "It seems to have asked for {input}. Nobody can answer: there is no terminal, and standard input is closed unless you pass `stdin`. Pass `stdin`, an option that answers (such as `--yes`), or stored credentials."
        ));
    }
    notes
}

/// Whether the end of the output shows a question or the complaint that it could not be asked.
fn asked(text: &str) -> bool {
    let mut start = text.len().saturating_sub(2000);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let end = text[start..].to_lowercase();
    let last = end.trim_end().lines().last().unwrap_or_default();
    ASKED.iter().any(|phrase| end.contains(phrase)) || QUESTIONS.iter().any(|phrase| last.ends_with(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_complaints_are_recognised() {
        for text in [
            "Password: ",
            "Proceed? [Y/n] ",
            "fatal: could not read Username for 'https://x': terminal prompts disabled\n",
            "EOFError: EOF when reading a line\n",
            "sudo: a terminal is required to read the password\n",
        ] {
            assert!(asked(text), "{text}");
        }
        for text in ["", "error: test failed\n", "Password: ok\ndone\n", "é".repeat(1500).as_str()] {
            assert!(!asked(text), "{text}");
        }
    }
}
