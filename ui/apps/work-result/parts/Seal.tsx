import { visible } from "$kit/visible";
import { Icon } from "../../controls/Icon";
import { Banner } from "../../controls/notes";
import type { FinalChanges } from "../data/types";
import type { Work } from "../data/work";
import { view } from "../view";
import { Counts } from "./Counts";
import { FileRows } from "./FileRows";

/** Final Changes: when and on what they were sealed, and every file as it was then. */
export function Seal({ work, final, split }: { work: Work; final: FinalChanges; split: boolean }) {
  const { t, f, when: moment } = view;
  const when = moment(final.sealed_ms);
  const commit = (final.head ?? final.base.head)?.slice(0, 7);
  return (
    <div class="sealed">
      {final.work_went_on && <Banner tone="neutral" what={t.wentOn} next={t.wentOnNext} />}
      <section aria-labelledby="seal">
        <header>
          <Icon name="seal" size={20} />
          <div class="grow stack s1">
            <h2 id="seal">{t.sealTitle}</h2>
            <p class="small t2">{t.sentences(commit ? t.sealedOn(when, commit) : t.sealed(when), t.sealCounted[final.base.kind], t.sealedStays)}</p>
            {final.summary && <p class="small summary">{visible(final.summary)}</p>}
          </div>
          <Counts added={final.added_lines} removed={final.removed_lines} />
        </header>
        <FileRows list={work.final} work={work} label={t.sealTitle} decides={false} split={split} />
        <p class="foot meta t3">{t.files(f.count(final.file_count))} · {t.sealOfAttempt(f.count(final.attempt))} · {t.keptUntil(moment(final.expires_ms))}</p>
      </section>
    </div>
  );
}
