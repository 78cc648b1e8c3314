import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { plain } from '../../chain/airlock/calldata.ts'
import { wad } from '../../chain/airlock/curve.ts'
import type { Effects } from '../../chain/airlock/effects.ts'
import { exactly } from '../../core/number.ts'
import { type Message, t } from '../../core/view.ts'
import {
  accountSchema,
  accountText,
  addressText,
  baseUnitsText,
  canonical,
  day,
  decimalSchema,
  defineRow,
  durationText,
  isClose,
  isSameAccount,
  isSameMoment,
  isStranger,
  listText,
  momentOf,
  momentSchema,
  momentText,
  percentDecimals,
  percentOf,
  percentText,
  roleOf,
  sentences,
  textSchema,
  timeOf,
  timePart,
  toBaseUnits,
  tokenDecimals,
  tokensText,
  type Viewpoint,
} from './value.ts'

const vestingLine = z.object({
  to: accountSchema,
  tokens: z.optional(decimalSchema),
  percent: z.optional(decimalSchema),
  cliff: z.optional(z.number()),
  duration: z.optional(z.number()),
})

type VestingLine = z.infer<typeof vestingLine>

/** Rows about who gets how many tokens. */
export const supplyRows = {
  supply: defineRow({
    group: 'Supply',
    label: t('terms-supply'),
    schema: z.string().check(z.regex(/^\d+(?:\.\d+)?(?: \/ \d+(?:\.\d+)?)?$/u)),
    read: ({ supply, collectible }) =>
      formatUnits(supply, tokenDecimals) +
      (collectible === undefined ? '' : ` / ${formatUnits(collectible, tokenDecimals)}`),
    text: (value) => {
      const [tokens = '', unit] = value.split(' / ')
      const all = tokensText(tokens)
      return unit ? t('terms-supply-collectibles', { tokens: all, unit: exactly(unit) }) : all
    },
  }),
  sale: defineRow({
    group: 'Supply',
    label: t('terms-sale'),
    schema: z.object({
      tokens: decimalSchema,
      percent: decimalSchema,
      pool: z.optional(decimalSchema),
    }),
    read: ({ supply, forSale, pool }) => ({
      tokens: formatUnits(forSale, tokenDecimals),
      percent: percentOf(forSale, supply),
      ...(pool !== undefined && { pool: percentOf(pool, supply) }),
    }),
    text: ({ percent, pool }, _, effects) => {
      const taken = pool ?? percent
      const share = percentText(taken)
      const first =
        effects?.pool === undefined
          ? t('terms-sale-share', { share })
          : t('terms-sale-tokens', { tokens: baseUnitsText(effects.pool), share })
      const isAll = isClose(taken, percent, 1e-6)
      return sentences(
        first,
        isAll ? undefined : t('terms-sale-named', { share: percentText(percent) }),
      )
    },
    isSame: (asked, does) =>
      asked.tokens === does.tokens &&
      (asked.pool === undefined || isClose(asked.pool, does.pool ?? '0', 1e-4)),
  }),
  vesting: defineRow({
    group: 'Supply',
    label: t('terms-vesting'),
    schema: z.array(vestingLine),
    read: ({ vesting }, view) =>
      vesting?.map(({ to, amount, cliff, duration }) => ({
        to: roleOf(to, view),
        tokens: formatUnits(amount, tokenDecimals),
        cliff: Number(cliff),
        duration: Number(duration),
      })),
    text: (lines, view, effects) =>
      lines.length === 0
        ? t('terms-vesting-none')
        : listText(
            lines.toSorted(byAmount(effects)),
            (line) => vestingWords(line, view, effects),
            view.lines,
          ),
    isSame: (asked, does, view, effects) => sameVesting(asked, does, view, effects),
    unusualReason: (lines) =>
      lines.some(({ duration = 0 }) => duration > 4 * 366 * day)
        ? t('terms-why-vesting')
        : undefined,
    leavesOpen: (asked) => asked.some(({ duration }) => duration === undefined),
  }),
  rest: defineRow({
    group: 'Supply',
    label: t('terms-rest'),
    schema: z.object({ to: accountSchema, percent: decimalSchema }),
    read: ({ supply, rest, restTo }, view) =>
      rest === undefined || restTo === undefined
        ? undefined
        : { to: roleOf(restTo, view), percent: percentOf(rest, supply) },
    text: ({ to, percent }, view, effects) => {
      if (Number(percent) < 1e-9) return t('terms-rest-none')
      const [share, account] = [percentText(percent), accountText(to, view)]
      return effects?.rest === undefined
        ? t('terms-share', { share, account })
        : t('terms-rest-tokens', { tokens: baseUnitsText(effects.rest), share, account })
    },
    isSame: (asked, does, view) =>
      isClose(asked.percent, does.percent, 1e-4) &&
      (Number(does.percent) < 1e-9 || isSameAccount(asked.to, does.to, view)),
    unusualReason: ({ to, percent }) =>
      Number(percent) > 1e-6 && isStranger(to) ? t('terms-why-rest') : undefined,
  }),
  minting: defineRow({
    group: 'Supply',
    label: t('terms-minting'),
    schema: z.object({ percent: decimalSchema, to: accountSchema, never: z.boolean() }),
    read: ({ minting, locked, graduation, restTo }, view) =>
      minting === undefined || minting === 0n
        ? undefined
        : {
            percent: formatUnits(minting, percentDecimals),
            to: roleOf(restTo ?? 'nobody', view),
            never: locked === true || graduation === undefined,
          },
    text: ({ percent, to, never }, view) =>
      never
        ? t('terms-minting-never', { share: percentText(percent) })
        : t('terms-minting-later', { share: percentText(percent), account: accountText(to, view) }),
    unusualReason: ({ never }) => (never ? t('terms-why-minting-never') : t('terms-why-minting')),
  }),
}

