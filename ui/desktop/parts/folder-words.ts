import type { FolderFacts, FolderRefusal } from "$bridge/types";
import type { Format, Text } from "$text";

/** What is worth knowing of a folder, in one line. */
export function factsLine(facts: FolderFacts, t: Text, f: Format): string {
  const { projects: p } = t;
  const parts = [gitWords(facts, t, f)];
  if (facts.files !== null) parts.push(p.files(f.count(facts.files), facts.files === 1));
  else parts.push(p.counting);
  if (facts.bytes !== null) parts.push(f.bytes(facts.bytes));
  return [...parts, ...oddities(facts, t, f)].join(" · ");
}

function gitWords(facts: FolderFacts, t: Text, f: Format): string {
  const { projects: p } = t;
  if (!facts.git) return p.noGit;
  const branch = facts.git.branch === null ? p.gitNoBranch : p.git(facts.git.branch);
  const { uncommitted } = facts.git;
  if (uncommitted === 0) return branch;
  return `${branch} · ${p.uncommitted(f.count(uncommitted), uncommitted === 1)}`;
}

/** What a person would not expect of the folder. */
export function oddities(facts: FolderFacts, t: Text, f: Format): string[] {
  const { projects: p } = t;
  return [
    facts.place === "cloud" ? p.cloud : null,
    facts.place === "network" ? p.network : null,
    facts.inside ? p.inside(facts.inside) : null,
    facts.contains.length > 0 ? p.contains(f.list(facts.contains)) : null,
    facts.linkedFrom ? p.linkedFrom(facts.linkedFrom) : null,
  ].filter((part) => part !== null);
}

/** Why a folder was not added, and what to do. */
export function refusalWords(why: FolderRefusal, t: Text, f: Format): string {
  const { projects: p } = t;
  switch (why.code) {
    case "duplicate":
      return p.duplicate(why.project);
    case "home":
      return p.home;
    case "system":
      return p.system;
    case "missing":
      return p.missing;
    case "not_a_folder":
      return p.notAFolder;
    case "unreadable":
      return p.unreadable;
    case "no_answer":
      return p.noAnswer(f.lengthInWords(why.afterMs));
    case "outside_allowed":
      return p.outsideAllowed(f.list(why.allowed));
    case "failed":
      return [why.error.message, why.error.hint].filter(Boolean).join(" ");
  }
}
