import { visible } from "$kit/visible";

/** A path as it is shown: the folder, which may be shortened, and the name, which may not. */
export function nameOf(path: string): { folder: string; base: string } {
  const cut = path.lastIndexOf("/") + 1;
  return { folder: visible(path.slice(0, cut)), base: visible(path.slice(cut)) };
}
