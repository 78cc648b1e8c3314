import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { shortAddress } from '../../chain/address.ts'
import { decimal, type Ratio, wad } from '../../chain/airlock/curve.ts'
import type { AccountOrRole, Effects, Graduation } from '../../chain/airlock/effects.ts'
import { amount, exactly, price } from '../../core/number.ts'
import { type Figure, type Message, t } from '../../core/view.ts'
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
  percentText,
  type Quote,
  roleOf,
  roles,
  sentences,
  shareText,
  textSchema,
  timePart,
  tinyAmount,
  tokenDecimals,
  type Viewpoint,
} from './value.ts'

/** `open`: no upper limit, and how many percent of the sale are sold below `to`. */
const curve = z.object({
  to: decimalSchema,
  cap: decimalSchema,
  falls: z.boolean(),
  open: z.optional(decimalSchema),
})

/** Rows about what the token costs, and when. */
export const priceRows = {
  quote: defineRow({
    group: 'Price',
    label: t('terms-quote'),
    schema: accountSchema,
    read: ({ quote }) => quote.toLowerCase(),
    text: (value, { quote }) => {
      // The known symbol may belong to another token than the one asked for.
      if (quote.address !== undefined && !isSameAddress(value, quote.address))
        return addressText(value)
      if (quote.known) return quote.symbol
      if (isSameAddress(quote.symbol, shortAddress(value))) return addressText(value)
      const args = { symbol: quote.symbol, account: addressText(value) }
      return quote.launched
        ? t('terms-quote-launched', { ...args })
        : t('terms-quote-unknown', { ...args })
    },
    unusualReason: (_, { quote }) =>
      quote.known || quote.launched ? undefined : t('terms-why-quote'),
  }),
  opening: defineRow({
    group: 'Price',
    label: t('terms-opening'),
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
      const worth = highest === undefined ? dollarsText(lowest, quote) : undefined
      const marketCap = highest
        ? t('terms-cap-range', {
            lowest: price(lowest),
            highest: price(highest),
            quote: quote.symbol,
          })
        : capText(lowest, worth, quote)
      const first = each
        ? t('terms-opening-at', { price: price(each), quote: quote.symbol, cap: marketCap })
        : marketCap
      const { buys } = effects ?? {}
      return sentences(
        first,
        buys === undefined
          ? undefined
          : t('terms-opening-buys', {
              quote: quote.symbol,
              amount: amount(formatUnits(buys, tokenDecimals)),
            }),
      )
    },
    isSame: ({ cap }, does) => {
      const found = typeof does.cap === 'string' ? Number(does.cap) : Number.NaN
      return typeof cap === 'string'
        ? isClose(cap, String(found), 1e-4)
        : found >= Number(cap[0]) && found <= Number(cap[1])
    },
    unusualReason: ({ cap }, { quote }) => {
      const worth = tinyAmount(typeof cap === 'string' ? cap : cap[0], quote)
      if (worth === undefined) return undefined
      return worth === 'dollar' ? t('terms-why-cap-dollar') : t('terms-why-cap-thousandth')
    },
  }),
  curve: defineRow({
    group: 'Price',
    label: t('terms-curve'),
    schema: curve,
    read: (effects, view) =>
      effects.open
        ? curveValue(effects, effects.open.below, view, percentOf(effects.open.sold, wad))
        : curveValue(effects, effects.end, view),
    text: ({ to, cap, falls, open }, { quote }, effects) => {
      if (open === '0') return t('terms-curve-unlimited')
      const marketCap = capText(cap, dollarsText(cap, quote), quote)
      const args = { price: price(to), quote: quote.symbol, cap: marketCap }
      const end =
        open !== undefined
          ? t('terms-curve-open', { ...args, share: percentText(open) })
          : falls
            ? t('terms-curve-falls', { ...args })
            : t('terms-curve-rises', { ...args })
      if (effects?.cost === undefined || quote.decimals === undefined) return end
      const cost = price(formatUnits(effects.cost, quote.decimals))
      const paid = { cost, quote: quote.symbol }
      return sentences(
        end,
        open === undefined
          ? t('terms-curve-cost', { ...paid })
          : t('terms-curve-open-cost', { ...paid }),
      )
    },
    isSame: (asked, does, view, effects) => {
      // Templates from before `open` was told have the pool's last price.
      const isOld = asked.open === undefined && does.open !== undefined
      const found = isOld ? curveValue(effects, effects.end, view) : does
      return (
        found !== undefined &&
        asked.falls === found.falls &&
        isClose(asked.to, found.to, 1e-4) &&
        isClose(asked.cap, found.cap, 1e-4) &&
        isClose(asked.open ?? '0', found.open ?? '0', 1e-4)
      )
    },
    unusualReason: ({ to, falls, open }, { quote }, { cost, opening }) => {
      if (quote.decimals === undefined) return undefined
      const worth =
        cost === undefined ? undefined : tinyAmount(formatUnits(cost, quote.decimals), quote)
      if (worth === 'dollar') return t('terms-why-cost-dollar')
      if (worth === 'thousandth') return t('terms-why-cost-thousandth')
      const first = opening && Number(decimal(inQuoteUnits(opening, quote.decimals), 6))
      return !falls && open === undefined && first !== undefined && Number(to) < first * 1.1
        ? t('terms-why-flat')
        : undefined
    },
  }),
  shape: defineRow({
    group: 'Price',
    label: t('terms-shape'),
    schema: textSchema,
    read: ({ shape }) => shape,
    text: (value) => value,
  }),
  raise: defineRow({
    group: 'Price',
    label: t('terms-raise'),
    schema: z.object({ min: decimalSchema, max: decimalSchema }),
    read: ({ raise }, { quote }) =>
      raise && quote.decimals !== undefined
        ? {
            min: formatUnits(raise.min, quote.decimals),
            max: formatUnits(raise.max, quote.decimals),
          }
        : undefined,
    text: ({ min, max }, { quote: { symbol: quote } }) =>
      min === '0'
        ? t('terms-raise-any', { max: exactly(max), quote })
        : t('terms-raise-between', { min: exactly(min), max: exactly(max), quote }),
  }),
  trading: defineRow({
    group: 'Price',
    label: t('terms-trading'),
    schema: z.object({ from: momentSchema, seconds: z.optional(z.number()) }),
    read: ({ starts, ends, pool }, view) =>
      pool === undefined
        ? undefined
        : {
            from: momentOf(starts ?? 0, view),
            ...(ends !== undefined && starts !== undefined && { seconds: ends - starts }),
          },
    text: ({ from, seconds }, _, effects) => {
      const start = momentText(from)
      if (seconds === undefined) {
        return from === 'now' ? t('terms-trading-now') : t('terms-trading-from', { start })
      }
      const time = durationText(seconds)
      if (effects?.ends === undefined) return t('terms-trading-for', { start, time })
      return t('terms-trading-until', { start, time, end: timePart(effects.ends) })
    },
    isSame: (asked, does, view) =>
      isSameMoment(asked.from, does.from, view) && asked.seconds === does.seconds,
  }),
}

