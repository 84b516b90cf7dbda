//! What the window can ask for, one method each. They may be called from any executor.

use std::sync::Arc;

use http::Method;
use serde::Serialize;
use serde_json::Value;
use webcodex_contracts::control::{
    AppCall, AppPage, ApprovalAnswer, CallDetail, ClientKind, EarlierCalls, Failure, FolderResult,
    NewCredential, NewProject, OutputMessage, ProjectChange,
};
use webcodex_contracts::{ApprovalId, CallId, JobId, Permission, ProjectId};
use webcodex_settings::desktop::{DesktopSection, SecretsIn};

use crate::clients::{self, ClientSetup, WrittenSetup};
use crate::connection::Lines;
use crate::failure;
use crate::keeper::Order;
use crate::status::{Settings, SettingsChange};
use crate::supervisor::{Shared, Supervisor};
use crate::{report, vault};

/// The answer to a command.
pub(crate) type Answer<T> = Result<T, Failure>;

/// No body.
pub(crate) const NOTHING: Option<&()> = None;

/// The output of a job, as it grows.
pub struct Output(Lines);

impl Output {
    /// The next piece; nothing once the job and its output have ended.
    pub async fn next(&mut self) -> Option<OutputMessage> {
        self.0.next().await.ok().flatten()
    }
}

impl Supervisor {
    /// Runs a command on the supervisor's own thread.
    pub(crate) async fn run<T: Send + 'static, F: Future<Output = Answer<T>> + Send + 'static>(
        &self,
        command: impl FnOnce(Arc<Shared>) -> F,
    ) -> Answer<T> {
        let running = self.shared.runtime.spawn(command(self.shared.clone()));
        running.await.map_err(|_| failure::ended())?
    }

    pub(crate) async fn tell(
        &self,
        method: Method,
        path: String,
        body: Option<impl Serialize + Send + Sync + 'static>,
    ) -> Answer<()> {
        self.run(|shared| async move { shared.connection()?.tell(method, &path, body.as_ref()).await }).await
    }

    /// Stops serving until [`Supervisor::resume`], also over a restart of the app.
    ///
    /// # Errors
    /// The choice cannot be kept.
    pub async fn pause(&self) -> Answer<()> {
        self.run(|shared| async move { shared.set_paused(true).await }).await
    }

    /// Serves again.
    ///
    /// # Errors
    /// The choice cannot be kept.
    pub async fn resume(&self) -> Answer<()> {
        self.run(|shared| async move { shared.set_paused(false).await }).await
    }

    /// Ends Server and Runner and starts them again.
    ///
    /// # Errors
    /// The supervisor has ended.
    pub async fn restart(&self) -> Answer<()> {
        self.run(|shared| async move { shared.ask(|done| Order::Restart { done }).await }).await
    }

    /// Notes that the person has been through, or has skipped, the first steps.
    ///
    /// # Errors
    /// The choice cannot be kept.
    pub async fn finish_first_run(&self) -> Answer<()> {
        self.run(|shared| async move {
            shared.choose(DesktopSection { first_run_done: Some(true), ..DesktopSection::default() })?;
            shared.board.change(|status| status.first_run = false);
            Ok(())
        })
        .await
    }

    /// Keeps credential and keys in owner-only files from now on.
    ///
    /// # Errors
    /// The files cannot be written, or the choice cannot be kept; everything is then where it was.
    pub async fn keep_secrets_in_file(&self) -> Answer<()> {
        self.run(|shared| async move { shared.keep_secrets_in(SecretsIn::OwnerFile).await }).await
    }

    /// Keeps credential and keys in the keychain of the system from now on.
    ///
    /// # Errors
    /// It cannot be used, or the choice cannot be kept; everything is then where it was.
    pub async fn keep_secrets_in_keychain(&self) -> Answer<()> {
        self.run(|shared| async move { shared.keep_secrets_in(SecretsIn::Keychain).await }).await
    }

    /// Registers a folder.
    ///
    /// # Errors
    /// The Server cannot be asked. A folder that is refused is no error.
    pub async fn add_folder(&self, path: String) -> Answer<FolderResult> {
        self.run(|shared| async move {
            let new = NewProject { path };
            shared.connection()?.order(Method::POST, "/control/projects", Some(&new)).await
        })
        .await
    }

