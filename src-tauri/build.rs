//! Declares the page's commands, so that only what `capabilities/window.json` names can be called.

/// Every command; `src/commands/mod.rs` registers the same.
const COMMANDS: &[&str] = &[
    "subscribe",
    "watch_drags",
    "watch_places",
    "watch_output",
    "unwatch",
    "pause",
    "resume",
    "restart",
    "finish_first_run",
    "keep_secrets_in_file",
    "keep_secrets_in_keychain",
    "pick_folders",
    "add_folder",
    "set_permission",
    "set_ask_first",
    "remove_project",
    "open_project",
    "call_detail",
    "earlier_calls",
    "stop_job",
    "answer_approval",
    "dismiss_approval",
    "reveal_credential",
    "replace_credential",
    "client_setup",
    "write_client_setup",
    "check_client",
    "add_connection",
    "edit_connection",
    "delete_connection",
    "switch_connection",
    "restart_connection",
    "import_connection",
    "dismiss_import",
    "pick_ca_file",
    "read_app",
    "call_app_tool",
    "change_settings",
    "report",
    "show_logs",
    "check_for_update",
    "install_update",
    "copy",
    "open_link",
    "open_file",
    "open_address",
];

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(COMMANDS);
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error={error:#}");
    }
}
