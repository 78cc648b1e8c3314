import type { Address } from 'viem'
import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { isAddress, isNobody } from '../../chain/address.ts'
import type { Effects, Fee, HookUse } from '../../chain/airlock/effects.ts'
import { servicePayees } from '../../chain/airlock/modules.ts'
import { type List, type Message, type Span, t } from '../../core/view.ts'
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
  percentText,
  roleOf,
  type ShareLines,
  sentences,
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
    label: t('terms-trading-fee'),
    schema: fee,
    read: ({ fee }, view) => fee && feeValue(fee, view),
    text: (value) => feeWords(value),
    isSame: (asked, does, view) => sameFee(asked, does, view),
    unusualReason: ({ first, last }) =>
      Number(first) > 5 || Number(last ?? 0) > 5 ? t('terms-why-fee') : undefined,
  }),
  hook: defineRow({
    group: 'Fees',
    label: t('terms-hook-fee'),
    schema: hookUse,
    read: ({ hook }, view) => hook && hookValue(hook, view),
    text: (value, view) => hookWords(value, view),
    isSame: (asked, does, view) => sameHook(asked, does, view),
    unusualReason: (value, view, { fee, integrator }) =>
      unusualHook(value, view, integrator) ??
      (lastingFee(value.fee) + (fee?.first ?? 0) / 10_000 > 5
        ? t('terms-why-fees-together')
        : undefined),
  }),
  shares: defineRow({
    group: 'Fees',
    label: t('terms-shares'),
    schema: feeShares,
    read: ({ shares, fee }, view) => {
      const lines = shares && sharesValue(shares, view)
      const isFree = fee !== undefined && fee.first === 0 && fee.last === 0
      return lines && isFree && lines.length > 0 ? { ofNothing: lines } : lines
    },
    text: (value, view) => {
      if ('ofNothing' in value) {
        return t('terms-shares-of-nothing', { shares: sharesText(value.ofNothing, view) })
      }
      return value.length === 0 ? t('terms-shares-none') : ownSharesWords(value, view)
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
      !('ofNothing' in value) && paysStrangers(value, view) ? t('terms-why-shares') : undefined,
    isShownFirst: (value) => 'ofNothing' in value || !paysYou(value),
  }),
  integrator: defineRow({
    group: 'Fees',
    label: t('terms-integrator-label'),
    schema: accountSchema,
    read: ({ integrator }, view) =>
      isNobody(integrator) ? 'protocol' : integratorRole(integrator, view),
    text: (value, view) =>
      toRole(value, view) === 'integrator' && view.integrator
        ? { code: view.integrator }
        : accountText(value, view),
    isSame: (asked, does, view) => isSameAccount(asked, does, view),
    unusualReason: (value, _, { shares }) =>
      isAddress(value) && shares?.length === 0 ? t('terms-why-integrator') : undefined,
  }),
  laterFee: defineRow({
    group: 'Fees',
    label: t('terms-later-fee'),
    schema: z.object({ percent: decimalSchema, dynamic: z.boolean(), spacing: z.number() }),
    read: ({ graduation }) =>
      graduation?.fee && {
        spacing: graduation.tickSpacing ?? 0,
        percent: percentOf(BigInt(graduation.fee.millionths), 1_000_000n),
        dynamic: graduation.fee.dynamic,
      },
    text: ({ percent, dynamic, spacing }) => {
      const args = { share: percentText(percent), spacing: String(spacing) }
      return dynamic
        ? t('terms-later-fee-dynamic', { ...args })
        : t('terms-later-fee-fixed', { ...args })
    },
    unusualReason: ({ percent }) => (Number(percent) > 5 ? t('terms-why-later-fee') : undefined),
  }),
  laterHook: defineRow({
    group: 'Fees',
    label: t('terms-later-hook'),
    schema: hookUse,
    read: ({ graduation }, view) => graduation?.hook && hookValue(graduation.hook, view),
    text: (value, view) =>
      sentences(
        hookWords(value, view),
        value.buybackTo === 'nobody'
          ? undefined
          : t('terms-hook-changed-by', { account: accountText(value.buybackTo, view) }),
      ),
    isSame: (asked, does, view) => sameHook(asked, does, view),
    // The buyback account can redirect everything that the hook takes to itself at any time.
    unusualReason: (value, view) =>
      unusualHook(value, view) ??
      (isAddress(value.buybackTo) ? t('terms-why-hook-buyback') : undefined),
  }),
  laterShares: defineRow({
    group: 'Fees',
    label: t('terms-later-shares'),
    schema: sharesSchema,
    read: ({ graduation }, view) => graduation?.shares && sharesValue(graduation.shares, view),
    text: (lines, view) => ownSharesWords(lines, view),
    isSame: (asked, does, view) => sameShares(asked, does, view),
    unusualReason: (lines, view) =>
      paysStrangers(lines, view) ? t('terms-why-shares') : undefined,
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

function feeWords({ first, last, seconds = 0, from }: z.infer<typeof fee>): Message {
  const share = percentText(first)
  if (last === undefined) return t('terms-fee-fixed', { share })
  const args = { share, last: percentText(last), time: durationText(seconds) }
  return from === undefined || from === 'now'
    ? t('terms-fee-falls', { ...args })
    : t('terms-fee-falls-from', { ...args, start: momentText(from) })
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

function hookWords(value: z.infer<typeof hookUse>, view: Viewpoint): Message {
  const { fee, routing, buybackTo, parts, shares } = value
  const quote = view.quote.symbol
  const receiver = routing === 0 ? accountText(buybackTo, view) : t('terms-hook-beneficiaries')
  const [asset = [], taken = []] = [parts.slice(0, 4), parts.slice(4)]
  const payees = shares.length > 0 ? sharesText(shares, view) : accountText(buybackTo, view)
  // The beneficiaries get what can't be swapped or added to the pool.
  const isLeaving = [1, 3, 4, 7].some((index) => Number(parts[index] ?? 0) > 0)
  const isPaying = routing !== 0 || Number(asset[2] ?? 0) > 0 || Number(taken[2] ?? 0) > 0
  const words = t('terms-hook-takes', {
    fee: isAgainstSnipers(fee) ? sniperFeeWords(fee) : feeWords(fee),
    quote,
    tokens: hookParts(asset, [
      t('terms-hook-to', { account: receiver }),
      t('terms-hook-swapped', { quote, account: receiver }),
    ]),
    taken: hookParts(taken, [
      t('terms-hook-buys', { account: receiver }),
      t('terms-hook-to', { account: receiver }),
    ]),
  })
  if (isPaying) return sentences(words, t('terms-hook-payees', { payees }))
  return sentences(words, isLeaving ? t('terms-hook-payees-rest', { payees }) : undefined)
}

function hookParts(parts: readonly string[], buybacks: readonly Message[]): List {
  const words: readonly Message[] = [
    ...buybacks,
    t('terms-hook-to', { account: t('terms-hook-beneficiaries') }),
    t('terms-hook-liquidity'),
  ]
  const used = new Map<string, { words: Message; part: bigint }>()
  for (const [index, each] of words.entries()) {
    const part = toBaseUnits(parts[index] ?? '0', percentDecimals)
    const key = JSON.stringify(each)
    if (part > 0n) used.set(key, { words: each, part: part + (used.get(key)?.part ?? 0n) })
  }
  return listText([...used.values()], ({ words, part }) =>
    t('terms-hook-part', { share: percentText(formatUnits(part, percentDecimals)), use: words }),
  )
}

/** Max seconds in which a hook's fee falls so that only those pay it who buy before people can: bots. */
const maxSniperSeconds = 60

function isAgainstSnipers({ first, last, seconds, from }: z.infer<typeof fee>): boolean {
  return (
    last !== undefined &&
    Number(last) < Number(first) &&
    seconds !== undefined &&
    seconds <= maxSniperSeconds &&
    (from === undefined || from === 'now')
  )
}

function sniperFeeWords({ first, last = first, seconds = 0 }: z.infer<typeof fee>): Message {
  const args = { share: percentText(first), last: percentText(last), seconds: String(seconds) }
  return t('terms-fee-snipers', { ...args })
}

/** The percentage that people pay: what only bots pay doesn't count. */
function lastingFee(value: z.infer<typeof fee>): number {
  const last = Number(value.last ?? value.first)
  return isAgainstSnipers(value) ? last : Math.max(Number(value.first), last)
}

/** @param integrator of the payload: the hooks of the apps that people launch with pay the app */
function unusualHook(
  { fee, routing, buybackTo, parts, shares }: z.infer<typeof hookUse>,
  view: Viewpoint,
  integrator?: Address,
): Message | undefined {
  if (lastingFee(fee) > 5) return t('terms-why-hook-fee')
  const isApp = (to: string) =>
    integrator !== undefined && (isSameAddress(to, integrator) || servicePayees.has(to))
  const buysBack = [0, 1, 4, 5].some((index) => Number(parts[index] ?? 0) > 0)
  // The beneficiaries also get what can't be swapped or added to the pool, whatever the parts are.
  const payees = shares.length > 0 ? shares : [{ to: buybackTo, percent: '100' }]
  const strangers = payees.filter(({ to }) => !isApp(to))
  return (buysBack && routing === 0 && isAddress(buybackTo) && !isApp(buybackTo)) ||
    paysStrangers(strangers, view)
    ? t('terms-why-hook-payees')
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

function ownSharesWords(lines: ShareLines, view: Viewpoint): Span {
  const shares = sharesText(lines, view)
  return paysYou(lines) ? shares : t('terms-shares-without-you', { shares })
}

function paysYou(lines: ShareLines): boolean {
  return lines.some(({ to, percent }) => to === 'you' && Number(percent) > 0)
}

/** Compares shares by account. If the protocol's address is unknown, one stranger may take the protocol's share. */
function sameShares(asked: ShareLines, does: ShareLines, view: Viewpoint): boolean {
  if (asked.length === 0 || does.length === 0) return asked.length === does.length
  const [expected, actual] = [sums(asked, view), sums(does, view)]
  const likely = likelyProtocol(expected, actual, view)
  if (likely !== undefined) {
    actual.set('protocol', actual.get(likely) ?? 0)
    actual.delete(likely)
  }
  return (
    expected.size === actual.size &&
    [...expected].every(([to, percent]) => isSamePercent(actual.get(to), percent))
  )
}

function isSamePercent(one: number | undefined, other: number): boolean {
  return Math.abs((one ?? -1) - other) < 1e-9
}

/** The one account that may be the protocol, whose address nobody knows without a node. */
function likelyProtocol(
  expected: ReadonlyMap<string, number>,
  actual: ReadonlyMap<string, number>,
  { protocol }: Viewpoint,
): string | undefined {
  if (protocol !== undefined || actual.has('protocol') || !expected.has('protocol'))
    return undefined
  const [stranger, ...others] = [...actual.keys()].filter(
    (to) => isAddress(to) && !expected.has(to),
  )
  return others.length === 0 ? stranger : undefined
}

/**
 * Completes the view of rows about shares with the payload's integrator, and with who gets the protocol's share, if that is as much
 * as was asked.
 */
export function viewOfShares(
  asked: unknown,
  does: unknown,
  bare: Viewpoint,
  { integrator }: Effects,
): Viewpoint {
  const view = isNobody(integrator) ? bare : { ...bare, likelyIntegrator: integrator }
  const [expected, actual] = [sharesSchema.safeParse(asked), sharesSchema.safeParse(does)]
  if (!expected.success || !actual.success) return view
  const [due, paid] = [sums(expected.data, view), sums(actual.data, view)]
  const likely = likelyProtocol(due, paid, view)
  const isAsDue = likely !== undefined && isSamePercent(paid.get(likely), due.get('protocol') ?? 0)
  return isAsDue ? { ...view, likelyProtocol: likely } : view
}

function sums(lines: ShareLines, view: Viewpoint): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { to, percent } of lines) {
    const role = toRole(to, view)
    totals.set(role, (totals.get(role) ?? 0) + Number(percent))
  }
  return totals
}
