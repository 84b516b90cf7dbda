import type { Client, Job, Session, SessionReview, Settings, Status } from "../types";
import { commandApproval, editApproval } from "./approvals";
import { awkwardCalls, manyCalls, runningCall, sampleCalls, waitingCall } from "./calls";
import { ADDRESS, PUBLIC, brokenChatgpt, chatgpt, claude, quiet, unsetChatgpt } from "./clients";
import { awkwardProjects, sampleProjects } from "./projects";
import { silentTunnel, sixTunnels, tunnel, TUNNEL_ID, tunnelWith } from "./tunnels";

/** Situations the pages have to be right in. */
export const scenarios = [
  "first-run", "empty", "no-client", "ready", "busy", "approvals", "expired", "paused", "starting", "problem",
  "restarting", "broken", "remarks", "long", "names", "failing", "silent", "work",
  "tunnel", "tunnel-silent", "tunnel-broken", "tunnels", "importable",
] as const;
export type Scenario = (typeof scenarios)[number];

const running = { state: "running", retryAt: null } as const;

const settings: Settings = {
  language: "system", theme: "system", startAtLogin: true,
  notify: { workDone: true, workStuck: true, approvalWanted: true, connectionLost: false },
  allowedRoots: ["D:\\Projects", "D:\\项目"],
  newProjects: { permission: "edit", askFirst: true },
  approvalSeconds: 50,
  secrets: "windows",
  proxy: { mode: "automatic", url: "" },
  publicAddress: "https://code.example.org",
  waitSeconds: 55, waitProfile: "direct", record: "subjects",
  logBytes: 12_000_000, logLimitBytes: 50_000_000, updates: "ask",
};

function ready(now: number): Status {
  return {
    observedAt: now, state: "ready", reason: { code: "ready" }, action: null,
    server: running, runner: running, firstRun: false, system: "windows", version: "1.4.0",
    projects: sampleProjects(now).map((one) => ({ ...one, working: false })),
    calls: sampleCalls(now), callsToday: 312, earlierCalls: true,
    sessions: sampleSessions(now), jobs: endedJobs(now), approvals: [],
    clients: [chatgpt(now), claude(now), quiet("claude_code", "Claude Code"), quiet("other", "")],
    connections: [], importable: null,
    address: { local: ADDRESS, public: PUBLIC },
    settings, update: { state: "newest", checkedAt: now - 18_000_000 }, remarks: [],
  };
}

const waits: SessionReview = { kind: "waiting_for_review" };
const over = (at: number, sealed: boolean): SessionReview => ({ kind: "finished", sealed, at });

function sampleSessions(now: number): Session[] {
  return [
    { id: "wcs_open", title: "Coupons in the cart", projectId: "p1", project: "webshop", client: "ChatGPT", review: waits, startedAt: now - 1_800_000, lastAt: now - 127_000, calls: 61, changedFiles: 15, acceptedFiles: 1 },
    { id: "wcs_running", title: "Fix the menu on phones", projectId: "p3", project: "官网改版-2026", client: "ChatGPT", review: { kind: "running" }, startedAt: now - 360_000, lastAt: now - 1_000, calls: 18, changedFiles: 2, acceptedFiles: 0 },
    { id: "wcs_empty", title: "11 月账目汇总", projectId: "p2", project: "家庭账本", client: "Claude", review: over(now - 9_827_000, false), startedAt: now - 9_900_000, lastAt: now - 9_827_000, calls: 7, changedFiles: 0, acceptedFiles: 0 },
    { id: "wcs_sealed", title: "Price list as PDF", projectId: "p1", project: "webshop", client: "ChatGPT", review: over(now - 90_000_000, true), startedAt: now - 93_600_000, lastAt: now - 90_000_000, calls: 112, changedFiles: 5, acceptedFiles: 4 },
  ];
}

