//! What the Server tells the desktop app, and what the app may ask of it: the vocabulary of `/control/*`.
//!
//! It is the Rust side of `ui/desktop/bridge/types.ts`: camelCase members, closed enums told apart by `kind` or `code`,
//! `null` where nothing is known. Moments (`…_at`) are milliseconds since 1970, lengths end in `_ms`, sizes in
//! `bytes`. Sentences are made by the window from the codes; nothing in here is meant to be shown as it is but names,
//! commands, and the words of models and people.
//!
//! **Invariant.** No value of these types holds a secret, the arguments of a call or its result.

mod app;
mod approval;
mod call;
mod client;
mod connection;
mod failure;
mod job;
mod project;
mod request;
mod session;
mod state;

pub use app::{AppCall, AppPage};
pub use approval::{
    Approval, ApprovalAnswer, ApprovalAsks, ApprovalScope, ApprovalState, ChangedFile, DiffLine, FileChange,
    Sign,
};
pub use call::{
    AllowedBy, Answered, Call, CallDetail, CallDoor, LineCount, Outcome, Step, StepKind, Subject,
};
pub use client::{
    Address, Client, ClientEvent, ClientEventKind, ClientKind, ClientState, Hop, HopFinding, HopName,
    HopState, LastCall, Via,
};
pub use connection::{
    ConnectionDraft, ConnectionEdit, ConnectionSecrets, ConnectionSwitch, SavedConnection, SavedConnections,
    TunnelCall, TunnelConnection, TunnelEvent, TunnelEventKind, TunnelHop, TunnelHopState, TunnelRoute,
    TunnelState,
};
pub use failure::Failure;
pub use job::{GAP, Job, JobState, OutputMessage};
pub use project::{FolderFacts, FolderRefusal, FolderResult, GitFacts, LastUse, Place, Project};
pub use request::{
    EarlierCalls, NewCredential, NewProject, NewProjects, ProjectChange, ProofAnswer, ProofRequest, Proxy,
    ProxyMode, RecordLevel, ServerSettings, SettingsChange, WaitProfile,
};
pub use session::{Session, SessionReview};
pub use state::{RunnerState, ServerMessage, ServerState, StateChange};
