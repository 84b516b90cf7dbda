import type { Approval } from "$bridge/types";
import type { Text } from "$text";

/** Who wants what, in one sentence. */
export function titleOf(approval: Approval, t: Text): string {
  const { client, project, asks } = approval;
  if (asks.kind === "command") return t.approvals.wantsCommand(client, project);
  return t.approvals.wantsEdit(client, project, asks.files.length);
}
