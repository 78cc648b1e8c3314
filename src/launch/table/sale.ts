import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { decimal, type Ratio, wad } from '../../chain/airlock/curve.ts'
import type { AccountOrRole, Graduation } from '../../chain/airlock/effects.ts'
import { price } from '../../views/number.ts'
import {
  accountSchema,
  accountText,
  addressText,
  afterLock,
  canonical,
  decimalSchema,
  defineRow,
  dollarsText,
  durationText,
  inQuoteUnits,
  isClose,
  isSameAddress,
  isSameMoment,
  isStranger,
  listText,
  momentOf,
  momentSchema,
  momentText,
  percentDecimals,
  percentOf,
  type RowText,
  roleOf,
  roles,
  roundDecimal,
  textSchema,
  timePart,
  tinyAmountReason,
  tokenDecimals,
  tokensText,
  type Viewpoint,
  withThousands,
} from './value.ts'

/** Rows about what the token costs, and when. */
export const priceRows = {
  quote: defineRow({
    group: 'Price',
    label: 'Quote token',
    schema: accountSchema,
    read: ({ quote }) => quote.toLowerCase(),
    text: (value, { quote }) => {
      // The known symbol may belong to another token than the one asked for.
      if (quote.address !== undefined && !isSameAddress(value, quote.address))
        return addressText(value)
      return quote.known ? [quote.symbol] : [`${quote.symbol} `, ...addressText(value)]
    },
    unusualReason: (_, { quote }) =>
      quote.known ? undefined : 'buyers pay with a token that this bot does not know',
  }),
  opening: defineRow({
    group: 'Price',
    label: 'Opening price',
    schema: z.object({
      price: z.optional(decimalSchema),
      cap: z.union([decimalSchema, z.tuple([decimalSchema, decimalSchema])]),
    }),
    read: ({ opening, supply }, { quote }) => {
      if (!opening || quote.decimals === undefined) return undefined
      const each = inQuoteUnits(opening, quote.decimals)
      return { price: decimal(each, 6), cap: decimal(times(each, supply), 6) }
    },
    text: ({ price: each, cap }, { quote }, effects) => {
      const [lowest, highest] = typeof cap === 'string' ? [cap] : cap
      const range =
        highest === undefined ? price(lowest) : `between ${price(lowest)} and ${price(highest)}`
      const worth = highest === undefined ? dollarsText(lowest, quote) : ''
      const first = each === undefined ? [] : [`${price(each)} ${quote.symbol} per token, `]
      const buys =
        effects?.buys === undefined
          ? []
          : [`. At the start 1 ${quote.symbol} buys ${compact(effects.buys)} tokens`]
      return [...first, `market cap ${range} ${quote.symbol}${worth}`, ...buys]
    },
    isSame: ({ cap }, does) => {
      const found = typeof does.cap === 'string' ? Number(does.cap) : Number.NaN
      return typeof cap === 'string'
        ? isClose(cap, String(found), 1e-4)
        : found >= Number(cap[0]) && found <= Number(cap[1])
    },
    unusualReason: ({ cap }, { quote }) => {
      const worth = tinyAmountReason(typeof cap === 'string' ? cap : cap[0], quote)
      return worth && `the opening market cap is ${worth}`
    },
  }),
  curve: defineRow({
    group: 'Price',
    label: 'Price later',
    schema: z.object({ to: decimalSchema, cap: decimalSchema, falls: z.boolean() }),
    read: ({ end, supply, raise }, { quote }) => {
      if (!end || quote.decimals === undefined) return undefined
      const each = inQuoteUnits(end, quote.decimals)
      const falls = raise !== undefined
      return { to: decimal(each, 6), cap: decimal(times(each, supply), 6), falls }
    },
    text: ({ to, cap, falls }, { quote }, effects) => {
      const move = falls ? 'falls while nobody buys, down to' : 'rises as people buy, up to'
      const end = `${move} ${price(to)} ${quote.symbol} per token (market cap ${price(cap)} ${quote.symbol}${dollarsText(cap, quote)})`
      const all =
        effects?.cost === undefined || quote.decimals === undefined
          ? []
          : [
              `. Buying all that is for sale costs ${price(formatUnits(effects.cost, quote.decimals))} ${quote.symbol}`,
            ]
      return [end, ...all]
    },
    isSame: (asked, does) =>
      asked.falls === does.falls &&
      isClose(asked.to, does.to, 1e-4) &&
      isClose(asked.cap, does.cap, 1e-4),
    unusualReason: ({ to, falls }, { quote }, { cost, opening }) => {
      if (quote.decimals === undefined) return undefined
      const worth =
        cost === undefined ? undefined : tinyAmountReason(formatUnits(cost, quote.decimals), quote)
      if (worth) return `all that is for sale costs ${worth}`
      const first = opening && Number(decimal(inQuoteUnits(opening, quote.decimals), 6))
      return !falls && first !== undefined && Number(to) < first * 1.1
        ? 'the price hardly rises, however many buy'
        : undefined
    },
  }),
  shape: defineRow({
    group: 'Price',
    label: 'Curve details',
    schema: textSchema,
    read: ({ shape }) => shape,
    text: (value) => [value],
  }),
  raise: defineRow({
    group: 'Price',
    label: 'To be raised',
    schema: z.object({ min: decimalSchema, max: decimalSchema }),
    read: ({ raise }, { quote }) =>
      raise && quote.decimals !== undefined
        ? {
            min: formatUnits(raise.min, quote.decimals),
            max: formatUnits(raise.max, quote.decimals),
          }
        : undefined,
    text: ({ min, max }, { quote: { symbol } }) => [
      min === '0'
        ? 'any amount'
        : `at least ${withThousands(min)} ${symbol}; with less it does not graduate, and buyers can only sell back`,
      `. It ends early at ${withThousands(max)} ${symbol}`,
    ],
  }),
  trading: defineRow({
    group: 'Price',
    label: 'Trading',
    schema: z.object({ from: momentSchema, seconds: z.optional(z.number()) }),
    read: ({ starts, ends, pool }, view) =>
      pool === undefined
        ? undefined
        : {
            from: momentOf(starts ?? 0, view),
            ...(ends !== undefined && starts !== undefined && { seconds: ends - starts }),
          },
    text: ({ from, seconds }, _, effects) => [
      ...(from === 'now' ? ['starts at once'] : ['starts ', ...momentText(from)]),
      ...(seconds === undefined
        ? [' and has no end']
        : [`, lasts ${durationText(seconds)} at most`]),
      ...(effects?.ends === undefined ? [] : [', until ', timePart(effects.ends)]),
    ],
    isSame: (asked, does, view) =>
      isSameMoment(asked.from, does.from, view) && asked.seconds === does.seconds,
  }),
  purchase: defineRow({
    group: 'Price',
    label: 'First purchase',
    schema: z.object({ paid: decimalSchema, least: decimalSchema, to: accountSchema }),
    read: ({ purchase }, view) =>
      purchase && {
        paid: formatUnits(purchase.paid, view.quote.decimals ?? tokenDecimals),
        least: formatUnits(purchase.least, tokenDecimals),
        to: purchase.to === 'sender' ? 'you' : roleOf(purchase.to, view),
      },
    text: ({ paid, least, to }, view) => [
      `at least ${tokensText(least)} for ${withThousands(paid)} ${view.quote.symbol}, to `,
      ...accountText(to, view),
    ],
    unusualReason: () => 'it buys tokens in the same transaction, which nobody asked for',
  }),
}

