import type { Child } from "../draw/types";
import type { PageIcon } from "$kit/icons-of-pages";
import { Icon } from "./Icon";

interface BannerProps {
  tone: "notice" | "problem" | "neutral";
  what: string;
  /** What to do about it. */
  next?: string | null;
  children?: Child;
}

/** What somebody should know before anything else, and what to do about it. */
export function Banner({ tone, what, next, children }: BannerProps) {
  const plain = tone === "neutral";
  return (
    <div class={`banner ${tone}`} role={tone === "problem" ? "alert" : "status"}>
      <Icon name={plain ? "unknown" : tone} tone={plain ? "t2" : tone} />
      <p class="grow wrap-any"><b>{what}</b>{next && ` ${next}`}</p>
      {children && <div class="line">{children}</div>}
    </div>
  );
}

/** A place where nothing is, and what will be there. */
export const Empty = ({ icon, title, about, children }: { icon: PageIcon; title: string; about: string; children?: Child }) => (
  <div class="empty">
    <Icon name={icon} size={28} tone="t2" />
    <h2>{title}</h2>
    <p>{about}</p>
    {children && <div class="actions">{children}</div>}
  </div>
);

/** Stands for rows that are still to come; appears only after 300 ms, so that a quick answer never flickers. */
export const Skeleton = ({ label, rows, height }: { label: string; rows: number; height: number }) => (
  <div class="skeleton" role="status" aria-label={label}>
    {Array.from({ length: rows }, () => <div style={{ height: `${height}px` }}><span /><span /></div>)}
  </div>
);

/** On or off, at once. */
export const Switch = ({ words, label, on, onSwitch }: { words: string; label: string; on: boolean; onSwitch: (on: boolean) => void }) => (
  <button type="button" class="switch" role="switch" aria-checked={on} aria-label={label} onClick={() => onSwitch(!on)}>
    <span><i /></span><span>{words}</span>
  </button>
);
