/** A piece of a message as Discord's clients show it. */
export type Shown =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; inner: Shown[] }
  | { kind: 'time'; unix: number; format: string }
  | { kind: 'live'; what: string; text: string }
  | { kind: Wrapping; inner: Shown[] }

type Wrapping = 'heading' | 'subtext' | 'bold' | Unwanted
type Unwanted = 'quote' | 'list' | 'italic' | 'underline' | 'strike' | 'spoiler'

type Rule = [pattern: RegExp, read: (groups: string[]) => Shown]

const live =
  (what: string) =>
  ([text = '']: string[]): Shown => ({ kind: 'live', what, text })
const wrap =
  (kind: Wrapping, at = 1) =>
  (groups: string[]): Shown => ({ kind, inner: inline(groups[at] ?? groups[at + 1] ?? '') })

// What has a meaning at the start of a line only.
const atLineStart: Rule[] = [
  [/^ *(?:>>>|>) +([^\n]*)/u, wrap('quote')],
  [/^ *#{1,3}\s+((?:\\.|[^\n\\])+?)#*\s*(?:\n|$)/u, wrap('heading')],
  [/^ *-#\s+([^\n]*)/u, wrap('subtext')],
  [/^ *(?:[*-]|\d+\.) +([^\n]+)/u, wrap('list')],
]

// In the order in which a client tries them. Written after the rules of simple-markdown that Discord's clients use.
const anywhere: Rule[] = [
  [/^\\([^0-9A-Za-z\s])/u, ([, text = '']) => ({ kind: 'text', text })],
  [/^```\n([^`\n]+)\n```/u, ([, text = '']) => ({ kind: 'code', text: seen(text).trim() })],
  [/^```[\s\S]+?```/u, live('code block')],
  [/^(`+)([\s\S]*?[^`])\1(?!`)/u, ([, , text = '']) => ({ kind: 'code', text: seen(text).trim() })],
  [/^<[^: >]+:\/[^ >]+>/u, live('link')],
  [/^<(?:mailto|tel|sms):[^ >]+>/u, live('link')],
  [/^(?:https?|steam):\/\/[^\s<]+[^<.,:;"'\]\s]/u, live('link')],
  [
    /^\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"]([\s\S]*?)['"])?\s*\)/u,
    ([, text = '', url = '']) => ({ kind: 'link', url, inner: inline(text) }),
  ],
  [/^<@[!&]?\d+>/u, live('mention')],
  [/^<#\d+>/u, live('mention')],
  [/^<\/[^:>]+:\d+>/u, live('mention')],
  [/^<id:\w+>/u, live('mention')],
  [/^@(?:everyone|here)/u, live('mention')],
  [
    /^<t:(-?\d{1,17})(?::([tTdDfFRsS]))?>/u,
    ([, unix, format = '']) => ({ kind: 'time', unix: Number(unix), format }),
  ],
  [/^<a?:\w+:\d+>/u, live('emoji')],
  [/^:[^\s:]+?(?:::skin-tone-\d)?:/u, live('emoji')],
  [/^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/u, wrap('bold')],
  [/^__((?:\\[\s\S]|[^\\])+?)__(?!_)/u, wrap('underline')],
  [/^_((?:__|\\[\s\S]|[^\\_])+?)_/u, wrap('italic')],
  [
    /^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/u,
    wrap('italic'),
  ],
  [/^~~([\s\S]+?)~~(?!_)/u, wrap('strike')],
  [/^\|\|([\s\S]+?)\|\|/u, wrap('spoiler')],
  [/^[\s\S]/u, ([text = '']) => ({ kind: 'text', text })],
]

/** Reads markdown as Discord's clients do: what a message looks like, and what in it could be tapped or would ping. */
export function readMarkdown(markdown: string): Shown[] {
  return merged(read(markdown, true))
}

function inline(markdown: string): Shown[] {
  return merged(read(markdown, false))
}

function read(markdown: string, blocks: boolean): Shown[] {
  const shown: Shown[] = []
  for (let at = 0; at < markdown.length; ) {
    const rest = markdown.slice(at)
    const lineStart = blocks && (at === 0 || markdown[at - 1] === '\n')
    const rules = lineStart ? [...atLineStart, ...anywhere] : anywhere
    for (const [pattern, reading] of rules) {
      const match = pattern.exec(rest)
      if (!match) continue
      shown.push(reading([...match]))
      at += match[0].length
      break
    }
  }
  return shown
}

/** Texts side by side as one. */
function merged(shown: readonly Shown[]): Shown[] {
  const result: Shown[] = []
  for (const piece of shown) {
    const last = result.at(-1)
    if (piece.kind !== 'text') result.push(piece)
    else if (last?.kind === 'text') last.text += seen(piece.text)
    else result.push({ kind: 'text', text: seen(piece.text) })
  }
  return result.filter((piece) => piece.kind !== 'text' || piece.text !== '')
}

/** Without the joiners that nobody sees. */
function seen(text: string): string {
  return text.replaceAll('\u2060', '')
}

/** What people read of it. */
export function plainText(shown: readonly Shown[]): string {
  return shown
    .map((piece) => {
      if ('inner' in piece) return plainText(piece.inner) + (piece.kind === 'heading' ? '\n' : '')
      return piece.kind === 'time' ? `<${piece.unix}>` : piece.text
    })
    .join('')
}

/** All pieces, inner ones too. */
export function flat(shown: readonly Shown[]): Shown[] {
  return shown.flatMap((piece) => ('inner' in piece ? [piece, ...flat(piece.inner)] : [piece]))
}
