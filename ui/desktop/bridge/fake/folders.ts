import type { FolderRefusal, FolderResult, Project } from "../types";
import { facts } from "./projects";

/** The last part of a path of either kind. */
export function nameOf(path: string): string {
  return path.replace(/[\\/]+$/, "").split(/[\\/]/).pop() || path;
}

const refusals: { fits: RegExp; why: FolderRefusal }[] = [
  { fits: /^(\/home\/[^/]+|[A-Z]:\\Users\\[^\\]+)[\\/]?$/, why: { code: "home" } },
  { fits: /^(\/|\/etc|\/usr|C:\\Windows|C:\\)/, why: { code: "system" } },
  { fits: /missing/, why: { code: "missing" } },
  { fits: /\.(txt|md|pdf)$/, why: { code: "not_a_folder" } },
  { fits: /locked/, why: { code: "unreadable" } },
  { fits: /^\\\\nas/, why: { code: "no_answer", afterMs: 5000 } },
  { fits: /outside/, why: { code: "outside_allowed", allowed: ["D:\\Projects", "D:\\项目"] } },
];

/** What a shell would say about the folder, judged by its path. */
export function judge(path: string, known: readonly Project[], id: string): FolderResult {
  const name = nameOf(path);
  const same = known.find((project) => project.path.toLowerCase() === path.replace(/[\\/]+$/, "").toLowerCase());
  if (same) return { kind: "refused", name, path, why: { code: "duplicate", project: same.name } };
  const system = /^\/(home|media|srv)\//.test(path);
  const refusal = refusals.find(({ fits, why }) => fits.test(path) && !(why.code === "system" && system));
  if (refusal && !(refusal.why.code === "system" && /^C:\\Users\\/.test(path))) {
    return { kind: "refused", name, path, why: refusal.why };
  }
  const around = known.find((project) => path.startsWith(`${project.path}\\`) || path.startsWith(`${project.path}/`));
  const git = !/讲义|plain/.test(path);
  return {
    kind: "added", project: id, name, path,
    facts: facts({
      git: git ? { branch: "main", uncommitted: 0 } : null,
      inside: around?.name ?? null,
      ...(git ? {} : { files: 52, bytes: 9_000_000 }),
    }),
  };
}
