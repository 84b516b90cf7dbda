import type { Host, ToolResult } from "../../bridge/types";
import type { Decided, FileDiff, FileText, WorkState } from "./types";

/** Why there is no value: a failure of a tool, or a host that did not carry the call. */
export interface Trouble {
  code: string;
  message: string;
  hint: string | null;
}
export type Result<T> = { ok: true; value: T } | { ok: false; trouble: Trouble };

/** The code of a call that reached no tool. */
export const UNREACHED = "host_unreachable";
/** The code of a snapshot that is not kept any more. */
export const EXPIRED = "snapshot_expired";

interface Canonical {
  success?: boolean;
  output?: unknown;
  error?: { code?: string; message?: string; hint?: string };
}

/** The value within a canonical result, or what went wrong. Only `success` decides; `isError` is for hosts. */
export function read<T>(result: ToolResult): Result<T> {
  const { success, output, error } = (result.structuredContent ?? {}) as Canonical;
  if (success === true) return { ok: true, value: output as T };
  const said = result.content?.find((block) => block.type === "text")?.text;
  return {
    ok: false,
    trouble: { code: error?.code ?? UNREACHED, message: error?.message ?? said ?? "", hint: error?.hint ?? null },
  };
}

/** The file of a snapshot that something is loaded of. */
export interface Place {
  snapshot_id: string;
  path: string;
  offset?: number;
}

type Given = Record<string, string | number | undefined>;

/** The calls of this page; each names the project and the session that were presented, and never another. */
export class Calls {
  constructor(
    private readonly host: Host,
    private readonly scope: { project: string; session_id?: string },
    /** Told the start and the end of every call, for the timing diagnostics. */
    private readonly timed: (tool: string) => (ok: boolean) => void = () => () => undefined,
  ) {}

  state(more: { snapshot_id?: string; offset?: number; known_snapshot_id?: string } = {}): Promise<Result<WorkState>> {
    return this.#call("work_result_state", more);
  }

  diff(place: Place): Promise<Result<FileDiff>> {
    return this.#call("changes_file_diff", { ...place });
  }

  text(place: Place): Promise<Result<FileText>> {
    return this.#call("changes_file_text", { ...place });
  }

  accept(of: { snapshot_id: string; path: string; hunk_id?: string }): Promise<Result<Decided>> {
    return this.#call("review_decision", { action: "accept", ...of });
  }

  reject(of: { snapshot_id: string; path: string; hunk_id?: string; note?: string }): Promise<Result<Decided>> {
    return this.#call("review_decision", { action: "reject", ...of });
  }

  takeBack(of: { snapshot_id: string; path: string; hunk_id?: string } | { rejection_id: string }): Promise<Result<Decided>> {
    return this.#call("review_decision", { action: "take_back", ...of });
  }

  async #call<T>(tool: string, given: Given): Promise<Result<T>> {
    const end = this.timed(tool);
    const everything: Given = { ...this.scope, ...given };
    const sent = Object.fromEntries(Object.entries(everything).filter(([, value]) => value !== undefined));
    const result = await this.host.callTool(tool, sent).then(read<T>, (error: unknown): Result<T> => ({
      ok: false,
      trouble: { code: UNREACHED, message: error instanceof Error ? error.message : String(error), hint: null },
    }));
    end(result.ok);
    return result;
  }
}