function byAmount(effects: Effects | undefined) {
  const amount = (line: VestingLine) => tokensOf(line, effects?.supply ?? wad)
  return (one: VestingLine, other: VestingLine) => Number(amount(other) - amount(one))
}

function tokensOf({ tokens, percent }: VestingLine, supply: bigint): bigint {
  if (tokens !== undefined) return toBaseUnits(tokens, tokenDecimals)
  return (supply * toBaseUnits(percent ?? '0', 16)) / wad
}

function vestingWords(line: VestingLine, view: Viewpoint, effects: Effects | undefined): Message {
  const { tokens: amount, percent, cliff = 0, duration } = line
  const share =
    percent ??
    (effects && amount !== undefined
      ? percentOf(tokensOf(line, effects.supply), effects.supply)
      : undefined)
  const part = share === undefined ? '' : percentText(share)
  const what =
    amount === undefined
      ? part
      : share === undefined
        ? tokensText(amount)
        : t('terms-tokens-share', { tokens: tokensText(amount), share: part })
  const given = { what, account: accountText(line.to, view) }
  if (duration === undefined) return t('terms-vesting-line', { ...given })
  if (duration === 0) return t('terms-vesting-at-once', { ...given })
  const time = durationText(duration)
  return cliff > 0
    ? t('terms-vesting-cliff', { ...given, time, cliff: durationText(cliff) })
    : t('terms-vesting-over', { ...given, time })
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
        isSameAccount(line.to, each.to, view) &&
        tokensOf(each, supply) === expected &&
        (line.duration === undefined || line.duration === each.duration) &&
        (line.cliff === undefined || line.cliff === each.cliff),
    )
    if (index < 0) return false
    left.splice(index, 1)
  }
  return left.length === 0
}

/** Min blocks of a vote: one day at 12 seconds per block, the slowest block time. */
const minVoting = 7_200

