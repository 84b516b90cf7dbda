import { circle, iconsOfPages, line, type Shape, solid } from "./icons-of-pages";

export { type Shape, type StateIcon, toneOf } from "./icons-of-pages";

/** Every icon there is. */
export const icons = {
  ...iconsOfPages,
  mark: [line("M13 2H5a3 3 0 0 0-3 3v6a3 3 0 0 0 3 3h8", 2), solid("M9 5h6v6H9z")],
  home: [line("M2.5 7.5 8 3l5.5 4.5M4 6.8V13h8V6.8")],
  folder: [line("M2 12V4.2c0-.4.3-.7.7-.7h3.2l1.4 1.7h6c.4 0 .7.3.7.7V12c0 .5-.3.8-.7.8H2.7c-.4 0-.7-.3-.7-.8z")],
  pulse: [line("M1.8 8.2h2.7l2-4.7 3 9 2-4.3h2.7")],
  link: [line("M6.4 9.6l3.2-3.2M7.2 4.8l1.2-1.2a2.8 2.8 0 0 1 4 4l-1.2 1.2M8.8 11.2l-1.2 1.2a2.8 2.8 0 0 1-4-4l1.2-1.2")],
  gear: [line("M2 4.5h6.5M11.5 4.5H14M2 11.5h2.5M7.5 11.5H14M10 3v3M6 10v3")],
  hand: [line("M8 1.8l5 2v4c0 3-2.1 5.3-5 6.4-2.9-1.1-5-3.4-5-6.4v-4zM8 5v3M8 10.4v.1")],
  plus: [line("M8 3v10M3 8h10")],
  copy: [line("M5.5 5.5V3.2c0-.4.3-.7.7-.7h6.1c.4 0 .7.3.7.7v6.1c0 .4-.3.7-.7.7H10.5M3.7 5.5h6.1c.4 0 .7.3.7.7v6.1c0 .4-.3.7-.7.7H3.7c-.4 0-.7-.3-.7-.7V6.2c0-.4.3-.7.7-.7z", 1.3)],
  eye: [line("M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z", 1.3), line(circle(8, 8, 2), 1.3)],
  left: [line("M10 3.5 5.5 8 10 12.5")],
  up: [line("M8 13V3.5M4 7.5l4-4 4 4")],
  stop: [solid("M4.5 3.5h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z")],
  term: [line("M2.5 4 6 8l-3.5 4M8 12.5h5.5")],
  file: [line("M4 2h5l3 3v9H4zM9 2v3h3", 1.3)],
  drop: [line("M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11")],
} satisfies Record<string, Shape[]>;

export type IconName = keyof typeof icons;
