import { tick } from "svelte";
import type { PlaceName } from "$bridge/bridge";

/** The pages, in the order of the navigation and of Ctrl/⌘ 1–6. */
export const pages = ["home", "projects", "work", "activity", "connections", "settings"] as const;
export type Page = PlaceName;

/** What a page may be asked to show first. */
export interface Wish {
  project?: string;
  session?: string;
  job?: string;
  call?: string;
  client?: string;
  /** A tunnel. */
  connection?: string;
  section?: string;
}

/** Where the person is in the window. */
export class Places {
  page = $state<Page>("home");
  wish = $state.raw<Wish>({});

  /** Shows a page and puts the focus on its title, as following a link does. */
  async go(page: Page, wish: Wish = {}): Promise<void> {
    this.wish = wish;
    this.page = page;
    await tick();
    if (!document.querySelector("dialog[open]")) document.querySelector<HTMLElement>("main h1")?.focus();
  }
}
