import type { Failure, TunnelConnection } from "$bridge/types";
import type { App } from "$state/app.svelte";
import { blankForm, draftOf, type Field, fieldOf, type Form, formOf, freeName, problemsOf } from "./draft";

/** A connection being made or changed. What is typed lives here until it is saved or given up, and nowhere else. */
export class Editor {
  form: Form = $state(blankForm(""));
  saving = $state(false);
  /** A refusal that is about no single field. */
  failure = $state.raw<Failure | null>(null);
  #refused = $state.raw<{ field: Field; failure: Failure } | null>(null);
  #left = $state<Field[]>([]);
  #tried = $state(false);
  #revision = 0;
  readonly #all = $derived.by(() => this.app.live.status?.connections ?? []);
  readonly #problems = $derived.by(() => problemsOf(this.form, this.#all, this.#self, this.app.t));

  constructor(private readonly app: App, readonly id: string | null) {
    this.lookAgain();
  }

  get #self(): TunnelConnection | null {
    return this.#all.find((one) => one.id === this.id) ?? null;
  }

  /** What is wrong with a field, once the person has left it or tried to save. */
  problem(field: Field): string | null {
    if (this.#refused?.field === field) {
      const { message, hint } = this.app.explain(this.#refused.failure);
      return [message, hint].filter(Boolean).join(" ");
    }
    return this.#tried || this.#left.includes(field) ? (this.#problems[field] ?? null) : null;
  }

  /** Whether the field holds something that may be saved. */
  isRight(field: Field): boolean {
    return this.#problems[field] === undefined && this.#refused?.field !== field;
  }

  leave(field: Field): void {
    if (this.form[field] !== "" && !this.#left.includes(field)) this.#left.push(field);
  }

  changed(field: Field): void {
    if (this.#refused?.field === field) this.#refused = null;
  }

  /** Begins anew with what is saved now; what was typed is given up. */
  lookAgain(): void {
    const self = this.#self;
    const taken = this.#all.map((one) => one.name);
    this.form = self ? formOf(self) : blankForm(freeName(this.app.t.tunnels.defaultName, taken));
    this.#revision = self?.revision ?? 0;
    this.#refused = null;
    this.failure = null;
    this.#tried = false;
    this.#left = [];
  }

  /** Saves; the id of the connection when that worked. */
  async save(): Promise<string | null> {
    if (this.saving) return null;
    this.#tried = true;
    this.failure = null;
    this.#refused = null;
    if (Object.keys(this.#problems).length > 0) return null;
    this.saving = true;
    const draft = draftOf(this.form);
    const { bridge } = this.app;
    const answer = this.id === null ? await bridge.addConnection(draft) : await bridge.editConnection(this.id, this.#revision, draft);
    this.saving = false;
    if (answer.ok) {
      this.form.key = "";
      return this.id ?? answer.value ?? null;
    }
    const field = fieldOf(answer.error);
    if (field) this.#refused = { field, failure: answer.error };
    else this.failure = answer.error;
    return null;
  }
}
