import { Channel, invoke } from "@tauri-apps/api/core";
import type { Bridge, CopyItem, DragMessage, LinkName, Message, PlaceName, Unsubscribe } from "./bridge";
import type {
  Answer, ApprovalAnswer, ClientKind, ConnectionDraft, OutputMessage, Permission, SettingsChange,
} from "./types";

/** The bridge to the desktop shell. Every command is one of the shell's own; nothing of its framework is called. */
export class TauriBridge implements Bridge {
  #watches = 0;

  subscribe(listener: (message: Message) => void): Unsubscribe {
    return this.#watch("subscribe", {}, listener, () => listener({ kind: "lost" }));
  }

  watchDrags(listener: (message: DragMessage) => void): Unsubscribe {
    return this.#watch("watch_drags", {}, listener);
  }

  watchPlaces(listener: (place: PlaceName) => void): Unsubscribe {
    return this.#watch("watch_places", {}, listener);
  }

  watchOutput(job: string, listener: (message: OutputMessage) => void): Unsubscribe {
    return this.#watch("watch_output", { job }, listener);
  }

  pause = () => ask<void>("pause");
  resume = () => ask<void>("resume");
  restart = () => ask<void>("restart");
  finishFirstRun = () => ask<void>("finish_first_run");
  keepSecretsInFile = () => ask<void>("keep_secrets_in_file");
  keepSecretsInKeychain = () => ask<void>("keep_secrets_in_keychain");

  pickFolders = (startIn: string | null) => ask<string[]>("pick_folders", { startIn });
  addFolder: Bridge["addFolder"] = (path) => ask("add_folder", { path });
  setPermission = (project: string, permission: Permission) => ask<void>("set_permission", { project, permission });
  setAskFirst = (project: string, askFirst: boolean) => ask<void>("set_ask_first", { project, askFirst });
  removeProject = (project: string) => ask<void>("remove_project", { project });
  openProject = (project: string, where: "files" | "editor") => ask<void>("open_project", { project, place: where });

  callDetail: Bridge["callDetail"] = (call) => ask("call_detail", { call });
  earlierCalls: Bridge["earlierCalls"] = (before) => ask("earlier_calls", { before });
  stopJob = (job: string) => ask<void>("stop_job", { job });

  answerApproval = (approval: string, answer: ApprovalAnswer) => ask<void>("answer_approval", { approval, answer });
  dismissApproval = (approval: string) => ask<void>("dismiss_approval", { approval });

  revealCredential = () => ask<string>("reveal_credential");
  replaceCredential = () => ask<void>("replace_credential");
  clientSetup: Bridge["clientSetup"] = (kind: ClientKind) => ask("client_setup", { kind });
  writeClientSetup: Bridge["writeClientSetup"] = (kind: ClientKind) => ask("write_client_setup", { kind });
  checkClient = (client: string) => ask<void>("check_client", { client });

  addConnection = (draft: ConnectionDraft) => ask<string>("add_connection", { draft });
  editConnection = (connection: string, revision: number, draft: ConnectionDraft) =>
    ask<void>("edit_connection", { connection, revision, draft });
  deleteConnection = (connection: string, revision: number) => ask<void>("delete_connection", { connection, revision });
  switchConnection = (connection: string, on: boolean) => ask<void>("switch_connection", { connection, on });
  restartConnection = (connection: string) => ask<void>("restart_connection", { connection });
  importConnection = () => ask<string>("import_connection");
  dismissImport = () => ask<void>("dismiss_import");
  pickCaFile = () => ask<string | null>("pick_ca_file");

  readApp: Bridge["readApp"] = (uri) => ask("read_app", { uri });
  callAppTool: Bridge["callAppTool"] = (tool, argumentsOfCall) => ask("call_app_tool", { tool, arguments: argumentsOfCall });
  openFile = (project: string, path: string, where: "files" | "editor") => ask<void>("open_file", { project, path, place: where });
  openAddress = (url: string) => ask<void>("open_address", { url });

  changeSettings = (change: SettingsChange) => ask<void>("change_settings", { change });
  report = () => ask<string>("report");
  showLogs = () => ask<void>("show_logs");
  checkForUpdate = () => ask<void>("check_for_update");
  installUpdate = () => ask<void>("install_update");
  copy = (item: CopyItem) => ask<void>("copy", { item });
  openLink = (link: LinkName) => ask<void>("open_link", { link });

  /** Opens a stream of the shell; it ends with the page at the latest. */
  #watch<T>(command: string, values: object, listener: (message: T) => void, failed?: () => void): Unsubscribe {
    const watch = ++this.#watches;
    let open = true;
    const channel = new Channel<T>((message) => {
      if (open) listener(message);
    });
    void ask<void>(command, { ...values, watch, channel }).then((answer) => {
      if (open && !answer.ok) failed?.();
    });
    return () => {
      open = false;
      void ask<void>("unwatch", { watch });
    };
  }
}

/** Asks the shell. It answers every command; what rejects is the way there, for example a command it does not know. */
async function ask<T>(command: string, values: Record<string, unknown> = {}): Promise<Answer<T>> {
  try {
    return await invoke<Answer<T>>(command, values);
  } catch (error) {
    return { ok: false, error: { code: "shell_silent", message: String(error), hint: null } };
  }
}
