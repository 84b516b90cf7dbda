//! Plans against a plain model: what the text would be with `\n` everywhere, and which bytes must stay.

use encoding_rs::{GBK, SHIFT_JIS, UTF_8};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use webcodex_contracts::ProjectId;
use webcodex_projects::Project;

use super::*;
use crate::text::{Decoded, Lines, TextKind, encode_like, kind_of_new_file};
use crate::{ContentHash, Seen};

struct House {
    _folder: tempfile::TempDir,
    project: Arc<Project>,
    files: Files,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir(&root).unwrap();
        let project = Project::new(ProjectId::parse("agent:test:demo").unwrap(), "demo", &root).unwrap();
        let files = Files::open(&folder.path().join("data")).unwrap();
        Self { _folder: folder, project, files }
    }

    /// The bytes that `a.txt` would have after the changes.
    fn planned(&self, bytes: &[u8], mut changes: Value) -> Result<Vec<u8>, EditError> {
        std::fs::write(self.project.root.join("a.txt"), bytes).unwrap();
        let path = webcodex_contracts::ProjectPath::parse("a.txt").unwrap();
        let access = self.project.write_access_blocking().unwrap();
        let revision = self.files.revision(&access, &path, &ContentHash::of(bytes), Seen::Complete);
        for change in changes.as_array_mut().unwrap() {
            change["path"] = json!("a.txt");
            change["expected_read_revision"] = json!(revision);
        }
        let changes: Vec<Change> = serde_json::from_value(changes).unwrap();
        let plan = self.files.plan_edits(&access, &changes)?;
        Ok(match plan.files.into_iter().next().map(|file| file.effect) {
            Some(Effect::Modify { bytes, .. }) => bytes,
            Some(Effect::Keep) => bytes.to_vec(),
            other => panic!("{other:?}"),
        })
    }
}

