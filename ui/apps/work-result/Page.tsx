import { followSize } from "../bridge/connect";
import { Skeleton } from "../controls/notes";
import { Card } from "./Card";
import { Panel } from "./Panel";
import { Failed } from "./parts/Trouble";
import { view } from "./view";

/** The page is as high as what it shows, and says so. */
const follow = (root: HTMLElement) => followSize(view.host, root);

async function review() {
  if (view.canExpand && (await view.host.requestDisplayMode("fullscreen").catch(() => "inline")) !== "inline") return;
  view.change({ expanded: true });
}

/** The whole page: what it shows follows from what the host says and from the work that was presented. */
export function Page() {
  // A place of a given height is filled.
  const fills = !view.inline || view.context.containerDimensions?.height !== undefined;
  return <div class={fills ? "root" : "root inline"} ref={fills ? undefined : follow}><Content /></div>;
}

function Content() {
  const { work, failure, expanded, inline, t } = view;
  if (failure) return <Failed trouble={failure} />;
  const card = inline && !expanded && work?.presented.view !== "panel";
  if (!work?.state) {
    if (work?.trouble) return <Failed trouble={work.trouble} retry={() => void work.refresh()} />;
    return <Skeleton label={t.loading} rows={card ? 2 : 6} height={card ? 36 : 40} />;
  }
  if (card) return <Card work={work} seen={work.state} onReview={() => void review()} />;
  const { project, session_id } = work.presented;
  return <Panel key={`${project} ${session_id}`} work={work} seen={work.state} onBack={expanded && inline ? () => view.change({ expanded: false }) : undefined} />;
}
