import type { FolderFacts, Project } from "../types";

const MINUTE = 60_000;

/** Facts of an ordinary folder, with what differs. */
export function facts(different: Partial<FolderFacts> = {}): FolderFacts {
  return {
    git: { branch: "main", uncommitted: 0 },
    files: 318,
    bytes: 44_000_000,
    inside: null,
    contains: [],
    place: "local",
    linkedFrom: null,
    ...different,
  };
}

export function project(id: string, name: string, path: string, different: Partial<Project> = {}): Project {
  return {
    id, name, path,
    permission: "edit", askFirst: true, facts: facts(), reachable: true, lastUse: null, working: false,
    ...different,
  };
}

export function sampleProjects(now: number): Project[] {
  return [
    project("p1", "webshop", "D:\\Projects\\webshop", {
      permission: "edit_run",
      facts: facts({ git: { branch: "feature/coupons", uncommitted: 0 }, files: 1204, bytes: 212_000_000 }),
      lastUse: { client: "ChatGPT", at: now - 2 * MINUTE },
    }),
    project("p2", "家庭账本", "D:\\文档\\家庭账本", {
      askFirst: false,
      facts: facts({ git: null, files: 86, bytes: 4_100_000 }),
      lastUse: { client: "Claude", at: now - 163 * MINUTE },
    }),
    project("p3", "官网改版-2026", "D:\\项目\\官网改版-2026", {
      permission: "edit_run", working: true,
      facts: facts({ git: { branch: "main", uncommitted: 3 }, files: 640, bytes: 1_300_000_000 }),
      lastUse: { client: "ChatGPT", at: now },
    }),
    project("p4", "thesis", "C:\\Users\\Lin\\OneDrive\\thesis", {
      permission: "read",
      facts: facts({ git: { branch: "draft-4", uncommitted: 0 }, place: "cloud", files: 211, bytes: 98_000_000 }),
      lastUse: { client: "ChatGPT", at: now - 4 * 24 * 60 * MINUTE },
    }),
  ];
}

/** Names as long, as foreign and as hostile as file systems allow. */
export function awkwardProjects(now: number): Project[] {
  const long = "a-very-long-project-name-that-nobody-would-choose-but-which-a-generator-writes-every-day-of-the-week";
  return [
    project("n1", long, `/home/lin/${"deeply-nested-folder/".repeat(9)}${long}`, {
      permission: "edit_run",
      facts: facts({
        git: { branch: "feature/the-branch-with-a-name-that-tells-the-whole-story-of-the-ticket-0123456789", uncommitted: 12_804 },
        files: 1_204_551, bytes: 86_000_000_000,
      }),
      lastUse: { client: "A client whose name is longer than the column", at: now - MINUTE },
    }),
    project("n2", "这是一个名字特别特别长的项目用来检查中文在狭窄的列里如何换行以及是否会被截断", "/home/lin/文档/这是一个名字特别特别长的项目用来检查中文在狭窄的列里如何换行以及是否会被截断"),
    project("n3", "<b>not bold</b> & \"quoted\"", "/home/lin/<b>not bold</b>", { facts: facts({ git: null, contains: ["inner", "other"] }) }),
    project("n4", "gone", "/media/usb/gone", { reachable: false, facts: facts({ git: null, files: null, bytes: null }) }),
    project("n5", "share", "\\\\nas-home\\share", { facts: facts({ place: "network", inside: "everything", linkedFrom: "/home/lin/share-link" }) }),
  ];
}
