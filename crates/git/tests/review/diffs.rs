//! What a change shows of its lines.

use webcodex_contracts::tools::read_workspace_changes::{DiffDetail, FileChange};

use crate::scratch::{Scratch, git_command, lines, params, text};

fn numbered(lines: std::ops::RangeInclusive<u32>) -> String {
    lines.map(|line| format!("line {line}\n")).collect()
}

#[test]
fn a_renamed_file_is_one_entry_and_shows_only_what_changed_inside_it() {
    let old = numbered(1..=40);
    let repo = Scratch::with(&[("src/old.rs", &old), ("b", "1\n")]);
    repo.rename("src/old.rs", "lib/new.rs");
    repo.write("lib/new.rs", old.replace("line 20\n", "line twenty\n"));
    for staged in [false, true] {
        if staged {
            repo.git(&["add", "-A"]);
        }
        let files = repo.hunks();
        let expected = if staged {
            "R src/old.rs → lib/new.rs (staged)"
        } else {
            "R src/old.rs → lib/new.rs (untracked)"
        };
        assert_eq!(lines(&files), [expected]);
        assert_eq!((files[0].added_lines, files[0].removed_lines), (Some(1), Some(1)));
        assert!(text(&files[0]).contains("-line 20\n+line twenty\n"), "{}", text(&files[0]));
    }
}

#[test]
fn a_rename_is_found_when_only_one_half_of_it_is_staged() {
    let repo = Scratch::with(&[("old", &numbered(1..=30)), ("other", "x\n")]);
    repo.git(&["rm", "-q", "--cached", "old"]);
    repo.rename("old", "new");
    let files = repo.hunks();
    assert_eq!(lines(&files), ["R old → new (untracked) (staged)"]);
    assert_eq!((text(&files[0]).as_str(), files[0].added_lines), ("", Some(0)));
}

#[test]
fn among_equal_files_the_one_that_kept_its_name_is_the_renamed_one() {
    let same = numbered(1..=10);
    let repo = Scratch::with(&[("a/x", &same), ("a/y", &same)]);
    repo.rename("a/x", "b/z");
    repo.rename("a/y", "b/y");
    assert_eq!(lines(&repo.hunks()), ["R a/y → b/y (untracked)", "R a/x → b/z (untracked)"]);
}

#[test]
fn a_one_line_change_is_one_line_where_git_converts_line_ends() {
    let repo = Scratch::unborn();
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("a", numbered(1..=20).replace('\n', "\r\n"));
    repo.commit("first");
    assert_eq!(
        repo.git(&["cat-file", "-p", "HEAD:a"]).len(),
        numbered(1..=20).len(),
        "stored without carriage returns"
    );
    repo.write("a", numbered(1..=20).replace("line 7\n", "line seven\n").replace('\n', "\r\n"));
    let files = repo.hunks();
    assert_eq!(lines(&files), ["M a"]);
    assert_eq!((files[0].added_lines, files[0].removed_lines), (Some(1), Some(1)));
    assert!(text(&files[0]).contains("-line 7\n+line seven\n"));
}

#[test]
fn a_change_of_line_ends_only_is_told_as_that() {
    let repo = Scratch::with(&[("a", &numbered(1..=20))]);
    repo.write("a", numbered(1..=20).replace('\n', "\r\n"));
    for diff in [DiffDetail::Stat, DiffDetail::Hunks] {
        let files = repo.changes(diff).files;
        assert_eq!(lines(&files), ["M a [line ends only]"]);
        assert_eq!(text(&files[0]), "");
    }
    repo.write("a", numbered(1..=20).replace("line 7\n", "line seven\n").replace('\n', "\r\n"));
    let files = repo.hunks();
    assert_eq!(lines(&files), ["M a [line ends differ too]"]);
    assert_eq!((files[0].added_lines, files[0].removed_lines), (Some(1), Some(1)), "and still one line");
}

#[test]
fn binaries_and_huge_files_show_their_size_and_no_lines() {
    let repo = Scratch::with(&[("a.bin", "x"), (".gitattributes", "*.dat binary\n")]);
    repo.write("a.bin", b"\0\x01\x02");
    repo.write("b.dat", "text that is marked as none\n");
    repo.write("huge", vec![b'x'; 9 * 1024 * 1024]);
    let files = repo.hunks();
    assert_eq!(
        lines(&files),
        ["M a.bin [binary]", "A b.dat (untracked) [binary]", "A huge (untracked) [too large]"]
    );
    assert_eq!(
        files.iter().map(|file| file.size_bytes).collect::<Vec<_>>(),
        [Some(3), Some(28), Some(9 * 1024 * 1024)]
    );
    assert!(files.iter().all(|file| file.hunks.is_empty() && file.added_lines.is_none()));
}

