//! Who may listen, what comes first, and what a slow listener gets.

use hmac::{Hmac, KeyInit, Mac};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;
use webcodex_store::{CredentialKind, NewCredential};

use crate::house::House;

#[tokio::test]
async fn only_the_control_credential_opens_the_routes() {
    let house = House::open().await;
    let runner = NewCredential::new(CredentialKind::Runner, "here").for_this_process();
    let runner = house.store.credentials().issue(runner).await.unwrap().secret;
    let routes = [
        (Method::GET, "/control/events"),
        (Method::GET, "/control/calls?before=c1"),
        (Method::GET, "/control/calls/c1"),
        (Method::POST, "/control/projects"),
        (Method::PATCH, "/control/projects/agent:here:x"),
        (Method::DELETE, "/control/projects/agent:here:x"),
        (Method::GET, "/control/jobs/wcj_a_b/output"),
        (Method::POST, "/control/jobs/wcj_a_b/stop"),
        (Method::PATCH, "/control/settings"),
        (Method::PUT, "/control/credential"),
        (Method::POST, "/control/shutdown"),
        (Method::GET, "/control/nothing"),
    ];
    for (method, path) in routes {
        for secret in [&house.client, &runner] {
            let (status, _) = house.ask_as(secret, method.clone(), path, Value::Null).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
        }
        let (status, _) = house.ask_as("", method, path, Value::Null).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let (status, _) = house.ask(Method::GET, "/control/nothing", Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_server_proves_itself_to_who_shows_no_secret() {
    let house = House::open().await;
    let nonce = "00112233445566778899aabbccddeeff";
    let (status, proof) = house.ask_as("", Method::POST, "/control/proof", json!({"nonce": nonce})).await;
    assert_eq!(status, StatusCode::OK, "{proof}");
    let mut mac = Hmac::<Sha256>::new_from_slice(house.control.as_bytes()).unwrap();
    mac.update(b"webcodex-control-proof");
    mac.update(&0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128.to_be_bytes());
    let expected: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(proof["mac"], expected);
    assert_eq!(proof["pid"], std::process::id());
    for bad in ["", "00", "zz112233445566778899aabbccddeeff", &"00".repeat(65)] {
        let (status, failure) = house.ask_as("", Method::POST, "/control/proof", json!({"nonce": bad})).await;
        assert_eq!((status, &failure["code"]), (StatusCode::BAD_REQUEST, &json!("bad_request")), "{bad}");
    }
}

#[tokio::test]
async fn the_first_message_is_everything_and_life_goes_on() {
    let house = House::open().await;
    let (project, _) = house.project("web");
    let mut lines = house.listen().await;
    let first = lines.next().await.unwrap();
    assert_eq!(first["kind"], "state");
    assert_eq!(first["state"]["runner"]["linked"], true);
    assert_eq!(first["state"]["address"]["local"], format!("http://{}/mcp", house.addr));
    lines.until("the project", |state| state.projects.iter().any(|known| known.id.as_str() == project)).await;
    loop {
        if lines.next().await.unwrap()["kind"] == "alive" {
            break;
        }
    }
}

#[tokio::test]
async fn a_listener_that_stalls_gets_the_present_and_no_backlog() {
    let house = House::open().await;
    let (project, folder) = house.project("web");
    std::fs::write(folder.join("a.txt"), "a\n").unwrap();
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    let read = json!({"project": project, "items": [{"path": "a.txt"}]});
    for _ in 0..1500 {
        tools.output("read_files", read.clone()).await.unwrap();
    }
    lines.until("every call", |state| state.calls.len() == 1500).await;
    lines.until("the count", |state| state.calls_today == 1500).await;
    let times: Vec<u64> = lines.state.calls.iter().map(|call| call.at).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older), "newest first");
}

#[tokio::test]
async fn the_app_ends_the_server_and_its_stream() {
    let house = House::open().await;
    let mut lines = house.listen().await;
    lines.message().await;
    let (status, _) = house.ask(Method::POST, "/control/shutdown", Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    while lines.next().await.is_some() {}
}