fn flat(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Lines of a file, numbered so that each occurs once, with line ends of both kinds.
fn numbered_lines() -> impl Strategy<Value = Vec<String>> {
    let line =
        (prop_oneof!["[a-d ]{0,6}", Just("文字".to_owned()), Just("日本 x".to_owned())], any::<bool>());
    (prop::collection::vec(line, 1..8), any::<bool>()).prop_map(|(lines, closed)| {
        let count = lines.len();
        let ended = |(number, (text, crlf)): (usize, (String, bool))| {
            let end = match (number + 1 == count && !closed, crlf) {
                (true, _) => "",
                (_, true) => "\r\n",
                (_, false) => "\n",
            };
            format!("{number}:{text}{end}")
        };
        lines.into_iter().enumerate().map(ended).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Replacing some lines: the file reads as asked, and the bytes before and after the place are the same.
    #[test]
    fn a_planned_replacement_reads_as_asked_and_touches_nothing_else(
        lines in numbered_lines(),
        (from, count) in (0..8_usize, 1..4_usize),
        new in "([x-z]{0,4}|文)(\n([x-z]{0,4}|字)){0,3}\n?",
        which in 0..3_usize,
        sent_crlf in any::<bool>(),
    ) {
        let from = from.min(lines.len() - 1);
        let to = (from + count).min(lines.len());
        let (before, old, after) = (lines[..from].concat(), lines[from..to].concat(), lines[to..].concat());
        let label = ["utf-8", "gbk", "shift_jis"][which];
        prop_assume!(![UTF_8, GBK, SHIFT_JIS][which].encode(&new).2);
        let kind = kind_of_new_file(Some(crate::text::Label::parse(label).unwrap()));
        let bytes = encode_like(kind, &lines.concat()).unwrap();
        let sent = if sent_crlf { flat(&old).replace('\n', "\r\n") } else { flat(&old) };
        let house = HOUSE.with(Arc::clone);
        let change = json!([{"kind": "replace_exact", "old_text": sent, "new_text": new, "encoding": label}]);
        let result = house.planned(&bytes, change).unwrap();
        let (head, tail) = (encode_like(kind, &before).unwrap(), encode_like(kind, &after).unwrap());
        prop_assert!(result.starts_with(&head) && result.ends_with(&tail));
        let text = Decoded::new(&result, kind).text().to_owned();
        prop_assert_eq!(flat(&text), format!("{}{}{}", flat(&before), new, flat(&after)));
        check_line_ends(&lines.concat(), &text)?;
    }

    /// Several insertions, in any order, each refer to the file as it was read.
    #[test]
    fn planned_insertions_refer_to_the_file_as_it_was(lines in numbered_lines(), mut places in prop::collection::vec(1..9_usize, 1..5)) {
        places.iter_mut().for_each(|place| *place = (*place).min(lines.len()));
        let changes: Vec<Value> = places
            .iter()
            .enumerate()
            .map(|(number, place)| json!({"kind": "insert", "line": place, "new_text": format!("new{number}")}))
            .collect();
        let house = HOUSE.with(Arc::clone);
        let result = house.planned(lines.concat().as_bytes(), Value::Array(changes)).unwrap();
        let mut expected = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let here = places.iter().enumerate().filter(|(_, place)| **place == at + 1);
            expected.extend(here.map(|(number, _)| format!("new{number}")));
            expected.push(line.trim_end_matches(['\r', '\n']).to_owned());
        }
        let text = String::from_utf8(result).unwrap();
        let found: Vec<&str> = Lines::new(&text).map(|line| line.trim_end_matches(['\r', '\n'])).collect();
        prop_assert_eq!(found, expected);
        check_line_ends(&lines.concat(), &text)?;
        prop_assert_eq!(text.ends_with('\n'), lines.concat().ends_with('\n'));
    }

    /// Writing the whole anew: it reads as given, unchanged lines at both ends keep their bytes.
    #[test]
    fn a_planned_write_reads_as_given(lines in numbered_lines(), new in "[a-c\n]{0,12}") {
        let house = HOUSE.with(Arc::clone);
        let result = house.planned(lines.concat().as_bytes(), json!([{"kind": "write", "new_text": new}])).unwrap();
        prop_assert_eq!(flat(&String::from_utf8(result).unwrap()), new.clone());
        let same = house.planned(lines.concat().as_bytes(), json!([{"kind": "write", "new_text": flat(&lines.concat())}])).unwrap();
        prop_assert_eq!(same, lines.concat().into_bytes());
    }

    /// Any bytes: whatever is edited, the bytes outside the touched lines stay.
    #[test]
    fn any_bytes_outside_the_touched_line_stay(
        head in prop::collection::vec(prop_oneof![0x20..0x7F_u8, 0x81..0xFF_u8, Just(b'\n'), Just(b'\r')], 0..40),
        tail in prop::collection::vec(prop_oneof![0x20..0x7F_u8, 0x81..0xFF_u8, Just(b'\n'), Just(b'\r')], 0..40),
    ) {
        let bytes = [&head[..], b"\nTHE ONE PLACE\n", &tail].concat();
        let house = HOUSE.with(Arc::clone);
        let change = json!([{"kind": "replace_exact", "old_text": "THE ONE PLACE", "new_text": "another"}]);
        // In lines of ASCII an edit is right under any guess; what is refused is refused for being binary.
        if let Ok(result) = house.planned(&bytes, change) {
            prop_assert_eq!(result, [&head[..], b"\nanother\n", &tail].concat());
        }
    }
}

thread_local! {
    static HOUSE: Arc<House> = Arc::new(House::new());
}

/// A file whose lines all end alike keeps it so.
fn check_line_ends(before: &str, after: &str) -> Result<(), TestCaseError> {
    let lone = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
    if before.contains("\r\n") && lone(before) == 0 {
        prop_assert_eq!(lone(after), 0, "{:?} became {:?}", before, after);
    }
    if before.contains('\n') && !before.contains("\r\n") {
        prop_assert!(!after.contains("\r\n"), "{:?} became {:?}", before, after);
    }
    Ok(())
}

#[test]
fn kinds_of_new_files_can_be_read_back() {
    for kind in [TextKind::UTF8, kind_of_new_file(Some(crate::text::Label::parse("utf-16be").unwrap()))] {
        let mut bytes = kind.mark().to_vec();
        bytes.extend(encode_like(kind, "größe\n").unwrap());
        assert_eq!(Decoded::new(&bytes, kind).text(), "größe\n");
    }
}

impl House {
    fn plan(&self, changes: Value) -> Plan {
        let access = self.project.write_access_blocking().unwrap();
        let mut changes = changes;
        for change in changes.as_array_mut().unwrap() {
            let path = webcodex_contracts::ProjectPath::parse(change["path"].as_str().unwrap()).unwrap();
            if let Ok(bytes) = std::fs::read(self.project.root.join(path.as_str())) {
                let hash = ContentHash::of(&bytes);
                let revision = self.files.revision(&access, &path, &hash, Seen::Complete);
                change["expected_read_revision"] = json!(revision);
            }
        }
        let changes: Vec<Change> = serde_json::from_value(changes).unwrap();
        self.files.plan_edits(&access, &changes).unwrap()
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.project.root.join(path), bytes).unwrap();
    }
}

#[test]
fn a_plan_is_shown_line_by_line_with_what_stands_around() {
    let house = House::new();
    let line = |n| if n == 10 { "ten\r\n".to_owned() } else { format!("{n}\r\n") };
    house.write("a.txt", (1..=20).map(line).collect::<String>());
    house.write("b.bin", [0, 159, 146, 150, 0, 1]);
    house.write("c.txt", "gone\n");
    house.write("d.txt", "moved\n");
    let plan = house.plan(json!([
        {"kind": "replace_exact", "path": "a.txt", "old_text": "ten", "new_text": "zehn"},
        {"kind": "delete", "path": "b.bin"},
        {"kind": "delete", "path": "c.txt"},
        {"kind": "rename", "path": "d.txt", "to_path": "sub/e.txt"},
        {"kind": "create", "path": "f.txt", "new_text": "one\ntwo \u{202E}owt\n"},
    ]));
    let shown = serde_json::to_value(plan.shown()).unwrap();
    let lines = |file: usize| -> Vec<String> {
        let lines = shown[file]["lines"].as_array().unwrap().iter();
        let told =
            |line: &Value| format!("{}{}", line["sign"].as_str().unwrap(), line["text"].as_str().unwrap());
        lines.map(told).collect()
    };
    assert_eq!(lines(0), [" 7", " 8", " 9", "-ten", "+zehn", " 11", " 12", " 13"]);
    assert_eq!((&shown[0]["lines"][4]["old"], &shown[0]["lines"][4]["new"]), (&json!(null), &json!(10)));
    assert_eq!((&shown[0]["lines"][7]["old"], &shown[0]["lines"][7]["new"]), (&json!(13), &json!(13)));
    assert_eq!((&shown[1]["change"], &shown[1]["lines"]), (&json!("deleted"), &json!(null)), "not text");
    assert_eq!((&shown[2]["removed"], lines(2)), (&json!(1), vec!["-gone".to_owned()]));
    assert_eq!((&shown[3]["change"], &shown[3]["path"]), (&json!("renamed"), &json!("d.txt → sub/e.txt")));
    assert_eq!(lines(4), ["+one", "+two \\u{202e}owt"], "what turns text around is written out");
}

#[test]
fn what_is_too_much_to_show_is_named_with_its_counts() {
    let house = House::new();
    let line = "x".repeat(100) + "\n";
    let plan = house.plan(json!([
        {"kind": "create", "path": "large.txt", "new_text": line.repeat(3000)},
        {"kind": "create", "path": "small.txt", "new_text": "x\n"},
    ]));
    let shown = plan.shown();
    assert_eq!((shown[0].added, &shown[0].lines), (3000, &None));
    assert_eq!(shown[1].lines.as_ref().map(Vec::len), Some(1), "a large one leaves room for others");
}

#[test]
fn plans_differ_exactly_when_they_do_something_else() {
    let house = House::new();
    house.write("a.txt", "one\n");
    let edit = |text: &str, path: &str| {
        let change = json!([{"kind": "create", "path": path, "new_text": text}]);
        house.plan(change).fingerprint()
    };
    assert_eq!(edit("x\n", "n.txt"), edit("x\n", "n.txt"));
    assert_ne!(edit("x\n", "n.txt"), edit("y\n", "n.txt"));
    assert_ne!(edit("x\n", "n.txt"), edit("x\n", "m.txt"));
    let write =
        |text: &str| house.plan(json!([{"kind": "write", "path": "a.txt", "new_text": text}])).fingerprint();
    let before = write("two\n");
    assert_eq!(before, write("two\n"));
    house.write("a.txt", "changed meanwhile\n");
    assert_ne!(before, write("two\n"), "the same new text over another old one");
}
