import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { decimal } from '../../chain/airlock/curve.ts'
import type { Graduation, Who } from '../../chain/airlock/effects.ts'
import { price } from '../../views/number.ts'
import {
  afterLock,
  canonical,
  decimals,
  define,
  figure,
  inQuote,
  isStranger,
  listed,
  near,
  percentDecimals,
  percentOf,
  roleOf,
  roles,
  round,
  span,
  type Viewpoint,
  type Words,
  who,
  whole,
  whoWords,
} from './value.ts'

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
