const most = 160
// Controls, what is invisible (fillers and variation selectors too), and every blank but the plain one.
const unseen = /[[\p{C}\p{Z}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]--\x20]/gv

/**
 * Text by strangers on one line of bounded length, in which what can't be seen is written as its code point: two texts
 * that differ in it alone don't look the same.
 */
export function plain(text: string): string {
  const start = text.slice(0, most)
  const shown = start.replace(unseen, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
  return start.length < text.length ? `${shown}…` : shown
}
