//! What the page may ask for: one function for each method of `Bridge` in `ui/desktop/bridge/bridge.ts`.
//!
//! They pass the question on and wrap the answer. `build.rs` declares them, `capabilities/window.json` allows them.

mod activity;
mod answer;
mod apps;
pub(crate) mod clipboard;
mod connections;
mod outside;
mod projects;
mod serving;
mod streams;
mod tunnels;

use tauri::ipc::Invoke;

/// All of them.
pub(crate) fn all() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        streams::subscribe,
        streams::watch_drags,
        streams::watch_places,
        streams::watch_output,
        streams::unwatch,
        serving::pause,
        serving::resume,
        serving::restart,
        serving::finish_first_run,
        serving::keep_secrets_in_file,
        serving::keep_secrets_in_keychain,
        serving::change_settings,
        serving::check_for_update,
        serving::install_update,
        projects::pick_folders,
        projects::add_folder,
        projects::set_permission,
        projects::set_ask_first,
        projects::remove_project,
        projects::open_project,
        activity::call_detail,
        activity::earlier_calls,
        activity::stop_job,
        activity::answer_approval,
        activity::dismiss_approval,
        connections::reveal_credential,
        connections::replace_credential,
        connections::client_setup,
        connections::write_client_setup,
        connections::check_client,
        tunnels::add_connection,
        tunnels::edit_connection,
        tunnels::delete_connection,
        tunnels::switch_connection,
        tunnels::restart_connection,
        tunnels::import_connection,
        tunnels::dismiss_import,
        tunnels::pick_ca_file,
        apps::read_app,
        apps::call_app_tool,
        clipboard::copy,
        outside::report,
        outside::show_logs,
        outside::open_link,
        outside::open_file,
        outside::open_address,
    ]
}
