import type { Address } from 'viem'
import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { isAddress, isNobody } from '../../chain/address.ts'
import type { Fee, HookUse } from '../../chain/airlock/effects.ts'
import {
  accountSchema,
  accountText,
  canonical,
  decimalSchema,
  defineRow,
  durationText,
  isClose,
  isSameAccount,
  isSameAddress,
  isSameMoment,
  listText,
  momentSchema,
  momentText,
  paysStrangers,
  percentDecimals,
  percentOf,
  type RowText,
  roleOf,
  roundDecimal,
  type ShareLines,
  sharesSchema,
  sharesText,
  sharesValue,
  toBaseUnits,
  toRole,
  type Viewpoint,
} from './value.ts'

/** Shares of a 0% trading fee are worth nothing, whatever they are. */
const feeShares = z.union([sharesSchema, z.object({ ofNothing: sharesSchema })])
const fee = z.object({
  first: decimalSchema,
  last: z.optional(decimalSchema),
  seconds: z.optional(z.number()),
  from: z.optional(momentSchema),
})
const hookUse = z.object({
  hook: accountSchema,
  fee,
  routing: z.number(),
  buybackTo: accountSchema,
  parts: z.array(decimalSchema),
  shares: sharesSchema,
})

/** Rows about what each trade costs, and who gets it. */
export const feesRows = {
  tradingFee: defineRow({
    group: 'Fees',
    label: 'Trading fee',
    schema: fee,
    read: ({ fee }, view) => fee && feeValue(fee, view),
    text: (value) => feeWords(value),
    isSame: (asked, does, view) => sameFee(asked, does, view),
    unusualReason: ({ first, last }) =>
      Number(first) > 5 || Number(last ?? 0) > 5 ? 'the trading fee is above 5%' : undefined,
  }),
  hook: defineRow({
    group: 'Fees',
    label: 'Hook fee',
    schema: hookUse,
    read: ({ hook }, view) => hook && hookValue(hook, view),
    text: (value, view) => hookWords(value, view),
    isSame: (asked, does, view) => sameHook(asked, does, view),
    unusualReason: (value, view, { fee }) =>
      unusualHook(value, view) ??
      (Number(value.fee.first) + (fee?.first ?? 0) / 10_000 > 5
        ? 'the fees of pool and hook are above 5% together'
        : undefined),
  }),
  shares: defineRow({
    group: 'Fees',
    label: 'Who gets the fees',
    schema: feeShares,
    read: ({ shares, fee }, view) => {
      const lines = shares && sharesValue(shares, view)
      const isFree = fee !== undefined && fee.first === 0 && fee.last === 0
      return lines && isFree && lines.length > 0 ? { ofNothing: lines } : lines
    },
    text: (value, view) => {
      if ('ofNothing' in value) {
        return [
          'nothing to share, because the trading fee is 0% (by contract ',
          ...sharesText(value.ofNothing, view),
          ')',
        ]
      }
      return value.length === 0
        ? [
            'you get none. If it graduates, the integrator gets 80 to 95% of them and the protocol 5 to 20%',
          ]
        : ownSharesWords(value, view)
    },
    isSame: (asked, does, view) => {
      if ('ofNothing' in asked || 'ofNothing' in does) {
        return (
          'ofNothing' in asked &&
          'ofNothing' in does &&
          sameShares(asked.ofNothing, does.ofNothing, view)
        )
      }
      return sameShares(asked, does, view)
    },
    unusualReason: (value, view) =>
      !('ofNothing' in value) && paysStrangers(value, view)
        ? 'an account that nobody named gets fees'
        : undefined,
    isShownFirst: (value) => 'ofNothing' in value || !paysYou(value),
  }),
  integrator: defineRow({
    group: 'Fees',
    label: 'Integrator',
    schema: accountSchema,
    read: ({ integrator }, view) =>
      isNobody(integrator) ? 'protocol' : integratorRole(integrator, view),
    text: (value, view) =>
      toRole(value, view) === 'integrator' && view.integrator
        ? [{ account: view.integrator }]
        : accountText(value, view),
    isSame: (asked, does, view) => isSameAccount(asked, does, view),
    unusualReason: (value, _, { shares }) =>
      isAddress(value) && shares?.length === 0
        ? 'an account that nobody named gets most of the fees'
        : undefined,
  }),
  laterFee: defineRow({
    group: 'Fees',
    label: 'Fee after graduation',
    schema: z.object({ percent: decimalSchema, dynamic: z.boolean(), spacing: z.number() }),
    read: ({ graduation }) =>
      graduation?.fee && {
        spacing: graduation.tickSpacing ?? 0,
        percent: percentOf(BigInt(graduation.fee.millionths), 1_000_000n),
        dynamic: graduation.fee.dynamic,
      },
    text: ({ percent, dynamic, spacing }) => [
      `${roundDecimal(percent)}% of each trade${dynamic ? ' at first; a hook may change it' : ''}, tick spacing ${spacing}`,
    ],
    unusualReason: ({ percent }) =>
      Number(percent) > 5 ? 'the fee after graduation is above 5%' : undefined,
  }),
  laterHook: defineRow({
    group: 'Fees',
    label: 'Hook fee after graduation',
    schema: hookUse,
    read: ({ graduation }, view) => graduation?.hook && hookValue(graduation.hook, view),
    text: (value, view) => [
      ...hookWords(value, view),
      ...(value.buybackTo === 'nobody'
        ? []
        : ['. What it is used for may be changed by ', ...accountText(value.buybackTo, view)]),
    ],
    isSame: (asked, does, view) => sameHook(asked, does, view),
    // The buyback account can redirect everything that the hook takes to itself at any time.
    unusualReason: (value, view) =>
      unusualHook(value, view) ??
      (isAddress(value.buybackTo)
        ? 'an account that nobody named may take what the hook takes'
        : undefined),
  }),
  laterShares: defineRow({
    group: 'Fees',
    label: 'Who gets later fees',
    schema: sharesSchema,
    read: ({ graduation }, view) => graduation?.shares && sharesValue(graduation.shares, view),
    text: (lines, view) => ownSharesWords(lines, view),
    isSame: (asked, does, view) => sameShares(asked, does, view),
    unusualReason: (lines, view) =>
      paysStrangers(lines, view) ? 'an account that nobody named gets fees' : undefined,
  }),
}

