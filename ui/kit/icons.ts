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

const line = (d: string, stroke = 1.5): Shape => ({ d, stroke });
const solid = (d: string): Shape => ({ d, fill: true });
const cut = (d: string, stroke = 1.6): Shape => ({ d, stroke, cut: true });
const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** Every icon there is. States differ in shape, so that colour is never needed to tell them apart. */
export const icons = {
  mark: [line("M13 2H5a3 3 0 0 0-3 3v6a3 3 0 0 0 3 3h8", 2), solid("M9 5h6v6H9z")],
  home: [line("M2.5 7.5 8 3l5.5 4.5M4 6.8V13h8V6.8")],
  folder: [line("M2 12V4.2c0-.4.3-.7.7-.7h3.2l1.4 1.7h6c.4 0 .7.3.7.7V12c0 .5-.3.8-.7.8H2.7c-.4 0-.7-.3-.7-.8z")],
  pulse: [line("M1.8 8.2h2.7l2-4.7 3 9 2-4.3h2.7")],
  link: [line("M6.4 9.6l3.2-3.2M7.2 4.8l1.2-1.2a2.8 2.8 0 0 1 4 4l-1.2 1.2M8.8 11.2l-1.2 1.2a2.8 2.8 0 0 1-4-4l1.2-1.2")],
  gear: [line("M2 4.5h6.5M11.5 4.5H14M2 11.5h2.5M7.5 11.5H14M10 3v3M6 10v3")],
  hand: [line("M8 1.8l5 2v4c0 3-2.1 5.3-5 6.4-2.9-1.1-5-3.4-5-6.4v-4zM8 5v3M8 10.4v.1")],
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
  plus: [line("M8 3v10M3 8h10")],
  copy: [line("M5.5 5.5V3.2c0-.4.3-.7.7-.7h6.1c.4 0 .7.3.7.7v6.1c0 .4-.3.7-.7.7H10.5M3.7 5.5h6.1c.4 0 .7.3.7.7v6.1c0 .4-.3.7-.7.7H3.7c-.4 0-.7-.3-.7-.7V6.2c0-.4.3-.7.7-.7z", 1.3)],
  eye: [line("M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z", 1.3), line(circle(8, 8, 2), 1.3)],
  dots: [solid(circle(3.5, 8, 1.3)), solid(circle(8, 8, 1.3)), solid(circle(12.5, 8, 1.3))],
  right: [line("M6 3.5 10.5 8 6 12.5")],
  left: [line("M10 3.5 5.5 8 10 12.5")],
  down: [line("M3.5 6 8 10.5 12.5 6")],
  up: [line("M8 13V3.5M4 7.5l4-4 4 4")],
  search: [line(circle(7, 7, 4.2)), line("M10.2 10.2 13.5 13.5")],
  stop: [solid("M4.5 3.5h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z")],
  out: [line("M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5")],
  term: [line("M2.5 4 6 8l-3.5 4M8 12.5h5.5")],
  file: [line("M4 2h5l3 3v9H4zM9 2v3h3", 1.3)],
  close: [line("M4 4l8 8M12 4l-8 8")],
  check: [line("M3 8.5 6.5 12 13 4.5", 1.8)],
  drop: [line("M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11")],
  chat: [line("M2.5 3h11v8H7l-3 2.5V11H2.5z")],
  undo: [line("M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7M3 6.5 6 3.5M3 6.5 6 9.5")],
  seal: [line("M4.5 7V5a3.5 3.5 0 0 1 7 0v2"), solid("M4.5 7h7A1.5 1.5 0 0 1 13 8.5v4a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 12.5v-4A1.5 1.5 0 0 1 4.5 7z")],
  edit: [line("M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z", 1.3)],
} satisfies Record<string, Shape[]>;

export type IconName = keyof typeof icons;

/** The icons that say a state; each has a colour role of the same or a given name. */
export const toneOf = {
  ready: "ready", working: "working", checking: "working", waiting: "notice", degraded: "notice",
  notice: "notice", problem: "problem", off: "off", unknown: "off",
} satisfies Partial<Record<IconName, string>>;

export type StateIcon = keyof typeof toneOf;
