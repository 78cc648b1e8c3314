import { el } from './discord-dom.ts'
import { type Block, type Inline, type ListItem, parseMarkdown } from './discord-markdown.ts'

/** Names behind the ids in mentions. */
export type Names = (kind: 'user' | 'role' | 'channel', id: string) => string | undefined

/** Markdown as Discord shows it. Nothing of the text becomes markup but what the parser recognised. */
export function renderMarkdown(source: string, names: Names): HTMLElement {
  return el(
    'div',
    { class: 'dc-markdown' },
    ...parseMarkdown(source).map((b) => renderBlock(b, names)),
  )
}

/** Its words alone, in one line. */
export function plainMarkdown(source: string, names: Names): string {
  const words = parseMarkdown(source).map((block) => linesOf(block, names).join(' '))
  return words.join(' ').replace(/\s+/gu, ' ').trim()
}

function linesOf(block: Block, names: Names): string[] {
  if (block.kind === 'quote') return block.blocks.flatMap((each) => linesOf(each, names))
  if (block.kind === 'list') return block.items.map((item) => wordsOf(item.children, names))
  return [block.kind === 'code' ? block.text : wordsOf(block.children, names)]
}

function wordsOf(children: readonly Inline[], names: Names): string {
  return el('span', {}, ...inlines(children, names)).textContent
}

function renderBlock(block: Block, names: Names): HTMLElement {
  switch (block.kind) {
    case 'code':
      return el('pre', { class: 'dc-codeblock' }, el('code', {}, block.text))
    case 'quote':
      return el(
        'blockquote',
        { class: 'dc-quote' },
        ...block.blocks.map((b) => renderBlock(b, names)),
      )
    case 'heading':
      return el('div', { class: `dc-h${block.level}` }, ...inlines(block.children, names))
    case 'subtext':
      return el('div', { class: 'dc-subtext' }, ...inlines(block.children, names))
    case 'list':
      return renderList(block, names)
    default:
      return el('div', { class: 'dc-paragraph' }, ...inlines(block.children, names))
  }
}

function renderList(list: Extract<Block, { kind: 'list' }>, names: Names): HTMLElement {
  const item = ({ depth, children }: ListItem) => {
    const element = el('li', {}, ...inlines(children, names))
    element.style.setProperty('--depth', String(depth))
    return element
  }
  if (!list.ordered) return el('ul', { class: 'dc-list' }, ...list.items.map(item))
  return el('ol', { class: 'dc-list', start: String(list.start) }, ...list.items.map(item))
}

function inlines(children: readonly Inline[], names: Names): (Node | string)[] {
  return children.map((child) => renderInline(child, names))
}

const tags = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

function renderInline(node: Inline, names: Names): Node | string {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return el('code', { class: 'dc-code' }, node.text)
    case 'link':
      return el(
        'a',
        { href: node.url, title: node.url, target: '_blank', rel: 'noopener noreferrer' },
        ...inlines(node.children, names),
      )
    case 'time':
      return renderTime(node.unix, node.style)
    case 'mention':
      return el('span', { class: 'dc-mention' }, mentionText(node, names))
    case 'emoji':
      return el('span', { class: 'dc-emoji' }, `:${node.name}:`)
    case 'spoiler':
      return renderSpoiler(inlines(node.children, names))
    default:
      return el(tags[node.kind], {}, ...inlines(node.children, names))
  }
}

function renderSpoiler(children: (Node | string)[]): HTMLElement {
  const spoiler = el('span', { class: 'dc-spoiler', tabindex: '0', role: 'button' }, ...children)
  spoiler.addEventListener('click', () => spoiler.classList.add('shown'))
  return spoiler
}

function mentionText(node: Extract<Inline, { kind: 'mention' }>, names: Names): string {
  switch (node.what) {
    case 'everyone':
      return `@${node.value}`
    case 'command':
      return `/${node.value}`
    case 'channel':
      return `#${names('channel', node.value) ?? 'unknown'}`
    default:
      return `@${names(node.what, node.value) ?? `unknown-${node.what}`}`
  }
}

const formats: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
}

/** A point in time in the reader's zone; relative ones are kept current by `refreshTimes`. */
function renderTime(unix: number, style: string): HTMLElement {
  const date = new Date(unix * 1000)
  if (Number.isNaN(date.getTime())) return el('span', { class: 'dc-time' }, 'Invalid Date')
  const full = date.toLocaleString(undefined, formats.F)
  const shown = style === 'R' ? relative(unix) : date.toLocaleString(undefined, formats[style])
  const live = style === 'R' ? String(unix) : undefined
  return el(
    'time',
    { class: 'dc-time', title: full, datetime: date.toISOString(), 'data-unix': live },
    shown,
  )
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Such as "3 minutes ago" or "in 2 days". */
function relative(unix: number, now = Date.now()): string {
  const seconds = unix - now / 1000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })
  return format.format(Math.round(seconds / size), unit)
}

/** Writes every relative time below an element anew. */
export function refreshTimes(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>('time[data-unix]'))
    element.textContent = relative(Number(element.dataset.unix))
}
