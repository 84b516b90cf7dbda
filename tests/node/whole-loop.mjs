// A coding session through any client: find, read, edit, run, review, and every kind of refusal.
//
// A client is `{ listTools() -> tools, callTool(name, arguments) -> CallToolResult, close() }`; `connect` makes one that
// sends the given headers.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const DIRECT_TOOLS = [
  "work_on_project", "read_files", "search_project_texts", "edit_project_files", "run_process", "run_shell",
  "read_workspace_changes", "observe_jobs", "wait_for_job_readiness", "finish_coding_task", "present_work_result",
  "work_result_thread_panel", "get_runtime_status", "read_tool_manifest",
  "call_runtime_tool",
  // For the page alone; hosts keep them from the model.
  "work_result_state", "changes_file_diff", "changes_file_text", "review_decision",
];
const SMALL_FILE = "README.md";

class Session {
  constructor(client, served, connect) {
    this.client = client;
    this.served = served;
    this.connect = connect;
  }

  /** The same session with a budget of 7 s, which hands a running command over after 2 s. */
  async hasty(use) {
    const client = await this.connect({ ...authorization(this.served), "X-WebCodex-MCP-Budget-Secs": "7" });
    await use(new Session(client, this.served, this.connect));
    await client.close();
  }

  /** The canonical result, with what every MCP answer must hold checked. */
  async result(tool, args) {
    const answer = await this.client.callTool(tool, args);
    const canonical = answer.structuredContent;
    assert.ok(answer.content[0].text.trim(), "the text must say something");
    assert.equal(answer.isError ?? false, !canonical.success, JSON.stringify(canonical));
    return canonical;
  }

  /** `output` of a call that must succeed; `project` is filled in. */
  async output(tool, args = {}) {
    const canonical = await this.result(tool, { project: this.served.project, ...args });
    assert.ok(canonical.success, JSON.stringify(canonical));
    return canonical.output;
  }

  /** `error` of a call that must fail; `project` is filled in. */
  async refused(tool, args = {}) {
    const canonical = await this.result(tool, { project: this.served.project, ...args });
    assert.ok(!canonical.success, JSON.stringify(canonical));
    return canonical.error;
  }

  async read(item) {
    return (await this.output("read_files", { items: [item] })).items[0];
  }

  onDisk(file) {
    return readFileSync(path.join(this.served.folder, file), "utf8");
  }
}

