/** One thing that happened in this view. Moments and lengths are milliseconds of the monotonic clock. */
export type TimingRecord = { at: number } & (
  | { kind: "poll"; planned: number; actual: number }
  | { kind: "call"; tool: string; took: number; ok: boolean }
  | { kind: "visible" | "hidden" }
);
type Happened = TimingRecord extends infer R ? (R extends TimingRecord ? Omit<R, "at"> : never) : never;

/** How many records are held; the oldest go first. */
export const RECORDS_HELD = 64;

/** Timing diagnostics: off until a person switches them on, in this view only, and forgotten when switched off. */
export class Timing {
  on = false;
  records: readonly TimingRecord[] = [];

  /** `tell` is called when something has changed that is shown. */
  constructor(private readonly tell: () => void) {}

  switch(on: boolean): void {
    this.on = on;
    this.records = [];
    this.tell();
  }

  note(happened: Happened): void {
    if (!this.on) return;
    this.records = [...this.records, { at: performance.now(), ...happened } as TimingRecord].slice(-RECORDS_HELD);
    this.tell();
  }

  /** Begins to measure a call; what is returned ends it. */
  readonly call = (tool: string) => {
    const start = performance.now();
    return (ok: boolean) => this.note({ kind: "call", tool, took: performance.now() - start, ok });
  };
}
