import type { StateIcon } from "$kit/icons";

/** One part of the way as it is shown. */
export interface HopRow {
  hop: string;
  look: "ok" | "broken" | "unknown" | "notice";
  icon: StateIcon;
  title: string;
  /** What stands out before the finding. */
  first?: string;
  finding: string;
  /** The one thing that helps. */
  remedy?: { words: string; act: () => void };
}

const ICONS: Record<HopRow["look"], StateIcon> = { ok: "ready", broken: "problem", unknown: "unknown", notice: "notice" };

export function lookIcon(look: HopRow["look"]): StateIcon {
  return ICONS[look];
}
