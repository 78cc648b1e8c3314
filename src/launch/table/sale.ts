import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { decimal, type Ratio } from '../../chain/airlock/curve.ts'
import type { Graduation, Who } from '../../chain/airlock/effects.ts'
import { price } from '../../views/number.ts'
import {
  address,
  afterLock,
  canonical,
  decimals,
  define,
  dollars,
  figure,
  grouped,
  inQuote,
  inTokens,
  is,
  isStranger,
  listed,
  littleWords,
  moment,
  momentOf,
  momentWords,
  near,
  percentDecimals,
  percentOf,
  roleOf,
  roles,
  round,
  sameMoment,
  span,
  text,
  timeWord,
  type Viewpoint,
  type Words,
  who,
  whole,
  whoWords,
} from './value.ts'

/** Rows about what the token costs, and when. */
export const priceRows = {
  quote: define({
    group: 'Price',
    label: 'Quote token',
    schema: who,
    of: ({ quote }) => quote.toLowerCase(),
    words: (value, { quote }) => {
      // The known symbol may belong to another token than the one asked for.
      if (quote.address !== undefined && !is(value, quote.address)) return address(value)
      return quote.known ? [quote.symbol] : [`${quote.symbol} `, ...address(value)]
    },
    unusual: (_, { quote }) =>
      quote.known ? undefined : 'buyers pay with a token that this bot does not know',
  }),
  opening: define({
    group: 'Price',
    label: 'Opening price',
    schema: z.object({
      price: z.optional(figure),
      cap: z.union([figure, z.tuple([figure, figure])]),
    }),
    of: ({ opening, supply }, { quote }) => {
      if (!opening || quote.decimals === undefined) return undefined
      const each = inQuote(opening, quote.decimals)
      return { price: decimal(each, 6), cap: decimal(times(each, supply), 6) }
    },
    words: ({ price: each, cap }, { quote }, effects) => {
      const [lowest, highest] = typeof cap === 'string' ? [cap] : cap
      const range =
        highest === undefined ? price(lowest) : `between ${price(lowest)} and ${price(highest)}`
      const worth = highest === undefined ? dollars(lowest, quote) : ''
      const first = each === undefined ? [] : [`${price(each)} ${quote.symbol} per token, `]
      const buys =
        effects?.buys === undefined
          ? []
          : [`. At the start 1 ${quote.symbol} buys ${compact(effects.buys)} tokens`]
      return [...first, `market cap ${range} ${quote.symbol}${worth}`, ...buys]
    },
    same: ({ cap }, does) => {
      const found = typeof does.cap === 'string' ? Number(does.cap) : Number.NaN
      return typeof cap === 'string'
        ? near(cap, String(found), 1e-4)
        : found >= Number(cap[0]) && found <= Number(cap[1])
    },
    unusual: ({ cap }, { quote }) => {
      const worth = littleWords(typeof cap === 'string' ? cap : cap[0], quote)
      return worth && `the opening market cap is ${worth}`
    },
  }),
  curve: define({
    group: 'Price',
    label: 'Price later',
    schema: z.object({ to: figure, cap: figure, falls: z.boolean() }),
    of: ({ end, supply, raise }, { quote }) => {
      if (!end || quote.decimals === undefined) return undefined
      const each = inQuote(end, quote.decimals)
      const falls = raise !== undefined
      return { to: decimal(each, 6), cap: decimal(times(each, supply), 6), falls }
    },
    words: ({ to, cap, falls }, { quote }, effects) => {
      const move = falls ? 'falls while nobody buys, down to' : 'rises as people buy, up to'
      const end = `${move} ${price(to)} ${quote.symbol} per token (market cap ${price(cap)} ${quote.symbol}${dollars(cap, quote)})`
      const all =
        effects?.cost === undefined || quote.decimals === undefined
          ? []
          : [
              `. Buying all that is for sale costs ${price(formatUnits(effects.cost, quote.decimals))} ${quote.symbol}`,
            ]
      return [end, ...all]
    },
    same: (asked, does) =>
      asked.falls === does.falls &&
      near(asked.to, does.to, 1e-4) &&
      near(asked.cap, does.cap, 1e-4),
    unusual: ({ to, falls }, { quote }, { cost, opening }) => {
      if (quote.decimals === undefined) return undefined
      const worth =
        cost === undefined ? undefined : littleWords(formatUnits(cost, quote.decimals), quote)
      if (worth) return `all that is for sale costs ${worth}`
      const first = opening && Number(decimal(inQuote(opening, quote.decimals), 6))
      return !falls && first !== undefined && Number(to) < first * 1.1
        ? 'the price hardly rises, however many buy'
        : undefined
    },
  }),
  shape: define({
    group: 'Price',
    label: 'Curve details',
    schema: text,
    of: ({ shape }) => shape,
    words: (value) => [value],
  }),
  raise: define({
    group: 'Price',
    label: 'To be raised',
    schema: z.object({ min: figure, max: figure }),
    of: ({ raise }, { quote }) =>
      raise && quote.decimals !== undefined
        ? {
            min: formatUnits(raise.min, quote.decimals),
            max: formatUnits(raise.max, quote.decimals),
          }
        : undefined,
    words: ({ min, max }, { quote: { symbol } }) => [
      min === '0'
        ? 'any amount'
        : `at least ${grouped(min)} ${symbol}; with less it does not graduate, and buyers can only sell back`,
      `. It ends early at ${grouped(max)} ${symbol}`,
    ],
  }),
  trading: define({
    group: 'Price',
    label: 'Trading',
    schema: z.object({ from: moment, seconds: z.optional(z.number()) }),
    of: ({ starts, ends, pool }, view) =>
      pool === undefined
        ? undefined
        : {
            from: momentOf(starts ?? 0, view),
            ...(ends !== undefined && starts !== undefined && { seconds: ends - starts }),
          },
    words: ({ from, seconds }, _, effects) => [
      ...(from === 'now' ? ['starts at once'] : ['starts ', ...momentWords(from)]),
      ...(seconds === undefined ? [' and has no end'] : [`, lasts ${span(seconds)} at most`]),
      ...(effects?.ends === undefined ? [] : [', until ', timeWord(effects.ends)]),
    ],
    same: (asked, does, view) =>
      sameMoment(asked.from, does.from, view) && asked.seconds === does.seconds,
  }),
  purchase: define({
    group: 'Price',
    label: 'First purchase',
    schema: z.object({ paid: figure, least: figure, to: who }),
    of: ({ purchase }, view) =>
      purchase && {
        paid: formatUnits(purchase.paid, view.quote.decimals ?? decimals),
        least: formatUnits(purchase.least, decimals),
        to: purchase.to === 'sender' ? 'you' : roleOf(purchase.to, view),
      },
    words: ({ paid, least, to }, view) => [
      `at least ${inTokens(least)} for ${grouped(paid)} ${view.quote.symbol}, to `,
      ...whoWords(to, view),
    ],
    unusual: () => 'it buys tokens in the same transaction, which nobody asked for',
  }),
}

