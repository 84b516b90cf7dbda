//! One way for every call, whichever door it came through: checked, routed, done once, recorded.

mod clamp;
mod envelope;
mod failure;
mod record;
mod route;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use futures_util::FutureExt;
use serde_json::Value;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::policy::WaitingPolicy;
use webcodex_contracts::table::{self, Descriptor};
use webcodex_contracts::{
    CallId, CanonicalResult, ErrorCode, ProjectId, Scope, SessionId, ToolError, ToolFailure, ToolName, decode,
};
use webcodex_store::{Credential, CredentialKind, Door, RefKind, StoreError, WindowHash};

use crate::app::App;
use crate::control::ReviewNews;
use crate::tools;
use crate::via::{Origin, Via};
use envelope::Envelope;
pub(crate) use envelope::refuse_nested;
pub(crate) use failure::{no_runner, offline};
pub(crate) use record::PendingRecord;
pub(crate) use route::{by_project, call_runner, only_runner};

/// What is known of a call besides its tool and arguments.
#[derive(Clone)]
pub(crate) struct Incoming {
    pub(crate) caller: Arc<Credential>,
    pub(crate) policy: WaitingPolicy,
    pub(crate) door: Door,
    pub(crate) via: Via,
    /// What the client calls itself in the request.
    pub(crate) client_name: Option<Arc<str>>,
    /// What its HTTP library or host calls itself, for clients that say nothing.
    pub(crate) program: Option<Arc<str>>,
    pub(crate) window: Option<WindowHash>,
    pub(crate) arrived: Instant,
    pub(crate) request_bytes: Option<u64>,
}

impl Incoming {
    /// A call that arrives now.
    pub(crate) fn new(caller: Arc<Credential>, policy: WaitingPolicy, door: Door) -> Self {
        Self {
            caller,
            policy,
            door,
            via: Via::Local,
            client_name: None,
            program: None,
            window: None,
            arrived: Instant::now(),
            request_bytes: None,
        }
    }

    /// States the way it came.
    pub(crate) fn through(mut self, origin: &Origin) -> Self {
        self.via = origin.via;
        self.program = origin.program.clone();
        self
    }

    /// States the size of the request's body.
    pub(crate) fn request_bytes(mut self, bytes: usize) -> Self {
        self.request_bytes = Some(bytes as u64);
        self
    }
}

/// A call's result and what its door needs to present it.
pub(crate) struct Answer {
    pub(crate) result: CanonicalResult,
    /// The tool that did the work; for the gateway its target.
    pub(crate) tool: Option<ToolName>,
    /// Whether the client asked for compact results of execution tools.
    pub(crate) compact_execution: bool,
    /// Written when dropped.
    pub(crate) record: PendingRecord,
}

/// A call that has passed every check.
pub(crate) struct Call<'a> {
    pub(crate) app: &'a App,
    pub(crate) id: &'a CallId,
    pub(crate) incoming: &'a Incoming,
    pub(crate) tool: ToolName,
    /// In the one canonical form, short references resolved.
    pub(crate) arguments: Value,
    /// The session that the arguments or the envelope name, known to be the caller's own.
    pub(crate) session: Option<SessionId>,
}

type Outcome = Result<CanonicalResult, Box<ToolFailure>>;

/// Does one call. A failure of any kind is a result too.
pub(crate) async fn dispatch(app: &App, tool: &str, arguments: Value, incoming: Incoming) -> Answer {
    let mut progress =
        Progress { record: PendingRecord::begin(app, &incoming), tool: None, compact_execution: false };
    let serving = AssertUnwindSafe(serve(app, tool, arguments, &incoming, &mut progress)).catch_unwind();
    let result = match serving.await {
        Ok(Ok(result)) => result,
        Ok(Err(failure)) => CanonicalResult::from(*failure),
        // A panic is this call's failure; the Server stands.
        Err(_) => {
            CanonicalResult::from(ToolError::new(ErrorCode::Internal, "the call met a fault of the Server's"))
        }
    };
    progress.record.finish(&result);
    let Progress { record, tool, compact_execution } = progress;
    Answer { result, tool, compact_execution, record }
}

