import type { Language } from "./language";

/** Numbers, sizes and times as people read them. Every number carries its unit. */
export interface Format {
  /** `1,204` */
  count(value: number): string;
  /** `104k` from ten thousand on, where room is short; the whole number stands beside it for screen readers. */
  compact(value: number): string;
  /** `212 MB`, in steps of 1,000 as file managers show it. */
  bytes(value: number): string;
  /** `44 ms`, `1 min 12 s`: short, for tables. */
  length(ms: number): string;
  /** The same within a sentence. */
  lengthInWords(ms: number): string;
  /** `14:02` */
  clock(at: number): string;
  /** `14:02:11` */
  exactClock(at: number): string;
  /** `14:02:11.482` */
  finestClock(at: number): string;
  /** `14:02` today, `29 Nov` earlier. */
  moment(at: number, now: number): string;
  /** `2 min ago`, `26 Nov`. */
  ago(at: number, now: number): string;
  /** `a, b and c` */
  list(items: readonly string[]): string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Units {
  ms: string;
  s: string;
  min: string;
  h: string;
}

const short: Units = { ms: "ms", s: "s", min: "min", h: "h" };
const spoken: Record<Language, Units> = {
  en: short,
  "zh-CN": { ms: "毫秒", s: "秒", min: "分", h: "小时" },
};
const wholeMinutes: Record<Language, string> = { en: "min", "zh-CN": "分钟" };
const agoWords: Record<Language, { now: string; ago: (length: string) => string }> = {
  en: { now: "just now", ago: (length) => `${length} ago` },
  "zh-CN": { now: "刚刚", ago: (length) => `${length}前` },
};

function lengthWith(ms: number, units: Units, minuteAlone: string): string {
  const value = Math.max(0, ms);
  if (value < SECOND) return `${Math.round(value)} ${units.ms}`;
  if (value < 10 * SECOND) return `${trim(value / SECOND)} ${units.s}`;
  if (value < MINUTE) return `${Math.round(value / SECOND)} ${units.s}`;
  const seconds = Math.round(value / SECOND);
  if (seconds < 3600) return two(Math.floor(seconds / 60), units.min, minuteAlone, seconds % 60, units.s);
  const minutes = Math.round(seconds / 60);
  return two(Math.floor(minutes / 60), units.h, units.h, minutes % 60, units.min);
}

function two(large: number, unit: string, alone: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${alone}` : `${large} ${unit} ${small} ${smallUnit}`;
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

function size(value: number, count: (value: number) => string): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  const figure = unit === 0 || scaled >= 10 ? count(Math.round(scaled)) : trim(scaled);
  return `${figure} ${units[unit]}`;
}

/** The formats of one language. Times are on the 24-hour clock of this computer. */
export function formatFor(language: Language): Format {
  const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  const parts = { hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
  const minutes = new Intl.DateTimeFormat("en-GB", parts);
  const seconds = new Intl.DateTimeFormat("en-GB", { ...parts, second: "2-digit" });
  const months = new Intl.DateTimeFormat("en-US", { month: "short" });
  const last = language === "en" ? " and " : " 和 ";
  const between = language === "en" ? ", " : "、";
  const date = (at: number, now: number): string => {
    const day = new Date(at);
    const year = day.getFullYear() === new Date(now).getFullYear() ? "" : String(day.getFullYear());
    if (language === "zh-CN") return `${year && `${year}年`}${day.getMonth() + 1}月${day.getDate()}日`;
    return `${day.getDate()} ${months.format(day)}${year && ` ${year}`}`;
  };
  const count = (value: number) => numbers.format(value);
  const words = (ms: number) => lengthWith(ms, spoken[language], wholeMinutes[language]);
  return {
    count,
    compact: (value) => (value < 10_000 ? count(value) : `${count(Math.round(value / 1000))}k`),
    bytes: (value) => size(value, count),
    length: (ms) => lengthWith(ms, short, short.min),
    lengthInWords: words,
    clock: (at) => minutes.format(at),
    exactClock: (at) => seconds.format(at),
    finestClock: (at) => `${seconds.format(at)}.${String(new Date(at).getMilliseconds()).padStart(3, "0")}`,
    moment: (at, now) => (sameDay(at, now) ? minutes.format(at) : date(at, now)),
    ago(at, now) {
      const age = now - at;
      if (age < SECOND) return agoWords[language].now;
      if (age < MINUTE) return agoWords[language].ago(words(Math.floor(age / SECOND) * SECOND));
      if (age < HOUR) return agoWords[language].ago(words(Math.floor(age / MINUTE) * MINUTE));
      if (age < DAY && sameDay(at, now)) return agoWords[language].ago(words(Math.floor(age / HOUR) * HOUR));
      return date(at, now);
    },
    list: (values) => [values.slice(0, -1).join(between), ...values.slice(-1)].filter(Boolean).join(last),
  };
}
