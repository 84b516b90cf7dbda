import { rove } from "$kit/roving";

/** Arrow keys move among the buttons and choose as they go. */
const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => rove(event.currentTarget, event, "button", (button) => button.click());

/** The words twice: the bold twin keeps the width, so that choosing moves nothing. */
const Twin = ({ words }: { words: string }) => <span class="twin" aria-hidden="true">{words}</span>;

interface SegmentedProps<T extends string> {
  /** What is chosen here, read before the words. */
  label: string;
  value: T;
  options: readonly { value: T; words: string }[];
  onChoose: (value: T) => void;
}

/** One of two or three. */
export function Segmented<T extends string>({ label, value, options, onChoose }: SegmentedProps<T>) {
  return (
    <div class="seg" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map((option) => (
        <button
          key={option.value} type="button" role="radio" aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1} onClick={() => option.value !== value && onChoose(option.value)}
        >
          <span>{option.words}</span><Twin words={option.words} />
        </button>
      ))}
    </div>
  );
}

interface TabsProps<T extends string> {
  label: string;
  value: T;
  tabs: readonly { value: T; words: string; count: number }[];
  /** The id of the one panel they fill. */
  panel: string;
  onChoose: (value: T) => void;
}

export function Tabs<T extends string>({ label, value, tabs, panel, onChoose }: TabsProps<T>) {
  return (
    <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.value} type="button" role="tab" id={`${panel}-${tab.value}`} aria-selected={tab.value === value} aria-controls={panel}
          tabIndex={tab.value === value ? 0 : -1} onClick={() => onChoose(tab.value)}
        >
          <span>{tab.words}<Twin words={tab.words} /></span><span class="t3 num">{tab.count}</span>
        </button>
      ))}
    </div>
  );
}
