import { tick } from "svelte";
import type { Field } from "./draft";

/** Puts the focus on a field of a form; a field that has no input of its own has a button. */
export function focusField(form: HTMLElement, field: Field): void {
  const place = form.querySelector<HTMLElement>(`[data-field=${field}]`);
  place?.querySelector<HTMLElement>("input, button")?.focus();
}

/** Puts the focus on the first field that is wrong, once that is shown. */
export async function focusProblem(form: HTMLElement | undefined): Promise<void> {
  await tick();
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
