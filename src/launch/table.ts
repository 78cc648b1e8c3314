import type { Address } from 'viem'
import { formatUnits, getAddress } from 'viem/utils'
import * as z from 'zod/mini'
import { isAddress, isNobody } from '../chain/address.ts'
import { plain } from '../chain/airlock/calldata.ts'
import { decimal, type Ratio } from '../chain/airlock/curve.ts'
import type { Effects, Fee, Graduation, HookUse, Share, Who } from '../chain/airlock/effects.ts'
import { price } from '../views/number.ts'

// The table of what a launch does. The review shows what was asked; the chat and the signing page show next to it what
// the payload does. A row is a plain JSON value, its words, and a comparison of two values. To add an effect, add an
// entry to `definitions`.

/** A part of a row's text. Each view formats accounts in its own way, and times in the reader's time zone. */
export type Word = string | { account: Address } | { time: number }
export type Words = readonly Word[]

export type RowGroup = 'Supply' | 'Price' | 'Fees' | 'Proceeds' | 'Control' | 'Cost'

/**
 * `same`: as asked. `told`: nothing was asked. `different`: not as asked. `unusual`: nothing was asked, and it is not
 * what people expect. `different` and `unusual` make a payload "Not verified".
 */
export type RowState = 'same' | 'told' | 'different' | 'unusual'

export interface Row {
  /** Rows that are no effect of the payload itself have keys of their own. */
  key: RowKey | 'gas' | 'value' | 'metadata' | 'stranger' | 'taken'
  group: RowGroup
  label: string
  /** The payload's effect; absent at the review, before it is built. */
  does?: Words
  asked?: Words
  state: RowState
  /** Why it is unusual or not as asked. */
  why?: string
  /** Whether the deviation comes from the template instead of an answer. */
  changed?: true
  /** Whether a rehearsal on the chain showed the same. */
  rehearsed?: boolean
  /** Whether to show it first although it is as asked. */
  first?: boolean
}

/** The reader's accounts, and the known names and prices. */
export interface Viewpoint {
  wallet: Address
  /** The integrator of the operator or the template. */
  integrator?: Address | undefined
  /** The owner of the launch contract. */
  protocol?: Address | undefined
  quote: Quote
  /** Known names of modules by lower-case address. */
  modules?: ReadonlyMap<string, string>
  /** Unix seconds of the check; a start before that means immediately. */
  now: number
  /** Max accounts of a list that are named; the others are counted. */
  lines?: number | undefined
}

/** The token that buyers pay with. */
export interface Quote {
  /** Absent at the review, before a payload names it. */
  address?: Address
  symbol: string
  /** Whether the symbol is from the bot's own table instead of the token's contract. */
  known: boolean
  decimals?: number | undefined
  /** Price in dollars as a decimal text; undefined if unknown. */
  usd?: string | undefined
}

const decimals = 18
/** Decimals that turn an 18-decimal fraction into percent. */
const percentDecimals = 16
const whole = 10n ** 18n
const day = 86_400

const roles = '(?:you|nobody|dao|contract|integrator|protocol|0x[0-9a-fA-F]{40})'
/** An account or its role. */
const who = z.string().check(z.regex(new RegExp(`^${roles}$`, 'u')))
/** An account or role, `locked` (for ever), or `locked ` and the owner after the lock. */
const liquidityOwner = z
  .string()
  .check(z.regex(new RegExp(`^(?:locked|(?:locked )?${roles})$`, 'u')))
const text = z.string()
/** A decimal text: percent, whole tokens or a price. */
const figure = z.string().check(z.regex(/^\d+(?:\.\d+)?$/u))
const shares = z.array(z.object({ to: who, percent: figure }))
/** Shares of a 0% trading fee are worth nothing, whatever they are. */
const feeShares = z.union([shares, z.object({ ofNothing: shares })])
/** `now`, `at` a unix second, or `in` so many seconds after the check. */
const moment = z.union([
  z.object({ at: z.number() }),
  z.object({ in: z.number() }),
  z.literal('now'),
])
const fee = z.object({
  first: figure,
  last: z.optional(figure),
  seconds: z.optional(z.number()),
  from: z.optional(moment),
})
const hookUse = z.object({
  hook: who,
  fee,
  routing: z.number(),
  buybackTo: who,
  parts: z.array(figure),
  shares,
})
const proceeds = z.object({
  locked: z.boolean(),
  to: z.optional(z.enum(['v2', 'v4'])),
  split: z.optional(z.object({ to: who, percent: figure })),
  at: z.optional(figure),
  fails: z.optional(z.boolean()),
  stuck: z.optional(z.boolean()),
})

interface Definition<Value> {
  group: RowGroup
  label: string
  schema: z.ZodMiniType<Value>
  of(effects: Effects, view: Viewpoint): Value | undefined
  words(value: Value, view: Viewpoint, effects?: Effects): Words
  same?(asked: Value, does: Value, view: Viewpoint, effects: Effects): boolean
  /** Returns why a value that nobody asked for is not what people expect. */
  unusual?(value: Value, view: Viewpoint, effects: Effects): string | undefined
  /** Whether to show it first even if it was asked for. */
  isFirst?(value: Value): boolean
  /** Whether the asked value leaves something open that may be unusual. */
  isOpen?(asked: Value): boolean
}