/** A session for every situation of the work. */
function workSessions(now: number): Session[] {
  const ended = over(now - 3_600_000, false);
  const more: [string, string, SessionReview, number][] = [
    ["partial", "Prices for 2026", waits, 7], ["conflict", "Prices for 2026, merged", waits, 9], ["many", "Rename everything", waits, 5000],
    ["hostile", "<b>A</b> \u202etitle", waits, 12], ["expired", "Last month", ended, 5], ["offline", "Another computer", waits, 3],
    ["lost", "References of chapter 4", ended, 3],
  ];
  return [
    ...sampleSessions(now),
    ...more.map(([name, title, review, changedFiles], at): Session => ({
      id: `wcs_${name}`, title, projectId: name === "offline" ? "gone" : "p1", project: name === "offline" ? "gone" : "webshop", client: "Claude", review,
      startedAt: now - 7_200_000 - at * 3_600_000, lastAt: now - 3_600_000 - at * 3_600_000, calls: 61, changedFiles, acceptedFiles: 0,
    })),
  ];
}

function job(now: number, different: Partial<Job> & Pick<Job, "id">): Job {
  return {
    call: "c1001", project: "官网改版-2026", client: "ChatGPT", command: "npm test -- --run", folder: "D:\\项目\\官网改版-2026",
    startedAt: now - 72_000, endedAt: null, limitMs: 600_000, outputBytes: 1_200_000, lastLineAt: now - 2000,
    state: "running", exitCode: null, ...different,
  };
}

function endedJobs(now: number): Job[] {
  const shop = { project: "webshop", folder: "D:\\Projects\\webshop" };
  return [
    job(now, { id: "j2", ...shop, command: "npm test", startedAt: now - 206_000, endedAt: now - 158_000, state: "finished", exitCode: 0, outputBytes: 38_000, call: "c999" }),
    job(now, { id: "j3", ...shop, command: "npm test", startedAt: now - 594_000, endedAt: now - 546_000, state: "failed", exitCode: 1, outputBytes: 41_000, call: "c995" }),
    job(now, { id: "j4", ...shop, command: "npm run dev", startedAt: now - 5_400_000, endedAt: now - 3_600_000, state: "stopped", exitCode: null, outputBytes: 9_000, call: "c900" }),
    job(now, { id: "j5", command: "npm ci", startedAt: now - 7_400_000, endedAt: now - 7_100_000, state: "lost", exitCode: null, outputBytes: 2_000, call: "c880" }),
  ];
}

function busy(now: number): Partial<Status> {
  return {
    state: "working",
    reason: { code: "working", client: "ChatGPT", project: "官网改版-2026", command: "npm test -- --run" },
    action: "open_activity",
    projects: sampleProjects(now),
    calls: [runningCall(now), ...sampleCalls(now)],
    jobs: [job(now, { id: "j1" }), ...endedJobs(now)],
  };
}

function asking(now: number): Partial<Status> {
  const command = commandApproval(now);
  const edit = editApproval(now);
  return {
    ...busy(now),
    reason: { code: "approval_waits", count: 2 }, action: "open_approvals",
    approvals: [command, edit],
    calls: [
      waitingCall(now, 1003, { kind: "command", command: "npm install stripe@17 --save-exact" }, "run_process"),
      waitingCall(now, 1002, { kind: "edit", files: ["src/cart/cart.ts", "src/cart/coupon.ts"] }, "edit_project_files"),
      runningCall(now), ...sampleCalls(now),
    ],
  };
}

const nothing: Partial<Status> = {
  projects: [], calls: [], callsToday: 0, earlierCalls: false, sessions: [], jobs: [],
};

function noClients(): Partial<Status> {
  return {
    calls: [], callsToday: 0, earlierCalls: false, sessions: [], jobs: [],
    clients: [unsetChatgpt(), quiet("claude_desktop", "Claude"), quiet("claude_code", "Claude Code"), quiet("other", "")],
    address: { local: ADDRESS, public: null },
    settings: { ...settings, publicAddress: "" },
  };
}

/** ChatGPT comes in through tunnels alone. */
function tunnelled(connections: Status["connections"]): Partial<Status> {
  return { clients: [unsetChatgpt(), quiet("claude_desktop", "Claude"), quiet("claude_code", "Claude Code"), quiet("other", "")], connections, address: { local: ADDRESS, public: null }, settings: { ...settings, publicAddress: "" } };
}

/** No client gets in while nothing serves. */
function unreached(now: number): Client[] {
  return ready(now).clients.map((client) => ({ ...client, state: "off" as const }));
}

