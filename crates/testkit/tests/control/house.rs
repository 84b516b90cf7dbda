//! A Server and a Runner in this process, linked as they are in `share`, and the desktop app's way to them.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::task::{AbortHandle, JoinHandle};
use tokio_util::sync::CancellationToken;
use webcodex_contracts::ClientId;
use webcodex_contracts::control::{RecordLevel, ServerSettings, ServerState};
use webcodex_link::LinkPolicy;
use webcodex_process::PathSource;
use webcodex_projects::FolderRules;
use webcodex_runner::{Runner, RunnerConfig};
use webcodex_server::{Server, ServerConfig};
use webcodex_settings::Secret;
use webcodex_store::{CredentialKind, NewCredential, Store};
use webcodex_testkit::ToolClient;

/// Everything comes within this time or not at all.
const PATIENCE: Duration = Duration::from_secs(20);

/// See the module.
pub(crate) struct House {
    pub(crate) addr: SocketAddr,
    pub(crate) control: String,
    pub(crate) client: String,
    pub(crate) runner: Arc<Runner>,
    pub(crate) store: Store,
    pub(crate) work: PathBuf,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
    link: [AbortHandle; 2],
    data: Arc<TempDir>,
}

impl House {
    pub(crate) async fn open() -> Self {
        Self::with(ServerSettings { record: RecordLevel::Subjects, ..ServerSettings::default() }).await
    }

    pub(crate) async fn with(settings: ServerSettings) -> Self {
        Self::in_folder(Arc::new(webcodex_testkit::left::folder().unwrap()), settings).await
    }

    /// Ends this one in order and opens another on the same data.
    pub(crate) async fn again(mut self) -> Self {
        let settings = ServerSettings { record: RecordLevel::Subjects, ..ServerSettings::default() };
        self.runner.shutdown().await;
        self.link.iter().for_each(AbortHandle::abort);
        self.stop.cancel();
        self.serving.take().unwrap().await.unwrap();
        let data = Arc::clone(&self.data);
        drop(self);
        Self::in_folder(data, settings).await
    }

    async fn in_folder(data: Arc<TempDir>, settings: ServerSettings) -> Self {
        let secret = Secret::random("wc_control_");
        let config = ServerConfig {
            database: Some(data.path().join("data/webcodex.db")),
            settings,
            control: Some(secret.clone()),
            ..ServerConfig::temporary()
        };
        let server = Server::bind(config).await.unwrap();
        let control = NewCredential::new(CredentialKind::Bootstrap, "desktop").for_this_process();
        server.credentials().adopt(secret.expose(), control).await.unwrap();
        let client = Secret::random("wc_client_").expose().to_owned();
        let clients = NewCredential::new(CredentialKind::Client, "client");
        server.credentials().adopt(&client, clients).await.unwrap();
        let (addr, store, runners) = (server.local_addr(), server.store(), server.runners());
        let stop = CancellationToken::new();
        let serving = Some(tokio::spawn(server.serve(stop.clone())));
        let work = dunce::canonicalize(data.path()).unwrap().join("work");
        std::fs::create_dir_all(&work).unwrap();
        let runner = open_runner(data.path(), &work).await;
        let (near, far) = tokio::io::duplex(256 * 1024);
        let near =
            tokio::spawn(async move { runners.serve(near, LinkPolicy::default()).await }).abort_handle();
        let (linked, is_linked) = tokio::sync::oneshot::channel();
        let handler = Arc::clone(&runner);
        let far = tokio::spawn(async move {
            webcodex_link::serve(far, handler.hello(), handler, |_| linked.send(()).unwrap()).await
        })
        .abort_handle();
        is_linked.await.unwrap();
        Self {
            addr,
            control: secret.expose().to_owned(),
            client,
            runner,
            store,
            work,
            stop,
            serving,
            link: [near, far],
            data,
        }
    }

    /// A folder below the house's own, which is registered.
    pub(crate) fn project(&self, name: &str) -> (String, PathBuf) {
        let folder = self.work.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let registered = self.runner.projects().register(folder.to_str().unwrap(), None, None).unwrap();
        (registered.project.id.to_string(), folder)
    }

