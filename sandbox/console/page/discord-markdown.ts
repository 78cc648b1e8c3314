import type { Part, TimeShown } from './model.ts'

/** What is shown for the id in a mention. */
export type Names = (kind: 'user' | 'role' | 'channel', id: string) => string | undefined

interface Reader {
  names: Names
  depth: number
}

type Rule = [pattern: RegExp, make: (match: RegExpExecArray, reader: Reader) => Part | undefined]

const styled = (kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'): Rule[1] => {
  return (match, { names, depth }) => ({
    kind,
    inside: readInline(match[1] ?? '', names, depth + 1),
  })
}

const mention = (sign: string, kind: 'user' | 'role' | 'channel'): Rule[1] => {
  return ([, id = ''], { names }) => mentionOf(sign + (names(kind, id) ?? `unknown-${kind}`))
}

const mentionOf = (text: string): Part => ({ kind: 'mention', inside: [text] })

const times: Readonly<Record<string, TimeShown>> = {
  R: 'relative',
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
}

// In the order in which Discord tries them; each is matched where the reader stands.
const rules: readonly Rule[] = [
  [/\\([^A-Za-z0-9\s])/y, (match) => match[1] ?? ''],
  [/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y, (match) => ({ kind: 'code', text: match[2] ?? '' })],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, time],
  [/<@!?(\d+)>/y, mention('@', 'user')],
  [/<@&(\d+)>/y, mention('@', 'role')],
  [/<#(\d+)>/y, mention('#', 'channel')],
  [/<\/([^:>]{1,100}):\d+>/y, (match) => mentionOf(`/${match[1]}`)],
  [/<a?(:\w{2,32}:)\d+>/y, (match) => match[1]],
  [/@(?:everyone|here)/y, (match) => mentionOf(match[0])],
  [/<(https?:\/\/[^\s<>]+)>/y, (match) => bareLink(match[1] ?? '')],
  [
    /\[((?:\\.|[^[\]\\]|\[[^[\]]*\])+)\]\(\s*<?((?:\\.|[^\s()<>]|\([^\s()]*\))+)>?(?:\s+"[^"]*")?\s*\)/y,
    maskedLink,
  ],
  [/https?:\/\/[^\s<]+[^\s<.,:;"')\]!?*_~|]/y, (match) => bareLink(match[0])],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, styled('bold')],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, styled('underline')],
  [/\*(?=\S)((?:\*\*|\\[\s\S]|[^*\\])*?[^\s*])\*(?!\*)/y, styled('italic')],
  [/_((?:__|\\[\s\S]|[^_\\])+?)_(?!\w)/y, styled('italic')],
  [/~~((?:\\[\s\S]|[^\\])+?)~~/y, styled('strike')],
  [/\|\|((?:\\[\s\S]|[^\\])+?)\|\|/y, styled('spoiler')],
]

function time([, unix, style = 'f']: RegExpExecArray): Part {
  return { kind: 'time', unix: Number(unix), shown: times[style] ?? 'relative' }
}

function bareLink(url: string): Part {
  return { kind: 'link', url, inside: [url] }
}

// A label that is itself an address stays text: Discord does not let a link pretend to lead elsewhere.
function maskedLink([, label = '', target = '']: RegExpExecArray, { names, depth }: Reader) {
  const url = target.replace(/\\([^A-Za-z0-9\s])/g, '$1')
  if (!/^(https?|discord):\/\//i.test(url) || /https?:\/\//i.test(label)) return undefined
  return { kind: 'link', url, inside: readInline(label, names, depth + 1) } as const
}

const deepest = 10

/** Reads the markdown within a line. Unclosed or unknown marks stay text. */
export function readInline(source: string, names: Names, depth = 0): Part[] {
  const found: Part[] = []
  let text = ''
  let at = 0
  while (at < source.length) {
    const hit = depth < deepest ? matchAt(source, at, { names, depth }) : undefined
    if (hit === undefined) text += source[at++]
    else {
      if (typeof hit.part === 'string') text += hit.part
      else {
        found.push(text, hit.part)
        text = ''
      }
      at += hit.length
    }
  }
  return [...found, text].filter((part) => part !== '')
}

function matchAt(
  source: string,
  at: number,
  reader: Reader,
): { part: Part; length: number } | undefined {
  if (!/[\\`<@[h*_~|]/.test(source[at] ?? '')) return undefined
  // An underscore or an address inside a word is part of the word.
  const inWord = /\w/.test(source[at - 1] ?? '') && /[_h]/.test(source[at] ?? '')
  if (inWord && !source.startsWith('__', at)) return undefined
  for (const [pattern, make] of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    const part = match === null ? undefined : make(match, reader)
    if (match !== null && part !== undefined) return { part, length: match[0].length }
  }
  return undefined
}

const fence = /^([\s\S]*?)```(?:([\w+-]+)\n)?\n*([\s\S]*?[^\n]?)\n*```([\s\S]*)$/
const listMark = /^( *)([-*]|\d{1,9}\.) +(?=\S)/

/** Reads a whole text: code blocks first, then quotes, headings, subtext, lists and plain lines. */
export function readMarkdown(source: string, names: Names): Part[] {
  const code = fence.exec(source)
  if (code === null || code[3] === '') return readLines(source.split('\n'), names)
  const [, before = '', , text = '', after = ''] = code
  return [
    ...(before === '' ? [] : readLines(before.replace(/\n$/, '').split('\n'), names)),
    { kind: 'pre', text },
    ...(after === '' ? [] : readMarkdown(after.replace(/^\n/, ''), names)),
  ]
}

function readLines(lines: readonly string[], names: Names): Part[] {
  const parts: Part[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0)
      parts.push({ kind: 'paragraph', inside: readInline(paragraph.join('\n'), names) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const special = readSpecial(lines.slice(at), names)
    if (special === undefined) paragraph.push(lines[at++] ?? '')
    else {
      flush()
      parts.push(special.part)
      at += special.lines
    }
  }
  flush()
  return parts
}

/** The block that the first line starts by its mark, and how many lines it takes. */
function readSpecial(
  lines: readonly string[],
  names: Names,
): { part: Part; lines: number } | undefined {
  const [line = ''] = lines
  const [, marks, title = ''] = /^(#{1,3}) +(\S.*)$/.exec(line) ?? []
  if (marks !== undefined) {
    const inside = readInline(title.replace(/ +#*$/, ''), names)
    return { part: { kind: 'heading', level: marks.length, inside }, lines: 1 }
  }
  const subtext = /^-# +(\S.*)$/.exec(line)?.[1]
  if (subtext !== undefined)
    return { part: { kind: 'subtext', inside: readInline(subtext, names) }, lines: 1 }
  if (line.startsWith('>>> ')) return quoteOf([line.slice(4), ...lines.slice(1)], names)
  if (/^> /.test(line))
    return quoteOf(
      linesOf(lines, /^> ?/).map((each) => each.replace(/^> ?/, '')),
      names,
    )
  return listMark.test(line) ? listOf(linesOf(lines, listMark), names) : undefined
}

/** The lines from the first on that all have a mark. */
function linesOf(lines: readonly string[], mark: RegExp): readonly string[] {
  const end = lines.findIndex((line) => !mark.test(line))
  return end === -1 ? lines : lines.slice(0, end)
}

function quoteOf(lines: readonly string[], names: Names) {
  const inside = readLines(lines, names)
  return { part: { kind: 'quote', isFolded: false, inside } as const, lines: lines.length }
}

function listOf(lines: readonly string[], names: Names): { part: Part; lines: number } {
  const items = lines.map((line) => {
    const [whole = '', indent = ''] = listMark.exec(line) ?? []
    const depth = Math.min(Math.ceil(indent.length / 2), 5)
    return { depth, inside: readInline(line.slice(whole.length), names) }
  })
  const first = Number.parseInt(listMark.exec(lines[0] ?? '')?.[2] ?? '', 10)
  const start = Number.isNaN(first) ? undefined : first
  return { part: { kind: 'list', start, items }, lines: lines.length }
}