function compact(amount: bigint): string {
  const number = Number(formatUnits(amount, decimals))
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 }).format(
    number,
  )
}

function times({ numerator, denominator }: Ratio, amount: bigint): Ratio {
  return { numerator: numerator * amount, denominator: denominator * whole }
}

/** An account or role, `locked` (for ever), or `locked ` and the owner after the lock. */
const liquidityOwner = z
  .string()
  .check(z.regex(new RegExp(`^(?:locked|(?:locked )?${roles})$`, 'u')))

const proceeds = z.object({
  locked: z.boolean(),
  to: z.optional(z.enum(['v2', 'v4'])),
  split: z.optional(z.object({ to: who, percent: figure })),
  at: z.optional(figure),
  fails: z.optional(z.boolean()),
  stuck: z.optional(z.boolean()),
})

/** Rows about what becomes of the money that is raised. */
export const proceedsRows = {
  proceeds: define<z.infer<typeof proceeds>>({
    group: 'Proceeds',
    label: 'What is raised',
    schema: proceeds,
    of: ({ locked, graduation, graduatesAt, raise }, view) => {
      if (locked === undefined) return undefined
      if (locked || !graduation) return { locked: true, ...(raise && { stuck: true }) }
      const { quote } = view
      const at = graduatesAt && !raise && quote.decimals !== undefined
      return {
        locked: false,
        to: graduation.to,
        ...(graduation.fails && { fails: true }),
        ...(graduation.split && {
          split: {
            to: roleOf(graduation.split.to, view),
            percent: formatUnits(graduation.split.share, percentDecimals),
          },
        }),
        ...(at && { at: decimal(inQuote(graduatesAt, quote.decimals ?? decimals), 6) }),
      }
    },
    words: ({ locked, to, split, at, fails, stuck }, view) => {
      if (stuck) {
        return [
          'stays in the auction for ever: without a liquidity migrator it never graduates, and nobody can trade there once it has ended',
        ]
      }
      if (locked) return ['stays in the pool as liquidity for ever; it never graduates']
      const pool = to === 'v2' ? 'Uniswap V2' : 'Uniswap V4'
      const when =
        at === undefined
          ? 'when the auction has ended'
          : `when the price reaches ${price(at)} ${view.quote.symbol}`
      const part = split
        ? [`${round(split.percent)}% to `, ...whoWords(split.to, view), ', the rest']
        : ['all of it']
      const end = fails
        ? '. But that fails: once all is sold, no tokens are left for the new pool, so it can never graduate'
        : ''
      return [`at graduation, ${when}: `, ...part, ` becomes liquidity on ${pool}${end}`]
    },
    same: (asked, does, view) =>
      (asked.at === undefined || does.at === undefined || near(asked.at, does.at, 1e-4)) &&
      canonical({ ...asked, at: undefined }, view) === canonical({ ...does, at: undefined }, view),
    unusual: ({ split, fails, stuck }) => {
      if (stuck) return 'what is raised can never leave the auction'
      if (fails) return 'it can never graduate'
      return split && isStranger(split.to) && Number(split.percent) > 0
        ? 'part of what is raised goes to an account that nobody named'
        : undefined
    },
  }),
  liquidity: define({
    group: 'Proceeds',
    label: 'Liquidity after graduation',
    schema: z.array(
      z.object({ to: liquidityOwner, percent: figure, seconds: z.optional(z.number()) }),
    ),
    of: ({ graduation, restTo }, view) => graduation && liquidityValue(graduation, restTo, view),
    words: (lines, view) => listed(lines, (line) => liquidityWords(line, view)),
    unusual: (lines) =>
      lines.some(({ to }) => isStranger(to.replace(afterLock, '')))
        ? 'the liquidity goes to an account that nobody named'
        : undefined,
  }),
}

function liquidityValue(
  { liquidity }: Graduation,
  timelock: Who | undefined,
  view: Viewpoint,
): { to: string; percent: string; seconds?: number | undefined }[] {
  const owner = roleOf(timelock ?? 'nobody', view)
  return liquidity.map(({ to, share, seconds }) => ({
    to:
      to === 'locked'
        ? seconds === undefined || owner === 'nobody'
          ? 'locked'
          : `locked ${owner}`
        : roleOf(to, view),
    percent: percentOf(share, whole),
    ...(seconds !== undefined && { seconds }),
  }))
}

function liquidityWords(
  { to, percent, seconds }: { to: string; percent: string; seconds?: number | undefined },
  view: Viewpoint,
): Words {
  if (to === 'locked') return [`${round(percent)}% locked for ever`]
  if (!afterLock.test(to)) return [`${round(percent)}% to `, ...whoWords(to, view)]
  return [
    `${round(percent)}% locked for ${span(seconds ?? 0)}, then to `,
    ...whoWords(to.replace(afterLock, ''), view),
  ]
}
