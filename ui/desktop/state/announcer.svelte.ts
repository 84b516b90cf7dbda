import { untrack } from "svelte";

/** What a screen reader is told in passing: one polite region for the whole window. */
export class Announcer {
  said = $state("");

  say(sentence: string): void {
    // The same sentence twice is news too: a trailing space makes the region change. What was said before is only
    // looked at, so that an effect which speaks does not depend on what is spoken.
    this.said = sentence === untrack(() => this.said) ? `${sentence} ` : sentence;
  }
}