/** Returns the role of a payload's integrator: `integrator` only for the expected one. */
function integratorRole(account: Address, view: Viewpoint): string {
  return isSameAddress(account, view.integrator) ? 'integrator' : roleOf(account, view)
}

function feeValue({ first, last, seconds, from }: Fee, view: Viewpoint): z.infer<typeof fee> {
  const percent = (millionths: number) => percentOf(BigInt(millionths), 1_000_000n)
  if (first === last) return { first: percent(first) }
  const later = from !== undefined && from > view.now ? { from: { at: from } } : {}
  return { first: percent(first), last: percent(last), seconds, ...later }
}

function feeWords({ first, last, seconds = 0, from }: z.infer<typeof fee>): RowText {
  if (last === undefined) return [`${roundDecimal(first)}% of each trade`]
  const begin: RowText = from === undefined ? [] : [' from ', ...momentText(from), ' on']
  return [
    `${roundDecimal(first)}% of each trade at first, falling to ${roundDecimal(last)}% within ${durationText(seconds)}`,
    ...begin,
  ]
}

function sameFee(asked: z.infer<typeof fee>, does: z.infer<typeof fee>, view: Viewpoint): boolean {
  return (
    isClose(asked.first, does.first, 1e-9) &&
    isClose(asked.last ?? asked.first, does.last ?? does.first, 1e-9) &&
    (asked.seconds ?? 0) === (does.seconds ?? 0) &&
    isSameMoment(asked.from ?? 'now', does.from ?? 'now', view)
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

function hookWords(value: z.infer<typeof hookUse>, view: Viewpoint): RowText {
  const { fee, routing, buybackTo, parts, shares } = value
  const { symbol } = view.quote
  const receiver: RowText =
    routing === 0 ? accountText(buybackTo, view) : ['the hook’s beneficiaries']
  const [asset = [], quote = []] = [parts.slice(0, 4), parts.slice(4)]
  const payees: RowText =
    shares.length > 0 ? sharesText(shares, view) : accountText(buybackTo, view)
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

function hookParts(parts: readonly string[], buybacks: readonly RowText[]): RowText {
  const words: readonly RowText[] = [
    ...buybacks,
    ['to the hook’s beneficiaries'],
    ['into the pool’s liquidity'],
  ]
  const used = new Map<string, { words: RowText; part: bigint }>()
  for (const [index, each] of words.entries()) {
    const part = toBaseUnits(parts[index] ?? '0', percentDecimals)
    const key = each
      .map((word) => (typeof word === 'string' ? word : JSON.stringify(word)))
      .join('')
    if (part > 0n) used.set(key, { words: each, part: part + (used.get(key)?.part ?? 0n) })
  }
  return listText(
    [...used.values()],
    ({ words, part }) => [`${roundDecimal(formatUnits(part, percentDecimals))}% `, ...words],
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

function ownSharesWords(lines: ShareLines, view: Viewpoint): RowText {
  return [...(paysYou(lines) ? [] : ['you get none: ']), ...sharesText(lines, view)]
}

function paysYou(lines: ShareLines): boolean {
  return lines.some(({ to, percent }) => to === 'you' && Number(percent) > 0)
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
    const role = toRole(to, view)
    totals.set(role, (totals.get(role) ?? 0) + Number(percent))
  }
  return totals
}