/** The first full state of a scenario. */
export function statusOf(scenario: Scenario, now: number): Status {
  return { ...ready(now), ...different(scenario, now) };
}

function different(scenario: Scenario, now: number): Partial<Status> {
  switch (scenario) {
    case "first-run":
      return { ...noClients(), ...nothing, firstRun: true, reason: { code: "no_project" }, action: "add_folder" };
    case "empty":
      return { ...noClients(), ...nothing, reason: { code: "no_project" }, action: "add_folder" };
    case "no-client":
      return { ...noClients(), reason: { code: "no_client" }, action: "connect_client" };
    case "ready": case "failing": case "silent":
      return {};
    case "busy":
      return busy(now);
    case "approvals":
      return asking(now);
    case "expired":
      return { ...busy(now), approvals: [{ ...commandApproval(now), state: "expired", expiresAt: now - 1000, askedAt: now - 51_000 }] };
    case "paused":
      return { state: "off", reason: { code: "paused" }, action: "resume", clients: unreached(now) };
    case "starting":
      return { state: "starting", reason: { code: "starting" }, server: { state: "starting", retryAt: null }, runner: { state: "starting", retryAt: null } };
    case "restarting":
      return { state: "problem", reason: { code: "runner_restarting", retryAt: now + 4000 }, action: "restart", runner: { state: "backoff", retryAt: now + 4000 } };
    case "problem":
      return {
        state: "problem", reason: { code: "server_failed", detail: "the database could not be opened: disk I/O error" }, action: "show_logs",
        clients: unreached(now), server: { state: "failed", retryAt: null }, runner: { state: "stopped", retryAt: null },
      };
    case "broken":
      return {
        state: "problem", reason: { code: "connection_broken", client: "ChatGPT" }, action: "open_connections",
        clients: [brokenChatgpt(now), claude(now), quiet("claude_code", "Claude Code"), quiet("other", "")],
      };
    case "remarks":
      return {
        settings: { ...settings, secrets: "none" }, update: { state: "available", version: "1.5.0", bytes: 21_000_000 },
        reason: { code: "secrets_unavailable" }, action: "keep_secrets_in_file", state: "problem",
        remarks: [
          { code: "settings_restored", keptAs: "settings.damaged-2026-11-30.toml" },
          { code: "no_tray" },
          { code: "address_changed", from: "127.0.0.1:8765", to: "127.0.0.1:8766" },
        ],
      };
    case "long":
      return {
        calls: manyCalls(now, 5000, 12_000), callsToday: 4881,
        projects: Array.from({ length: 60 }, (_, n) => sampleProjects(now).map((one) => ({ ...one, id: `${one.id}-${n}`, name: `${one.name}-${n}`, working: false }))).flat(),
        jobs: Array.from({ length: 400 }, (_, n) => job(now, { id: `j${n}`, startedAt: now - 90_000 - n * 60_000, endedAt: now - 60_000 - n * 60_000, state: "finished", exitCode: 0 })),
        sessions: Array.from({ length: 300 }, (_, n) => ({ ...(sampleSessions(now)[n % 3] as Session), id: `s${n}` })),
      };
    case "tunnel":
      return tunnelled([tunnel(now)]);
    case "tunnel-silent":
      return { ...noClients(), ...tunnelled([silentTunnel(now)]), reason: { code: "no_client" }, action: "connect_client" };
    case "tunnel-broken":
      return {
        ...tunnelled([tunnel(now), tunnelWith("key_rejected", now, { id: "t2", name: "ChatGPT Work", tunnel: TUNNEL_ID.replace("90ac", "11zz"), keyEndsWith: "77xz" })]),
        state: "problem", reason: { code: "connection_broken", client: "ChatGPT Work" }, action: "open_connections",
      };
    case "tunnels":
      return tunnelled(sixTunnels(now));
    case "importable":
      return { ...noClients(), reason: { code: "no_client" }, action: "connect_client", importable: { tunnel: TUNNEL_ID } };
    case "work":
      return { sessions: workSessions(now) };
    case "names":
      return { connections: sixTunnels(now), projects: awkwardProjects(now), calls: awkwardCalls(now), system: "linux" };
  }
}