/** Rows about who may change what. */
export const controlRows = {
  limit: defineRow({
    group: 'Control',
    label: t('terms-limit'),
    schema: z.object({
      most: decimalSchema,
      until: momentSchema,
      controller: accountSchema,
      excluded: z.array(accountSchema),
    }),
    read: ({ limit }, view) =>
      limit && {
        most: formatUnits(limit.maxBalance, tokenDecimals),
        until: momentOf(limit.until, view),
        controller: roleOf(limit.controller, view),
        excluded: limit.excluded.map((each) => roleOf(each, view)),
      },
    text: ({ most, until, controller, excluded }, view) => {
      const tokens = tokensText(most)
      const account = accountText(controller, view)
      const first =
        until === 'now'
          ? t('terms-limit-over', { tokens })
          : controller === 'nobody'
            ? t('terms-limit-fixed', { tokens, end: momentText(until) })
            : t('terms-limit-lifted', { tokens, end: momentText(until), account })
      if (excluded.length === 0) return first
      const named = (each: string) =>
        each === 'nobody' ? t('terms-burned') : accountText(each, view)
      const accounts = listText(excluded, named, view.lines)
      return sentences(first, t('terms-limit-excluded', { accounts }))
    },
    isSame: (asked, does, view) =>
      isSameMoment(asked.until, does.until, view) &&
      canonical({ ...asked, until: 0 }, view) === canonical({ ...does, until: 0 }, view),
    unusualReason: ({ most, until, controller }, { now }, { supply }) => {
      if (controller !== 'nobody' && controller !== 'you') {
        return t('terms-why-limit-account')
      }
      if (until === 'now') return undefined
      if (toBaseUnits(most, tokenDecimals) * 1000n < supply) {
        return t('terms-why-limit-low')
      }
      return timeOf(until, now) > now + 366 * day ? t('terms-why-limit-long') : undefined
    },
  }),
  governance: defineRow({
    group: 'Control',
    label: t('terms-governance'),
    schema: z.object({
      form: z.enum(['dao', 'multisig', 'none']),
      account: z.optional(accountSchema),
      name: z.optional(textSchema),
      delay: z.optional(z.number()),
      period: z.optional(z.number()),
      threshold: z.optional(decimalSchema),
      ignored: z.optional(z.boolean()),
    }),
    read: ({ governance }, view) => {
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
        threshold: formatUnits(threshold, tokenDecimals),
      }
    },
    text: ({ form, account, name, delay = 0, period = 0, threshold, ignored }, view) => {
      if (form === 'none') {
        return ignored === undefined
          ? t('terms-none')
          : t('terms-governance-flag', { flag: String(ignored) })
      }
      if (form === 'multisig') {
        if (account === 'nobody') return t('terms-governance-nobody')
        return account === 'you'
          ? t('terms-governance-you')
          : t('terms-governance-account', { account: accountText(account ?? 'nobody', view) })
      }
      const votes = t('terms-governance-votes', {
        proposers:
          threshold === undefined || threshold === '0'
            ? t('terms-governance-anybody')
            : t('terms-governance-holders', { tokens: tokensText(threshold) }),
        delay: t('terms-blocks', { count: delay }),
        period: t('terms-blocks', { count: period }),
      })
      return sentences(
        name === undefined
          ? t('terms-governance-dao')
          : t('terms-governance-named', { name: plain(name) }),
        votes,
      )
    },
    // A DAO is named after its token, so a template can't pin the name.
    isSame: (asked, does, view) =>
      canonical({ ...asked, name: asked.name ?? does.name }, view) === canonical(does, view),
    unusualReason: ({ form, account, period = 0 }) => {
      if (account !== undefined && isStranger(account)) {
        return t('terms-why-governance')
      }
      return form === 'dao' && period < minVoting ? t('terms-why-vote') : undefined
    },
  }),
  owner: defineRow({
    group: 'Control',
    label: t('terms-owner'),
    schema: z.object({ to: accountSchema, now: z.boolean(), hooks: z.optional(z.boolean()) }),
    read: ({ locked, graduation, restTo, shape }, view) =>
      locked === undefined || restTo === undefined
        ? undefined
        : {
            to: roleOf(locked || !graduation ? 'contract' : restTo, view),
            now: locked || !graduation,
            ...(shape?.includes('far tick') && locked && restTo !== 'nobody' && { hooks: true }),
          },
    text: ({ to, now, hooks }, view) => {
      const first = now
        ? t('terms-owner-contract')
        : to === 'nobody'
          ? t('terms-owner-nobody')
          : t('terms-owner-account', { account: accountText(to, view) })
      return sentences(first, hooks ? t('terms-owner-hooks') : undefined)
    },
  }),
  contracts: defineRow({
    group: 'Control',
    label: t('terms-contracts'),
    schema: z.array(accountSchema),
    read: ({ modules }) => modules.map(({ address }) => address.toLowerCase()),
    text: (value, { modules }) =>
      listText(value, (each) => modules?.get(each.toLowerCase()) ?? addressText(each)),
  }),
  idle: defineRow({
    group: 'Control',
    label: t('terms-idle'),
    schema: z.array(textSchema),
    read: ({ idle, unusedGraduation: unused }, view) => {
      const later = unused && [
        `what would happen at a graduation that never comes: ${JSON.stringify(unused, jsonable)}`,
      ]
      const all = [...(idle ?? []), ...(later ?? [])]
      return all.length === 0 ? undefined : all.map((each) => each.replaceAll(view.wallet, 'you'))
    },
    text: (lines) => lines.map(plain).join('; '),
  }),
  binding: defineRow({
    group: 'Control',
    label: t('terms-binding'),
    schema: z.object({
      launcher: accountSchema,
      deadline: z.number(),
      hash: textSchema,
      asset: accountSchema,
      signature: textSchema,
    }),
    read: ({ binding }, view) =>
      binding && {
        launcher: roleOf(binding.launcher, view),
        deadline: Number(binding.deadline),
        hash: binding.paramsHash,
        asset: binding.expectedAsset.toLowerCase(),
        signature: binding.signature,
      },
    text: ({ launcher, deadline, asset, hash }, view) =>
      t('terms-binding-only', {
        account: accountText(launcher, view),
        end: timePart(deadline),
        token: `${asset.slice(0, 10)}…`,
        hash: `${hash.slice(0, 10)}…`,
      }),
    unusualReason: ({ launcher }) => (launcher === 'you' ? undefined : t('terms-why-binding')),
  }),
}

function jsonable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