function define<Value>(definition: Definition<Value>) {
  const { schema, of, words, same, unusual, isFirst, isOpen, ...rest } = definition
  const read = (value: unknown): Value => schema.parse(value)
  return {
    ...rest,
    schema,
    of,
    words: (value: unknown, view: Viewpoint, effects?: Effects) =>
      words(read(value), view, effects),
    same: (asked: unknown, does: unknown, view: Viewpoint, effects: Effects) =>
      same
        ? same(read(asked), read(does), view, effects)
        : canonical(read(asked), view) === canonical(read(does), view),
    unusual: (value: unknown, view: Viewpoint, effects: Effects) =>
      unusual?.(read(value), view, effects),
    isFirst: (value: unknown) => isFirst?.(read(value)) ?? false,
    isOpen: (asked: unknown) => isOpen?.(read(asked)) ?? false,
  }
}

const vestingLine = z.object({
  to: who,
  tokens: z.optional(figure),
  percent: z.optional(figure),
  cliff: z.optional(z.number()),
  duration: z.optional(z.number()),
})

const definitions = {
  supply: define({
    group: 'Supply',
    label: 'Supply',
    schema: z.string().check(z.regex(/^\d+(?:\.\d+)?(?: \/ \d+(?:\.\d+)?)?$/u)),
    of: ({ supply, collectible }) =>
      formatUnits(supply, decimals) +
      (collectible === undefined ? '' : ` / ${formatUnits(collectible, decimals)}`),
    words: (value) => {
      const [tokens = '', unit] = value.split(' / ')
      return [inTokens(tokens), ...(unit ? [`, a collectible for each ${grouped(unit)}`] : [])]
    },
  }),
  sale: define({
    group: 'Supply',
    label: 'For sale',
    schema: z.object({ tokens: figure, percent: figure, pool: z.optional(figure) }),
    of: ({ supply, forSale, pool }) => ({
      tokens: formatUnits(forSale, decimals),
      percent: percentOf(forSale, supply),
      ...(pool !== undefined && { pool: percentOf(pool, supply) }),
    }),
    words: ({ percent, pool }, _, effects) => {
      const taken = pool ?? percent
      const share = `${round(taken)}% of the supply`
      const amount = effects?.pool === undefined ? share : `${tokens(effects.pool)} (${share})`
      const called = near(taken, percent, 1e-6)
        ? []
        : [`. ${round(percent)}% is named as for sale, but the pool takes no more than this`]
      return [amount, ...called]
    },
    same: (asked, does) =>
      asked.tokens === does.tokens &&
      (asked.pool === undefined || near(asked.pool, does.pool ?? '0', 1e-4)),
  }),
  vesting: define({
    group: 'Supply',
    label: 'Vesting',
    schema: z.array(vestingLine),
    of: ({ vesting }, view) =>
      vesting?.map(({ to, amount, cliff, duration }) => ({
        to: roleOf(to, view),
        tokens: formatUnits(amount, decimals),
        cliff: Number(cliff),
        duration: Number(duration),
      })),
    words: (lines, view, effects) =>
      lines.length === 0
        ? ['nobody']
        : listed(
            lines.toSorted(byAmount(effects)),
            (line) => vestingWords(line, view, effects),
            '; ',
            view.lines,
          ),
    same: (asked, does, view, effects) => sameVesting(asked, does, view, effects),
    unusual: (lines) =>
      lines.some(({ duration = 0 }) => duration > 4 * 366 * day)
        ? 'vesting takes more than four years'
        : undefined,
    isOpen: (asked) => asked.some(({ duration }) => duration === undefined),
  }),
  rest: define({
    group: 'Supply',
    label: 'Rest of the supply',
    schema: z.object({ to: who, percent: figure }),
    of: ({ supply, rest, restTo }, view) =>
      rest === undefined || restTo === undefined
        ? undefined
        : { to: roleOf(restTo, view), percent: percentOf(rest, supply) },
    words: ({ to, percent }, view, effects) => {
      if (Number(percent) < 1e-9) return ['nothing is left']
      const share = `${round(percent)}%`
      const amount = effects?.rest === undefined ? share : `${tokens(effects.rest)} (${share})`
      return [`${amount} to `, ...whoWords(to, view)]
    },
    same: (asked, does, view) =>
      near(asked.percent, does.percent, 1e-4) &&
      (Number(does.percent) < 1e-9 || sameWho(asked.to, does.to, view)),
    unusual: ({ to, percent }) =>
      Number(percent) > 1e-6 && isStranger(to)
        ? 'part of the supply goes to an account that nobody named'
        : undefined,
  }),
  minting: define({
    group: 'Supply',
    label: 'Yearly minting',
    schema: z.object({ percent: figure, to: who, never: z.boolean() }),
    of: ({ minting, locked, graduation, restTo }, view) =>
      minting === undefined || minting === 0n
        ? undefined
        : {
            percent: formatUnits(minting, percentDecimals),
            to: roleOf(restTo ?? 'nobody', view),
            never: locked === true || graduation === undefined,
          },
    words: ({ percent, to, never }, view) =>
      never
        ? [
            `${round(percent)}% a year is set, but minting begins at graduation, and it never graduates`,
          ]
        : [
            `up to ${round(percent)}% of the supply a year from graduation on, to `,
            ...whoWords(to, view),
          ],
    unusual: ({ never }) =>
      never ? 'minting is set, though it never begins' : 'new tokens can be minted later',
  }),
  limit: define({
    group: 'Control',
    label: 'Balance limit',
    schema: z.object({ most: figure, until: moment, controller: who, excluded: z.array(who) }),
    of: ({ limit }, view) =>
      limit && {
        most: formatUnits(limit.most, decimals),
        until: momentOf(limit.until, view),
        controller: roleOf(limit.controller, view),
        excluded: limit.excluded.map((each) => roleOf(each, view)),
      },
    words: ({ most, until, controller, excluded }, view) => [
      `nobody may hold more than ${inTokens(most)} `,
      ...(until === 'now' ? ['(it has ended already)'] : ['until ', ...momentWords(until)]),
      ...(controller === 'nobody'
        ? ['; nobody can lift it earlier']
        : ['; ', ...whoWords(controller, view), ' can lift it earlier']),
      ...(excluded.length === 0
        ? []
        : [
            '. It does not apply to vesting, nor to ',
            ...listed(
              excluded,
              (each) => (each === 'nobody' ? ['what is burned'] : whoWords(each, view)),
              ', ',
              view.lines,
            ),
          ]),
    ],
    same: (asked, does, view) =>
      sameMoment(asked.until, does.until, view) &&
      canonical({ ...asked, until: 0 }, view) === canonical({ ...does, until: 0 }, view),
    unusual: ({ most, until, controller }, { now }, { supply }) => {
      if (controller !== 'nobody' && controller !== 'you') {
        return 'an account that nobody named controls the balance limit'
      }
      if (until === 'now') return undefined
      if (units(most, decimals) * 1000n < supply) {
        return 'nobody may hold even a thousandth of the supply'
      }
      return timeOf(until, now) > now + 366 * day
        ? 'the balance limit holds for more than a year'
        : undefined
    },
  }),
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
  tradingFee: define({
    group: 'Fees',
    label: 'Trading fee',
    schema: fee,
    of: ({ fee }, view) => fee && feeValue(fee, view),
    words: (value) => feeWords(value),
    same: (asked, does, view) => sameFee(asked, does, view),
    unusual: ({ first, last }) =>
      Number(first) > 5 || Number(last ?? 0) > 5 ? 'the trading fee is above 5%' : undefined,
  }),
  hook: define({
    group: 'Fees',
    label: 'Hook fee',
    schema: hookUse,
    of: ({ hook }, view) => hook && hookValue(hook, view),
    words: (value, view) => hookWords(value, view),
    same: (asked, does, view) => sameHook(asked, does, view),
    unusual: (value, view, { fee }) =>
      unusualHook(value, view) ??
      (Number(value.fee.first) + (fee?.first ?? 0) / 10_000 > 5
        ? 'the fees of pool and hook are above 5% together'
        : undefined),
  }),
  shares: define({
    group: 'Fees',
    label: 'Who gets the fees',
    schema: feeShares,
    of: ({ shares, fee }, view) => {
      const lines = shares && sharesValue(shares, view)
      const isFree = fee !== undefined && fee.first === 0 && fee.last === 0
      return lines && isFree && lines.length > 0 ? { ofNothing: lines } : lines
    },
    words: (value, view) => {
      if ('ofNothing' in value) {
        return [
          'nothing to share, because the trading fee is 0% (by contract ',
          ...sharesWords(value.ofNothing, view),
          ')',
        ]
      }
      return value.length === 0
        ? [
            'you get none. If it graduates, the integrator gets 80 to 95% of them and the protocol 5 to 20%',
          ]
        : ownSharesWords(value, view)
    },
    same: (asked, does, view) => {
      if ('ofNothing' in asked || 'ofNothing' in does) {
        return (
          'ofNothing' in asked &&
          'ofNothing' in does &&
          sameShares(asked.ofNothing, does.ofNothing, view)
        )
      }
      return sameShares(asked, does, view)
    },
    unusual: (value, view) =>
      !('ofNothing' in value) && paysStrangers(value, view)
        ? 'an account that nobody named gets fees'
        : undefined,
    isFirst: (value) => 'ofNothing' in value || !paysYou(value),
  }),
  integrator: define({
    group: 'Fees',
    label: 'Integrator',
    schema: who,
    of: ({ integrator }, view) =>
      isNobody(integrator) ? 'protocol' : integratorRole(integrator, view),
    words: (value, view) =>
      asRole(value, view) === 'integrator' && view.integrator
        ? [{ account: view.integrator }]
        : whoWords(value, view),
    same: (asked, does, view) => sameWho(asked, does, view),
    unusual: (value, _, { shares }) =>
      isAddress(value) && shares?.length === 0
        ? 'an account that nobody named gets most of the fees'
        : undefined,
  }),
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
  laterFee: define({
    group: 'Fees',
    label: 'Fee after graduation',
    schema: z.object({ percent: figure, dynamic: z.boolean(), spacing: z.number() }),
    of: ({ graduation }) =>
      graduation?.fee && {
        spacing: graduation.tickSpacing ?? 0,
        percent: percentOf(BigInt(graduation.fee.millionths), 1_000_000n),
        dynamic: graduation.fee.dynamic,
      },
    words: ({ percent, dynamic, spacing }) => [
      `${round(percent)}% of each trade${dynamic ? ' at first; a hook may change it' : ''}, tick spacing ${spacing}`,
    ],
    unusual: ({ percent }) =>
      Number(percent) > 5 ? 'the fee after graduation is above 5%' : undefined,
  }),
  laterHook: define({
    group: 'Fees',
    label: 'Hook fee after graduation',
    schema: hookUse,
    of: ({ graduation }, view) => graduation?.hook && hookValue(graduation.hook, view),
    words: (value, view) => [
      ...hookWords(value, view),
      ...(value.buybackTo === 'nobody'
        ? []
        : ['. What it is used for may be changed by ', ...whoWords(value.buybackTo, view)]),
    ],
    same: (asked, does, view) => sameHook(asked, does, view),
    // The buyback account can redirect everything that the hook takes to itself at any time.
    unusual: (value, view) =>
      unusualHook(value, view) ??
      (isAddress(value.buybackTo)
        ? 'an account that nobody named may take what the hook takes'
        : undefined),
  }),
  laterShares: define({
    group: 'Fees',
    label: 'Who gets later fees',
    schema: shares,
    of: ({ graduation }, view) => graduation?.shares && sharesValue(graduation.shares, view),
    words: (lines, view) => ownSharesWords(lines, view),
    same: (asked, does, view) => sameShares(asked, does, view),
    unusual: (lines, view) =>
      paysStrangers(lines, view) ? 'an account that nobody named gets fees' : undefined,
  }),
  governance: define({
    group: 'Control',
    label: 'Governance',
    schema: z.object({
      form: z.enum(['dao', 'multisig', 'none']),
      account: z.optional(who),
      name: z.optional(text),
      delay: z.optional(z.number()),
      period: z.optional(z.number()),
      threshold: z.optional(figure),
      ignored: z.optional(z.boolean()),
    }),
    of: ({ governance }, view) => {
      if (!governance) return undefined
      if (governance.form === 'none') return governance
      if (governance.form === 'multisig')
        return { form: 'multisig' as const, account: roleOf(governance.account, view) }
      const { name, votingDelay: delay, votingPeriod: period, threshold } = governance
      return {
        form: 'dao' as const,
        name,
        delay,
        period,
        threshold: formatUnits(threshold, decimals),
      }
    },
    words: ({ form, account, name, delay = 0, period = 0, threshold, ignored }, view) => {
      if (form === 'none')
        return [
          `none${ignored === undefined ? '' : ` (with a flag that no contract reads: ${ignored})`}`,
        ]
      if (form === 'multisig') {
        if (account === 'nobody') return ['nobody can decide anything']
        return account === 'you'
          ? ['you decide alone']
          : [...whoWords(account ?? 'nobody', view), ' decides alone']
      }
      const proposing =
        threshold === undefined || threshold === '0'
          ? 'Anybody may propose'
          : `Whoever has ${inTokens(threshold)} may propose`
      return [
        `a DAO${name === undefined ? '' : `, “${plain(name)}”`}: holders vote, and 8% of the supply must take part. ` +
          `${proposing}, from 90 days after the launch on. A vote begins ${count(delay, 'block')} later, lasts ` +
          `${count(period, 'block')}, and takes effect after a day`,
      ]
    },
    // A DAO is named after its token, so a template can't pin the name.
    same: (asked, does, view) =>
      canonical({ ...asked, name: asked.name ?? does.name }, view) === canonical(does, view),
    unusual: ({ form, account, period = 0 }) => {
      if (account !== undefined && isStranger(account)) {
        return 'an account that nobody named decides alone'
      }
      return form === 'dao' && period < minVoting
        ? 'a vote is so short that hardly anybody can take part'
        : undefined
    },
  }),
  owner: define({
    group: 'Control',
    label: 'Token owner',
    schema: z.object({ to: who, now: z.boolean(), hooks: z.optional(z.boolean()) }),
    of: ({ locked, graduation, restTo, shape }, view) =>
      locked === undefined || restTo === undefined
        ? undefined
        : {
            to: roleOf(locked || !graduation ? 'contract' : restTo, view),
            now: locked || !graduation,
            ...(shape?.includes('graduates at tick') &&
              locked &&
              restTo !== 'nobody' && { hooks: true }),
          },
    words: ({ to, now, hooks }, view) => [
      ...(now
        ? ['the launch contract, for ever: nobody can change name, metadata or rules']
        : to === 'nobody'
          ? ['the launch contract; from graduation on nobody']
          : [
              'the launch contract; from graduation on ',
              ...whoWords(to, view),
              ', with the right to change metadata and the rate of minting',
            ]),
      ...(hooks
        ? ['. Governance may attach another hook, which can take a fee from each trade']
        : []),
    ],
  }),
  contracts: define({
    group: 'Control',
    label: 'Contracts',
    schema: z.array(who),
    of: ({ modules }) => modules.map(({ address }) => address.toLowerCase()),
    words: (value, { modules }) =>
      listed(
        value,
        (each) => {
          const name = modules?.get(each.toLowerCase())
          return name === undefined ? address(each) : [name]
        },
        ', ',
      ),
  }),
  idle: define({
    group: 'Control',
    label: 'Set, but without effect',
    schema: z.array(text),
    of: ({ idle, unusedGraduation: unused }, view) => {
      const later = unused && [
        `what would happen at a graduation that never comes: ${JSON.stringify(unused, jsonable)}`,
      ]
      const all = [...(idle ?? []), ...(later ?? [])]
      return all.length === 0 ? undefined : all.map((each) => each.replaceAll(view.wallet, 'you'))
    },
    words: (lines) => [lines.map(plain).join('; ')],
  }),
  binding: define({
    group: 'Control',
    label: 'Who may launch it',
    schema: z.object({
      launcher: who,
      deadline: z.number(),
      hash: text,
      asset: who,
      signature: text,
    }),
    of: ({ binding }, view) =>
      binding && {
        launcher: roleOf(binding.launcher, view),
        deadline: Number(binding.deadline),
        hash: binding.paramsHash,
        asset: binding.expectedAsset.toLowerCase(),
        signature: binding.signature,
      },
    words: ({ launcher, deadline, asset, hash }, view) => [
      'only ',
      ...whoWords(launcher, view),
      ', until ',
      timeWord(deadline),
      `, as token ${asset.slice(0, 10)}…, with the operator’s signature of ${hash.slice(0, 10)}…`,
    ],
    unusual: ({ launcher }) =>
      launcher === 'you' ? undefined : 'another account is the one that may launch it',
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
} as const

export type RowKey = keyof typeof definitions
const keys = Object.keys(definitions).filter((key): key is RowKey => key in definitions)

/**
 * What was asked, by row: the template's pinned values and the person's answers. JSON, as in a file of templates; null:
 * the row must not exist; absent: nothing was asked.
 */
export type Asked = Partial<Record<RowKey, unknown>>

/**
 * Parses a template's pinned values.
 * @returns the asked rows, or the first wrong key and its fault
 */
export function readAsked(values: Record<string, unknown>): { asked: Asked } | { wrong: string } {
  for (const [key, value] of Object.entries(values)) {
    if (!isRowKey(key)) return { wrong: `there is no row ${key}; there are ${keys.join(', ')}` }
    if (value !== null && !definitions[key].schema.safeParse(value).success) {
      return { wrong: `${key} has another form` }
    }
  }
  return { asked: values }
}

function isRowKey(key: string): key is RowKey {
  return Object.hasOwn(definitions, key)
}

/** Returns a payload's values as a template would pin them; null for rows that it doesn't have. */
export function valuesOf(effects: Effects, view: Viewpoint): Asked {
  return Object.fromEntries(keys.map((key) => [key, definitions[key].of(effects, view) ?? null]))
}

/** Makes the review's rows of what is asked; rows to read first come first. */
export function askedRows(asked: Asked, viewpoint: Viewpoint): Row[] {
  const view = withSafeSymbol(viewpoint)
  const rows = keys.flatMap((key): Row[] => {
    const value = asked[key]
    if (value === undefined || value === null) return []
    const { group, label, words, isFirst } = definitions[key]
    const row: Row = { key, group, label, asked: words(value, view), state: 'told' }
    return [isFirst(value) ? { ...row, first: true } : row]
  })
  return firstOnes(rows)
}

/** Makes a payload's table; deviations and rows to read first come first. */
export function tableOf(effects: Effects, asked: Asked, viewpoint: Viewpoint): Row[] {
  const { quote, ...rest } = withSafeSymbol(viewpoint)
  const view = { ...rest, quote: { ...quote, address: effects.quote } }
  const rows = keys.flatMap((key): Row[] => {
    const row = rowOf(key, effects, asked, view)
    if (!row) return []
    const { of, isFirst } = definitions[key]
    const value = of(effects, view)
    return [value !== undefined && isFirst(value) ? { ...row, first: true } : row]
  })
  return firstOnes(rows)
}

function firstOnes(rows: readonly Row[]): Row[] {
  return [...rows.filter(isAlarming), ...rows.filter((row) => !isAlarming(row))]
}

/** Returns whether a row belongs before all others. */
function isAlarming(row: Row): boolean {
  return isDeviation(row) || row.first === true
}

/** Max characters of a token's symbol that are shown; anybody can make a token with a longer one. */
const maxSymbol = 20

/** Removes invisible characters from the quote token's symbol, and shortens it. */
function withSafeSymbol({ quote, ...view }: Viewpoint): Viewpoint {
  const symbol = plain([...quote.symbol.slice(0, 2 * maxSymbol)].slice(0, maxSymbol).join(''))
  return { ...view, quote: { ...quote, symbol } }
}

/** A titled part of the table. */
export interface Section {
  title: 'Look at this first' | RowGroup
  rows: readonly Row[]
}

const groups: readonly RowGroup[] = ['Supply', 'Price', 'Fees', 'Proceeds', 'Control', 'Cost']

/** Groups the table as it is shown everywhere: alarming rows first, then by topic. Empty sections are left out. */
export function sectionsOf(rows: readonly Row[]): Section[] {
  const calm = rows.filter((row) => !isAlarming(row))
  const sections: Section[] = [
    { title: 'Look at this first', rows: rows.filter(isAlarming) },
    ...groups.map((title) => ({ title, rows: calm.filter(({ group }) => group === title) })),
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

/** Returns the mark after a row that is no deviation; empty if nothing was asked and nothing rehearsed. */
export function markOf({ state, rehearsed }: Row): '' | ' ✓' | ' ✓ rehearsed' | ' · rehearsed' {
  if (state === 'same') return rehearsed ? ' ✓ rehearsed' : ' ✓'
  return rehearsed ? ' · rehearsed' : ''
}

/** Explains the marks of a table, without a full stop at the end. */
export function marksWords(rows: readonly Row[]): string {
  const isRehearsed = rows.some(({ rehearsed }) => rehearsed)
  return isRehearsed ? '✓: as asked. Rehearsed: a trial run on the chain showed it' : '✓: as asked'
}

/** Returns whether a row makes the payload "Not verified". */
export function isDeviation({ state }: Row): boolean {
  return state === 'different' || state === 'unusual'
}

function rowOf(key: RowKey, effects: Effects, asked: Asked, view: Viewpoint): Row | undefined {
  const { group, label, of, words, same, unusual, isOpen } = definitions[key]
  const value = of(effects, view)
  const expected = asked[key]
  if (value === undefined) {
    if (expected === undefined || expected === null || isNothing(expected)) return undefined
    return { key, group, label, does: [...none], asked: words(expected, view), state: 'different' }
  }
  const does = words(value, view, effects)
  if (expected === null) return { key, group, label, does, asked: [...none], state: 'different' }
  if (expected === undefined) {
    const why = unusual(value, view, effects)
    return {
      key,
      group,
      label,
      does,
      state: why === undefined ? 'told' : 'unusual',
      ...(why !== undefined && { why }),
    }
  }
  const row = { key, group, label, does, asked: words(expected, view) }
  if (!same(expected, value, view, effects)) return { ...row, state: 'different' }
  const why = isOpen(expected) ? unusual(value, view, effects) : undefined
  return why === undefined ? { ...row, state: 'same' } : { ...row, state: 'unusual', why }
}

const none: Words = ['none']

function isNothing(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

// Who

function roleOf(account: Who, view: Viewpoint): string {
  if (account === 'nobody' || account === 'dao' || account === 'contract') return account
  if (
    isNobody(account) ||
    /^0x0{36}dead$|^0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead$/iu.test(account)
  )
    return 'nobody'
  if (is(account, view.wallet)) return 'you'
  if (is(account, view.integrator)) return 'integrator'
  return is(account, view.protocol) ? 'protocol' : account.toLowerCase()
}

/** Min blocks of a vote: one day at 12 seconds per block, the slowest block time. */
const minVoting = 7_200

/** Returns whether a role is a stranger to anything but fees: the integrator may get a share of fees only. */
function isStranger(role: string): boolean {
  return isAddress(role) || role === 'integrator'
}

/** Returns the role of a payload's integrator: `integrator` only for the expected one. */
function integratorRole(account: Address, view: Viewpoint): string {
  return is(account, view.integrator) ? 'integrator' : roleOf(account, view)
}

function is(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}

function sameWho(one: string, other: string, view: Viewpoint): boolean {
  return asRole(one, view) === asRole(other, view)
}

function asRole(text: string, view: Viewpoint): string {
  return isHexAddress(text) ? roleOf(text, view) : text
}

function isHexAddress(text: string): text is Address {
  return isAddress(text)
}

function whoWords(to: string, view: Viewpoint): Words {
  const role = asRole(to, view)
  switch (role) {
    case 'you':
      return ['you']
    case 'nobody':
      return ['nobody (burned)']
    case 'dao':
      return ['the token’s DAO']
    case 'contract':
      return ['the launch contract']
    case 'integrator':
      return ['the integrator', ...(view.integrator ? [' ', { account: view.integrator }] : [])]
    case 'protocol':
      return ['the protocol']
    default:
      return address(role)
  }
}

function address(text: string): Words {
  return isHexAddress(text) ? [{ account: getAddress(text) }] : [plain(text)]
}

// Amounts

/** Formats an amount of the token, given in base units. */
export function tokens(amount: bigint): string {
  return inTokens(round(formatUnits(amount, decimals)))
}

function inTokens(amount: string): string {
  return `${grouped(amount)} ${amount === '1' ? 'token' : 'tokens'}`
}

function compact(amount: bigint): string {
  const number = Number(formatUnits(amount, decimals))
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 }).format(
    number,
  )
}

function percentOf(part: bigint, all: bigint, digits = 6): string {
  return decimal({ numerator: part * 100n, denominator: all === 0n ? 1n : all }, digits)
}

/** Rounds a decimal text to two decimals, or to four significant digits if it is small. */
function round(text: string): string {
  const number = Number(text)
  if (number >= 1e15) return text.split('.')[0] ?? text
  if (number === 0) return '0'
  if (number >= 0.01) return trimmed(number.toFixed(number >= 1 ? 2 : 4))
  return price(text)
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/u, '') : text
}

function grouped(text: string): string {
  const [integer = '0', fraction] = text.split('.')
  const digits = integer.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')
  return fraction ? `${digits}.${fraction}` : digits
}

function near(one: string, other: string, part: number): boolean {
  const [left, right] = [Number(one), Number(other)]
  return Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * part + 1e-15
}

function inQuote({ numerator, denominator }: Ratio, quoteDecimals: number): Ratio {
  return { numerator: numerator * whole, denominator: denominator * 10n ** BigInt(quoteDecimals) }
}

function times({ numerator, denominator }: Ratio, amount: bigint): Ratio {
  return { numerator: numerator * amount, denominator: denominator * whole }
}

/** Describes an amount of the quote token that is worth very little; undefined for any other. */
function littleWords(amount: string, { usd }: Quote): string | undefined {
  if (usd !== undefined && Number(amount) * Number(usd) < 1) return 'less than a dollar'
  // Without a price, fall back to the bare amount.
  return Number(amount) < 0.001 ? 'less than a thousandth of a quote token' : undefined
}

function dollars(amount: string | undefined, { usd }: Quote): string {
  if (usd === undefined || amount === undefined) return ''
  const worth = Number(amount) * Number(usd)
  const format = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
  return `, about $${worth < 0.01 ? '0' : format.format(worth)}`
}

// Times

type Moment = z.infer<typeof moment>

function momentOf(at: number, { now }: Viewpoint): Moment {
  return at <= now ? 'now' : { at }
}

function momentWords(value: Moment): Words {
  if (value === 'now') return ['the launch']
  return 'at' in value ? [timeWord(value.at)] : [`${span(value.in)} after it is built`]
}

/** The last second of the year 9999; some calendars can't show later dates. */
const lastTime = 253_402_300_799

function timeWord(time: number): Word {
  return time > lastTime ? 'the far future' : { time }
}

/** Tolerance in seconds for a start that was asked for relative to the build. */
const leeway = 900

function sameMoment(asked: Moment, does: Moment, { now }: Viewpoint): boolean {
  const [expected, actual] = [timeOf(asked, now), timeOf(does, now)]
  const isLoose = typeof asked === 'object' && 'in' in asked
  return isLoose ? Math.abs(expected - actual) <= leeway : expected === actual
}

function timeOf(value: Moment, now: number): number {
  if (value === 'now') return now
  return 'at' in value ? value.at : now + value.in
}

function span(seconds: number): string {
  if (seconds > lastTime) return 'thousands of years'
  const units = [
    ['day', day],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, size] of units) {
    if (seconds >= size && seconds % size === 0) return count(seconds / size, unit)
  }
  if (seconds > 2 * day) return `about ${count(Math.floor(seconds / day), 'day')}`
  return count(seconds, 'second')
}

function count(number: number, unit: string): string {
  return `${grouped(String(number))} ${unit}${number === 1 ? '' : 's'}`
}

// Fees

function feeValue({ first, last, seconds, from }: Fee, view: Viewpoint): z.infer<typeof fee> {
  const percent = (millionths: number) => percentOf(BigInt(millionths), 1_000_000n)
  if (first === last) return { first: percent(first) }
  const later = from !== undefined && from > view.now ? { from: { at: from } } : {}
  return { first: percent(first), last: percent(last), seconds, ...later }
}

function feeWords({ first, last, seconds = 0, from }: z.infer<typeof fee>): Words {
  if (last === undefined) return [`${round(first)}% of each trade`]
  const begin: Words = from === undefined ? [] : [' from ', ...momentWords(from), ' on']
  return [
    `${round(first)}% of each trade at first, falling to ${round(last)}% within ${span(seconds)}`,
    ...begin,
  ]
}

function sameFee(asked: z.infer<typeof fee>, does: z.infer<typeof fee>, view: Viewpoint): boolean {
  return (
    near(asked.first, does.first, 1e-9) &&
    near(asked.last ?? asked.first, does.last ?? does.first, 1e-9) &&
    (asked.seconds ?? 0) === (does.seconds ?? 0) &&
    sameMoment(asked.from ?? 'now', does.from ?? 'now', view)
  )
}

function hookValue({ hook, fee, data }: HookUse, view: Viewpoint): z.infer<typeof hookUse> {
  return {
    hook: hook.address.toLowerCase(),
    fee: feeValue(fee, view),
    routing: data.routing,
    buybackTo: roleOf(data.buybackTo, view),
    parts: data.distribution.map((part) => formatUnits(part, percentDecimals)),
    shares: sharesValue(
      data.beneficiaries.map(({ beneficiary, shares }) => ({ to: beneficiary, share: shares })),
      view,
    ),
  }
}

function hookWords(value: z.infer<typeof hookUse>, view: Viewpoint): Words {
  const { fee, routing, buybackTo, parts, shares } = value
  const { symbol } = view.quote
  const receiver: Words = routing === 0 ? whoWords(buybackTo, view) : ['the hook’s beneficiaries']
  const [asset = [], quote = []] = [parts.slice(0, 4), parts.slice(4)]
  const payees: Words = shares.length > 0 ? sharesWords(shares, view) : whoWords(buybackTo, view)
  // The beneficiaries get what can't be swapped or added to the pool.
  const isLeaving = [1, 3, 4, 7].some((index) => Number(parts[index] ?? 0) > 0)
  const isPaying = routing !== 0 || Number(asset[2] ?? 0) > 0 || Number(quote[2] ?? 0) > 0
  return [
    ...feeWords(fee),
    ', on top of the trading fee. 5% of it goes to the protocol. The rest that comes in tokens: ',
    ...hookParts(asset, [
      ['to ', ...receiver],
      [`swapped to ${symbol} for `, ...receiver],
    ]),
    `. The rest that comes in ${symbol}: `,
    ...hookParts(quote, [
      ['buys tokens for ', ...receiver],
      ['to ', ...receiver],
    ]),
    ...(isPaying || isLeaving
      ? [
          `. The hook’s beneficiaries${isPaying ? '' : ', who get what can’t be used so'}: `,
          ...payees,
        ]
      : []),
  ]
}

function hookParts(parts: readonly string[], buybacks: readonly Words[]): Words {
  const words: readonly Words[] = [
    ...buybacks,
    ['to the hook’s beneficiaries'],
    ['into the pool’s liquidity'],
  ]
  const used = new Map<string, { words: Words; part: bigint }>()
  for (const [index, each] of words.entries()) {
    const part = units(parts[index] ?? '0', percentDecimals)
    const key = each
      .map((word) => (typeof word === 'string' ? word : JSON.stringify(word)))
      .join('')
    if (part > 0n) used.set(key, { words: each, part: part + (used.get(key)?.part ?? 0n) })
  }
  return listed(
    [...used.values()],
    ({ words, part }) => [`${round(formatUnits(part, percentDecimals))}% `, ...words],
    ', ',
  )
}

function unusualHook(
  { fee, routing, buybackTo, parts, shares }: z.infer<typeof hookUse>,
  view: Viewpoint,
): string | undefined {
  if (Number(fee.first) > 5 || Number(fee.last ?? 0) > 5) return 'the hook’s fee is above 5%'
  const buysBack = [0, 1, 4, 5].some((index) => Number(parts[index] ?? 0) > 0)
  // The beneficiaries also get what can't be swapped or added to the pool, whatever the parts are.
  const payees = shares.length > 0 ? shares : [{ to: buybackTo, percent: '100' }]
  return (buysBack && routing === 0 && isAddress(buybackTo)) || paysStrangers(payees, view)
    ? 'an account that nobody named gets what the hook takes'
    : undefined
}

function sameHook(
  asked: z.infer<typeof hookUse>,
  does: z.infer<typeof hookUse>,
  view: Viewpoint,
): boolean {
  return (
    sameFee(asked.fee, does.fee, view) &&
    canonical({ ...asked, fee: 0 }, view) === canonical({ ...does, fee: 0 }, view)
  )
}

function sharesValue(lines: readonly Share[], view: Viewpoint): { to: string; percent: string }[] {
  return lines.map(({ to, share }) => ({
    to: roleOf(to, view),
    percent: formatUnits(share, percentDecimals),
  }))
}

function sharesWords(lines: readonly { to: string; percent: string }[], view: Viewpoint): Words {
  const sorted = lines.toSorted((one, other) => Number(other.percent) - Number(one.percent))
  return listed(
    sorted,
    ({ to, percent }) => [`${round(percent)}% `, ...whoWords(to, view)],
    ', ',
    view.lines,
  )
}

type ShareLines = readonly { to: string; percent: string }[]

function ownSharesWords(lines: ShareLines, view: Viewpoint): Words {
  return [...(paysYou(lines) ? [] : ['you get none: ']), ...sharesWords(lines, view)]
}

function paysYou(lines: ShareLines): boolean {
  return lines.some(({ to, percent }) => to === 'you' && Number(percent) > 0)
}

/** Returns whether strangers get shares. If the protocol's address is unknown, up to 5% may be the protocol's. */
function paysStrangers(lines: ShareLines, { protocol }: Viewpoint): boolean {
  const strangers = lines.filter(({ to }) => isAddress(to))
  const sum = strangers.reduce((total, { percent }) => total + Number(percent), 0)
  return sum > (protocol === undefined ? 5 : 0)
}

/** Compares shares by account. If the protocol's address is unknown, one stranger may take the protocol's share. */
function sameShares(
  asked: readonly { to: string; percent: string }[],
  does: readonly { to: string; percent: string }[],
  view: Viewpoint,
): boolean {
  if (asked.length === 0 || does.length === 0) return asked.length === does.length
  const [expected, actual] = [sums(asked, view), sums(does, view)]
  if (view.protocol === undefined && !actual.has('protocol') && expected.has('protocol')) {
    const strangers = [...actual].filter(([to]) => isAddress(to) && !expected.has(to))
    if (strangers.length === 1 && strangers[0]) {
      actual.set('protocol', strangers[0][1])
      actual.delete(strangers[0][0])
    }
  }
  return (
    expected.size === actual.size &&
    [...expected].every(([to, percent]) => Math.abs((actual.get(to) ?? -1) - percent) < 1e-9)
  )
}

function sums(
  lines: readonly { to: string; percent: string }[],
  view: Viewpoint,
): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { to, percent } of lines) {
    const role = asRole(to, view)
    totals.set(role, (totals.get(role) ?? 0) + Number(percent))
  }
  return totals
}

