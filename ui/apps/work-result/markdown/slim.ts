/**
 * Stands in for what markdown-it brings along and this page has no use for: turning text into links, coding addresses
 * (nothing here follows one by itself) and the table of two thousand named characters. The build puts it there.
 */

/** Named characters that turn up in documents; any other name stays as it is written, as in the source. */
const NAMED = new Map(
  ("amp& lt< gt> quot\" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» bull• middot· deg° "
    + "plusmn± times× divide÷ frac12½ frac14¼ frac34¾ sect§ para¶ larr← rarr→ uarr↑ darr↓ harr↔ euro€ pound£ yen¥ cent¢ le≤ ge≥ ne≠ infin∞ "
    + "micro\u00b5 alphaα betaβ gammaγ deltaδ piπ sigmaσ omegaω Omega\u03a9 auml\u00e4 ouml\u00f6 uuml\u00fc Auml\u00c4 Ouml\u00d6 Uuml\u00dc szlig\u00df eacute\u00e9 egrave\u00e8 agrave\u00e0 ccedil\u00e7 ntilde\u00f1 check✓")
    .split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);

/** One reference of the form `&name;`; numbers are decoded by markdown-it itself. */
export function decodeHTML(reference: string): string {
  return NAMED.get(reference.slice(1, -1)) ?? reference;
}
export { decodeHTML as decodeHTMLStrict };

/** What `uc.micro` gives as long expressions, in the words of today's engines. */
export const P = /\p{P}/u;
export const S = /\p{S}/u;

/** Rules for HTML and bare addresses: they never apply. */
export default function never(): boolean {
  return false;
}
