import type { Bridge, CopyItem, DragMessage, LinkName, Message, PlaceName } from "./bridge";
import { CREDENTIAL, setupOf } from "./fake/clients";
import { manyCalls } from "./fake/calls";
import { detailOf, firstOutput, nextOutput } from "./fake/details";
import { judge } from "./fake/folders";
import { project as newProject } from "./fake/projects";
import { type Scenario, statusOf } from "./fake/scenarios";
import { TunnelShell } from "./fake/tunnel-shell";
import { FakeWorks } from "./fake/work/works";
import type {
  Answer, AppPage, ApprovalAnswer, Call, CallDetail, ClientKind, ClientSetup, ConnectionDraft, Failure, FolderResult, OutputMessage, Permission,
  SettingsChange, Status, ToolAnswer, WorkTool,
} from "./types";

const ok = <T>(value: T): Answer<T> => ({ ok: true, value });
const done: Answer<void> = { ok: true, value: undefined };

/** How the fake behaves beside its scenario. */
export interface FakeOptions {
  scenario: Scenario;
  /** Whether calls, output and expiry go on by themselves. */
  lively?: boolean;
  /** How long a command takes to answer, in ms. */
  delayMs?: number;
  settings?: SettingsChange;
}

/** The whole shell in memory: it runs the window in a browser and in tests, and keeps its promises. */
export class FakeBridge implements Bridge {
  status: Status;
  /** What was put on the clipboard, opened and asked, in order. */
  readonly log: string[] = [];
  readonly #options: Required<Omit<FakeOptions, "settings">>;
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #drags = new Set<(message: DragMessage) => void>();
  readonly #places = new Set<(place: PlaceName) => void>();
  readonly #failures = new Map<string, Failure>();
  /** The tunnels; tests let ChatGPT call through them. */
  readonly tunnels = new TunnelShell(this);
  /** The work of every session; tests look into it. */
  readonly works = new FakeWorks();
  #picked: string[] = ["D:\\Projects\\webshop-api"];
  #next = 1;
  #calls = 20_000;

  constructor(options: FakeOptions) {
    this.#options = { lively: false, delayMs: 0, ...options };
    this.status = statusOf(options.scenario, Date.now());
    if (options.settings) this.status.settings = { ...this.status.settings, ...options.settings };
    if (this.#options.lively) this.#live();
  }

  // Controls of a test or a person trying the pages out.

  /** Makes a command fail from now on; without a failure it works again. */
  fail(command: string, failure?: Failure): void {
    if (failure) this.#failures.set(command, failure);
    else this.#failures.delete(command);
  }

  /** What the next folder dialog returns. */
  willPick(paths: string[]): void {
    this.#picked = paths;
  }

  drag(message: DragMessage): void {
    this.#drags.forEach((listener) => listener(message));
  }

  /** The tray asks for a page. */
  place(place: PlaceName): void {
    this.#places.forEach((listener) => listener(place));
  }

  /** A call that has just finished. */
  call(different: Partial<Call> = {}): void {
    const [pattern] = manyCalls(Date.now() + 60_000, 1, this.#calls++);
    const call = { ...(pattern as Call), ...different };
    this.status = { ...this.status, calls: [call, ...this.status.calls], callsToday: this.status.callsToday + 1 };
    this.#send({ kind: "calls", calls: [call] });
    this.change({ callsToday: this.status.callsToday });
  }

  change(changed: Partial<Omit<Status, "calls">>): void {
    const seen = { observedAt: Date.now(), ...changed };
    this.status = { ...this.status, ...seen };
    this.#send({ kind: "changed", changed: seen });
  }

  lose(): void {
    this.#send({ kind: "lost" });
  }

  recover(): void {
    this.#send({ kind: "status", status: this.status });
  }

  // The stream.

  subscribe(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    if (this.#options.scenario !== "silent") queueMicrotask(() => listener({ kind: "status", status: this.status }));
    return () => this.#listeners.delete(listener);
  }

  watchDrags(listener: (message: DragMessage) => void): () => void {
    this.#drags.add(listener);
    return () => this.#drags.delete(listener);
  }

  watchPlaces(listener: (place: PlaceName) => void): () => void {
    this.#places.add(listener);
    return () => this.#places.delete(listener);
  }

  watchOutput(_job: string, listener: (message: OutputMessage) => void): () => void {
    queueMicrotask(() => listener(firstOutput));
    if (!this.#options.lively) return () => undefined;
    let line = 0;
    const timer = setInterval(() => listener(nextOutput(line++)), 700);
    return () => clearInterval(timer);
  }

  // Commands.

  pause = () => this.#do("pause", () => this.change({ state: "off", reason: { code: "paused" }, action: "resume" }));
  resume = () => this.#do("resume", () => this.#settle());
  restart = () => this.#do("restart", () => this.change({ state: "starting", reason: { code: "starting" }, action: null }));
  finishFirstRun = () => this.#do("finishFirstRun", () => this.change({ firstRun: false }));
  keepSecretsInFile = () =>
    this.#do("keepSecretsInFile", () => {
      this.change({ settings: { ...this.status.settings, secrets: "owner_file" } });
      this.#settle();
    });
  keepSecretsInKeychain = () =>
    this.#do("keepSecretsInKeychain", () => this.change({ settings: { ...this.status.settings, secrets: "windows" } }));

  pickFolders = (_startIn: string | null) => this.#answer("pickFolders", () => this.#picked);

  addFolder = (path: string) =>
    this.#answer("addFolder", (): FolderResult => {
      const result = judge(path.trim(), this.status.projects, `f${this.#next++}`);
      if (result.kind === "added") {
        const { permission, askFirst } = this.status.settings.newProjects;
        const added = newProject(result.project, result.name, result.path, { permission, askFirst, facts: result.facts });
        this.change({ projects: [...this.status.projects, added] });
        if (this.status.reason.code === "no_project") this.#settle();
      }
      return result;
    });

