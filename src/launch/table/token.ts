import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { plain } from '../../chain/airlock/calldata.ts'
import { wad } from '../../chain/airlock/curve.ts'
import type { Effects } from '../../chain/airlock/effects.ts'
import {
  accountSchema,
  accountText,
  addressText,
  baseUnitsText,
  canonical,
  countText,
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
  type RowText,
  roleOf,
  roundDecimal,
  textSchema,
  timeOf,
  timePart,
  toBaseUnits,
  tokenDecimals,
  tokensText,
  type Viewpoint,
  withThousands,
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
    label: 'Supply',
    schema: z.string().check(z.regex(/^\d+(?:\.\d+)?(?: \/ \d+(?:\.\d+)?)?$/u)),
    read: ({ supply, collectible }) =>
      formatUnits(supply, tokenDecimals) +
      (collectible === undefined ? '' : ` / ${formatUnits(collectible, tokenDecimals)}`),
    text: (value) => {
      const [tokens = '', unit] = value.split(' / ')
      return [
        tokensText(tokens),
        ...(unit ? [`, a collectible for each ${withThousands(unit)}`] : []),
      ]
    },
  }),
  sale: defineRow({
    group: 'Supply',
    label: 'For sale',
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
      const share = `${roundDecimal(taken)}% of the supply`
      const amount =
        effects?.pool === undefined ? share : `${baseUnitsText(effects.pool)} (${share})`
      const called = isClose(taken, percent, 1e-6)
        ? []
        : [`. ${roundDecimal(percent)}% is named as for sale, but the pool takes no more than this`]
      return [amount, ...called]
    },
    isSame: (asked, does) =>
      asked.tokens === does.tokens &&
      (asked.pool === undefined || isClose(asked.pool, does.pool ?? '0', 1e-4)),
  }),
  vesting: defineRow({
    group: 'Supply',
    label: 'Vesting',
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
        ? ['nobody']
        : listText(
            lines.toSorted(byAmount(effects)),
            (line) => vestingWords(line, view, effects),
            '; ',
            view.lines,
          ),
    isSame: (asked, does, view, effects) => sameVesting(asked, does, view, effects),
    unusualReason: (lines) =>
      lines.some(({ duration = 0 }) => duration > 4 * 366 * day)
        ? 'vesting takes more than four years'
        : undefined,
    leavesOpen: (asked) => asked.some(({ duration }) => duration === undefined),
  }),
  rest: defineRow({
    group: 'Supply',
    label: 'Rest of the supply',
    schema: z.object({ to: accountSchema, percent: decimalSchema }),
    read: ({ supply, rest, restTo }, view) =>
      rest === undefined || restTo === undefined
        ? undefined
        : { to: roleOf(restTo, view), percent: percentOf(rest, supply) },
    text: ({ to, percent }, view, effects) => {
      if (Number(percent) < 1e-9) return ['nothing is left']
      const share = `${roundDecimal(percent)}%`
      const amount =
        effects?.rest === undefined ? share : `${baseUnitsText(effects.rest)} (${share})`
      return [`${amount} to `, ...accountText(to, view)]
    },
    isSame: (asked, does, view) =>
      isClose(asked.percent, does.percent, 1e-4) &&
      (Number(does.percent) < 1e-9 || isSameAccount(asked.to, does.to, view)),
    unusualReason: ({ to, percent }) =>
      Number(percent) > 1e-6 && isStranger(to)
        ? 'part of the supply goes to an account that nobody named'
        : undefined,
  }),
  minting: defineRow({
    group: 'Supply',
    label: 'Yearly minting',
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
        ? [
            `${roundDecimal(percent)}% a year is set, but minting begins at graduation, and it never graduates`,
          ]
        : [
            `up to ${roundDecimal(percent)}% of the supply a year from graduation on, to `,
            ...accountText(to, view),
          ],
    unusualReason: ({ never }) =>
      never ? 'minting is set, though it never begins' : 'new tokens can be minted later',
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

function vestingWords(line: VestingLine, view: Viewpoint, effects: Effects | undefined): RowText {
  const { tokens: amount, percent, cliff = 0, duration } = line
  const share =
    percent ??
    (effects && amount !== undefined
      ? percentOf(tokensOf(line, effects.supply), effects.supply)
      : undefined)
  const part = share === undefined ? '' : `${roundDecimal(share)}%`
  const all = amount === undefined ? part : `${tokensText(amount)}${part && ` (${part})`}`
  const over =
    duration === undefined ? '' : duration === 0 ? ' at once' : ` over ${durationText(duration)}`
  const after = cliff > 0 ? `, nothing in the first ${durationText(cliff)}` : ''
  return [`${all} to `, ...accountText(line.to, view), `${over}${after}`]
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
    label: 'Balance limit',
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
    text: ({ most, until, controller, excluded }, view) => [
      `nobody may hold more than ${tokensText(most)} `,
      ...(until === 'now' ? ['(it has ended already)'] : ['until ', ...momentText(until)]),
      ...(controller === 'nobody'
        ? ['; nobody can lift it earlier']
        : ['; ', ...accountText(controller, view), ' can lift it earlier']),
      ...(excluded.length === 0
        ? []
        : [
            '. It does not apply to vesting, nor to ',
            ...listText(
              excluded,
              (each) => (each === 'nobody' ? ['what is burned'] : accountText(each, view)),
              ', ',
              view.lines,
            ),
          ]),
    ],
    isSame: (asked, does, view) =>
      isSameMoment(asked.until, does.until, view) &&
      canonical({ ...asked, until: 0 }, view) === canonical({ ...does, until: 0 }, view),
    unusualReason: ({ most, until, controller }, { now }, { supply }) => {
      if (controller !== 'nobody' && controller !== 'you') {
        return 'an account that nobody named controls the balance limit'
      }
      if (until === 'now') return undefined
      if (toBaseUnits(most, tokenDecimals) * 1000n < supply) {
        return 'nobody may hold even a thousandth of the supply'
      }
      return timeOf(until, now) > now + 366 * day
        ? 'the balance limit holds for more than a year'
        : undefined
    },
  }),
  governance: defineRow({
    group: 'Control',
    label: 'Governance',
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
      if (form === 'none')
        return [
          `none${ignored === undefined ? '' : ` (with a flag that no contract reads: ${ignored})`}`,
        ]
      if (form === 'multisig') {
        if (account === 'nobody') return ['nobody can decide anything']
        return account === 'you'
          ? ['you decide alone']
          : [...accountText(account ?? 'nobody', view), ' decides alone']
      }
      const proposing =
        threshold === undefined || threshold === '0'
          ? 'Anybody may propose'
          : `Whoever has ${tokensText(threshold)} may propose`
      return [
        `a DAO${name === undefined ? '' : `, “${plain(name)}”`}: holders vote, and 8% of the supply must take part. ` +
          `${proposing}, from 90 days after the launch on. A vote begins ${countText(delay, 'block')} later, lasts ` +
          `${countText(period, 'block')}, and takes effect after a day`,
      ]
    },
    // A DAO is named after its token, so a template can't pin the name.
    isSame: (asked, does, view) =>
      canonical({ ...asked, name: asked.name ?? does.name }, view) === canonical(does, view),
    unusualReason: ({ form, account, period = 0 }) => {
      if (account !== undefined && isStranger(account)) {
        return 'an account that nobody named decides alone'
      }
      return form === 'dao' && period < minVoting
        ? 'a vote is so short that hardly anybody can take part'
        : undefined
    },
  }),
  owner: defineRow({
    group: 'Control',
    label: 'Token owner',
    schema: z.object({ to: accountSchema, now: z.boolean(), hooks: z.optional(z.boolean()) }),
    read: ({ locked, graduation, restTo, shape }, view) =>
      locked === undefined || restTo === undefined
        ? undefined
        : {
            to: roleOf(locked || !graduation ? 'contract' : restTo, view),
            now: locked || !graduation,
            ...(shape?.includes('graduates at tick') &&
              locked &&
              restTo !== 'nobody' && { hooks: true }),
          },
    text: ({ to, now, hooks }, view) => [
      ...(now
        ? ['the launch contract, for ever: nobody can change name, metadata or rules']
        : to === 'nobody'
          ? ['the launch contract; from graduation on nobody']
          : [
              'the launch contract; from graduation on ',
              ...accountText(to, view),
              ', with the right to change metadata and the rate of minting',
            ]),
      ...(hooks
        ? ['. Governance may attach another hook, which can take a fee from each trade']
        : []),
    ],
  }),
  contracts: defineRow({
    group: 'Control',
    label: 'Contracts',
    schema: z.array(accountSchema),
    read: ({ modules }) => modules.map(({ address }) => address.toLowerCase()),
    text: (value, { modules }) =>
      listText(
        value,
        (each) => {
          const name = modules?.get(each.toLowerCase())
          return name === undefined ? addressText(each) : [name]
        },
        ', ',
      ),
  }),
  idle: defineRow({
    group: 'Control',
    label: 'Set, but without effect',
    schema: z.array(textSchema),
    read: ({ idle, unusedGraduation: unused }, view) => {
      const later = unused && [
        `what would happen at a graduation that never comes: ${JSON.stringify(unused, jsonable)}`,
      ]
      const all = [...(idle ?? []), ...(later ?? [])]
      return all.length === 0 ? undefined : all.map((each) => each.replaceAll(view.wallet, 'you'))
    },
    text: (lines) => [lines.map(plain).join('; ')],
  }),
  binding: defineRow({
    group: 'Control',
    label: 'Who may launch it',
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
    text: ({ launcher, deadline, asset, hash }, view) => [
      'only ',
      ...accountText(launcher, view),
      ', until ',
      timePart(deadline),
      `, as token ${asset.slice(0, 10)}…, with the operator’s signature of ${hash.slice(0, 10)}…`,
    ],
    unusualReason: ({ launcher }) =>
      launcher === 'you' ? undefined : 'another account is the one that may launch it',
  }),
}

function jsonable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
