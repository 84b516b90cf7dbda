import type {
  Answer, AppPage, ApprovalAnswer, ApprovalId, Call, CallDetail, CallId, ClientId, ClientKind, ClientSetup, ConnectionDraft,
  ConnectionId, FolderResult, JobId, OutputMessage, Permission, ProjectId, SettingsChange, Status, ToolAnswer, WorkTool,
} from "./types";

/** What the stream says. The first message is always `status`, and so is the first after a gap. */
export type Message =
  | { kind: "status"; status: Status }
  /** Everything named has the new value; `calls` come separately. */
  | { kind: "changed"; changed: Partial<Omit<Status, "calls">> }
  /** New calls, and calls that have a new outcome. Newest first. */
  | { kind: "calls"; calls: Call[] }
  /** The stream broke off; what is shown is as old as its last message. */
  | { kind: "lost" };

/** Folders over the window. A drop names what was let go; the paths before it may not be known. */
export type DragMessage =
  | { kind: "over"; items: number | null }
  | { kind: "left" }
  | { kind: "dropped"; paths: string[] };

/** A page of the window. */
export type PlaceName = "home" | "projects" | "work" | "activity" | "approvals" | "connections" | "settings";

export type Unsubscribe = () => void;

/** What may go to the clipboard. The shell puts it there, so a secret need not pass through the page. */
export type CopyItem =
  | { what: "text"; text: string }
  | { what: "credential" }
  | { what: "setup"; kind: ClientKind }
  | { what: "tunnel_id"; connection: ConnectionId }
  | { what: "report" };

/** Pages outside that the shell agrees to open. */
export type LinkName =
  | "chatgpt_connectors" | "guide_public_address" | "guide_tunnel" | "openai_keys" | "openai_tunnels" | "release_notes" | "source";

/** The only way from the page to the shell. */
export interface Bridge {
  subscribe(listener: (message: Message) => void): Unsubscribe;
  watchDrags(listener: (message: DragMessage) => void): Unsubscribe;
  /** Pages that something outside the page asks for: the tray, a notification. */
  watchPlaces(listener: (place: PlaceName) => void): Unsubscribe;
  watchOutput(job: JobId, listener: (message: OutputMessage) => void): Unsubscribe;

  pause(): Promise<Answer<void>>;
  resume(): Promise<Answer<void>>;
  restart(): Promise<Answer<void>>;
  finishFirstRun(): Promise<Answer<void>>;
  keepSecretsInFile(): Promise<Answer<void>>;
  keepSecretsInKeychain(): Promise<Answer<void>>;

  /** Lets the person pick folders; an empty list when they close the dialog. */
  pickFolders(startIn: string | null): Promise<Answer<string[]>>;
  addFolder(path: string): Promise<Answer<FolderResult>>;
  setPermission(project: ProjectId, permission: Permission): Promise<Answer<void>>;
  setAskFirst(project: ProjectId, askFirst: boolean): Promise<Answer<void>>;
  removeProject(project: ProjectId): Promise<Answer<void>>;
  openProject(project: ProjectId, where: "files" | "editor"): Promise<Answer<void>>;

  callDetail(call: CallId): Promise<Answer<CallDetail>>;
  /** Calls before this one, newest first. */
  earlierCalls(before: CallId): Promise<Answer<{ calls: Call[]; more: boolean }>>;
  stopJob(job: JobId): Promise<Answer<void>>;

  answerApproval(approval: ApprovalId, answer: ApprovalAnswer): Promise<Answer<void>>;
  /** Takes an expired one off the list. */
  dismissApproval(approval: ApprovalId): Promise<Answer<void>>;

  /** The one secret a person may look at. */
  revealCredential(): Promise<Answer<string>>;
  replaceCredential(): Promise<Answer<void>>;
  clientSetup(kind: ClientKind): Promise<Answer<ClientSetup>>;
  writeClientSetup(kind: ClientKind): Promise<Answer<{ file: string; keptAs: string | null }>>;
  checkClient(client: ClientId): Promise<Answer<void>>;

  /**
   * Adds a connection and switches it on. Fails with `tunnel_in_use`, `tunnel_invalid`, `key_invalid`, `name_invalid`,
   * `organization_invalid`, `proxy_invalid`, `ca_file_invalid`, `too_many` or `secrets_unavailable`.
   */
  addConnection(draft: ConnectionDraft): Promise<Answer<ConnectionId>>;
  /** Fails as adding does, and with `stale` where `revision` is not the present one. */
  editConnection(connection: ConnectionId, revision: number, draft: ConnectionDraft): Promise<Answer<void>>;
  deleteConnection(connection: ConnectionId, revision: number): Promise<Answer<void>>;
  switchConnection(connection: ConnectionId, on: boolean): Promise<Answer<void>>;
  /** Ends its waiting and tries from the start. */
  restartConnection(connection: ConnectionId): Promise<Answer<void>>;
  /** Takes over the tunnel and key found in the environment. */
  importConnection(): Promise<Answer<ConnectionId>>;
  dismissImport(): Promise<Answer<void>>;
  /** Lets the person pick a certificate file; nothing when they close the dialog. */
  pickCaFile(): Promise<Answer<string | null>>;

  /** A page by its `ui://` address. */
  readApp(uri: string): Promise<Answer<AppPage>>;
  /** Calls a tool of the Server for the person at this computer. */
  callAppTool(tool: WorkTool, argumentsOfCall: Record<string, unknown>): Promise<Answer<ToolAnswer>>;
  /** Opens a file of a project; a path that leads out of it is refused. */
  openFile(project: ProjectId, path: string, where: "files" | "editor"): Promise<Answer<void>>;
  /** Opens an address of the web that the person has just agreed to. */
  openAddress(url: string): Promise<Answer<void>>;

  changeSettings(change: SettingsChange): Promise<Answer<void>>;
  report(): Promise<Answer<string>>;
  showLogs(): Promise<Answer<void>>;
  checkForUpdate(): Promise<Answer<void>>;
  installUpdate(): Promise<Answer<void>>;
  copy(item: CopyItem): Promise<Answer<void>>;
  openLink(link: LinkName): Promise<Answer<void>>;
}

declare global {
  interface Window {
    /** Put here by whoever shows the page, before its script runs. */
    webcodexBridge?: Bridge;
  }
}
