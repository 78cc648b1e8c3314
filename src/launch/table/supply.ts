import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import type { Effects } from '../../chain/airlock/effects.ts'
import {
  day,
  decimals,
  define,
  figure,
  grouped,
  inTokens,
  isStranger,
  listed,
  near,
  percentDecimals,
  percentOf,
  roleOf,
  round,
  sameWho,
  span,
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
