//! `POST /control/shutdown`: ends the Server in order.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use http::Response;

use super::reply::done;
use crate::app::App;

/// Says that it will end, and ends.
pub(super) async fn serve(State(app): State<Arc<App>>) -> Response<Body> {
    app.control.shutdown.cancel();
    done()
}
