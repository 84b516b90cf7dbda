import type { Approval, ApprovalId } from "$bridge/types";
import type { App } from "./app.svelte";

/** Which request is laid before the person. New ones come by themselves; put off, they wait on their page. */
export class Asking {
  #putOff = $state<ApprovalId[]>([]);
  #chosen = $state<ApprovalId | null>(null);
  readonly waiting: Approval[] = $derived.by(() => this.app.live.status?.approvals ?? []);
  readonly count = $derived(this.waiting.filter((approval) => approval.state === "waiting").length);
  readonly current: Approval | undefined = $derived(
    this.waiting.find((approval) => approval.id === this.#chosen) ??
      this.waiting.find((approval) => !this.#putOff.includes(approval.id)),
  );

  constructor(private readonly app: App) {}

  look(id: ApprovalId): void {
    this.#chosen = id;
  }

  /** Puts all of them off: the person wants to see the window. */
  later(): void {
    this.#chosen = null;
    this.#putOff = this.waiting.map((approval) => approval.id);
  }
}

/** Whole seconds until the model is told that nobody answered. */
export function secondsLeft(approval: Approval, now: number): number {
  return Math.max(0, Math.ceil((approval.expiresAt - now) / 1000));
}

/** When the time left is spoken: at the start, and when it becomes pressing. */
export function isSpoken(seconds: number): boolean {
  return seconds === 20 || seconds === 5;
}