function compact(amount: bigint): string {
  const number = Number(formatUnits(amount, tokenDecimals))
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 }).format(
    number,
  )
}

function times({ numerator, denominator }: Ratio, amount: bigint): Ratio {
  return { numerator: numerator * amount, denominator: denominator * wad }
}

/** An account or role, `locked` (for ever), or `locked ` and the owner after the lock. */
const liquidityOwner = z
  .string()
  .check(z.regex(new RegExp(`^(?:locked|(?:locked )?${roles})$`, 'u')))

const proceeds = z.object({
  locked: z.boolean(),
  to: z.optional(z.enum(['v2', 'v4'])),
  split: z.optional(z.object({ to: accountSchema, percent: decimalSchema })),
  at: z.optional(decimalSchema),
  fails: z.optional(z.boolean()),
  stuck: z.optional(z.boolean()),
})

/** Rows about what becomes of the money that is raised. */
export const proceedsRows = {
  proceeds: defineRow<z.infer<typeof proceeds>>({
    group: 'Proceeds',
    label: 'What is raised',
    schema: proceeds,
    read: ({ locked, graduation, graduatesAt, raise }, view) => {
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
        ...(at && { at: decimal(inQuoteUnits(graduatesAt, quote.decimals ?? tokenDecimals), 6) }),
      }
    },
    text: ({ locked, to, split, at, fails, stuck }, view) => {
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
        ? [`${roundDecimal(split.percent)}% to `, ...accountText(split.to, view), ', the rest']
        : ['all of it']
      const end = fails
        ? '. But that fails: once all is sold, no tokens are left for the new pool, so it can never graduate'
        : ''
      return [`at graduation, ${when}: `, ...part, ` becomes liquidity on ${pool}${end}`]
    },
    isSame: (asked, does, view) =>
      (asked.at === undefined || does.at === undefined || isClose(asked.at, does.at, 1e-4)) &&
      canonical({ ...asked, at: undefined }, view) === canonical({ ...does, at: undefined }, view),
    unusualReason: ({ split, fails, stuck }) => {
      if (stuck) return 'what is raised can never leave the auction'
      if (fails) return 'it can never graduate'
      return split && isStranger(split.to) && Number(split.percent) > 0
        ? 'part of what is raised goes to an account that nobody named'
        : undefined
    },
  }),
  liquidity: defineRow({
    group: 'Proceeds',
    label: 'Liquidity after graduation',
    schema: z.array(
      z.object({ to: liquidityOwner, percent: decimalSchema, seconds: z.optional(z.number()) }),
    ),
    read: ({ graduation, restTo }, view) => graduation && liquidityValue(graduation, restTo, view),
    text: (lines, view) => listText(lines, (line) => liquidityWords(line, view)),
    unusualReason: (lines) =>
      lines.some(({ to }) => isStranger(to.replace(afterLock, '')))
        ? 'the liquidity goes to an account that nobody named'
        : undefined,
  }),
}

function liquidityValue(
  { liquidity }: Graduation,
  timelock: AccountOrRole | undefined,
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
    percent: percentOf(share, wad),
    ...(seconds !== undefined && { seconds }),
  }))
}

function liquidityWords(
  { to, percent, seconds }: { to: string; percent: string; seconds?: number | undefined },
  view: Viewpoint,
): RowText {
  if (to === 'locked') return [`${roundDecimal(percent)}% locked for ever`]
  if (!afterLock.test(to)) return [`${roundDecimal(percent)}% to `, ...accountText(to, view)]
  return [
    `${roundDecimal(percent)}% locked for ${durationText(seconds ?? 0)}, then to `,
    ...accountText(to.replace(afterLock, ''), view),
  ]
}