    /// A client of the tools.
    pub(crate) async fn tools(&self) -> ToolClient {
        ToolClient::connect(self.addr, &self.client).await.unwrap()
    }

    /// Asks as the desktop app does.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        self.ask_as(&self.control, method, path, body).await
    }

    pub(crate) async fn ask_as(
        &self,
        secret: &str,
        method: Method,
        path: &str,
        body: Value,
    ) -> (StatusCode, Value) {
        let response = self.send(secret, method, path, &body).await;
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let value = if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes).unwrap() };
        (status, value)
    }

    /// A GET that must be answered.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, value) = self.ask(Method::GET, path, Value::Null).await;
        assert_eq!(status, StatusCode::OK, "{path}: {value}");
        value
    }

    /// Begins to listen.
    pub(crate) async fn listen(&self) -> Lines {
        self.lines("/control/events").await
    }

    /// A stream of lines.
    pub(crate) async fn lines(&self, path: &str) -> Lines {
        let response = self.send(&self.control, Method::GET, path, &Value::Null).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        Lines { body: response.into_body(), buffer: Vec::new(), state: ServerState::default() }
    }

    async fn send(&self, secret: &str, method: Method, path: &str, body: &Value) -> http::Response<Incoming> {
        let stream = TcpStream::connect(self.addr).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.addr.to_string())
            .header("content-type", "application/json");
        if !secret.is_empty() {
            request = request.header("authorization", format!("Bearer {secret}"));
        }
        let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
        sender.send_request(request.body(Full::new(body)).unwrap()).await.unwrap()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// An earlier Runner's lock on the folder may be held for a moment by tasks that are just ending.
async fn open_runner(data: &Path, work: &Path) -> Arc<Runner> {
    let config = || RunnerConfig {
        data_dir: data.join("data/runner"),
        client: ClientId::parse("here").unwrap(),
        version: "test".to_owned(),
        rules: FolderRules {
            home: Some(work.join("home")),
            own: vec![data.join("data")],
            own_allowed: Vec::new(),
            allowed_roots: Vec::new(),
        },
        path_source: PathSource::Environment,
        region: None,
    };
    let opened = async {
        loop {
            match Runner::open(config()) {
                Ok(runner) => return runner,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, opened).await.unwrap()
}

/// Lines as they come, and the state that they add up to.
pub(crate) struct Lines {
    body: Incoming,
    buffer: Vec<u8>,
    pub(crate) state: ServerState,
}

impl Lines {
    /// The next line that says something; nothing at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                if line.len() > 1 {
                    return Some(serde_json::from_slice(&line).unwrap());
                }
                continue;
            }
            let frame = tokio::time::timeout(PATIENCE, self.body.frame()).await.unwrap()?;
            if let Some(data) = frame.unwrap().data_ref() {
                self.buffer.extend_from_slice(data);
            }
        }
    }

    /// The next message that is more than a sign of life, put into the state.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            let message = self.next().await.unwrap();
            match message["kind"].as_str().unwrap() {
                "state" => self.state = serde_json::from_value(message["state"].clone()).unwrap(),
                "changed" => {
                    self.state.apply(serde_json::from_value(message["changed"].clone()).unwrap());
                }
                "calls" => self.state.merge_calls(serde_json::from_value(message["calls"].clone()).unwrap()),
                _ => continue,
            }
            return message;
        }
    }

    /// Follows the stream until the state is as wanted.
    pub(crate) async fn until(&mut self, what: &str, wanted: impl Fn(&ServerState) -> bool) {
        let follow = async {
            while !wanted(&self.state) {
                self.message().await;
            }
        };
        let shown = tokio::time::timeout(PATIENCE, follow).await;
        assert!(shown.is_ok(), "{what} did not come: {:#?}", self.state);
    }
}

/// A command that waits until a file appears.
pub(crate) fn waits_for(file: &str) -> Value {
    json!(format!("while [ ! -e {file} ]; do sleep 0.05; done; echo done"))
}
