//! Two sessions and the user at work on one tree at the same moment, while one of the sessions is undone.

use anyhow::Result;
use serde_json::json;
use webcodex_testkit::{SplitServer, TempProject};

use crate::support::{session, write};

/// Files of each of the three.
const FILES: usize = 16;

fn name(whose: &str, file: usize) -> String {
    format!("folder{}/{whose}{file}.txt", file % 3)
}

#[tokio::test(flavor = "multi_thread")]
async fn undoing_one_while_the_others_work_leaves_their_bytes() -> Result<()> {
    let project = TempProject::git()?;
    for whose in ["one", "two", "user"] {
        for file in 0..FILES {
            project.write(&name(whose, file), format!("{whose} {file}\n"))?;
        }
    }
    project.commit("first")?;
    let house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let one = session(&mut client, &id, "one").await?;
    let two = session(&mut client, &id, "two").await?;
    for file in 0..FILES {
        write(&mut client, &id, &one, &name("one", file), "changed by one\n").await?;
    }

    let undoing = {
        let mut client = house.client().await?;
        let arguments = json!({"project": id, "session_id": one});
        tokio::spawn(async move {
            client
                .output("call_runtime_tool", json!({"tool": "restore_changes", "arguments": arguments}))
                .await
        })
    };
    let editing = {
        let (mut client, id, two) = (house.client().await?, id.clone(), two.clone());
        tokio::spawn(async move {
            for file in 0..FILES {
                write(&mut client, &id, &two, &name("two", file), "changed by two\n").await?;
            }
            anyhow::Ok(())
        })
    };
    let folder = project.path().to_owned();
    let typing = tokio::task::spawn_blocking(move || {
        (0..FILES)
            .try_for_each(|file| std::fs::write(folder.join(name("user", file)), "changed by the user\n"))
    });
    let undone = undoing.await??;
    editing.await??;
    typing.await??;

    assert_eq!(undone["restored"].as_array().map(Vec::len), Some(FILES), "{undone}");
    let expect = |whose: &str, content: &dyn Fn(usize) -> String| -> Result<()> {
        for file in 0..FILES {
            let path = name(whose, file);
            assert_eq!(String::from_utf8(project.read(&path)?)?, content(file), "{path}");
        }
        Ok(())
    };
    expect("one", &|file| format!("one {file}\n"))?;
    expect("two", &|_| "changed by two\n".to_owned())?;
    expect("user", &|_| "changed by the user\n".to_owned())?;

    let arguments = json!({"project": id, "session_id": two});
    let undone = client
        .output("call_runtime_tool", json!({"tool": "restore_changes", "arguments": arguments}))
        .await?;
    assert_eq!(undone["restored"].as_array().map(Vec::len), Some(FILES), "{undone}");
    expect("two", &|file| format!("two {file}\n"))?;
    expect("user", &|_| "changed by the user\n".to_owned())
}
