import type { OutputMessage } from "$bridge/types";

/** Longest text kept in the page, in characters; the shell keeps start and end as well. */
const KEPT = 200_000;

/** The output of one job as it arrives. */
export class Output {
  text = $state("");
  leftOutBytes = $state(0);
  totalBytes = $state(0);
  follow = $state(true);

  take(message: OutputMessage): void {
    const text = message.startsOver ? message.text : this.text + message.text;
    this.text = text.length > KEPT ? text.slice(-KEPT) : text;
    this.leftOutBytes = message.leftOutBytes;
    this.totalBytes = message.totalBytes;
  }
}
