import type { Call, Outcome, Subject } from "../types";

const SECOND = 1000;

interface Recorded {
  ago: number;
  tool: string;
  subject: Subject;
  project: string;
  client?: string;
  outcome?: Outcome;
  took: number | null;
  lines?: { added: number; removed: number };
}

const cart = ["src/cart/cart.ts", "src/cart/coupon.ts"];

/** The hours of a working day, newest first. `ago` in seconds. */
const day: Recorded[] = [
  { ago: 127, tool: "read_files", subject: { kind: "read", files: [...cart, "locales/zh-CN.json"] }, project: "webshop", took: 44 },
  { ago: 158, tool: "run_process", subject: { kind: "command", command: "npm test" }, project: "webshop", took: 48_000 },
  { ago: 191, tool: "edit_project_files", subject: { kind: "edit", files: cart }, project: "webshop", took: 18, lines: { added: 68, removed: 6 } },
  { ago: 288, tool: "edit_project_files", subject: { kind: "edit", files: cart.slice(0, 1) }, project: "webshop", outcome: { kind: "refused" }, took: 6 },
  { ago: 436, tool: "run_shell", subject: { kind: "command", command: "rm -r dist/" }, project: "webshop", outcome: { kind: "denied" }, took: 21_000 },
  { ago: 546, tool: "run_process", subject: { kind: "command", command: "npm test" }, project: "webshop", outcome: { kind: "exit", code: 1 }, took: 48_000 },
  { ago: 690, tool: "search_project_texts", subject: { kind: "search", query: "coupon", matches: 41 }, project: "webshop", took: 63 },
  { ago: 900, tool: "read_workspace_changes", subject: { kind: "review", files: 14 }, project: "webshop", took: 31 },
  { ago: 9827, tool: "search_project_texts", subject: { kind: "search", query: "利率", matches: 37 }, project: "家庭账本", client: "Claude", took: 63 },
  { ago: 9856, tool: "work_on_project", subject: { kind: "session", title: "11 月账目汇总" }, project: "家庭账本", client: "Claude", took: 9 },
  { ago: 10_400, tool: "list_projects", subject: { kind: "other" }, project: "", client: "Claude", took: 2 },
];

function call(id: number, now: number, recorded: Recorded): Call {
  return {
    id: `c${id}`,
    at: now - recorded.ago * SECOND,
    tool: recorded.tool,
    subject: recorded.subject,
    projectName: recorded.project || null,
    client: recorded.client ?? "ChatGPT",
    outcome: recorded.outcome ?? { kind: "finished" },
    tookMs: recorded.took,
    lines: recorded.lines ?? null,
  };
}

export function sampleCalls(now: number): Call[] {
  return day.map((recorded, index) => call(1000 - index, now, recorded));
}

/** A command that still runs. */
export function runningCall(now: number): Call {
  return call(1001, now, {
    ago: 72, tool: "run_process", subject: { kind: "command", command: "npm test -- --run" }, project: "官网改版-2026",
    outcome: { kind: "running" }, took: null,
  });
}

/** A call that waits for the person. */
export function waitingCall(now: number, id: number, subject: Subject, tool: string): Call {
  return call(id, now, { ago: 12, tool, subject, project: "webshop", outcome: { kind: "waiting" }, took: null });
}

/** As many calls as asked for, repeating the day backwards in time. */
export function manyCalls(now: number, count: number, firstId = count): Call[] {
  return Array.from({ length: count }, (_, index) => {
    const recorded = day[index % day.length] as Recorded;
    return call(firstId - index, now, { ...recorded, ago: 60 + index * 17 });
  });
}

export function awkwardCalls(now: number): Call[] {
  const long = "x".repeat(200);
  return [
    { ago: 30, tool: "run_shell", subject: { kind: "command", command: `echo ${long} && find . -name '*.ts' | xargs grep -n "一个很长的命令" > /dev/null` } as Subject, took: 4_100 },
    { ago: 60, tool: "read_files", subject: { kind: "read", files: [`src/${"nested/".repeat(14)}${long}.ts`] } as Subject, took: 12 },
    { ago: 90, tool: "edit_project_files", subject: { kind: "edit", files: Array.from({ length: 64 }, (_, n) => `src/generated/file-${n}.ts`) } as Subject, took: 640, lines: { added: 104_233, removed: 98_120 } },
    { ago: 120, tool: "search_project_texts", subject: { kind: "search", query: "<script>alert(1)</script>", matches: 1_204_551 } as Subject, took: 71_000 },
    { ago: 150, tool: "search_project_texts", subject: { kind: "search", query: "这是一个很长的中文搜索词用来检查表格里的中文如何换行和截断这是一个很长的中文搜索词", matches: 2 } as Subject, took: 3_723_000 },
  ].map((recorded, index) => ({
    ...call(50 - index, now, { ...recorded, project: "a-very-long-project-name-that-nobody-would-choose" }),
    client: "A client whose name is longer than the column",
  }));
}
