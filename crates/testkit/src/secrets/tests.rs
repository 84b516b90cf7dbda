//! The scan finds what is planted, wherever and however; otherwise that it finds nothing proves nothing.

use super::*;

const KEY: &str = "sk-proj_canary-8f1b6d20c94e57a3-tunnel-key";

fn scan() -> SecretScan {
    SecretScan::new([("the key", KEY)]).unwrap()
}

fn forms_in(bytes: &[u8]) -> Vec<&'static str> {
    let mut scan = scan();
    scan.bytes("here", bytes);
    scan.findings().iter().map(|finding| finding.form).collect()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_planted_secret_is_found_in_every_form() {
    let utf16: Vec<u8> = KEY.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let escaped: String = KEY.bytes().map(|byte| format!("\\u00{byte:02X}")).collect();
    let percent: String = KEY.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for (form, planted) in [
        ("in clear", format!("bearer {KEY} ").into_bytes()),
        ("in clear", KEY.as_bytes()[..KEY.len() - 9].to_vec()),
        ("UTF-16", utf16),
        ("hex", hex(KEY).into_bytes()),
        ("hex", hex(KEY).to_uppercase().into_bytes()),
        ("percent-encoded", percent.into_bytes()),
        ("JSON escapes", escaped.into_bytes()),
    ] {
        assert_eq!(forms_in(&planted), [form], "{}", String::from_utf8_lossy(&planted));
    }
}

/// Written by another hand than the scan's: `printf %s TEXT | base64`.
#[test]
fn base64_is_found_wherever_the_secret_stands_in_it() {
    for encoded in [
        "c2stcHJval9jYW5hcnktOGYxYjZkMjBjOTRlNTdhMy10dW5uZWwta2V5",
        "OnNrLXByb2pfY2FuYXJ5LThmMWI2ZDIwYzk0ZTU3YTMtdHVubmVsLWtleQ==",
        "dTpzay1wcm9qX2NhbmFyeS04ZjFiNmQyMGM5NGU1N2EzLXR1bm5lbC1rZXk=",
        "dXM6c2stcHJval9jYW5hcnktOGYxYjZkMjBjOTRlNTdhMy10dW5uZWwta2V5Ogo=",
    ] {
        let found = forms_in(format!("authorization: Basic {encoded}").as_bytes());
        assert!(
            found.iter().all(|form| form.starts_with("base64")) && !found.is_empty(),
            "{encoded}: {found:?}"
        );
    }
}

#[test]
fn what_the_product_makes_is_known_by_its_shape() {
    let secret = format!("wc_control_{}", "0123456789abcdef".repeat(4));
    let mut looking = scan();
    looking.bytes("argv", format!("--secret={secret}").as_bytes());
    looking.bytes("a log", b"wc_client wc_client_0123 wc_client_0123456789abcdef01234567");
    let found: Vec<String> = looking.findings().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["wc_client (by its shape) in a log", "wc_control (by its shape) in argv"]);
}

#[test]
fn files_and_their_names_are_looked_at_and_kept_places_must_be_private() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("logs/old")).unwrap();
    std::fs::create_dir(at("credentials")).unwrap();
    std::fs::write(at("logs/old/app.log"), format!("key={KEY}")).unwrap();
    std::fs::write(at(&format!("{KEY}.txt")), "").unwrap();
    std::fs::write(at("clean.db-wal"), "nothing here").unwrap();
    let mut looking = scan().kept_in(at("credentials"));
    looking.folder(folder.path()).unwrap();
    let places: Vec<String> = looking.findings().into_iter().map(|finding| finding.place).collect();
    assert!(places.contains(&at("logs/old/app.log").display().to_string()), "{places:?}");
    assert!(places.iter().any(|place| place.starts_with("the name ") && place.ends_with("-key.txt")));
    assert!(looking.files().contains(&at("clean.db-wal")));
    assert!(looking.found_none().unwrap_err().to_string().contains("the key"));
    #[cfg(unix)]
    assert!(places.contains(&at("credentials").display().to_string()), "others may look into it: {places:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn argv_and_environment_of_a_process_are_looked_at() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mut found = Vec::new();
    for (argument, variable) in [(KEY, "x"), ("x", KEY), ("x", "x")] {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo up; read _", argument]).env("PLANTED", variable);
        let mut process = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        let mut looking = scan();
        looking.process(process.id()).unwrap();
        found.push(looking.findings().len());
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert_eq!(found, [1, 1, 0]);
}

#[test]
fn a_secret_that_chance_would_find_is_refused() {
    assert!(SecretScan::new([("short", "abc")]).is_err());
}
