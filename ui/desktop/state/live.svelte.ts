import type { Message } from "$bridge/bridge";
import { type Call, CALLS_HELD, type Status } from "$bridge/types";

/** What the shell last said. Nothing here is ever guessed or changed by the page. */
export class Live {
  status = $state.raw<Status | null>(null);
  /** `lost`: the stream broke off and `status` is as old as `heardAt`. */
  link = $state<"waiting" | "live" | "lost">("waiting");
  heardAt = $state(0);
  /** What may be shown: once the stream is lost, old facts without claims about now. */
  readonly shown: Status | null = $derived.by(() => (this.status && this.link === "lost" ? asOld(this.status) : this.status));

  take(message: Message, now: number): void {
    if (message.kind === "lost") {
      this.link = this.status ? "lost" : "waiting";
      return;
    }
    if (message.kind === "status") this.status = message.status;
    else if (!this.status) return;
    else if (message.kind === "changed") this.status = { ...this.status, ...message.changed };
    else this.status = { ...this.status, calls: withCalls(this.status.calls, message.calls) };
    this.link = "live";
    this.heardAt = now;
  }

  /** Calls from before the first message, which the page asked for. */
  append(earlier: Call[], more: boolean): void {
    if (!this.status) return;
    const known = new Set(this.status.calls.map((call) => call.id));
    const calls = [...this.status.calls, ...earlier.filter((call) => !known.has(call.id))];
    this.status = { ...this.status, calls, earlierCalls: more };
  }
}

/** Nobody knows any more who is connected; what happened stays true. */
function asOld(status: Status): Status {
  return { ...status, action: null, clients: status.clients.map((client) => ({ ...client, state: "unknown" as const })) };
}

/** Puts news into a list that is newest first: known calls change in their place, new ones come on top. */
export function withCalls(calls: readonly Call[], news: readonly Call[]): Call[] {
  const byId = new Map(news.map((call) => [call.id, call]));
  const kept = calls.map((call) => {
    const changed = byId.get(call.id);
    byId.delete(call.id);
    return changed ?? call;
  });
  const merged = [...byId.values(), ...kept];
  // Calls that were asked for beyond the usual number stay; only news push out the oldest.
  return merged.slice(0, Math.max(CALLS_HELD, calls.length));
}
