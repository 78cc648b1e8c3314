import { formatUnits, parseUnits } from 'viem/utils'
import type { Chain } from '../../chain/chains.ts'
import { shortenUnits } from '../../chat/text.ts'
import type { Span } from '../../chat/view.ts'
import type { Draft } from '../../launch/draft.ts'

export type Field = [label: string, value: Span[]]

/** Who shares in the fees, in per cent. */
export interface Fee {
  who: 'you' | 'protocol' | `0x${string}`
  percent: string
}

/** So many recipients of a kind each have a row; of the others the review says how many they are, and their sum. */
const mostRows = 6
/** A percentage is kept with up to 16 decimals, an amount with 18. */
const percentDecimals = 16
const tokenDecimals = 18
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

/** Who gets what, the person first, then the largest. */
export function peopleFields({ answers, goal }: Draft, fees: readonly Fee[]): Field[] {
  const { wallet, feeReceiver } = answers
  const same: Span = goal === 'launch' ? 'the same wallet' : 'not given'
  return [
    ...(wallet ? [['Wallet that signs', [{ code: wallet }]] satisfies Field] : []),
    ...(goal === 'launch' ? feeFields(fees) : []),
    ['Fee receiver (in the metadata)', [feeReceiver ? { code: feeReceiver } : same]],
    ...vestingFields(answers.vesting ?? []),
  ]
}

function feeFields(fees: readonly Fee[]): Field[] {
  const ofFees = ({ percent }: Pick<Fee, 'percent'>) => `${percent} % of the fees`
  const row = (fee: Fee, words: Span): Field => [ofFees(fee), [words]]
  const others = fees
    .filter(({ who }) => who !== 'you' && who !== 'protocol')
    .toSorted(bySize(({ percent }) => parseUnits(percent, percentDecimals)))
  const more = others.slice(mostRows)
  const sum = sumOf(
    more.map(({ percent }) => percent),
    percentDecimals,
  )
  return [
    ...fees.filter(({ who }) => who === 'you').map((fee) => row(fee, 'your wallet')),
    ...others.slice(0, mostRows).map((fee) => row(fee, { code: fee.who })),
    ...(more.length > 0
      ? [[`${more.length} more`, [`${sum} % of the fees together`]] satisfies Field]
      : []),
    ...(others.length === 0 ? [['Beneficiaries', ['none']] satisfies Field] : []),
    ...fees.filter(({ who }) => who === 'protocol').map((fee) => row(fee, 'the protocol')),
  ]
}

type Recipient = NonNullable<Draft['answers']['vesting']>[number]

function vestingFields(vesting: readonly Recipient[]): Field[] {
  if (vesting.length === 0) return [['Vesting', ['none']]]
  const sorted = largestFirst(vesting)
  const more = sorted.slice(mostRows)
  return [
    ...sorted
      .slice(0, mostRows)
      .map(
        ({ address, amount, percentage }): Field => [
          percentage === undefined
            ? `${amount} tokens, vested`
            : `${percentage} % of supply, vested`,
          [{ code: address }],
        ],
      ),
    ...(more.length > 0
      ? [[`${more.length} more, vested`, [`${togetherOf(more)} together`]] satisfies Field]
      : []),
  ]
}

/** The largest of each kind by turns: how much a percentage is in tokens is known only once the supply is. */
function largestFirst(vesting: readonly Recipient[]): Recipient[] {
  const percentages = vesting
    .filter(({ percentage }) => percentage !== undefined)
    .toSorted(bySize(({ percentage = '0' }) => parseUnits(percentage, percentDecimals)))
  const amounts = vesting
    .filter(({ amount }) => amount !== undefined)
    .toSorted(bySize(({ amount = '0' }) => parseUnits(amount, tokenDecimals)))
  return vesting.flatMap((_, index) =>
    [percentages[index], amounts[index]].filter((each) => each !== undefined),
  )
}

function togetherOf(vesting: readonly Recipient[]): string {
  const percentages = vesting.flatMap(({ percentage = [] }) => percentage)
  const amounts = vesting.flatMap(({ amount = [] }) => amount)
  return [
    ...(percentages.length > 0 ? [`${sumOf(percentages, percentDecimals)} % of supply`] : []),
    ...(amounts.length > 0 ? [`${sumOf(amounts, tokenDecimals)} tokens`] : []),
  ].join(' and ')
}

function sumOf(texts: readonly string[], decimals: number): string {
  const sum = texts.reduce((before, text) => before + parseUnits(text, decimals), 0n)
  return formatUnits(sum, decimals)
}

function bySize<T>(size: (each: T) => bigint) {
  return (one: T, other: T): number => {
    const [ofOne, ofOther] = [size(one), size(other)]
    if (ofOne === ofOther) return 0
    return ofOne > ofOther ? -1 : 1
  }
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
