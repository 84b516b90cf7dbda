import type { Call, CallDetail, Step } from "$bridge/types";
import { outcomeWords, whatOf } from "$state/call-words";
import type { Format, Text } from "$text";
import { permissionWords } from "../../parts/permissions";

export function stepWords(step: Step, detail: CallDetail, t: Text, f: Format): string {
  const { steps } = t.activity;
  const length = f.lengthInWords(step.lengthMs);
  switch (step.kind) {
    case "arrived":
      return t.activity.door[detail.door];
    case "answered":
      return detail.answer ? t.activity.answerMade(f.bytes(detail.answer.bytes)) : steps.answered;
    default:
      return steps[step.kind](length);
  }
}

export function allowedWords(allowed: CallDetail["allowedBy"], t: Text): string | null {
  if (!allowed) return null;
  if (allowed.kind === "permission") return t.activity.allowedPermission(permissionWords(allowed.permission, t));
  return allowed.scope === "once" ? t.activity.allowedOnce : t.activity.allowedSession;
}

/** The details as plain text, for an issue or a message. */
export function detailText(call: Call, detail: CallDetail, t: Text, f: Format): string {
  const steps = detail.steps.map((step) => `  ${f.length(step.startMs)}  ${stepWords(step, detail, t, f)}`);
  return [
    `${f.exactClock(call.at)}  ${whatOf(call, t, f)}`,
    [call.tool, call.projectName, call.client, outcomeWords(call.outcome, t)].filter(Boolean).join(" · "),
    ...steps,
    detail.failure ? `${detail.failure.code}: ${detail.failure.message}` : null,
  ].filter((line) => line !== null).join("\n");
}
