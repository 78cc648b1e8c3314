import type { DigestEntry, NewsBodyOf } from '../../alerts/news.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import { formatLine } from '../../chat/line.ts'
import type { Block, Item, Span, View } from '../../chat/view.ts'
import { changePercent, progressPercent } from '../number.ts'
import { moneyText, tokenName, tokenSymbol } from '../token.ts'
import type { Told } from './headline.ts'
import { digestScope } from './rule-text.ts'

type Digest = NewsBodyOf<'digest'>

/** The daily summary: how much happened, what ends soon, what is new, what graduated and what moved most. */
export function digestView({ body, now }: Told<Digest>): View {
  const sections = [
    ['Ending within 24 hours', body.endingSoon, (entry: DigestEntry) => endsDetail(entry, now)],
    ['Newest', body.newest, worthDetail],
    ['Graduated', body.graduated, worthDetail],
    ['Moved most', body.movers, changeDetail],
  ] as const
  let first = 1
  const blocks = sections.flatMap(([label, entries, detail]): Block[] => {
    if (entries.length === 0) return []
    const items = entries.map((entry) => entryItem(entry, detail(entry)))
    const list: Block = { kind: 'list', first, items }
    first += items.length
    return [{ kind: 'text', spans: [{ bold: label }] }, list]
  })
  return {
    title: [`🗓 ${nameOf(body)}, ${body.date}`],
    blocks: [
      { kind: 'text', spans: [countsText(body)] },
      ...blocks,
      { kind: 'text', quiet: true, spans: [`Days as in ${body.zone}.`] },
    ],
    buttons: [
      [
        { label: 'Live auctions', run: 'assets live', opens: true },
        { label: '🔔 Alerts', run: 'alerts', opens: true },
      ],
    ],
  }
}

/** A summary as one line among other news. */
export function digestItem(body: Digest): Item {
  return {
    spans: ['🗓 ', { bold: nameOf(body) }, `: ${countsText(body)}`],
    open: { label: 'Live auctions', run: 'assets live' },
  }
}

/** Several may come to one chat: each says what it is about. */
function nameOf({ scope = {} }: Digest): string {
  return `Daily summary${digestScope(scope)}`
}

function countsText({ counts: { live, wentLive, graduated } }: Digest): string {
  return `${live} live · ${wentLive} went live · ${graduated} graduated`
}

function entryItem(entry: DigestEntry, detail: readonly Span[]): Item {
  const symbol = tokenSymbol(entry.symbol)
  const name = tokenName(entry.name)
  return {
    spans: [{ bold: name }, ...(symbol ? [` ${symbol}`] : []), ...detail],
    open: {
      label: [name, symbol].filter(Boolean).join(' '),
      run: formatLine('asset', entry.asset, { chain: entry.chain }),
    },
  }
}

function endsDetail({ progress, endsAt }: DigestEntry, now: number): Span[] {
  return [
    ...(progress === undefined ? [] : [` · ${progressPercent(progress)} sold`]),
    ...(endsAt === undefined || endsAt <= now
      ? []
      : [' · ends ', { time: endsAt, as: 'relative' } satisfies Span]),
  ]
}

function worthDetail(entry: DigestEntry): Span[] {
  const { marketCap, progress } = entry
  return [
    ...(marketCap ? [` · ${moneyText(marketCap, chainOf(entry), entry.numeraire)}`] : []),
    ...(progress === undefined || progress === '1' ? [] : [` · ${progressPercent(progress)} sold`]),
  ]
}

function changeDetail(entry: DigestEntry): Span[] {
  const { change24h, marketCap } = entry
  return [
    ...(change24h === undefined ? [] : [` · ${changePercent(change24h)}`]),
    ...(marketCap ? [` · ${moneyText(marketCap, chainOf(entry), entry.numeraire)}`] : []),
  ]
}

function chainOf({ chain }: DigestEntry): Chain {
  return chainById(chain)
}