// Vesting and liquidity

type VestingLine = z.infer<typeof vestingLine>

function byAmount(effects: Effects | undefined) {
  const amount = (line: VestingLine) => tokensOf(line, effects?.supply ?? whole)
  return (one: VestingLine, other: VestingLine) => Number(amount(other) - amount(one))
}

function tokensOf({ tokens, percent }: VestingLine, supply: bigint): bigint {
  if (tokens !== undefined) return units(tokens, decimals)
  return (supply * units(percent ?? '0', 16)) / whole
}

function units(text: string, places: number): bigint {
  const [integer = '0', fraction = ''] = text.split('.')
  return BigInt(integer + fraction.slice(0, places).padEnd(places, '0'))
}

function vestingWords(line: VestingLine, view: Viewpoint, effects: Effects | undefined): Words {
  const { tokens: amount, percent, cliff = 0, duration } = line
  const share =
    percent ??
    (effects && amount !== undefined
      ? percentOf(tokensOf(line, effects.supply), effects.supply)
      : undefined)
  const part = share === undefined ? '' : `${round(share)}%`
  const all = amount === undefined ? part : `${inTokens(amount)}${part && ` (${part})`}`
  const over = duration === undefined ? '' : duration === 0 ? ' at once' : ` over ${span(duration)}`
  const after = cliff > 0 ? `, nothing in the first ${span(cliff)}` : ''
  return [`${all} to `, ...whoWords(line.to, view), `${over}${after}`]
}