    /// Sets what models may do in a project.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such project.
    pub async fn set_permission(&self, project: ProjectId, permission: Permission) -> Answer<()> {
        let change = ProjectChange { permission: Some(permission), ask_first: None };
        self.tell(Method::PATCH, format!("/control/projects/{project}"), Some(change)).await
    }

    /// Sets whether edits and commands of a project wait for the person.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such project.
    pub async fn set_ask_first(&self, project: ProjectId, ask_first: bool) -> Answer<()> {
        let change = ProjectChange { permission: None, ask_first: Some(ask_first) };
        self.tell(Method::PATCH, format!("/control/projects/{project}"), Some(change)).await
    }

    /// Takes a project off the list. Its files stay as they are.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such project.
    pub async fn remove_project(&self, project: ProjectId) -> Answer<()> {
        self.tell(Method::DELETE, format!("/control/projects/{project}"), NOTHING.copied()).await
    }

    /// What is known of a call beyond the list.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such call.
    pub async fn call_detail(&self, call: CallId) -> Answer<CallDetail> {
        let path = format!("/control/calls/{call}");
        self.run(|shared| async move { shared.connection()?.order(Method::GET, &path, NOTHING).await }).await
    }

    /// Calls before this one, newest first.
    ///
    /// # Errors
    /// The Server cannot be asked.
    pub async fn earlier_calls(&self, before: CallId) -> Answer<EarlierCalls> {
        let path = format!("/control/calls?before={before}");
        self.run(|shared| async move { shared.connection()?.order(Method::GET, &path, NOTHING).await }).await
    }

    /// Stops a job.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such job.
    pub async fn stop_job(&self, job: JobId) -> Answer<()> {
        self.tell(Method::POST, format!("/control/jobs/{job}/stop"), NOTHING.copied()).await
    }

    /// Follows the output of a job.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such job.
    pub async fn watch_output(&self, job: JobId) -> Answer<Output> {
        let path = format!("/control/jobs/{job}/output");
        self.run(|shared| async move { shared.connection()?.follow(&path).await.map(Output) }).await
    }

    /// Gives the person's answer to a question.
    ///
    /// # Errors
    /// The Server cannot be asked, or the question has ended.
    pub async fn answer_approval(&self, approval: ApprovalId, answer: ApprovalAnswer) -> Answer<()> {
        self.tell(Method::POST, format!("/control/approvals/{approval}"), Some(answer)).await
    }

    /// Takes an expired question off the list.
    ///
    /// # Errors
    /// The Server cannot be asked.
    pub async fn dismiss_approval(&self, approval: ApprovalId) -> Answer<()> {
        self.tell(Method::DELETE, format!("/control/approvals/{approval}"), NOTHING.copied()).await
    }

    /// The one secret a person may look at: the credential of clients.
    ///
    /// # Errors
    /// There is no place for it.
    pub async fn reveal_credential(&self) -> Answer<String> {
        self.run(|shared| async move { Ok(shared.credential()?.expose().to_owned()) }).await
    }

    /// Gives clients a new credential and ends the old one.
    ///
    /// # Errors
    /// It cannot be kept, or the Server cannot be asked; the old one then stays.
    pub async fn replace_credential(&self) -> Answer<()> {
        self.run(|shared| async move {
            let server = shared.connection()?;
            let old = shared.credential()?;
            let (new, client) = (vault::new_client_credential(), || vault::CLIENT.to_owned());
            vault::set(shared.vault(), client(), new.clone())
                .await
                .map_err(|error| failure::vault(&error))?;
            let body = NewCredential { secret: new.expose().to_owned() };
            if let Err(refused) = server.tell(Method::PUT, "/control/credential", Some(&body)).await {
                vault::set(shared.vault(), client(), old).await.map_err(|error| failure::vault(&error))?;
                return Err(refused);
            }
            *shared.credential.lock() = Some(new);
            Ok(())
        })
        .await
    }

    /// A client's ready-made configuration, with the credential hidden.
    ///
    /// # Errors
    /// There is no address yet.
    pub async fn client_setup(&self, kind: ClientKind) -> Answer<ClientSetup> {
        self.run(|shared| async move { clients::setup(&shared, kind) }).await
    }

