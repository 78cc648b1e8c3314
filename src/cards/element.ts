/** What satori draws: elements as React makes them, of which it needs no more than this. */
export interface Element {
  type: string
  props: { style?: Style; children?: Child | readonly Child[]; [attribute: string]: unknown }
}

export type Child = Element | string | undefined
export type Style = Readonly<Record<string, string | number>>

/** A row or a column of children. Without the box sizing satori clips what has a border or padding. */
export function box(style: Style, ...children: readonly Child[]): Element {
  return {
    type: 'div',
    props: { style: { display: 'flex', boxSizing: 'border-box', ...style }, children },
  }
}

// Clamped to one, a line would break where it may, such as behind the dots of a short address.
const oneLine = { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' } as const

/** Text that is cut after so many lines. A name in a script from right to left is read so, but stays at its place. */
export function text(content: string, style: Style, lines = 1): Element {
  return {
    type: 'div',
    props: {
      style: {
        display: 'block',
        boxSizing: 'border-box',
        ...(lines === 1 ? oneLine : { lineClamp: lines, wordBreak: 'break-word' }),
        direction: direction(content),
        textAlign: 'left',
        ...style,
      },
      children: content,
    },
  }
}

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function direction(content: string): 'ltr' | 'rtl' {
  const [first = ''] = /\p{L}/u.exec(content) ?? []
  return rightToLeft.test(first) ? 'rtl' : 'ltr'
}