#[test]
fn an_endless_line_is_shown_by_its_beginning() {
    let repo = Scratch::with(&[("a", "short\n")]);
    repo.write("a", "y".repeat(500_000));
    let shown = text(&repo.hunks()[0]);
    assert!(
        shown.len() < 3000 && shown.contains("[498000 more bytes in this line]"),
        "{} bytes",
        shown.len()
    );
}

#[test]
fn other_encodings_are_shown_as_text() {
    let repo = Scratch::with(&[("a", "x\n")]);
    let (gbk, _, _) =
        encoding_rs::GBK.encode("// 这是一个用来测试编码识别的注释，内容要足够长才行\nint x = 1;\n");
    repo.write("gbk.c", &gbk);
    let wide: Vec<u8> = "\u{feff}héllo\nwörld\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    repo.write("wide.txt", wide);
    let files = repo.hunks();
    assert!(text(&files[0]).contains("// 这是一个用来测试编码识别的注释"), "{}", text(&files[0]));
    assert_eq!(text(&files[1]), "+héllo\n+wörld\n");
}

#[test]
fn long_diffs_are_continued_without_gaps_or_repeats() {
    let content = |file: u32| {
        (0..900).map(|line| format!("file {file} line {line} of some length\n")).collect::<String>()
    };
    let repo = Scratch::with(&[("base", "1\n")]);
    for file in 0..6 {
        repo.write(&format!("f{file}"), content(file));
    }
    let mut shown: Vec<FileChange> = Vec::new();
    let mut next = params(DiffDetail::Hunks);
    let mut pages = 0;
    loop {
        let page = repo.read(&next).unwrap();
        let bytes = serde_json::to_string(&page).unwrap().len();
        assert!(bytes < 64 * 1024, "an answer of {bytes} bytes");
        assert_eq!(page.file_count, 6);
        pages += 1;
        shown.extend(page.files);
        let Some(continuation) = page.continuation else { break };
        let arguments = serde_json::Value::from(continuation.arguments.clone());
        let canonical =
            webcodex_contracts::table::get(continuation.tool).canonicalise(arguments.clone()).unwrap();
        assert_eq!(canonical, arguments, "the next call fits the published schema as it is");
        next = serde_json::from_value(continuation.arguments.into()).unwrap();
    }
    assert!(pages > 3, "{pages} pages");
    for file in 0..6 {
        let parts: Vec<_> = shown.iter().filter(|change| change.path == format!("f{file}")).collect();
        let whole: String =
            parts.iter().flat_map(|part| part.hunks.iter()).map(|hunk| hunk.text.as_str()).collect();
        assert_eq!(whole.replace("\n+", "\n").trim_start_matches('+'), content(file), "f{file}");
        assert_eq!(
            parts.iter().filter_map(|part| part.added_lines).collect::<Vec<_>>(),
            [900],
            "counted once"
        );
    }
}

#[test]
fn a_file_that_changes_between_two_pages_begins_anew() {
    let content =
        |word: &str| (0..3000).map(|line| format!("{word} line {line} of some length\n")).collect::<String>();
    let repo = Scratch::with(&[("base", "1\n")]);
    repo.write("f", content("old"));
    let first = repo.changes(DiffDetail::Hunks);
    assert!(first.files[0].hunks_cut);
    let next = serde_json::from_value(first.continuation.unwrap().arguments.into()).unwrap();
    repo.write("f", content("new"));
    let second = repo.read(&next).unwrap();
    assert_eq!(second.files[0].hunks[0].new_start, 1);
    assert!(second.files[0].hunks[0].text.starts_with("+new line 0"));
    assert_eq!(second.notes, ["`f` has changed since the last answer; its lines begin anew"]);
    repo.remove("f");
    let gone = repo.read(&next).unwrap();
    assert!(gone.files.is_empty() && gone.notes.is_empty() && gone.continuation.is_none());
}

#[test]
fn commits_are_compared_with_the_files_and_with_each_other() {
    let repo = Scratch::with(&[("a", "1\n"), ("b", "1\n"), ("c", "1\n")]);
    repo.write("a", "2\n");
    repo.commit("second");
    repo.git(&["tag", "v2"]);
    repo.write("b", "2\n");
    repo.git(&["add", "b"]);
    repo.write("c", "2\n");
    let compare = |base: Option<&str>, target: Option<&str>| {
        let (base, target) = (base.map(str::to_owned), target.map(str::to_owned));
        let page =
            repo.read(&webcodex_contracts::tools::read_workspace_changes::ReadWorkspaceChangesParams {
                base,
                target,
                ..params(DiffDetail::Stat)
            });
        lines(&page.unwrap().files)
    };
    assert_eq!(compare(Some("HEAD~1"), None), ["M a", "M b", "M c"]);
    assert_eq!(compare(Some("HEAD~1"), Some("v2")), ["M a"]);
    assert_eq!(compare(Some("v2"), Some("main~1")), ["M a"]);
    assert_eq!(compare(None, Some("HEAD~1")), ["M a"], "a target alone is compared with HEAD");
    repo.write("a", "1\n");
    repo.write("b", "1\n");
    assert_eq!(compare(Some("HEAD~1"), None), ["M c"], "what is as it was in that commit has not changed");
}

