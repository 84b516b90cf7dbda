import type { Status } from "$bridge/types";
import type { Wish } from "$state/places.svelte";
import { clientsBeside } from "$state/tunnels";

/** What of the page is looked at: a tunnel, a client without one, or the making of a tunnel. */
export type Choice = { kind: "tunnel" | "client"; id: string } | { kind: "new" };

export function sameChoice(one: Choice, other: Choice): boolean {
  if (one.kind === "new" || other.kind === "new") return one.kind === other.kind;
  return one.kind === other.kind && one.id === other.id;
}

/** Whether there is still what was chosen. */
export function choiceIn(status: Status, choice: Choice): boolean {
  if (choice.kind === "new") return true;
  const all = choice.kind === "tunnel" ? status.connections : status.clients;
  return all.some((one) => one.id === choice.id);
}

/** What to show first: what was wished, else what needs the person, else what is there, else how to begin. */
export function firstChoice(status: Status, wish: Pick<Wish, "client" | "connection">): Choice {
  const clients = clientsBeside(status);
  const tunnels = status.connections;
  const needing = tunnels.find((one) => one.state.name === "needs_you") ?? tunnels[0];
  const named = tunnels.find((one) => one.id === wish.connection);
  const client = clients.find((one) => one.kind === wish.client || one.id === wish.client);
  const unused = tunnels.length === 0 && status.address.public === null;
  if (named) return { kind: "tunnel", id: named.id };
  if (wish.client === "chatgpt" && needing) return { kind: "tunnel", id: needing.id };
  if (wish.client === "chatgpt" && unused) return { kind: "new" };
  if (client) return { kind: "client", id: client.id };
  if (needing?.state.name === "needs_you") return { kind: "tunnel", id: needing.id };
  const stuck = clients.find((one) => one.state === "needs_you");
  if (stuck) return { kind: "client", id: stuck.id };
  if (needing) return { kind: "tunnel", id: needing.id };
  const [first] = clients;
  return first && !(unused && clients.every((one) => one.lastCall === null)) ? { kind: "client", id: first.id } : { kind: "new" };
}