    /// The same text with the credential in it, for the clipboard alone.
    ///
    /// # Errors
    /// There is no address or no credential yet.
    pub async fn client_setup_text(&self, kind: ClientKind) -> Answer<String> {
        self.run(|shared| async move { clients::setup_text(&shared, kind) }).await
    }

    /// Writes the configuration into the client's own file; what was there is kept beside it.
    ///
    /// # Errors
    /// The client's configuration is no file that we know, or cannot be changed.
    pub async fn write_client_setup(&self, kind: ClientKind) -> Answer<WrittenSetup> {
        self.run(|shared| async move { clients::write_setup(&shared, kind) }).await
    }

    /// Walks a client's way as far as it can be walked from here; what was found, and when the client called last and
    /// how that went, is then in the status.
    ///
    /// # Errors
    /// The Server cannot be asked, or only a call of the client itself can show whether its way leads here.
    pub async fn check_client(&self, client: String) -> Answer<()> {
        self.run(|shared| async move { clients::check(&shared, &client).await }).await
    }

    /// A page of MCP Apps by its `ui://` address.
    ///
    /// # Errors
    /// The Server cannot be asked, or has no such page.
    pub async fn read_app(&self, uri: String) -> Answer<AppPage> {
        self.run(|shared| async move {
            let uri: String = form_urlencoded::byte_serialize(uri.as_bytes()).collect();
            let path = format!("/control/apps?uri={uri}");
            shared.connection()?.order(Method::GET, &path, NOTHING).await
        })
        .await
    }

    /// Calls a tool for the person; gives the tool's canonical result, failures too.
    ///
    /// # Errors
    /// The Server cannot be asked, or the tool is none that the window calls.
    pub async fn call_app_tool(&self, call: AppCall) -> Answer<Value> {
        self.run(|shared| async move {
            shared.connection()?.order(Method::POST, "/control/apps/call", Some(&call)).await
        })
        .await
    }

    /// Changes settings, in the file and, where it concerns them, in Server and Runner.
    ///
    /// # Errors
    /// A value does not fit, or the file cannot be written.
    pub async fn change_settings(&self, change: SettingsChange) -> Answer<()> {
        self.run(|shared| async move { shared.change_settings(&change).await }).await
    }

    /// What helps to find a fault, without names, paths of projects or secrets.
    ///
    /// # Errors
    /// The supervisor has ended.
    pub async fn report(&self) -> Answer<String> {
        self.run(|shared| async move { Ok(report::text(&shared.config, &shared.board.status())) }).await
    }
}

impl Shared {
    pub(crate) fn choose(&self, section: DesktopSection) -> Answer<()> {
        self.preferences.lock().choose(section).map_err(|error| self.not_saved(&error))
    }

    /// A full disk is the most likely reason.
    fn not_saved(&self, error: &webcodex_settings::SettingsError) -> Failure {
        self.order(Order::LookAtDisk);
        failure::settings(error)
    }

    async fn set_paused(&self, paused: bool) -> Answer<()> {
        // A full disk must not keep a person from pausing.
        let kept = self.choose(DesktopSection { paused: Some(paused), ..DesktopSection::default() });
        self.ask(|done| Order::Pause { paused, done }).await?;
        kept
    }

    pub(crate) fn credential(&self) -> Answer<webcodex_settings::Secret> {
        let missing = || {
            failure::failure("secrets_unavailable", "there is no credential yet", "choose where to keep it")
        };
        self.credential.lock().clone().ok_or_else(missing)
    }

    async fn change_settings(&self, change: &SettingsChange) -> Answer<()> {
        if let Some(refused) = change.proxy.as_ref().and_then(failure::proxy) {
            return Err(refused);
        }
        let file = {
            let mut preferences = self.preferences.lock();
            preferences.change(&change.of_file()).map_err(|error| self.not_saved(&error))?;
            preferences.file.clone()
        };
        let mut settings = Settings::of_file(&file, self.secrets_kind());
        let for_server = change.of_server(&settings);
        self.board.change(|status| {
            settings.log_bytes = status.settings.log_bytes;
            settings.secrets = status.settings.secrets;
            status.settings = settings;
        });
        match (for_server, self.connection()) {
            // A Server that does not run reads the file when it starts.
            (Some(change), Ok(server)) => {
                server.tell(Method::PATCH, "/control/settings", Some(&change)).await
            }
            _ => Ok(()),
        }
    }
}
