import { z } from 'zod'
import { chainById } from '../../chain/chains.ts'
import { formatLine, nearest } from '../../core/command.ts'
import type { Block, Item, Span, View } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import { changePercent, progressPercent } from '../../views/number.ts'
import { moneyText, tokenName, tokenSymbol } from '../../views/token.ts'
import {
  type AlertKind,
  filterText,
  integerIn,
  ranges,
  type ShownEvent,
  scopeSchema,
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
  /** A ratio: 0.1 is +10 percent. */
  change24h: decimal.optional(),
  /** 0 to 1. */
  progress: decimal.optional(),
  endsAt: z.number().optional(),
})
export type DigestEntry = z.output<typeof entry>

const body = z.object({
  kind: z.literal('digest'),
  /** The digest's scope; absent in events that older versions stored. */
  scope: scopeSchema.optional(),
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
  label: '🗓 Daily summary',
  about: 'once a day, what happened',
  assets: 'many',
  inFollowButton: false,
  setting: digestSetting,
  options: ['hour', 'zone'],
  settingFrom: ({ hour = 9, zone = 'UTC' }) => ({ hour, zone }),
  optionsFrom: (setting) => setting,
  presets: () => [7, 9, 12, 18, 21].map((hour) => ({ label: hourText(hour), options: { hour } })),
  example: () => 'hour:7 zone:Berlin',
  ruleText: ({ hour, zone }, { filter }) => `${nameWith(filter)} at ${hourText(hour)}, ${zone}`,
  settingText: () => '',
  // The default: the bot can't know a person's own zone.
  hint: ({ zone }) =>
    zone === 'UTC'
      ? { text: 'The hour is one of UTC. For your own: ', options: 'zone:Berlin' }
      : undefined,
  isOver: () => false,
  detection: { from: 'schedule' },
  body,
  view: digestView,
}

/** Example: `09:00` */
function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** Names the digest's scope, as one chat may subscribe to several. */
function nameWith(filter: string): string {
  return `Daily summary${filter === '' ? '' : ` of auctions${filter}`}`
}

function digestView({ body: content, now }: ShownEvent<DigestBody>): View {
  const sections = [
    ['Ending within 24 hours', content.endingSoon, (each: DigestEntry) => endsDetail(each, now)],
    ['Newest', content.newest, worthDetail],
    ['Graduated', content.graduated, worthDetail],
    ['Moved most', content.movers, changeDetail],
  ] as const
  let first = 1
  const blocks = sections.flatMap(([label, entries, detail]): Block[] => {
    if (entries.length === 0) return []
    const items = entries.map((each) => entryItem(each, detail(each)))
    const list: Block = { kind: 'list', first, items }
    first += items.length
    return [{ kind: 'text', spans: [{ bold: label }] }, list]
  })
  const { live, wentLive, graduated } = content.counts
  const counts = `${live} live · ${wentLive} went live · ${graduated} graduated`
  return {
    title: [`🗓 ${nameWith(filterText(content.scope ?? {}))}, ${content.date}`],
    blocks: [
      { kind: 'text', spans: [counts] },
      ...blocks,
      { kind: 'text', quiet: true, spans: [`Days as in ${content.zone}.`] },
    ],
    buttons: [
      [
        { label: 'Live auctions', line: 'assets live', opens: true },
        { label: '🔔 Alerts', line: 'alerts', opens: true },
      ],
    ],
  }
}

function entryItem(each: DigestEntry, detail: readonly Span[]): Item {
  const symbol = tokenSymbol(each.symbol)
  const name = tokenName(each.name)
  return {
    spans: [{ bold: name }, ...(symbol ? [` ${symbol}`] : []), ...detail],
    open: {
      label: [name, symbol].filter(Boolean).join(' '),
      line: formatLine('asset', each.asset, { chain: each.chain }),
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

function worthDetail({ progress, ...each }: DigestEntry): Span[] {
  return [
    ...capDetail(each),
    ...(progress === undefined || progress === '1' ? [] : [` · ${progressPercent(progress)} sold`]),
  ]
}

function changeDetail(each: DigestEntry): Span[] {
  const { change24h } = each
  return [
    ...(change24h === undefined ? [] : [` · ${changePercent(change24h)}`]),
    ...capDetail(each),
  ]
}

function capDetail({ marketCap, chain, numeraire }: DigestEntry): Span[] {
  return marketCap ? [` · ${moneyText(marketCap, chainById(chain), numeraire)}`] : []
}

/**
 * Parses a time zone: an IANA name in any case, or the name of its city.
 * @example
 * parseZone('berlin') // 'Europe/Berlin'
 * @throws UserError that suggests a similar one
 */
export function parseZone(raw: string): string {
  const typed = raw.trim().replaceAll(/\s+/gu, '_')
  const zone =
    canonicalZone(typed) ?? cities().get(typed.toLowerCase()) ?? zoneUnderOlderName(typed)
  if (zone !== undefined) return zone
  const near = nearZone(typed.toLowerCase())
  throw new UserError(
    `"${raw}" is no time zone.${near ? ` Did you mean ${near}?` : ''} ` +
      'Give a city or a name such as Europe/Berlin, America/New_York or UTC.',
  )
}

/** Time zones whose name contains what was typed, for autocomplete. */
export function zonesLike(typed: string, limit: number): string[] {
  const term = typed.trim().toLowerCase().replaceAll(/\s+/gu, '_')
  return allZones()
    .filter((zone) => zone.toLowerCase().includes(term))
    .slice(0, limit)
}

/** Undefined for plain offsets such as +02:00, which ignore daylight saving. */
function canonicalZone(typed: string): string | undefined {
  if (!/^[a-z][\w/+-]{1,63}$/iu.test(typed)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Finds cities that Node.js lists under an older name, such as Kolkata under Calcutta. */
function zoneUnderOlderName(city: string): string | undefined {
  const regions = new Set(allZones().map((zone) => zone.split('/', 1)[0] ?? zone))
  return [...regions].map((region) => canonicalZone(`${region}/${city}`)).find(Boolean)
}

function allZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

function cities(): Map<string, string> {
  return new Map(allZones().map((zone) => [cityOf(zone), zone]))
}

function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).toLowerCase()
}

function nearZone(typed: string): string | undefined {
  const byCity = cities()
  const city = nearest(cityOf(typed), [...byCity.keys()])
  return city === undefined ? undefined : byCity.get(city)
}
