//! The engine on files that nobody here wrote.

use std::path::{Path, PathBuf};

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1252};
use serde_json::json;

use crate::support::Workspace;

/// Every so many libraries one takes part, with a few files each.
const STEP: usize = 6;
const FILES_OF_EACH: usize = 2;

/// Files of the libraries that this build used: real text by many people.
fn real_files() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let registries = entries(&home.unwrap_or_default().join("registry/src"));
    let libraries = registries.iter().flat_map(|registry| entries(registry)).step_by(STEP);
    libraries
        .flat_map(|library| {
            let mut found = Vec::new();
            collect(&library, &mut found);
            found
        })
        .collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if found.len() >= FILES_OF_EACH {
            return;
        }
        if path.is_dir() { collect(&path, found) } else { found.push(path) }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort_by_key(|path| std::cmp::Reverse(path.clone()));
    entries
}

#[test]
fn real_files_read_as_they_are_and_take_an_edit_without_losing_a_byte() {
    let mut edited = 0;
    let real = real_files();
    for path in &real {
        let bytes = std::fs::read(path).unwrap();
        let workspace = Workspace::new(&[("file", &bytes)]);
        let Ok(part) = workspace.read(json!({"path": "file"})) else { continue };
        if let Ok(text) = std::str::from_utf8(&bytes) {
            assert!(text.trim_start_matches('\u{FEFF}').starts_with(&part.text), "{}", path.display());
        }
        if part.partial {
            continue;
        }
        // The first line that occurs once is replaced and put back.
        let lines: Vec<&str> = part.text.lines().collect();
        let once = |line: &&&str| line.trim().len() > 8 && part.text.matches(**line).count() == 1;
        let Some(line) = lines.iter().find(once) else { continue };
        let old_text = (*line).to_owned();
        if workspace.replace("file", &old_text, "WEBCODEX").is_err() {
            continue;
        }
        let changed = workspace.bytes("file");
        assert_ne!(changed, bytes, "{}", path.display());
        workspace.replace("file", "WEBCODEX", &old_text).unwrap();
        assert_eq!(workspace.bytes("file"), bytes, "{}", path.display());
        edited += 1;
    }
    assert!(edited * 4 > real.len(), "only {edited} files took part");
}

#[test]
fn generated_legacy_files_take_edits_without_losing_a_byte() {
    let words: [(&'static Encoding, &str, &str); 5] = [
        (GBK, "gbk", "读取配置文件并检查路径"),
        (BIG5, "big5", "讀取設定檔案並檢查路徑"),
        (SHIFT_JIS, "shift_jis", "設定ファイルを読み込みます"),
        (EUC_KR, "euc-kr", "설정파일을읽어옵니다"),
        (WINDOWS_1252, "windows-1252", "größe für café naïve"),
    ];
    for (encoding, label, word) in words {
        for end in ["\n", "\r\n"] {
            let line = |number: usize| format!("int value_{number} = {number}; // {word} {number}{end}");
            let text: String = (0..60).map(line).collect();
            let workspace = Workspace::new(&[("a.c", &encoding.encode(&text).0)]);
            let part = workspace.read(json!({"path": "a.c"})).unwrap();
            assert_eq!(part.text, text, "{label} was read as {}", part.encoding);
            let (old, new) = (format!("value_7 = 7; // {word}"), format!("value_7 = 8; // {word}{word}"));
            workspace.replace("a.c", &old, &new).unwrap();
            assert_eq!(
                workspace.bytes("a.c"),
                encoding.encode(&text.replace(&old, &new)).0.as_ref(),
                "{label}"
            );
        }
    }
}
