import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { plain } from '../../chain/airlock/calldata.ts'
import type { Effects } from '../../chain/airlock/effects.ts'
import {
  address,
  canonical,
  count,
  day,
  decimals,
  define,
  figure,
  grouped,
  inTokens,
  isStranger,
  listed,
  moment,
  momentOf,
  momentWords,
  near,
  percentDecimals,
  percentOf,
  roleOf,
  round,
  sameMoment,
  sameWho,
  span,
  text,
  timeOf,
  timeWord,
  tokens,
  units,
  type Viewpoint,
  type Words,
  who,
  whole,
  whoWords,
} from './value.ts'

const vestingLine = z.object({
  to: who,
  tokens: z.optional(figure),
  percent: z.optional(figure),
  cliff: z.optional(z.number()),
  duration: z.optional(z.number()),
})

type VestingLine = z.infer<typeof vestingLine>

/** Rows about who gets how many tokens. */
export const supplyRows = {
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
}

function byAmount(effects: Effects | undefined) {
  const amount = (line: VestingLine) => tokensOf(line, effects?.supply ?? whole)
  return (one: VestingLine, other: VestingLine) => Number(amount(other) - amount(one))
}

function tokensOf({ tokens, percent }: VestingLine, supply: bigint): bigint {
  if (tokens !== undefined) return units(tokens, decimals)
  return (supply * units(percent ?? '0', 16)) / whole
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

/** Min blocks of a vote: one day at 12 seconds per block, the slowest block time. */
const minVoting = 7_200

/** Rows about who may change what. */
export const controlRows = {
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
}

function jsonable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
