//! `POST /control/projects`, `PATCH` and `DELETE /control/projects/{id}`: folders come, change and go. No route
//! touches files.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use http::Response;
use webcodex_contracts::ProjectId;
use webcodex_contracts::control::{NewProject, ProjectChange};
use webcodex_link::control::{ControlReply, ControlRequest};

use super::keeper;
use super::reply::{document, done, read};
use super::runner::{ask_for, only};
use crate::app::App;

/// Makes a folder a project, or says why not.
pub(super) async fn add(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let NewProject { path } = match read(request).await {
        Ok(new) => new,
        Err(refused) => return *refused,
    };
    let runner = match only(&app) {
        Ok(runner) => runner,
        Err(refused) => return *refused,
    };
    match ask_for(&runner, &ControlRequest::AddProject { path }).await {
        Ok(ControlReply::Folder(result)) => {
            keeper::refresh_projects(&app).await;
            document(&result)
        }
        Ok(_) => super::runner::unexpected(),
        Err(refused) => *refused,
    }
}

/// Changes what callers may do in a project.
pub(super) async fn change(
    State(app): State<Arc<App>>,
    Path(project): Path<ProjectId>,
    request: Request,
) -> Response<Body> {
    let change: ProjectChange = match read(request).await {
        Ok(change) => change,
        Err(refused) => return *refused,
    };
    order(&app, &project.clone(), ControlRequest::ChangeProject { project, change }).await
}

/// Forgets a project.
pub(super) async fn remove(State(app): State<Arc<App>>, Path(project): Path<ProjectId>) -> Response<Body> {
    order(&app, &project.clone(), ControlRequest::RemoveProject { project }).await
}

async fn order(app: &App, project: &ProjectId, request: ControlRequest) -> Response<Body> {
    let runner = match super::runner::of_project(app, project) {
        Ok(runner) => runner,
        Err(refused) => return *refused,
    };
    match ask_for(&runner, &request).await {
        Ok(ControlReply::Done) => {
            keeper::refresh_projects(app).await;
            done()
        }
        Ok(_) => super::runner::unexpected(),
        Err(refused) => *refused,
    }
}
