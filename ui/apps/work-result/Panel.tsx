import { visible } from "$kit/visible";
import { Button } from "../controls/Button";
import { Tabs } from "../controls/Choices";
import type { WorkState } from "./data/types";
import type { Work } from "./data/work";
import { reviewKey } from "./keys";
import { Activity } from "./parts/Activity";
import { Menu } from "./parts/Menu";
import { Others } from "./parts/Others";
import { Review } from "./parts/Review";
import { type View, view } from "./view";

/** Side by side needs this much room; below it lines would break all the time. */
const SPLIT_FROM = 840;
const PANEL = "work-part";
interface Props {
  work: Work;
  seen: WorkState;
  /** Back to the card; only where the host has no larger place. */
  onBack: (() => void) | undefined;
}

/** The work as a whole: what was changed, what was done, who else works here. */
export function Panel({ work, seen, onBack }: Props) {
  const { t, f, host } = view;
  const { tab } = work;
  const canGrow = view.inline && view.canExpand;
  const hasRoom = view.width >= SPLIT_FROM;
  const list = seen.phase === "sealed" && seen.final_changes ? work.final : work.review;
  const title = visible(seen.session?.title ?? work.presented.title ?? seen.project.name);
  const about = aboutOf(view, seen);

  /** Two sides may need the larger place, which the host is asked for. */
  function layOut(twoSides: boolean) {
    work.turn({ split: twoSides });
    if (twoSides && !hasRoom && canGrow) void host.requestDisplayMode("fullscreen").catch(() => "inline");
  }

  return (
    <div class="panel-page" role="region" aria-label={t.name} ref={watchWidth}>
      <header>
        <div class="line top">
          <div class="grow"><h1 class="cut" title={title}>{title}</h1><p class="meta t2 cut" title={about}>{about}</p></div>
          <AcceptAll work={work} seen={seen} />
          <Menu items={[
            { words: t.refresh, act: () => void work.refresh(true) },
            ...(onBack ? [{ words: t.close, act: onBack }] : []),
            ...(!view.inline && view.context.availableDisplayModes?.includes("inline") ? [{ words: t.backToChat, act: () => void host.requestDisplayMode("inline").catch(() => "fullscreen") }] : []),
          ]} />
        </div>
        <Tabs label={t.tabs} value={tab} panel={PANEL} onChoose={(chosen) => work.turn({ tab: chosen })} tabs={[
          { value: "review", words: t.review, count: list.total },
          { value: "activity", words: t.activity, count: seen.activity_count ?? 0 },
          { value: "others", words: t.collaboration, count: seen.collaboration?.length ?? 0 },
        ]} />
      </header>
      {/* Scrolls as a whole, so the keyboard has to reach it even where nothing in it can be pressed. */}
      <div class="scroller" id={PANEL} role="tabpanel" aria-labelledby={`${PANEL}-${tab}`} tabIndex={0} data-scroller onKeyDown={(event) => reviewKey(event.currentTarget, event)}>
        {tab === "review" && <Review work={work} seen={seen} list={list} split={hasRoom && work.split} canSplit={hasRoom || canGrow} onSplit={layOut} />}
        {tab === "activity" && <Activity entries={seen.activity ?? []} count={f.count(seen.activity_count ?? 0)} />}
        {tab === "others" && <Others others={seen.collaboration ?? []} />}
      </div>
    </div>
  );
}

/** The one act that helps now: to accept what is still open, or to stop doing that. */
function AcceptAll({ work, seen }: { work: Work; seen: WorkState }) {
  const { t, f } = view;
  const { accepting, review } = work;
  if (accepting) {
    return (
      <>
        <span class="meta t2 num" role="status">{t.accepting(f.count(accepting.done), f.count(accepting.of))}</span>
        <Button onClick={() => work.stopAccepting()}>{t.stop}</Button>
      </>
    );
  }
  const open = review.total - review.accepted - review.conflicted.size;
  if (!work.canDecide || open <= 0 || seen.phase === "running" || review.conflicted.size > 0) return null;
  return <Button look="primary" icon="check" onClick={() => void work.acceptAll()}>{t.acceptAll(f.count(open))}</Button>;
}

/** Where the work was done, by whom and when. */
function aboutOf({ t, when }: View, { project, session }: WorkState): string {
  if (!session) return t.noSession(visible(project.name));
  const { branch } = project;
  return [
    visible(project.name), branch ? t.branch(visible(branch)) : "", visible(session.client_name ?? ""),
    t.fromTo(when(session.created_ms), when(session.last_used_ms)),
  ].filter(Boolean).join(" · ");
}

/** Follows how wide the panel is. */
function watchWidth(node: HTMLElement) {
  const observer = new ResizeObserver(() => { if (view.width !== node.clientWidth) view.change({ width: node.clientWidth }); });
  observer.observe(node);
  return () => observer.disconnect();
}