function sameVesting(
  asked: readonly VestingLine[],
  does: readonly VestingLine[],
  view: Viewpoint,
  { supply }: Effects,
): boolean {
  const left = [...does]
  for (const line of asked) {
    const expected = tokensOf(line, supply)
    const index = left.findIndex(
      (each) =>
        sameWho(line.to, each.to, view) &&
        tokensOf(each, supply) === expected &&
        (line.duration === undefined || line.duration === each.duration) &&
        (line.cliff === undefined || line.cliff === each.cliff),
    )
    if (index < 0) return false
    left.splice(index, 1)
  }
  return left.length === 0
}

/** Prefix of the account that gets liquidity when its lock ends. */
const afterLock = /^locked /u

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

// Lists and comparing

function jsonable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Max lines of a list that fit a message. */
const maxLines = 6

function listed<Line>(
  lines: readonly Line[],
  words: (line: Line) => Words,
  between = '; ',
  maxShown = maxLines,
): Words {
  const shown = lines
    .slice(0, maxShown)
    .flatMap((line, index) => [...(index > 0 ? [between] : []), ...words(line)])
  const more = lines.length - maxShown
  return more > 0 ? [...shown, ` and ${more} more`] : shown
}

/** Serializes a value independently of key order and of the case of addresses. */
function canonical(value: unknown, view: Viewpoint): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'string') {
      const [before = ''] = afterLock.exec(each) ?? []
      return before + asRole(each.replace(afterLock, ''), view)
    }
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
