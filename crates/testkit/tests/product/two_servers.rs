//! Several installations on one machine keep out of each other's way.

use anyhow::Result;
use serde_json::json;
use webcodex_testkit::{Launched, TempProject, TestServer, ToolClient};

#[tokio::test]
async fn two_shares_serve_side_by_side_and_do_not_trust_each_other() -> Result<()> {
    let (first_project, second_project) = (TempProject::plain()?, TempProject::plain()?);
    first_project.write("a.txt", "first\n")?;
    second_project.write("a.txt", "second\n")?;
    let first = TestServer::share(first_project.path()).await?;
    let second = TestServer::share(second_project.path()).await?;
    for (server, text) in [(&first, "first\n"), (&second, "second\n")] {
        let read = json!({"project": server.project, "items": [{"path": "a.txt"}]});
        assert_eq!(server.client().await?.output("read_files", read).await?["items"][0]["text"], text);
    }
    let mut stranger = ToolClient::connect(second.address()?, &first.credential).await?;
    let answer = stranger.post("/api/tools/call", r#"{"tool":"get_runtime_status"}"#).await?;
    assert_eq!(answer.status, 401, "a credential of one server opens the other");
    Ok(())
}

#[tokio::test]
async fn a_second_share_of_one_data_folder_is_refused_with_the_reason() -> Result<()> {
    let project = TempProject::plain()?;
    let first = TestServer::share(project.path()).await?;
    let arguments = ["share", "--tunnel", "none", "--json", "."];
    let mut second = Launched::start(&webcodex_testkit::webcodex()?, first.data(), &arguments, &[])?;
    let code = second.wait().await?;
    assert!(code.is_some_and(|code| code != 0), "{code:?}");
    let said = second.stderr();
    assert!(said.contains("already runs") && said.contains("WEBCODEX_DATA_DIR"), "{said}");
    first.client().await?.output("get_runtime_status", json!({})).await?;
    Ok(())
}

#[tokio::test]
async fn a_busy_or_public_address_is_refused_with_the_reason() -> Result<()> {
    let project = TempProject::plain()?;
    let folder = project.path().display().to_string();
    let busy = std::net::TcpListener::bind("127.0.0.1:0")?;
    for (address, expected) in
        [(busy.local_addr()?.to_string(), "listen"), ("0.0.0.0:0".to_owned(), "loopback")]
    {
        let data = webcodex_testkit::left::folder()?;
        let arguments = ["share", "--tunnel", "none", "--json", &folder];
        let variables = [("WEBCODEX_ADDR", address.as_str())];
        let mut share = Launched::start(&webcodex_testkit::webcodex()?, data.path(), &arguments, &variables)?;
        let code = share.wait().await?;
        let said = share.stderr();
        assert!(code.is_some_and(|code| code != 0) && said.contains(expected), "{address}: {code:?} {said}");
    }
    Ok(())
}

#[tokio::test]
async fn a_fixed_port_is_used() -> Result<()> {
    let project = TempProject::plain()?;
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let executable = webcodex_testkit::webcodex()?;
    let server =
        TestServer::share_with(&executable, project.path(), &[("WEBCODEX_ADDR", &port.to_string())]).await?;
    assert_eq!(server.address()?, port);
    Ok(())
}
