import { createContext } from "svelte";
import type { Bridge } from "$bridge/bridge";
import type { Answer, Failure } from "$bridge/types";
import { Announcer } from "./announcer.svelte";
import { Asking } from "./asking.svelte";
import { Clock } from "./clock.svelte";
import { Folders } from "./folders.svelte";
import { Live } from "./live.svelte";
import { Places } from "./places.svelte";
import { Words } from "./words.svelte";

/** What every page is given. */
export class App {
  readonly live = new Live();
  readonly clock = new Clock();
  readonly places = new Places();
  readonly announcer = new Announcer();
  readonly words: Words;
  readonly folders: Folders;
  readonly asking: Asking;
  /** The last command that failed, until it is closed or the next one works. */
  trouble = $state.raw<Failure | null>(null);

  constructor(readonly bridge: Bridge) {
    this.words = new Words(() => this.live.status?.settings);
    this.folders = new Folders(this);
    this.asking = new Asking(this);
  }

  get t() {
    return this.words.text;
  }
  get f() {
    return this.words.format;
  }

  /** Listens to the shell until the returned function is called. */
  start(): () => void {
    const ends = [
      this.bridge.subscribe((message) => this.live.take(message, Date.now())),
      this.bridge.watchPlaces((place) => void this.places.go(place)),
      this.clock.start(),
      this.words.start(),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Runs a command; a failure is shown above the page, in words. */
  async run<T>(command: Promise<Answer<T>>): Promise<T | undefined> {
    const answer = await command;
    this.trouble = answer.ok ? null : answer.error;
    return answer.ok ? answer.value : undefined;
  }

  /** The words for a failure: ours where we know the code, else what the shell said. */
  explain(failure: Failure): { message: string; hint: string | null } {
    const known: Record<string, { message: string; hint: string }> = this.t.failures.codes;
    return known[failure.code] ?? { message: failure.message, hint: failure.hint };
  }
}

export const [useApp, provideApp] = createContext<App>();
