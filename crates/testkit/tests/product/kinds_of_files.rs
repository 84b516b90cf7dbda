//! Reading, searching and editing files of every kind.

use anyhow::Result;
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, TestServer, ZooFile, zoo};

/// The answer for one file, text or error.
async fn read(server: &TestServer, path: &str) -> Result<Value> {
    let arguments = json!({"project": server.project, "items": [{"path": path}]});
    Ok(server.client().await?.call("read_files", arguments).await?["output"]["items"][0].clone())
}

/// The whole text of a file, following continuations.
async fn read_whole(server: &TestServer, path: &str) -> Result<String> {
    let mut client = server.client().await?;
    let mut item = read(server, path).await?;
    let mut text = item["text"].as_str().unwrap_or_default().to_owned();
    while let Some(arguments) = item.pointer("/continuation/arguments") {
        item = client.output("read_files", arguments.clone()).await?["items"][0].clone();
        text.push_str(item["text"].as_str().unwrap_or_default());
    }
    Ok(text)
}

#[tokio::test]
async fn every_text_is_read_as_its_author_wrote_it_and_no_binary_as_text() -> Result<()> {
    let project = TempProject::zoo()?;
    let server = TestServer::share(project.path()).await?;
    for ZooFile { path, text, .. } in zoo() {
        match text {
            Some(text) => assert_eq!(read_whole(&server, path).await?, text, "{path}"),
            None => {
                let item = read(&server, path).await?;
                assert_eq!(
                    (&item["error"]["code"], item.get("text")),
                    (&json!("binary_file"), None),
                    "{path}: {item}"
                );
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn an_edit_changes_the_edited_line_and_no_other_byte() -> Result<()> {
    let project = TempProject::zoo()?;
    let server = TestServer::share(project.path()).await?;
    let mut client = server.client().await?;
    let texts = zoo().into_iter().filter_map(|file| Some((file.path, file.bytes, file.text?)));
    // Inserting a line of plain letters is right in every encoding.
    for (path, bytes, text) in texts.filter(|(path, ..)| path.starts_with("encodings/")) {
        let revision = read(&server, path).await?["read_revision"].clone();
        let change = json!({
            "kind": "insert", "path": path, "line": 1, "new_text": "inserted\n", "expected_read_revision": revision,
        });
        client.output("edit_project_files", json!({"project": server.project, "changes": [change]})).await?;
        let after = project.read(path)?;
        let kept = bytes.len() - bom(&bytes);
        assert_eq!(&after[..bom(&bytes)], &bytes[..bom(&bytes)], "{path}: the byte-order mark");
        assert_eq!(&after[after.len() - kept..], &bytes[bom(&bytes)..], "{path}: the other bytes");
        assert_eq!(read_whole(&server, path).await?, format!("inserted\n{text}"), "{path}");
    }
    Ok(())
}

/// Bytes of the byte-order mark.
fn bom(bytes: &[u8]) -> usize {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => 3,
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => 2,
        _ => 0,
    }
}

#[tokio::test]
async fn line_ends_stay_what_they_were() -> Result<()> {
    let project = TempProject::zoo()?;
    let server = TestServer::share(project.path()).await?;
    let mut client = server.client().await?;
    for (path, after) in [
        ("lines/crlf.txt", "one\r\n2a\r\n2b\r\nthree\r\n"),
        ("lines/lf.txt", "one\n2a\n2b\nthree\n"),
        ("lines/no-final-newline.txt", "one\n2a\n2b\nthree"),
    ] {
        let revision = read(&server, path).await?["read_revision"].clone();
        let change = json!({
            "kind": "replace_exact", "path": path, "old_text": "two\n", "new_text": "2a\n2b\n",
            "expected_read_revision": revision,
        });
        client.output("edit_project_files", json!({"project": server.project, "changes": [change]})).await?;
        assert_eq!(String::from_utf8(project.read(path)?)?, after, "{path}");
    }
    Ok(())
}

#[tokio::test]
async fn search_finds_words_whatever_the_encoding_or_the_name() -> Result<()> {
    let project = TempProject::zoo()?;
    let server = TestServer::share(project.path()).await?;
    let queries = json!([{"pattern": "割引あり"}, {"pattern": "found", "hidden": true, "output": "files"}]);
    let arguments = json!({"project": server.project, "queries": queries});
    let output = server.client().await?.output("search_project_texts", arguments).await?;
    let paths = |item: &Value, list: &str| -> Vec<String> {
        let entries = item[list].as_array().cloned().unwrap_or_default();
        entries.iter().filter_map(|entry| entry["path"].as_str().map(str::to_owned)).collect()
    };
    let utf16 = paths(&output["items"][0], "matches");
    assert!(
        ["encodings/utf-16be.txt", "encodings/utf-16le.txt"]
            .iter()
            .all(|path| utf16.contains(&(*path).to_owned())),
        "{utf16:?}"
    );
    let mut named = paths(&output["items"][1], "files");
    let mut expected: Vec<_> = zoo()
        .iter()
        .filter(|file| file.path.starts_with("names/"))
        .map(|file| file.path.to_owned())
        .collect();
    named.sort();
    expected.sort();
    assert_eq!(named, expected);
    Ok(())
}
