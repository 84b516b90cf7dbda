import { iconsOfPages, type PageIcon, type Shape, type StateIcon, toneOf } from "$kit/icons-of-pages";

interface Props {
  name: PageIcon;
  size?: number;
  /** The class of a colour; a state has its own. */
  tone?: string;
}

/** Decoration only: the words beside it, or the name of the control around it, say the same. */
export function Icon({ name, size = 16, tone = "" }: Props) {
  const shapes: readonly Shape[] = iconsOfPages[name];
  return (
    <i class={`icon ${tone}${name === "working" ? " spin" : ""}`}>
      <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
        {shapes.map(({ d, fill, cut, stroke, opacity, dash }) => (
          <path
            d={d} fill={fill ? "currentColor" : "none"} stroke={stroke && !cut ? "currentColor" : undefined} class={cut ? "cutout" : undefined}
            stroke-width={stroke} stroke-opacity={opacity} stroke-dasharray={dash} stroke-linecap={dash ? "butt" : "round"} stroke-linejoin="round"
          />
        ))}
      </svg>
    </i>
  );
}

/** The icon of a state in the colour of that state. */
export const StateMark = ({ name }: { name: StateIcon }) => <Icon name={name} tone={toneOf[name]} />;

/** A state: its shape, its word, and only then its colour. */
export const StateWords = ({ icon, words }: { icon: StateIcon; words: string }) => (
  <span class="said-state coloured"><StateMark name={icon} /><span class={`cut ${toneOf[icon]}`}>{words}</span></span>
);
