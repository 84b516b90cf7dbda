/** One drawn part of an icon, on a 16 × 16 grid. */
export interface Shape {
  d: string;
  /** Width of the stroke; nothing for a filled shape. */
  stroke?: number;
  fill?: true;
  /** Drawn in the colour of the surface, as a mark cut out of the shape below. */
  cut?: true;
  opacity?: number;
  dash?: string;
}

export const line = (d: string, stroke = 1.5): Shape => ({ d, stroke });
export const solid = (d: string): Shape => ({ d, fill: true });
const cut = (d: string, stroke = 1.6): Shape => ({ d, stroke, cut: true });
export const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** The icons that pages for other hosts show too. States differ in shape, so that colour is never needed to tell them apart. */
export const iconsOfPages = {
  session: [line("M3 4l1.2 1.2L6.2 3M3 9.8 4.2 11l2-2.2M8.8 4.2H13M8.8 10H13")],
  ready: [solid(circle(8, 8, 7)), cut("M4.8 8.3l2.2 2.2 4.2-4.6")],
  working: [{ ...line(circle(8, 8, 6), 2), opacity: 0.25 }, line("M8 2a6 6 0 0 1 6 6", 2), solid(circle(8, 8, 2))],
  checking: [{ ...line(circle(8, 8, 6), 2), dash: "2.2 2.5" }],
  notice: [
    { ...solid("M8 1.2 15.4 14.4H.6z"), stroke: 1 },
    cut("M8 6v3.6M8 11.9v.1", 1.7),
  ],
  problem: [solid("M5 1h6l4 4v6l-4 4H5l-4-4V5z"), cut("M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8", 1.7)],
  degraded: [line(circle(8, 8, 6), 2), solid("M8 2a6 6 0 0 0 0 12z")],
  waiting: [line(circle(8, 8, 6.2), 1.7), line("M8 4.6V8l2.2 1.6", 1.6)],
  off: [line(circle(8, 8, 6), 1.7), line("M5.3 8h5.4", 1.7)],
  unknown: [{ ...line(circle(8, 8, 6)), dash: "1.5 2" }],
  dots: [solid(circle(3.5, 8, 1.3)), solid(circle(8, 8, 1.3)), solid(circle(12.5, 8, 1.3))],
  right: [line("M6 3.5 10.5 8 6 12.5")],
  down: [line("M3.5 6 8 10.5 12.5 6")],
  search: [line(circle(7, 7, 4.2)), line("M10.2 10.2 13.5 13.5")],
  out: [line("M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5")],
  close: [line("M4 4l8 8M12 4l-8 8")],
  check: [line("M3 8.5 6.5 12 13 4.5", 1.8)],
  chat: [line("M2.5 3h11v8H7l-3 2.5V11H2.5z")],
  undo: [line("M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7M3 6.5 6 3.5M3 6.5 6 9.5")],
  seal: [line("M4.5 7V5a3.5 3.5 0 0 1 7 0v2"), solid("M4.5 7h7A1.5 1.5 0 0 1 13 8.5v4a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 12.5v-4A1.5 1.5 0 0 1 4.5 7z")],
  edit: [line("M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z", 1.3)],
} satisfies Record<string, Shape[]>;

export type PageIcon = keyof typeof iconsOfPages;

/** The icons that say a state; each has a colour role of the same or a given name. */
export const toneOf = {
  ready: "ready", working: "working", checking: "working", waiting: "notice", degraded: "notice",
  notice: "notice", problem: "problem", off: "off", unknown: "off",
} satisfies Partial<Record<PageIcon, string>>;

export type StateIcon = keyof typeof toneOf;
