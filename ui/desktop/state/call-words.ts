import type { Call, Outcome, Subject } from "$bridge/types";
import type { IconName, StateIcon } from "$kit/icons";
import type { Format, Text } from "$text";

/** The last part of a path inside a project. */
export function baseName(path: string): string {
  return path.split("/").pop() || path;
}

const SUBJECT_ICONS: Record<Subject["kind"], IconName> = {
  read: "file", search: "search", edit: "edit", command: "term", session: "session", review: "session", other: "pulse",
};

export function iconOf(call: Call): IconName {
  return SUBJECT_ICONS[call.subject.kind];
}

/** Whether what was asked for came about; else words must not claim it. */
function cameAbout(outcome: Outcome): boolean {
  return outcome.kind === "finished" || outcome.kind === "exit";
}

/** What a call did, or tried to do, in words. */
export function whatOf(call: Call, t: Text, f: Format): string {
  const { subject, outcome } = call;
  switch (subject.kind) {
    case "read":
      return subject.files.length === 1 ? t.calls.readOne(subject.files[0] ?? "") : t.calls.read(subject.files.length);
    case "search":
      return subject.matches === null ? t.calls.search(subject.query) : t.calls.searchMatches(subject.query, f.count(subject.matches));
    case "edit":
      return editWords(subject.files, cameAbout(outcome), t, f);
    case "command":
      if (outcome.kind === "running") return t.calls.commandRunning(subject.command);
      return cameAbout(outcome) ? t.calls.command(subject.command) : t.calls.commandTried(subject.command);
    case "session":
      return t.calls.session(subject.title);
    case "review":
      return t.calls.review(subject.files);
    case "other":
      return t.calls.other(call.tool);
  }
}

function editWords(files: string[], done: boolean, t: Text, f: Format): string {
  const names = files.map(baseName);
  const said = names.length <= 2 ? f.list(names) : t.calls.editMany(names[0] ?? "", names.length - 1);
  return done ? t.calls.edit(said) : t.calls.editTried(said);
}

export function outcomeWords(outcome: Outcome, t: Text): string {
  switch (outcome.kind) {
    case "exit":
      return t.calls.exit(outcome.code);
    case "no_answer":
      return t.calls.noAnswer;
    default:
      return t.calls[outcome.kind];
  }
}

const OUTCOME_ICONS: Record<Outcome["kind"], StateIcon> = {
  running: "working", waiting: "waiting", finished: "ready", exit: "problem", refused: "notice", denied: "off",
  no_answer: "off", failed: "problem", interrupted: "off",
};

export function outcomeIcon(outcome: Outcome): StateIcon {
  if (outcome.kind === "exit" && outcome.code === 0) return "ready";
  return OUTCOME_ICONS[outcome.kind];
}
