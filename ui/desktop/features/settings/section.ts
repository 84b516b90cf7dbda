import type { SettingsChange, Status } from "$bridge/types";

/** What every section of the settings is given. */
export interface SectionProps {
  status: Status;
  change: (settings: SettingsChange) => Promise<unknown>;
}