  setPermission = (id: string, permission: Permission) =>
    this.#do("setPermission", () => this.#changeProject(id, { permission }));
  setAskFirst = (id: string, askFirst: boolean) => this.#do("setAskFirst", () => this.#changeProject(id, { askFirst }));
  removeProject = (id: string) =>
    this.#do("removeProject", () => {
      this.change({ projects: this.status.projects.filter((project) => project.id !== id) });
      if (this.status.projects.length === 0) this.change({ reason: { code: "no_project" }, action: "add_folder" });
    });
  openProject = (id: string, where: "files" | "editor") => this.#do("openProject", () => this.log.push(`open ${id} ${where}`));

  callDetail = (id: string) =>
    this.#answer("callDetail", (): CallDetail => {
      const call = this.status.calls.find((one) => one.id === id);
      return detailOf(call ?? (this.status.calls[0] as Call));
    });
  earlierCalls = (before: string) =>
    this.#answer("earlierCalls", () => {
      const at = this.status.calls.find((call) => call.id === before)?.at ?? Date.now();
      const calls = manyCalls(at - 60_000, 500, 900).map((call) => ({ ...call, id: `e${call.id}` }));
      this.status = { ...this.status, calls: [...this.status.calls, ...calls], earlierCalls: false };
      return { calls, more: false };
    });
  stopJob = (id: string) =>
    this.#do("stopJob", () => {
      const stopped = { state: "stopped", endedAt: Date.now() } as const;
      this.change({ jobs: this.status.jobs.map((job) => (job.id === id ? { ...job, ...stopped } : job)) });
      const call = this.status.calls.find((one) => one.outcome.kind === "running");
      if (call) this.#send({ kind: "calls", calls: [{ ...call, outcome: { kind: "interrupted" }, tookMs: Date.now() - call.at }] });
      this.#settle();
    });

  answerApproval = (id: string, answer: ApprovalAnswer) =>
    this.#do("answerApproval", () => {
      this.log.push(`approval ${id} ${answer.kind === "allow" ? answer.scope : `deny ${answer.word}`}`);
      this.#endApproval(id, answer.kind === "allow" ? { kind: "running" } : { kind: "denied" });
    });
  dismissApproval = (id: string) => this.#do("dismissApproval", () => this.#endApproval(id, { kind: "no_answer" }));

  revealCredential = () => this.#answer("revealCredential", () => CREDENTIAL);
  replaceCredential = () => this.#do("replaceCredential", () => this.log.push("credential replaced"));
  clientSetup = (kind: ClientKind) =>
    this.#answer("clientSetup", (): ClientSetup => setupOf(kind, this.status.address.public));
  writeClientSetup = (kind: ClientKind) =>
    this.#answer("writeClientSetup", () => ({ file: setupOf(kind, null).file ?? "", keptAs: null }));

  addConnection = (draft: ConnectionDraft) => this.#attempt("addConnection", () => this.tunnels.add(draft));
  editConnection = (id: string, revision: number, draft: ConnectionDraft) =>
    this.#attempt("editConnection", () => this.tunnels.edit(id, revision, draft));
  deleteConnection = (id: string, revision: number) => this.#attempt("deleteConnection", () => this.tunnels.remove(id, revision));
  switchConnection = (id: string, on: boolean) => this.#attempt("switchConnection", () => this.tunnels.turn(id, on));
  restartConnection = (id: string) => this.#attempt("restartConnection", () => this.tunnels.restart(id));
  importConnection = () => this.#attempt("importConnection", () => this.tunnels.take());
  dismissImport = () => this.#do("dismissImport", () => this.change({ importable: null }));
  pickCaFile = () => this.#answer("pickCaFile", () => "D:\\certificates\\company-root.pem");

  checkClient = (_client: string) => this.#do("checkClient", () => this.change({ clients: [...this.status.clients] }));

  readApp = (uri: string) => this.#attempt("readApp", (): Answer<AppPage> => this.works.page(uri));
  callAppTool = (tool: WorkTool, given: Record<string, unknown>) =>
    this.#answer("callAppTool", (): ToolAnswer => this.works.call(tool, given));
  openFile = (project: string, path: string, where: "files" | "editor") =>
    this.#do("openFile", () => this.log.push(`open ${project} ${path} ${where}`));
  openAddress = (url: string) => this.#do("openAddress", () => this.log.push(`address ${url}`));

  changeSettings = (change: SettingsChange) =>
    this.#do("changeSettings", () => {
      const settings = { ...this.status.settings, ...change };
      const address = { ...this.status.address, public: settings.publicAddress ? `${settings.publicAddress}/mcp` : null };
      this.change({ settings, address });
    });
  report = () =>
    this.#answer("report", () => "WebCodex 1.4.0 on windows\nServer   running, 3 restarts since start\nRunner   running\nProjects 4 (names left out)\n");
  showLogs = () => this.#do("showLogs", () => this.log.push("logs"));
  checkForUpdate = () => this.#do("checkForUpdate", () => this.change({ update: { state: "newest", checkedAt: Date.now() } }));
  installUpdate = () => this.#do("installUpdate", () => this.change({ update: { state: "installing", version: "1.5.0" } }));
  copy = (item: CopyItem) => this.#do("copy", () => this.log.push(`copy ${item.what === "text" ? item.text : item.what}`));
  openLink = (link: LinkName) => this.#do("openLink", () => this.log.push(`link ${link}`));

  // How it works.

  #send(message: Message): void {
    this.#listeners.forEach((listener) => listener(message));
  }

  async #answer<T>(command: string, act: () => T): Promise<Answer<T>> {
    const { delayMs, scenario } = this.#options;
    if (delayMs > 0) await new Promise((wake) => setTimeout(wake, delayMs));
    const failure = this.#failures.get(command) ?? this.#failures.get("*");
    if (failure) return { ok: false, error: failure };
    if (scenario === "failing") {
      return { ok: false, error: { code: "server_unreachable", message: "the Server does not answer", hint: "try again" } };
    }
    return ok(act());
  }

  /** For commands that may refuse what they are asked. */
  async #attempt<T>(command: string, act: () => Answer<T>): Promise<Answer<T>> {
    const answer = await this.#answer(command, act);
    return answer.ok ? answer.value : answer;
  }

  async #do(command: string, act: () => unknown): Promise<Answer<void>> {
    const answer = await this.#answer(command, act);
    return answer.ok ? done : answer;
  }

  #changeProject(id: string, different: { permission?: Permission; askFirst?: boolean }): void {
    this.change({ projects: this.status.projects.map((one) => (one.id === id ? { ...one, ...different } : one)) });
  }

  /** Back to the state that follows from what there is. */
  #settle(): void {
    const running = this.status.jobs.find((job) => job.state === "running");
    if (running) {
      const { client, project, command } = running;
      this.change({ state: "working", reason: { code: "working", client, project, command }, action: "open_activity" });
    } else {
      const called = this.status.clients.some((client) => client.lastCall);
      this.change({ state: "ready", reason: { code: called ? "ready" : "no_client" }, action: called ? null : "connect_client" });
    }
  }

  #endApproval(id: string, outcome: Call["outcome"]): void {
    const ended = this.status.approvals.find((approval) => approval.id === id);
    this.change({ approvals: this.status.approvals.filter((approval) => approval.id !== id) });
    const call = this.status.calls.find((one) => one.id === ended?.call);
    if (call) {
      const changed = { ...call, outcome, tookMs: outcome.kind === "running" ? null : Date.now() - call.at };
      this.status = { ...this.status, calls: this.status.calls.map((one) => (one.id === call.id ? changed : one)) };
      this.#send({ kind: "calls", calls: [changed] });
    }
    if (this.status.approvals.length === 0) this.#settle();
  }

  /** Requests end at their time whether or not the window looks. */
  expire(now = Date.now()): void {
    if (!this.status.approvals.some((one) => one.state === "waiting" && one.expiresAt <= now)) return;
    const approvals = this.status.approvals.map((one) => (one.expiresAt <= now ? { ...one, state: "expired" as const } : one));
    this.change({ approvals });
  }

  #live(): void {
    setInterval(() => this.call(), 4000);
    setInterval(() => this.expire(), 500);
    setInterval(() => this.change({}), 2000);
  }
}
