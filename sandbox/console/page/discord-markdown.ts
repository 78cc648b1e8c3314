/** A run of text within a line, as Discord reads its markdown. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'time'; unix: number; style: string }
  | { kind: 'mention'; what: 'user' | 'role' | 'channel' | 'command' | 'everyone'; value: string }
  | { kind: 'emoji'; name: string }

/** A line or group of lines. */
export type Block =
  | { kind: 'paragraph' | 'subtext'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | { kind: 'code'; text: string }

export interface ListItem {
  depth: number
  children: Inline[]
}

type Rule = [pattern: RegExp, make: (match: RegExpExecArray, depth: number) => Inline | undefined]

const styled = (
  kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler',
  group = 1,
): Rule[1] => {
  return (match, depth) => ({ kind, children: parseInline(match[group] ?? '', depth + 1) })
}

const mention = (what: 'user' | 'role' | 'channel' | 'command'): Rule[1] => {
  return (match) => ({ kind: 'mention', what, value: match[1] ?? '' })
}

const plain = (text: string): Inline => ({ kind: 'text', text })

// In the order in which Discord tries them; each is matched where the reader stands.
const rules: readonly Rule[] = [
  [/\\([^A-Za-z0-9\s])/y, (match) => plain(match[1] ?? '')],
  [/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y, (match) => ({ kind: 'code', text: match[2] ?? '' })],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, time],
  [/<@!?(\d+)>/y, mention('user')],
  [/<@&(\d+)>/y, mention('role')],
  [/<#(\d+)>/y, mention('channel')],
  [/<\/([^:>]{1,100}):\d+>/y, mention('command')],
  [/<a?:(\w{2,32}):\d+>/y, (match) => ({ kind: 'emoji', name: match[1] ?? '' })],
  [/@(everyone|here)/y, (match) => ({ kind: 'mention', what: 'everyone', value: match[1] ?? '' })],
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

function time(match: RegExpExecArray): Inline {
  return { kind: 'time', unix: Number(match[1]), style: match[2] ?? 'f' }
}

function bareLink(url: string): Inline {
  return { kind: 'link', url, children: [plain(url)] }
}

// A label that is itself an address stays text: Discord does not let a link pretend to lead elsewhere.
function maskedLink(match: RegExpExecArray, depth: number): Inline | undefined {
  const label = match[1] ?? ''
  const url = (match[2] ?? '').replace(/\\([^A-Za-z0-9\s])/g, '$1')
  if (!/^(https?|discord):\/\//i.test(url) || /https?:\/\//i.test(label)) return undefined
  return { kind: 'link', url, children: parseInline(label, depth + 1) }
}

const deepest = 10

/** Reads the markdown within a line. Unclosed or unknown marks stay text. */
export function parseInline(source: string, depth = 0): Inline[] {
  const found: Inline[] = []
  let text = ''
  let at = 0
  while (at < source.length) {
    const hit = depth < deepest ? matchAt(source, at, depth) : undefined
    if (hit === undefined) text += source[at++]
    else {
      if (hit.node.kind === 'text') text += hit.node.text
      else {
        if (text !== '') found.push(plain(text))
        text = ''
        found.push(hit.node)
      }
      at += hit.length
    }
  }
  if (text !== '') found.push(plain(text))
  return found
}

function matchAt(
  source: string,
  at: number,
  depth: number,
): { node: Inline; length: number } | undefined {
  if (!/[\\`<@[h*_~|]/.test(source[at] ?? '')) return undefined
  // An underscore or an address inside a word is part of the word.
  const inWord = /\w/.test(source[at - 1] ?? '') && /[_h]/.test(source[at] ?? '')
  if (inWord && !source.startsWith('__', at)) return undefined
  for (const [pattern, make] of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    const node = match === null ? undefined : make(match, depth)
    if (match !== null && node !== undefined) return { node, length: match[0].length }
  }
  return undefined
}

const fence = /^([\s\S]*?)```(?:([\w+-]+)\n)?\n*([\s\S]*?[^\n]?)\n*```([\s\S]*)$/
const listMark = /^( *)([-*]|\d{1,9}\.) +(?=\S)/

/** Reads a whole text: code blocks first, then quotes, headings, subtext, lists and plain lines. */
export function parseMarkdown(source: string): Block[] {
  const code = fence.exec(source)
  if (code === null || code[3] === '') return parseLines(source.split('\n'))
  const [, before = '', , text = '', after = ''] = code
  return [
    ...(before === '' ? [] : parseLines(before.replace(/\n$/, '').split('\n'))),
    { kind: 'code', text },
    ...(after === '' ? [] : parseMarkdown(after.replace(/^\n/, ''))),
  ]
}

function parseLines(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0)
      blocks.push({ kind: 'paragraph', children: parseInline(paragraph.join('\n')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const special = parseSpecial(lines, at)
    if (special === undefined) paragraph.push(lines[at++] ?? '')
    else {
      flush()
      blocks.push(special.block)
      at += special.lines
    }
  }
  flush()
  return blocks
}

/** The block that starts at a line by its mark, and how many lines it takes. */
function parseSpecial(
  lines: readonly string[],
  at: number,
): { block: Block; lines: number } | undefined {
  const line = lines[at] ?? ''
  const heading = /^(#{1,3}) +(\S.*)$/.exec(line)
  if (heading !== null) {
    const children = parseInline((heading[2] ?? '').replace(/ +#*$/, ''))
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, children }, lines: 1 }
  }
  const subtext = /^-# +(\S.*)$/.exec(line)
  if (subtext !== null)
    return { block: { kind: 'subtext', children: parseInline(subtext[1] ?? '') }, lines: 1 }
  if (line.startsWith('>>> ')) {
    const rest = [line.slice(4), ...lines.slice(at + 1)]
    return { block: { kind: 'quote', blocks: parseLines(rest) }, lines: rest.length }
  }
  if (/^> /.test(line)) return parseQuote(lines, at)
  if (listMark.test(line)) return parseList(lines, at)
  return undefined
}

function parseQuote(lines: readonly string[], at: number): { block: Block; lines: number } {
  const end = lines.findIndex((line, index) => index > at && !/^> ?/.test(line))
  const taken = lines.slice(at, end === -1 ? undefined : end)
  const inner = taken.map((line) => line.replace(/^> ?/, ''))
  return { block: { kind: 'quote', blocks: parseLines(inner) }, lines: taken.length }
}

function parseList(lines: readonly string[], at: number): { block: Block; lines: number } {
  const end = lines.findIndex((line, index) => index > at && !listMark.test(line))
  const taken = lines.slice(at, end === -1 ? undefined : end)
  const items = taken.map((line) => {
    const mark = listMark.exec(line)
    const depth = Math.min(Math.ceil((mark?.[1]?.length ?? 0) / 2), 5)
    return { depth, children: parseInline(line.slice(mark?.[0].length ?? 0)) }
  })
  const first = listMark.exec(taken[0] ?? '')?.[2] ?? '-'
  const ordered = first.endsWith('.')
  const start = ordered ? Number.parseInt(first, 10) : 1
  return { block: { kind: 'list', ordered, start, items }, lines: taken.length }
}
