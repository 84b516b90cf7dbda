import { Button } from "../../controls/Button";
import { StateMark } from "../../controls/Icon";
import type { FileView } from "../data/file";
import type { Loaded } from "../data/types";
import { view } from "../view";

/** How much of a file is loaded, where that is not all, and the way to the next part. */
export function PartialStrip({ loaded: { partial, next_offset, limit_reached, loaded_bytes, total_bytes }, file }: { loaded: Loaded; file: FileView }) {
  const { t, f } = view;
  if (!partial && next_offset === undefined) return null;
  const facts = limit_reached ? t.partialEnd : t.partialFacts;
  return (
    <div class="strip" data-partial>
      <StateMark name="degraded" />
      <span class="grow"><b>{t.partial}</b> {facts(f.bytes(loaded_bytes), f.bytes(total_bytes))}</span>
      {next_offset !== undefined && <Button dense busy={file.busy} onClick={() => void file.more()}>{t.loadNext}</Button>}
    </div>
  );
}