/// What becomes known of a call on its way, whether or not it succeeds.
struct Progress {
    record: PendingRecord,
    tool: Option<ToolName>,
    compact_execution: bool,
}

async fn serve(
    app: &App,
    name: &str,
    arguments: Value,
    incoming: &Incoming,
    progress: &mut Progress,
) -> Outcome {
    let mut arguments = arguments;
    let envelope = envelope::take(&mut arguments, incoming.door)?;
    progress.compact_execution = envelope.compact_execution;
    let outer = table::find(name).ok_or_else(|| table::unknown_tool(name))?;
    progress.tool = Some(outer.name);
    progress.record.tool(outer.name);
    let descriptor = if outer.name == ToolName::CallRuntimeTool {
        progress.record.through_gateway();
        let target = tools::call_runtime_tool::target(outer, &mut arguments, incoming.door)?;
        progress.tool = Some(target.name);
        progress.record.tool(target.name);
        target
    } else {
        outer
    };
    require_scope(&incoming.caller, descriptor)?;
    decode::refuse_deep_nesting(&arguments)?;
    decode::unwrap_json_text(&mut arguments, &descriptor.input_schema);
    let clamped = clamp::beyond_limits(&arguments, &descriptor.input_schema);
    let arguments = descriptor.canonicalise(arguments)?;
    let id = progress.record.id().clone();
    let mut call = Call { app, id: &id, incoming, tool: descriptor.name, arguments, session: None };
    call.resolve_references(envelope, &mut progress.record).await?;
    progress.record.works(call.tool, &call.arguments);
    let outcome = call.run().await;
    if let (Ok(result), Some(session)) = (&outcome, &call.session) {
        app.reviewed(session, ReviewNews::of(call.tool, &call.arguments, result));
    }
    let mut result = tools::work::tell(&call, outcome).await?;
    if !clamped.is_empty() && result.success {
        result.output.insert("clamped".to_owned(), Value::Object(clamped));
    }
    Ok(result)
}

fn require_scope(caller: &Credential, descriptor: &Descriptor) -> Result<(), ToolError> {
    let Some(needed) = descriptor.scope else { return Ok(()) };
    if caller.scopes.contains(&needed) {
        return Ok(());
    }
    let held = caller.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ");
    let message = format!(
        "`{}` needs the scope `{}`, which this credential does not have",
        descriptor.name,
        needed.as_str()
    );
    let hint = if held.is_empty() { "It has none.".to_owned() } else { format!("It has: {held}.") };
    Err(ToolError::new(ErrorCode::ScopeDenied, message).hint(hint).changed(false))
}