const steps = {
  async "lists the tools"(session) {
    const tools = await session.client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), DIRECT_TOOLS);
    for (const tool of tools) assert.equal(tool.inputSchema.type, "object", tool.name);
    const size = JSON.stringify(tools).length;
    assert.ok(size <= 24_000, `tools/list costs ${size} bytes`);
  },

  async "starts work with the instructions"(session) {
    const { output } = await session.result("work_on_project", { instruction: "Look around" });
    assert.equal(output.project.project, session.served.project);
    assert.match(output.session.session_id, /^wcs_/);
    const files = output.context.flatMap((item) => (item.key === "instructions" ? item.files : []));
    assert.ok(files.some((file) => file.text.includes("free of allocation")), "AGENTS.md is missing");
  },

  async "finds text"(session) {
    const queries = [
      { pattern: "pub struct WalkBuilder" },
      { pattern: "no such text anywhere" },
      { pattern: "broken(", syntax: "regex" },
    ];
    const [found, nothing, broken] = (await session.output("search_project_texts", { queries })).items;
    assert.deepEqual(found.matches.map((match) => match.path), ["src/walk.rs"]);
    assert.ok(nothing.success && nothing.completed && nothing.match_count === 0, JSON.stringify(nothing));
    assert.equal(broken.error.code, "pattern_invalid");
  },

  async "reads on exactly where it stopped"(session) {
    let item = await session.read({ path: "src/walk.rs", line_count: 40 });
    const parts = [item.text];
    while (item.continuation) {
      const { tool, arguments: args } = item.continuation;
      item = (await session.result(tool, args)).output.items[0];
      parts.push(item.text);
    }
    assert.ok(parts.length > 1 && parts.join("") === session.onDisk("src/walk.rs"), "the parts must join to the file");
  },

  async "edits and refuses a stale revision"(session) {
    const before = session.onDisk(SMALL_FILE);
    const [firstLine, secondLine] = before.split("\n");
    const change = {
      kind: "replace_exact", path: SMALL_FILE, old_text: `${firstLine}\n`, new_text: `${firstLine} $& edited\n`,
      line_scope: { start_line: 1, end_line: 1 },
      expected_read_revision: (await session.read({ path: SMALL_FILE })).read_revision,
    };
    const dry = await session.output("edit_project_files", { changes: [change], dry_run: true });
    assert.ok(dry.would_change && session.onDisk(SMALL_FILE) === before, "a dry run writes nothing");
    const done = await session.output("edit_project_files", { changes: [change] });
    const after = `${firstLine} $& edited${before.slice(firstLine.length)}`;
    assert.equal(session.onDisk(SMALL_FILE), after);
    const stale = { ...change, old_text: secondLine, new_text: "lost", line_scope: { start_line: 2, end_line: 2 } };
    assert.equal((await session.refused("edit_project_files", { changes: [stale] })).code, "stale_revision");
    assert.equal(session.onDisk(SMALL_FILE), after);
    const create = { kind: "create", path: "notes/new.md", new_text: "New.\n" };
    const insert = { kind: "insert", path: SMALL_FILE, line: 1, new_text: "Above.\n" };
    await session.refused("edit_project_files", { changes: [create, insert] });
    assert.ok(!existsSync(path.join(session.served.folder, "notes/new.md")), "all or nothing");
    insert.expected_read_revision = done.files[0].read_revision;
    await session.output("edit_project_files", { changes: [create, insert] });
    assert.equal(session.onDisk(SMALL_FILE), `Above.\n${after}`);
  },

  async "runs programs"(session) {
    const passed = await session.output("run_process", { executable: "git", args: ["--version"] });
    assert.equal(passed.outcome, "passed");
    assert.match(passed.stdout.text, /git version/);
    const script = "echo to-stderr >&2; exit 3";
    const failed = await session.result("run_shell", { project: session.served.project, script });
    assert.deepEqual([failed.output.outcome, failed.output.exit_code], ["failed", 3]);
    assert.match(failed.output.stderr.text, /to-stderr/);
  },

  "follows a command that outlives the wait": (patient) => patient.hasty(async (session) => {
    let execution = await session.output("run_shell", { script: "echo started; sleep 4; echo finished" });
    assert.equal(execution.execution_state, "pending");
    const job = execution.job_id;
    let seen = execution.stdout.text;
    for (let looks = 0; looks < 20 && execution.execution_state === "pending"; looks += 1) {
      const { tool, arguments: args } = execution.continuation;
      execution = (await session.result(tool, args)).output.items[0].execution;
      assert.equal(execution.job_id, job, "one execution has one identity");
      seen += execution.stdout?.text ?? "";
    }
    assert.deepEqual([execution.outcome, seen], ["passed", "started\nfinished\n"]);
  }),

  async "reviews the changes"(session) {
    const changes = await session.output("read_workspace_changes", { diff: "hunks" });
    const [readme, created] = [SMALL_FILE, "notes/new.md"].map((name) => changes.files.find((file) => file.path === name));
    assert.equal(changes.file_count, 2, JSON.stringify(changes.files.map((file) => file.path)));
    assert.ok(created.untracked && created.status === "added", JSON.stringify(created));
    assert.ok(readme.hunks[0].text.includes("+Above.\n"), readme.hunks[0].text);
  },

  async "reaches the long tail"(session) {
    const { output } = await session.result("read_tool_manifest", { tool_name: "list_jobs" });
    assert.equal(output.route.primary.tool, "call_runtime_tool");
    const args = { tool: "list_jobs", arguments: { project: session.served.project } };
    const { jobs } = (await session.result("call_runtime_tool", args)).output;
    assert.ok(jobs.some((job) => job.command.includes("git")), JSON.stringify(jobs));
  },

  async "explains what is wrong"(session) {
    const unknown = await session.refused("read_files", { items: [{ path: SMALL_FILE, start_lin: 1 }] });
    assert.equal(unknown.field, "items[0].start_lin");
    assert.match(unknown.hint, /start_line/);
    const outside = await session.refused("read_files", { items: [{ path: "../outside" }] });
    assert.match(outside.message, /`\.\.`/);
    const gone = await session.refused("read_files", { items: [{ path: "missing.txt" }] });
    assert.deepEqual([gone.code, gone.field], ["not_found", "items[0].path"]);
    const retired = await session.result("call_runtime_tool", { tool: "files_read", arguments: {} });
    assert.match(retired.error.hint, /read_files/);
  },
};

const authorization = (served) => ({ Authorization: `Bearer ${served.credential}` });

/** Plays every step, prints the sum, and sets the exit code. */
export async function play(title, served, connect) {
  const client = await connect(authorization(served));
  const session = new Session(client, served, connect);
  let failed = 0;
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(session);
      console.log(`ok   ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${error.message}`);
    }
  }
  await client.close();
  console.log(`${title}: ${Object.keys(steps).length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
