import type { Chain } from '../../chain/chains.ts'
import { shortenUnits } from '../../chat/text.ts'
import type { Span } from '../../chat/view.ts'
import type { Draft } from '../../launch/draft.ts'

export type Field = [label: string, value: Span[]]

const longestAddress = 60
const shortestDescription = 80

/** What it is called, and where it will live. */
export function tokenFields(parts: {
  draft: Draft
  chain?: Chain | undefined
  templateLabel?: string | undefined
}): Field[] {
  const { answers } = parts.draft
  return [
    ...(parts.chain ? [['Chain', [parts.chain.name]] satisfies Field] : []),
    ...(parts.templateLabel === undefined
      ? []
      : [['Template', [parts.templateLabel]] satisfies Field]),
    ['Name', [{ bold: answers.name ?? '' }]],
    ...(answers.symbol === undefined
      ? []
      : [['Symbol', [{ bold: `$${answers.symbol}` }]] satisfies Field]),
  ]
}

/** Whose accounts it is about. */
export function walletFields({ answers, goal }: Draft): Field[] {
  const { wallet, feeReceiver } = answers
  const same: Span = goal === 'launch' ? 'the same wallet' : 'not given'
  return [
    ...(wallet ? [['Wallet that signs', [{ code: wallet }]] satisfies Field] : []),
    ['Fee receiver (in the metadata)', [feeReceiver ? { code: feeReceiver } : same]],
  ]
}

/** What strangers will see of it, in about `room` characters: links and description are cut where it is too much. */
export function looksFields({ answers }: Draft, room: number): Field[] {
  const { picture, links = [], categories = [], description = '' } = answers
  const above: Field[] = [
    ['Picture', [picture ? { code: shortCid(picture.cid) } : 'none']],
    ['Categories', [categories.length > 0 ? categories.join(', ') : 'none']],
  ]
  const left = room - sizeOf(above)
  const shown = linkFields(links, left / 2)
  const most = Math.max(shortestDescription, Math.floor((left - sizeOf(shown)) / 2))
  return [
    ...above,
    ...shown,
    ['Description', [description === '' ? 'none' : shortenUnits(description, most)]],
  ]
}

function shortCid(cid: string): string {
  return cid.length > 20 ? `${cid.slice(0, 12)}…${cid.slice(-6)}` : cid
}

function linkFields(links: NonNullable<Draft['answers']['links']>, room: number): Field[] {
  if (links.length === 0) return [['Links', ['none']]]
  const rows = links.map(linkField)
  const fits = rows.filter((_, index) => sizeOf(rows.slice(0, index + 1)) <= room)
  const more = rows.length - fits.length
  if (more === 0) return fits
  return [...fits, [fits.length === 0 ? 'Links' : 'More links', [String(more)]]]
}

/** A long address is shown by its beginning, and leads nowhere: the whole of it would leave no room for the rest. */
function linkField({ label, url }: { label: string; url: string }): Field {
  const text = url.replace(/^https:\/\//u, '').replace(/\/$/u, '')
  const shown = shortenUnits(text, longestAddress)
  return [`Link ${label}`, [shown === text ? { link: shown, url } : { code: shown }]]
}

/** About how many characters fields take at most, with the marks that a platform adds and doubled where it escapes. */
export function sizeOf(fields: readonly Field[]): number {
  return fields.reduce((sum, [label, value]) => sum + 12 + 2 * label.length + spansSize(value), 0)
}

/** The same of spans. */
export function spansSize(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + spanSize(span), 0)
}

function spanSize(span: Span): number {
  if (typeof span === 'string') return 2 * span.length
  if ('bold' in span) return 2 * span.bold.length + 4
  if ('code' in span) return span.code.length + 2
  if ('link' in span) return 2 * span.link.length + span.url.length + 6
  return 24
}