/** A market cap, and what it is worth in dollars. */
function capText(cap: string, dollars: Figure | undefined, { symbol: quote }: Quote): Message {
  return dollars
    ? t('terms-cap-dollars', { cap: price(cap), quote, dollars })
    : t('terms-cap', { cap: price(cap), quote })
}

/** The end of a price curve, or a price up to which a part of it is sold. */
function curveValue(
  { supply, raise }: Effects,
  end: Ratio | undefined,
  { quote }: Viewpoint,
  open?: string,
): z.infer<typeof curve> | undefined {
  if (!end || quote.decimals === undefined) return undefined
  const each = inQuoteUnits(end, quote.decimals)
  const falls = raise !== undefined
  const value = { to: decimal(each, 6), cap: decimal(times(each, supply), 6), falls }
  return { ...value, ...(open !== undefined && { open }) }
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
    label: t('terms-proceeds'),
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
      if (stuck) return t('terms-proceeds-stuck')
      if (locked) return t('terms-proceeds-locked')
      const pool = to === 'v2' ? 'Uniswap V2' : 'Uniswap V4'
      const when =
        at === undefined
          ? t('terms-graduates-at-end')
          : t('terms-graduates-at-price', { price: price(at), quote: view.quote.symbol })
      const share = split && shareText(split.percent, accountText(split.to, view))
      const end = share
        ? t('terms-proceeds-split', { when, share, pool })
        : t('terms-proceeds-all', { when, pool })
      return sentences(end, fails ? t('terms-proceeds-fail') : undefined)
    },
    isSame: (asked, does, view) =>
      (asked.at === undefined || does.at === undefined || isClose(asked.at, does.at, 1e-4)) &&
      canonical({ ...asked, at: undefined }, view) === canonical({ ...does, at: undefined }, view),
    unusualReason: ({ split, fails, stuck }) => {
      if (stuck) return t('terms-why-stuck')
      if (fails) return t('terms-why-never-graduates')
      return split && isStranger(split.to) && Number(split.percent) > 0
        ? t('terms-why-split')
        : undefined
    },
  }),
  liquidity: defineRow({
    group: 'Proceeds',
    label: t('terms-liquidity'),
    schema: z.array(
      z.object({ to: liquidityOwner, percent: decimalSchema, seconds: z.optional(z.number()) }),
    ),
    read: ({ graduation, restTo }, view) => graduation && liquidityValue(graduation, restTo, view),
    text: (lines, view) => listText(lines, (line) => liquidityWords(line, view)),
    unusualReason: (lines) =>
      lines.some(({ to }) => isStranger(to.replace(afterLock, '')))
        ? t('terms-why-liquidity')
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
): Message {
  const share = percentText(percent)
  if (to === 'locked') return t('terms-liquidity-locked', { share })
  if (!afterLock.test(to)) return t('terms-share', { share, account: accountText(to, view) })
  return t('terms-liquidity-locked-for', {
    share,
    time: durationText(seconds ?? 0),
    account: accountText(to.replace(afterLock, ''), view),
  })
}
