import { z } from 'zod'
import { chainById } from '../../chain/chains.ts'
import { formatLine } from '../../core/command.ts'
import { changePercent } from '../../core/number.ts'
import { type Block, type Item, small, type Text, t, text, type View } from '../../core/view.ts'
import { moneyText } from '../../views/money.ts'
import { nameAndSymbol, tokenName, tokenSymbol } from '../../views/token.ts'
import { endDetail, soldDetail } from './asset-view.ts'
import {
  type AlertKind,
  filtersOf,
  integerIn,
  minimums,
  ranges,
  type ShownEvent,
  scopeSchema,
  withFilters,
} from './kind.ts'

/** The hour of the day in an IANA time zone. */
export const digestSetting = z.strictObject({
  hour: integerIn(ranges.hour),
  zone: z
    .string()
    .max(64)
    .transform((zone) => zone.toWellFormed()),
})
export type DigestSetting = z.output<typeof digestSetting>

const decimal = z.string().max(120)
const money = z.object({ amount: decimal, currency: z.enum(['usd', 'numeraire']) })
const address = z.string().max(128)

const entry = z.object({
  asset: address,
  chain: z.number(),
  name: z.string().max(300),
  symbol: z.string().max(100),
  price: money.optional(),
  marketCap: money.optional(),
  numeraire: address.optional(),
  /** Symbol of the quote token, if that was launched itself. */
  quoteSymbol: z.string().max(100).optional(),
  /** A ratio: 0.1 is +10 percent. */
  change24h: decimal.optional(),
  /** 0 to 1. */
  progress: decimal.optional(),
  endsAt: z.number().optional(),
})
export type DigestEntry = z.output<typeof entry>

const body = z.object({
  kind: z.literal('digest'),
  scope: scopeSchema,
  /** Local date, such as 2026-11-21. */
  date: z.string().max(10),
  zone: z.string().max(64),
  counts: z.object({ wentLive: z.number(), graduated: z.number(), live: z.number() }),
  endingSoon: z.array(entry).max(5),
  newest: z.array(entry).max(5),
  graduated: z.array(entry).max(5),
  movers: z.array(entry).max(5),
})
export type DigestBody = z.output<typeof body>

/** Once a day, what happened: counts, what ends soon, what is new, what graduated and what moved most. */
export const digest: AlertKind<DigestSetting, DigestBody> = {
  id: 'digest',
  label: t('alerts-kind-digest'),
  about: t('alerts-about-digest'),
  assets: 'many',
  minimums,
  inFollowButton: false,
  setting: digestSetting,
  options: ['hour', 'zone'],
  settingFrom: ({ hour = 9, zone = 'UTC' }) => ({ hour, zone }),
  optionsFrom: (setting) => setting,
  presets: () => [7, 9, 12, 18, 21].map((hour) => ({ label: hourText(hour), options: { hour } })),
  example: () => 'hour:7 zone:Berlin',
  ruleText: ({ hour, zone }) => t('alerts-rule-digest', { time: hourText(hour), zone }),
  shortText: () => t('alerts-kind-digest'),
  typed: {
    label: t('alerts-set-digest'),
    ask: () => t('alerts-ask-digest', { example: { code: '9' }, city: { code: '9 Berlin' } }),
    options(text) {
      const { hour = text, half, zone = '' } = typedHour.exec(text)?.groups ?? {}
      const onClock =
        half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0)
      return { hour: Number.isNaN(onClock) ? text : String(onClock), ...(zone && { zone }) }
    },
  },
  // The default: the bot can't know a person's own zone.
  hint: ({ zone }) =>
    zone === 'UTC'
      ? { text: (line) => t('alerts-hint-zone', { line }), options: 'zone:Berlin' }
      : undefined,
  isOver: () => false,
  detection: { from: 'schedule' },
  body,
  view: digestView,
}

/** An hour with or without minutes, or of half a day, and a city behind it: `9`, `09:00`, `9pm Berlin`. */
const typedHour = /^(?<hour>\d{1,2})(?::00)? ?(?:(?<half>[ap])m)?(?:,? +(?<zone>[\p{L}/_+ -]+))?$/iu

/** Example: `09:00` */
function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

function digestView({ body: content, units, now }: ShownEvent<DigestBody>): View {
  const sections = [
    [t('alerts-digest-ending'), content.endingSoon, (each: DigestEntry) => endsDetails(each, now)],
    [t('alerts-digest-newest'), content.newest, worthDetails],
    [t('alerts-digest-graduated'), content.graduated, worthDetails],
    [t('alerts-digest-movers'), content.movers, changeDetails],
  ] as const
  let first = 1
  const blocks = sections.flatMap(([label, entries, details]): Block[] => {
    if (entries.length === 0) return []
    const items = entries.map((each) => entryItem(each, details(each)))
    const list: Block = { kind: 'list', first, items }
    first += items.length
    return [text({ bold: label }), list]
  })
  const { date, zone, scope } = content
  const { live, wentLive, graduated } = content.counts
  return {
    title: [
      withFilters(t('alerts-digest-title', { date: { day: date } }), filtersOf(scope, units)),
    ],
    blocks: [
      text(t('alerts-digest-counts', { live, wentLive, graduated })),
      ...blocks,
      small(t('alerts-digest-zone', { zone })),
    ],
    buttons: [
      [
        { label: t('alerts-button-live-auctions'), line: 'assets live', asNew: true },
        { label: t('alerts-button-alerts'), line: 'alerts', asNew: true },
      ],
    ],
  }
}

function entryItem(each: DigestEntry, details: readonly Text[]): Item {
  const symbol = tokenSymbol(each.symbol)
  return {
    spans: [
      { bold: tokenName(each.name) },
      ...(symbol ? [` ${symbol}`] : []),
      ...details.flatMap((detail) => [' · ', detail]),
    ],
    open: {
      label: nameAndSymbol(each.name, each.symbol),
      line: formatLine('asset', each.asset, { chain: each.chain }),
    },
  }
}

function endsDetails({ progress, endsAt }: DigestEntry, now: number): Text[] {
  return [...soldDetails(progress), ...endDetail(endsAt, now)]
}

function worthDetails(each: DigestEntry): Text[] {
  return [...capDetails(each), ...(each.progress === '1' ? [] : soldDetails(each.progress))]
}

function changeDetails(each: DigestEntry): Text[] {
  const { change24h } = each
  return [...(change24h === undefined ? [] : [changePercent(change24h)]), ...capDetails(each)]
}

function soldDetails(progress: string | undefined): Text[] {
  return progress === undefined ? [] : [soldDetail(progress)]
}

function capDetails({ marketCap, chain, numeraire, quoteSymbol }: DigestEntry): Text[] {
  if (!marketCap) return []
  const quoted = { asset_numeraire_address: numeraire, quote_symbol: quoteSymbol }
  return [t('asset-mc', { amount: moneyText(marketCap, chainById(chain), quoted) })]
}