impl Call<'_> {
    /// Whether the caller's credential holds `scope`.
    pub(crate) fn has_scope(&self, scope: Scope) -> bool {
        self.incoming.caller.scopes.contains(&scope)
    }

    /// What the Runner is told besides the arguments.
    pub(crate) fn context(&self) -> Result<CallContext, ToolError> {
        Ok(CallContext {
            call_id: self.id.clone(),
            grant: self.incoming.caller.grant.clone(),
            session_id: self.session.clone(),
            policy: self.policy_left(),
        })
    }

    /// What is left of the time that the caller waits.
    fn policy_left(&self) -> WaitingPolicy {
        let policy = self.incoming.policy;
        match self.incoming.arrived.elapsed().as_secs() {
            0 => policy,
            spent => WaitingPolicy::new(policy.profile, policy.budget_secs.saturating_sub(spent)),
        }
    }

    async fn run(&self) -> Outcome {
        match self.tool {
            ToolName::GetRuntimeStatus => return tools::get_runtime_status::run(self),
            ToolName::ReadToolManifest => return tools::read_tool_manifest::run(self),
            _ => {}
        }
        route::await_runner(self).await;
        match self.tool {
            ToolName::ListProjects => tools::list_projects::run(self).await,
            ToolName::RegisterProject => tools::register_project::run(self).await,
            ToolName::WorkOnProject => tools::work_on_project::run(self).await,
            ToolName::PresentWorkResult => tools::present_work_result::run(self).await,
            ToolName::WorkResultThreadPanel => tools::work_result_thread_panel::run(self).await,
            ToolName::WorkResultState => tools::work_result_state::run(self).await,
            ToolName::FinishCodingTask => tools::finish_coding_task::run(self).await,
            ToolName::ReviewDecision => tools::review_decision::run(self).await,
            _ => {
                let runner = route::runner_of(self)?;
                call_runner(self, &runner, &self.arguments).await
            }
        }
    }

    /// Replaces short references by what they stand for, and checks that project and sessions are the caller's.
    async fn resolve_references(
        &mut self,
        envelope: Envelope,
        record: &mut PendingRecord,
    ) -> Result<(), ToolError> {
        if let Some(project) = self.named("project") {
            let project = self.visible_project(&project).await?;
            record.project(&project);
            self.replace("project", project.as_str());
        }
        if let Some(session) = self.named("session_id") {
            let session = self.own_session("session_id", &session).await?;
            self.replace("session_id", session.as_str());
            self.session = Some(session);
        }
        if let Some((field, recording)) = envelope.record {
            let session = self.own_session(field, recording.as_str()).await?;
            record.session(&session);
            self.session.get_or_insert(session);
        } else if let Some(session) = &self.session {
            record.session(session);
        }
        Ok(())
    }

    fn named(&self, field: &str) -> Option<String> {
        self.arguments.get(field).and_then(Value::as_str).map(str::to_owned)
    }

    fn replace(&mut self, field: &str, value: &str) {
        if let Some(place) = self.arguments.get_mut(field)
            && place.as_str() != Some(value)
        {
            *place = Value::from(value);
        }
    }

    async fn visible_project(&self, given: &str) -> Result<ProjectId, ToolError> {
        let id = match given.starts_with('~') {
            false => Some(given.to_owned()),
            true => self.resolve(RefKind::Project, given).await?,
        };
        id.and_then(|id| ProjectId::parse(&id).ok())
            .filter(|id| self.incoming.caller.grant.allows(id))
            .ok_or_else(|| unknown_project(given))
    }

    async fn own_session(&self, field: &str, given: &str) -> Result<SessionId, ToolError> {
        let id = match given.starts_with('~') {
            false => Some(given.to_owned()),
            true => self.resolve(RefKind::Session, given).await?,
        };
        let Some(id) = id.and_then(|id| SessionId::parse(&id).ok()) else {
            return Err(unknown_session(field, given));
        };
        let caller = &self.incoming.caller;
        // The person at the computer looks at everybody's work.
        let session = match caller.kind {
            CredentialKind::Bootstrap => self.app.store.anyones_session(&id).await,
            _ => self.app.store.session(&caller.id, &id).await,
        };
        let session = session.map_err(|error| store_failed(&error))?;
        session.map(|session| session.id.clone()).ok_or_else(|| unknown_session(field, given))
    }

    async fn resolve(&self, kind: RefKind, given: &str) -> Result<Option<String>, ToolError> {
        self.app
            .store
            .resolve(&self.incoming.caller.id, kind, given)
            .await
            .map_err(|error| store_failed(&error))
    }
}

/// A project that does not exist and one that is not visible look the same.
pub(crate) fn unknown_project(given: &str) -> ToolError {
    ToolError::new(ErrorCode::ProjectNotFound, format!("there is no project `{given}` that you may use"))
        .field("project")
        .hint("Use a `project` from work_on_project or list_projects.")
        .changed(false)
}

fn unknown_session(field: &str, given: &str) -> ToolError {
    ToolError::new(ErrorCode::SessionNotFound, format!("you have no session `{given}`"))
        .field(field)
        .hint("Use the `session_id` that work_on_project returned, or leave it out.")
        .changed(false)
}

/// The database could not answer.
pub(crate) fn store_failed(error: &StoreError) -> ToolError {
    tracing::error!(%error, "the store failed");
    ToolError::new(ErrorCode::Internal, format!("the Server's records cannot be used: {error}"))
}

/// Ids of calls, unique for ever: a random start per process and a counter.
pub(crate) struct CallIds {
    start: u64,
    count: AtomicU64,
}

impl CallIds {
    pub(crate) fn new() -> Self {
        Self { start: rand::random::<u64>() >> 16, count: AtomicU64::new(0) }
    }

    fn next(&self) -> CallId {
        CallId::numbered(self.start, self.count.fetch_add(1, Ordering::Relaxed))
    }
}
