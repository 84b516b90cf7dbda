import type { Answer, AppPage, ToolAnswer, WorkTool } from "../../types";
import { FakeWork, PAGE_TOOLS, works } from "./server";

/** Where the window asks for the page of the work. */
export const WORK_RESULT = "ui://webcodex/work-result/v1";

declare global {
  interface Window {
    /** The built page and the address of its sandbox; put here by whoever runs the window without a shell. */
    fakePage?: { html: string; sandbox: string };
  }
}

/** The work of all sessions, and the undoing of it. */
export class FakeWorks {
  readonly #works = new Map<string, FakeWork>();
  /** Every undo with its arguments. */
  readonly undone: Record<string, unknown>[] = [];

  page(uri: string): Answer<AppPage> {
    const page = window.fakePage;
    if (uri !== WORK_RESULT || !page) return { ok: false, error: { code: "resource_not_found", message: `there is no page at ${uri}`, hint: null } };
    return { ok: true, value: { uri, ...page, csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }, tools: [...PAGE_TOOLS] } };
  }

  /** The work of a session that was asked for already. */
  known(session: string): FakeWork | undefined {
    return this.#works.get(session);
  }

  of(session: string, project: string): FakeWork | undefined {
    const name = works.find((one) => `wcs_${one}` === session);
    if (!name) return undefined;
    const work = this.#works.get(session) ?? new FakeWork(name, project);
    this.#works.set(session, work);
    return work;
  }

  call(tool: WorkTool, given: Record<string, unknown>): ToolAnswer {
    const work = this.of(String(given["session_id"]), String(given["project"]));
    if (!work) return { success: false, error: { code: "project_not_configured", message: "There is no such session." } };
    if (tool === "restore_changes") return { success: true, output: this.#restore(work, given) };
    return work.call(tool, given).structuredContent as ToolAnswer;
  }

  #restore(work: FakeWork, given: Record<string, unknown>) {
    const dry = given["dry_run"] === true;
    if (!dry) this.undone.push(given);
    const named = new Set(Array.isArray(given["paths"]) ? given["paths"] : []);
    const lock = "package-lock.json";
    const paths = ["src/cart/cart.ts", "src/cart/coupon.ts", ...(named.has(lock) ? [lock] : [])];
    const restored = paths.map((path) => ({ path, action: "modified", ...(path === "src/cart/cart.ts" && given["merge"] ? { merged: true } : {}) }));
    const left = [{ path: "src/pages/Admin.tsx", reason: "changed_since" }, { path: lock, reason: "changed_by_command" }];
    const refused = work.name === "sealed" ? left.filter((file) => !named.has(file.path)) : [];
    return { changed: !dry, restored, refused };
  }
}