#[test]
fn revisions_are_names_and_never_options() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.git(&["branch", "feature/login"]);
    let error = |base: &str| {
        let params = webcodex_contracts::tools::read_workspace_changes::ReadWorkspaceChangesParams {
            base: Some(base.to_owned()),
            ..params(DiffDetail::Stat)
        };
        let error = repo.read(&params).unwrap_err();
        format!("{error} {}", error.hint().unwrap_or_default())
    };
    let outside = repo.data.path().join("written");
    for option in [format!("--output={}", outside.display()), "-h".to_owned(), "--".to_owned()] {
        assert!(error(&option).contains("no revision begins with `-`"), "{option}");
    }
    assert!(!outside.exists());
    assert!(error("feature/logn").contains("Did you mean `feature/login`?"), "{}", error("feature/logn"));
    assert!(error("main..feature/login").contains("give one commit in `base`"));
    assert!(error("HEAD:a").contains("not a commit"));
    assert!(error("").contains("empty") && error("a\nb").contains("control character"));
}

#[test]
fn a_path_may_look_like_an_option() {
    let repo = Scratch::with(&[("--output=x", "1\n"), ("-n", "1\n")]);
    repo.write("--output=x", "2\n");
    repo.remove("-n");
    assert_eq!(lines(&repo.hunks()), ["M --output=x", "D -n"]);
    assert!(!repo.path("x").exists());
}

#[test]
fn a_sha256_repository_is_read() {
    let repo = Scratch::unborn_with(&["--object-format=sha256"]);
    repo.write("a", "1\n");
    repo.commit("first");
    repo.write("a", "2\n");
    let changes = repo.changes(DiffDetail::Hunks);
    assert_eq!((text(&changes.files[0]).as_str(), changes.at.head.unwrap().len()), ("-1\n+2\n", 64));
}

#[cfg(unix)]
#[test]
fn a_filter_program_is_run_within_its_time_or_the_file_is_named() {
    let repo = Scratch::with(&[(".gitattributes", "*.up filter=upper\n*.slow filter=slow\n")]);
    repo.git(&["config", "filter.upper.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.slow.clean", ""]);
    repo.write("a.up", "one\ntwo\n");
    repo.write("b.slow", "one\n");
    repo.commit("second");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
    let touch = |path: &str| {
        std::fs::File::options().write(true).open(repo.path(path)).unwrap().set_modified(old).unwrap()
    };
    touch("a.up");
    assert_eq!(lines(&repo.hunks()), Vec::<String>::new(), "filtered, it is what is stored");
    repo.write("a.up", "one\ntwo\nthree\n");
    repo.git(&["config", "filter.slow.clean", "sleep 600"]);
    touch("b.slow");
    let changes = repo.changes(DiffDetail::Hunks);
    assert_eq!(lines(&changes.files), ["M a.up", "M b.slow [its filter takes too long]"]);
    assert_eq!(text(&changes.files[0]), " ONE\n TWO\n+THREE\n");
    assert!(changes.notes[0].contains("did not answer for `b.slow`"), "{:?}", changes.notes);
}

#[test]
fn large_file_pointers_are_compared_without_a_program() {
    let repo = Scratch::with(&[(".gitattributes", "*.big filter=lfs diff=lfs merge=lfs -text\n")]);
    let oid = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    repo.write("a.big", format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 6\n"));
    repo.commit("pointer");
    repo.git(&["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
    repo.git(&["config", "filter.lfs.process", "git-lfs filter-process"]);
    repo.git(&["config", "filter.lfs.required", "true"]);
    repo.write("a.big", "hello\n");
    // As after `git lfs pull`: the content is there and the index knows its size.
    assert!(
        !git_command(repo.root(), &["lfs", "version"]).output().unwrap().status.success(),
        "no git-lfs here"
    );
    let files = repo.hunks();
    assert!(files.is_empty() || text(&files[0]).is_empty(), "{:?}", lines(&files));
    repo.write("a.big", "hello, other\n");
    let files = repo.hunks();
    assert_eq!(lines(&files), ["M a.big"]);
    assert!(text(&files[0]).contains(&format!("-oid sha256:{oid}\n")), "{}", text(&files[0]));
}
