import type { Child } from "../draw/types";
import type { PageIcon } from "$kit/icons-of-pages";
import { Icon } from "./Icon";

interface Props {
  look?: "primary" | "quiet" | "danger" | undefined;
  dense?: boolean | undefined;
  icon?: PageIcon;
  /** The full phrase for a button that shows an icon alone. */
  label?: string;
  /** Why it can't be used now; the button stays reachable and says it. */
  blocked?: string | undefined;
  busy?: boolean;
  expanded?: boolean;
  popup?: "menu";
  /** What it does, where a key presses it too. */
  act?: string;
  onClick: () => void;
  children?: Child;
}

export function Button({ look, dense, icon, label, blocked, busy, expanded, popup, act, onClick, children }: Props) {
  const idle = !blocked && !busy;
  return (
    <button
      type="button" class={`btn ${look ?? ""}${dense ? " dense" : ""}${children ? "" : " bare"}`}
      aria-label={label} aria-disabled={idle ? undefined : "true"} aria-busy={busy ? "true" : undefined}
      aria-expanded={expanded} aria-haspopup={popup} data-act={act}
      title={blocked ?? (children ? undefined : label)} onClick={() => idle && onClick()}
    >
      {icon && <Icon name={busy ? "working" : icon} />}
      {children}
    </button>
  );
}
