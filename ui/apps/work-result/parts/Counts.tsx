import { view } from "../view";

/** How many lines were added and removed, in figures for the eye and in words for the ear. */
export function Counts({ added, removed }: { added: number; removed: number }) {
  const { t, f } = view;
  const [plus, minus] = [f.count(added), f.count(removed)];
  return (
    <span class="pm">
      <span class="vh">{t.linesSaid(plus, minus)}</span>
      <span class="plus" aria-hidden="true">+{plus}</span><span class="minus" aria-hidden="true">−{minus}</span>
    </span>
  );
}
