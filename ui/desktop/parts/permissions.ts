import type { Permission } from "$bridge/types";
import type { Text } from "$text";

/** The three permissions with their words, from least to most. */
export function permissionOptions(t: Text): { value: Permission; words: string }[] {
  return [
    { value: "read", words: t.common.permissionRead },
    { value: "edit", words: t.common.permissionEdit },
    { value: "edit_run", words: t.common.permissionEditRun },
  ];
}

export function permissionWords(permission: Permission, t: Text): string {
  return { read: t.common.permissionRead, edit: t.common.permissionEdit, edit_run: t.common.permissionEditRun }[permission];
}
