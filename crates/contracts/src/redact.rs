//! Takes what looks like a secret out of a command line or another short text that people are shown.
//!
//! It knows the usual shapes: assignments of variables, options and headers that name a secret, addresses with a
//! password in them, and tokens by the beginnings their issuers give them. It would rather hide too much. What has none
//! of these shapes is not found, so a text that went through here is fit to be shown and kept, not to be published.

/// Stands where something was taken out.
pub const HIDDEN: &str = "•••";

/// Parts of a name that make its value a secret.
const SECRET_NAMES: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "private_key",
    "private-key",
    "credential",
    "authorization",
];
/// Whole names, or their last part, that do the same.
const SECRET_ENDINGS: [&str; 5] = ["pwd", "pass", "auth", "cookie", "key"];
/// How well-known tokens begin, and how long they are at least.
const PREFIXES: [(&str, usize); 21] = [
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 30),
    ("glpat-", 16),
    ("sk-", 20),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("xapp-", 16),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 30),
    ("ya29.", 20),
    ("eyJ", 30),
    ("npm_", 20),
    ("hf_", 20),
    ("wc_", 20),
];

/// The text in one line without what looks like a secret, at most `limit` characters.
pub fn one_line(text: &str, limit: usize) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // Enough to find the secrets of what will be shown.
    let joined: String = lines.join("; ").chars().take(limit.saturating_mul(4)).collect();
    let redacted = secrets(&joined);
    match redacted.char_indices().nth(limit) {
        None => redacted,
        Some((end, _)) => format!("{}…", &redacted[..end]),
    }
}

/// The text without what looks like a secret.
pub fn secrets(text: &str) -> String {
    let text = without_keys(text);
    let mut out = String::with_capacity(text.len());
    let mut state = State::Open;
    for piece in pieces(&text) {
        if piece.starts_with(char::is_whitespace) {
            if !matches!(state, State::Until(_)) {
                out.push_str(piece);
            }
            continue;
        }
        state = word(piece, state, &mut out);
    }
    out
}

/// What the words before mean for the next one.
#[derive(Clone, Copy)]
enum State {
    /// Nothing.
    Open,
    /// It is a secret.
    Hide,
    /// It may hold a password behind a colon.
    UserAndPassword,
    /// A variable of PowerShell; its value comes behind a `=`.
    Assigned,
    /// A quoted secret goes on until this quote.
    Until(char),
}

fn word(word: &str, state: State, out: &mut String) -> State {
    match state {
        State::Until(quote) => return if closes(word, quote) { State::Open } else { state },
        State::Hide if is_scheme(word) => {
            out.push_str(word);
            return State::Hide;
        }
        State::Hide => return hide(word, out),
        State::Assigned if word == "=" => {
            out.push_str(word);
            return State::Hide;
        }
        State::UserAndPassword => {
            if let Some((user, _)) = word.split_once(':') {
                out.push_str(user);
                out.push(':');
                out.push_str(HIDDEN);
                return State::Open;
            }
        }
        State::Open | State::Assigned => {}
    }
    if let Some((kept, value)) = named_secret(word) {
        out.push_str(kept);
        return if value.is_empty() { State::Hide } else { hide(value, out) };
    }
    out.push_str(&known_tokens(&without_login(word)));
    let bare = word.trim_matches(['"', '\'', '(', ',']);
    if bare == "-u" || bare == "--user" {
        return State::UserAndPassword;
    }
    if bare.to_ascii_lowercase().starts_with("$env:") {
        return State::Assigned;
    }
    let option = bare.strip_prefix('-').map(|name| name.trim_start_matches('-'));
    let hides = is_scheme(bare) || option.is_some_and(is_secret_name);
    if hides { State::Hide } else { State::Open }
}

/// Hides a value; what closes a bracket or command behind it stays.
fn hide(value: &str, out: &mut String) -> State {
    out.push_str(HIDDEN);
    let quote = value.chars().next().filter(|first| ['"', '\''].contains(first));
    match quote {
        Some(quote) if !closes(&value[1..], quote) => State::Until(quote),
        _ => {
            if value.ends_with(';') {
                out.push(';');
            }
            State::Open
        }
    }
}

fn closes(text: &str, quote: char) -> bool {
    text.contains(quote)
}

/// `NAME=value`, `--token=value`, `password:value`, `?key=value`: what is shown and what is hidden.
fn named_secret(word: &str) -> Option<(&str, &str)> {
    let bare = word.trim_start_matches(['"', '\'', '(', '{', '$']);
    let start = word.len() - bare.len();
    if let Some(at) = bare.find('=') {
        let name = bare[..at].strip_prefix("env:").unwrap_or(&bare[..at]);
        if is_variable(name) {
            return Some(word.split_at(start + at + 1));
        }
    }
    for (at, _) in word.match_indices([':', '=']) {
        // The colon of an address ends no name.
        if word[at..].starts_with("://") {
            continue;
        }
        let before = word[..at].trim_end_matches(['"', '\'']);
        let name =
            before.rsplit(|c: char| !c.is_alphanumeric() && !"_-.".contains(c)).next().unwrap_or_default();
        if is_secret_name(name.trim_start_matches('-')) {
            return Some(word.split_at(at + 1));
        }
    }
    None
}

