import { Switch } from "../../controls/notes";
import type { TimingRecord } from "../../timing";
import type { WorkState } from "../data/types";
import { type View, view } from "../view";

/** What somebody needs who looks for the cause of a trouble, folded. */
export function Diagnostics({ seen }: { seen: WorkState }) {
  const { t, f, timing } = view;
  return (
    <details class="section">
      <summary class="small t2">{t.diagnostics}</summary>
      <div class="in stack">
        <dl class="kv meta">{rowsOf(view, seen).map(([name, value]) => [<dt>{name}</dt>, <dd class="selectable">{value}</dd>])}</dl>
        <div class="line small">
          <span>{t.timing}</span>
          <Switch words={timing.on ? t.timingOn : t.timingOff} label={t.timing} on={timing.on} onSwitch={(on) => timing.switch(on)} />
        </div>
        <p class="meta t3">{t.timingAbout}</p>
        {timing.on && (
          <ol class="meta num t2" data-timing>
            {timing.records.map((record) => <li><span class="t3">{f.length(record.at)}</span> {said(view, record)}</li>)}
            {timing.records.length === 0 && <li class="t3">{t.timingNone}</li>}
          </ol>
        )}
      </div>
    </details>
  );
}

function rowsOf({ t, when, host }: View, { project, session, review, final_changes, diagnostics }: WorkState): [name: string, value: string][] {
  const snapshot = review ?? final_changes;
  return [
    [t.project, project.project],
    [t.session, session?.session_id ?? t.none],
    [t.window, diagnostics?.window_known ? t.windowKnown : t.windowUnknown],
    [t.snapshot, snapshot ? `${snapshot.snapshot_id}, ${t.keptUntil(when(snapshot.expires_ms))}` : t.none],
    [t.attempt, String(diagnostics?.attempt || 1)],
    [t.server, diagnostics?.server_version || t.none],
    [t.host, host.name || t.none],
  ];
}

function said({ t, f }: View, record: TimingRecord): string {
  switch (record.kind) {
    case "poll": return t.timingPoll(f.length(record.planned), f.length(record.actual));
    case "call": return t.timingCall(record.tool, f.length(record.took), record.ok ? t.timingOk : t.timingBad);
    case "visible": return t.timingVisible;
    case "hidden": return t.timingHidden;
  }
}
