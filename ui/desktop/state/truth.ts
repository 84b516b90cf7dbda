import type { Client, Reason, Remark, Status } from "$bridge/types";
import type { StateIcon } from "$kit/icons";
import type { Format, Text } from "$text";
import { whatOf } from "./call-words";
import { clientsBeside, viewOf } from "./tunnels";

/** The one sentence of Home, what to add to it, and its shape. */
export interface Truth {
  icon: StateIcon;
  sentence: string;
  more: string | null;
}

/** The name of a client; those of no known kind carry the general one. */
export function clientName(client: Pick<Client, "name" | "kind">, t: Text): string {
  return client.name || t.connections.clientKinds[client.kind];
}

/** How long after a call a client still counts as connected, in ms. */
const LATELY_MS = 15 * 60_000;

/** Whether a round trip succeeded lately; only then may the window say "connected". */
export function seenLately(client: Client, now: number): boolean {
  return client.lastCall !== null && now - client.lastCall.at <= LATELY_MS;
}

/** Which state the icon and the word in the navigation show. */
export function stateIcon(status: Status): StateIcon {
  const waitsForPerson = ["no_project", "no_client", "approval_waits", "connection_broken", "secrets_unavailable"];
  if (waitsForPerson.includes(status.reason.code)) return "notice";
  return ({ off: "off", starting: "checking", ready: "ready", working: "working", problem: "problem" } as const)[status.state];
}

export function stateWord(status: Status, t: Text): string {
  switch (stateIcon(status)) {
    case "notice":
      return t.common.stateNeedsYou;
    case "off":
      return t.common.stateOff;
    case "checking":
      return t.common.stateStarting;
    case "working":
      return t.common.stateWorking;
    case "problem":
      return t.common.stateProblem;
    default:
      return t.common.stateReady;
  }
}

export function truthOf(status: Status, t: Text, f: Format, now: number): Truth {
  return { icon: stateIcon(status), ...sentences(status, t, f, now) };
}

function sentences(status: Status, t: Text, f: Format, now: number): { sentence: string; more: string | null } {
  const { reasons: r } = t;
  const reason = status.reason;
  switch (reason.code) {
    case "ready":
      return { sentence: readySentence(status, t, f, now), more: lastCall(status, t, f, now) };
    case "no_project":
      return { sentence: r.noProject, more: r.noProjectMore };
    case "no_client":
      return { sentence: r.noClient, more: r.noClientMore };
    case "paused":
      return { sentence: r.paused, more: r.pausedMore };
    case "starting":
      return { sentence: r.starting, more: r.startingMore };
    case "working": {
      const said = reason.command === null ? r.working : r.workingCommand;
      return { sentence: said(reason.client, reason.project), more: r.workingMore };
    }
    case "approval_waits":
      return { sentence: r.approvalWaits(reason.count), more: r.approvalWaitsMore };
    default:
      return troubleSentences(reason, t, f, now);
  }
}

type Trouble = Exclude<
  Reason,
  { code: "ready" | "no_project" | "no_client" | "paused" | "starting" | "working" | "approval_waits" }
>;

function troubleSentences(reason: Trouble, t: Text, f: Format, now: number): { sentence: string; more: string } {
  const { reasons: r } = t;
  switch (reason.code) {
    case "server_restarting":
      return { sentence: r.serverRestarting, more: nextTry(reason.retryAt, t, f, now) };
    case "runner_restarting":
      return { sentence: r.runnerRestarting, more: nextTry(reason.retryAt, t, f, now) };
    case "server_failed":
      return { sentence: r.serverFailed, more: r.failedMore(reason.detail) };
    case "runner_failed":
      return { sentence: r.runnerFailed, more: r.failedMore(reason.detail) };
    case "port_taken":
      return { sentence: r.portTaken(reason.port), more: r.portTakenMore(reason.newPort) };
    case "disk_full":
      return { sentence: r.diskFull, more: r.diskFullMore(reason.folder) };
    case "secrets_unavailable":
      return { sentence: r.secretsUnavailable, more: r.secretsUnavailableMore };
    case "connection_broken":
      return { sentence: r.connectionBroken(reason.client), more: r.connectionBrokenMore };
  }
}

function nextTry(at: number, t: Text, f: Format, now: number): string {
  const left = Math.ceil((at - now) / 1000) * 1000;
  return left > 0 ? t.reasons.restartingMore(f.lengthInWords(left)) : t.reasons.restartingNow;
}

function readySentence(status: Status, t: Text, f: Format, now: number): string {
  const names = [
    ...status.connections.filter((one) => one.lastCall && viewOf(one, now) === "online").map((one) => one.name),
    ...clientsBeside(status).filter((client) => client.state === "online").map((client) => clientName(client, t)),
  ];
  if (names.length === 0) return t.reasons.readyNoClient(status.projects.length);
  return t.reasons.ready(f.list(names), status.projects.length);
}

function lastCall(status: Status, t: Text, f: Format, now: number): string {
  const last = status.calls.find((call) => call.outcome.kind === "finished" && call.tookMs !== null);
  if (!last) return t.reasons.noCallYet;
  const length = f.lengthInWords(last.tookMs ?? 0);
  const project = last.projectName ?? t.calls.noProject;
  const said =
    last.subject.kind === "read"
      ? t.calls.saidRead(last.client, project, last.subject.files.length, length)
      : t.calls.saidOther(last.client, project, whatOf(last, t, f), length);
  return t.reasons.lastCall(f.ago(last.at, now), said);
}

/** Something that works, but differently than expected. */
export function remarkWords(remark: Remark, t: Text): { what: string; next: string } {
  const { reasons: r } = t;
  switch (remark.code) {
    case "settings_restored":
      return { what: r.remarkSettings, next: r.remarkSettingsNext(remark.keptAs) };
    case "history_restored":
      return { what: r.remarkHistory, next: r.remarkHistoryNext(remark.keptAs) };
    case "connections_restored":
      return { what: r.remarkConnections, next: r.remarkConnectionsNext(remark.keptAs) };
    case "no_tray":
      return { what: r.remarkTray, next: r.remarkTrayNext };
    case "secrets_in_file":
      return { what: r.remarkSecrets, next: r.remarkSecretsNext(remark.path) };
    case "address_changed":
      return { what: r.remarkAddress(remark.from), next: r.remarkAddressNext(remark.to) };
  }
}
