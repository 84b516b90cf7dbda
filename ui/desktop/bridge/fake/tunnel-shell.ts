import type { Answer, ConnectionDraft, Failure, Status, TunnelConnection } from "../types";
import { edited, refusalOf } from "./tunnel-edits";
import { silentTunnel, tunnel, tunnelIn, TUNNEL_ID } from "./tunnels";

const STALE: Failure = { code: "stale", message: "stale", hint: null };
const GONE: Failure = { code: "connection_not_found", message: "not found", hint: null };
const CHECKING_MS = 80;
const ONLINE_MS = 160;

/** What this part of the shell needs of the rest. */
interface Host {
  readonly status: Status;
  change(changed: Partial<Omit<Status, "calls">>): void;
}

/** The tunnels of the fake shell: a new one goes online by itself, as with a key that is right. */
export class TunnelShell {
  #next = 1;

  constructor(private readonly host: Host) {}

  add(draft: ConnectionDraft): Answer<string> {
    const error = refusalOf(draft, this.#all, null);
    if (error) return { ok: false, error };
    const id = `new${this.#next++}`;
    const blank = tunnelIn("starting", Date.now(), { id, revision: 0, lastCall: null, lastToolList: null, tunnelName: null, events: [] });
    this.host.change({ connections: [...this.#all, edited(blank, draft)] });
    this.#goOnline(id);
    return { ok: true, value: id };
  }

  edit(id: string, revision: number, draft: ConnectionDraft): Answer<void> {
    const present = this.#find(id);
    const error = !present ? GONE : present.revision !== revision ? STALE : refusalOf(draft, this.#all, present);
    if (error || !present) return { ok: false, error: error ?? GONE };
    this.put(edited(present, draft));
    if (present.state.name !== "off") this.restart(id);
    return { ok: true, value: undefined };
  }

  remove(id: string, revision: number): Answer<void> {
    const present = this.#find(id);
    if (!present) return { ok: false, error: GONE };
    if (present.revision !== revision) return { ok: false, error: STALE };
    this.host.change({ connections: this.#all.filter((one) => one.id !== id) });
    return { ok: true, value: undefined };
  }

  turn(id: string, on: boolean): Answer<void> {
    const present = this.#find(id);
    if (!present) return { ok: false, error: GONE };
    if (on) return this.restart(id);
    const { state, hops } = tunnelIn("off", Date.now());
    this.put({ ...present, state, hops, running: 0 });
    return { ok: true, value: undefined };
  }

  restart(id: string): Answer<void> {
    const present = this.#find(id);
    if (!present) return { ok: false, error: GONE };
    const { state, hops } = tunnelIn("starting", Date.now());
    this.put({ ...present, state, hops });
    this.#goOnline(id);
    return { ok: true, value: undefined };
  }

  take(): Answer<string> {
    const found = this.host.status.importable;
    if (!found) return { ok: false, error: GONE };
    const answer = this.add({ name: "ChatGPT", tunnel: found.tunnel, key: "sk-from-environment", organization: "", route: { mode: "auto" }, caFile: "", autostart: true });
    if (answer.ok) this.host.change({ importable: null });
    return answer;
  }

  /** ChatGPT calls through the tunnel. */
  call(id: string, method = "tools/list"): void {
    const present = this.#find(id);
    if (!present) return;
    const at = Date.now();
    this.put({
      ...present, hops: tunnel(at).hops, lastSuccess: at, lastToolList: method === "tools/list" ? at : present.lastToolList,
      lastCall: { at, method, outcome: "answered", protocol: "2026-07-28" },
      events: [{ at, kind: "call_finished", reason: null, method }, ...present.events],
    });
  }

  put(connection: TunnelConnection): void {
    this.host.change({ connections: this.#all.map((one) => (one.id === connection.id ? connection : one)) });
  }

  get #all(): TunnelConnection[] {
    return this.host.status.connections;
  }

  #find(id: string): TunnelConnection | undefined {
    return this.#all.find((one) => one.id === id);
  }

  #goOnline(id: string): void {
    this.#later(id, CHECKING_MS, "starting", (present) => ({ ...present, ...pick(tunnelIn("checking", Date.now())) }));
    this.#later(id, ONLINE_MS, "checking", (present) => {
      const now = Date.now();
      const like = present.lastCall ? tunnel(now) : silentTunnel(now);
      return { ...present, ...pick(like), lastSuccess: now, routeInUse: like.routeInUse, tunnelName: present.tunnel === TUNNEL_ID ? "home-pc" : present.tunnelName,
        events: [{ at: now, kind: "online" as const, reason: null, method: null }, ...present.events] };
    });
  }

  /** Goes on, unless something else came of the connection in the meantime. */
  #later(id: string, after: number, from: TunnelConnection["state"]["name"], next: (present: TunnelConnection) => TunnelConnection): void {
    setTimeout(() => {
      const present = this.#find(id);
      if (present?.state.name === from) this.put(next(present));
    }, after);
  }
}

function pick({ state, hops }: TunnelConnection): Pick<TunnelConnection, "state" | "hops"> {
  return { state, hops };
}