fn is_variable(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
    SECRET_NAMES.iter().any(|part| name.contains(part)) || SECRET_ENDINGS.contains(&last)
}

fn is_scheme(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    word.eq_ignore_ascii_case("bearer") || word.eq_ignore_ascii_case("basic")
}

/// `https://name:password@host` without name and password.
fn without_login(word: &str) -> String {
    let Some(start) = word.find("://").map(|at| at + 3) else { return word.to_owned() };
    let end = word[start..].find(['/', '?', '#']).map_or(word.len(), |at| start + at);
    match word[start..end].rfind('@') {
        Some(at) => format!("{}{HIDDEN}{}", &word[..start], &word[start + at..]),
        None => word.to_owned(),
    }
}

/// Takes out tokens that are known by their beginning.
fn known_tokens(word: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while !rest.is_empty() {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(length);
        let known = PREFIXES.iter().any(|(prefix, least)| run.starts_with(prefix) && run.len() >= *least);
        out.push_str(if known { HIDDEN } else { run });
        let separator = behind.chars().next().map_or(0, char::len_utf8);
        out.push_str(&behind[..separator]);
        rest = &behind[separator..];
    }
    out
}

/// The text without private keys.
fn without_keys(text: &str) -> String {
    let Some(start) = text.find("-----BEGIN ") else { return text.to_owned() };
    let end = text[start..].find("-----END ").map_or(text.len(), |at| start + at);
    let tail = text[end..].find("-----").and_then(|at| {
        let behind = end + at + 5;
        text[behind..].find("-----").map(|at| behind + at + 5)
    });
    format!("{}{HIDDEN}{}", &text[..start], without_keys(&text[tail.unwrap_or(text.len())..]))
}

/// Words and the blanks between them, in order.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blank = rest.chars().next()?.is_whitespace();
        let end = rest.find(|c: char| c.is_whitespace() != blank).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn secrets_are_taken_out_of_commands() {
        for (given, shown) in [
            ("DB_URL=postgres://u:p@h/d cargo test", "DB_URL=••• cargo test"),
            ("export API_KEY='a b c' && make", "export API_KEY=••• && make"),
            (
                "curl -H 'Authorization: Bearer abc.def' https://x.io",
                "curl -H 'Authorization: Bearer ••• https://x.io",
            ),
            ("curl -u me:hunter2 https://x.io", "curl -u me:••• https://x.io"),
            ("git clone https://me:hunter2@host.io/r.git", "git clone https://•••@host.io/r.git"),
            ("login --password hunter2 --user me", "login --password ••• --user me"),
            ("login --password=hunter2; ls", "login --password=•••; ls"),
            (
                "gh auth login --with-token ghp_0123456789abcdefghijABCDEFGHIJ012345",
                "gh auth login --with-token •••",
            ),
            ("echo ghp_0123456789abcdefghijABCDEFGHIJ012345", "echo •••"),
            ("curl https://x.io/?a=1&access_token=abc", "curl https://x.io/?a=1&access_token=•••"),
            (r#"post {"password":"hunter2"}"#, r#"post {"password":•••"#),
            ("$env:TOKEN = 'x'; dotnet test", "$env:TOKEN = •••; dotnet test"),
        ] {
            let seen = secrets(given);
            assert_eq!(seen, shown, "{given}");
        }
    }

    #[test]
    fn ordinary_commands_stay_as_they_are() {
        for command in [
            "cargo test -p webcodex-files -- --nocapture",
            "npm run build -- --mode production",
            "git log --author=me --oneline",
            "docker run -p 8080:80 nginx:1.27",
            "rg -n 'fn main' src/lib.rs:12",
            "C:\\tools\\x.exe /nologo",
        ] {
            assert_eq!(secrets(command), command);
        }
    }

    #[test]
    fn private_keys_go_whole() {
        let text = "a -----BEGIN RSA PRIVATE KEY----- abc def -----END RSA PRIVATE KEY----- b";
        assert_eq!(secrets(text), "a ••• b");
        assert_eq!(secrets("a -----BEGIN x PRIVATE KEY----- abc"), "a •••");
    }

    #[test]
    fn a_script_becomes_one_bounded_line() {
        assert_eq!(one_line("\n  cd a\n\n  make\n", 100), "cd a; make");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(one_line("äöü", 3), "äöü");
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text: String) {
            let _ = secrets(&text);
        }

        #[test]
        fn an_assigned_value_never_stays(value in "[a-z]{12}[A-Z0-9]{6}") {
            for shape in [format!("TOKEN={value} run"), format!("run --secret {value}"), format!("x password: {value}")] {
                prop_assert!(!secrets(&shape).contains(&value), "{shape}");
            }
        }
    }
}
