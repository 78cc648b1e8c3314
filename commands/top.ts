import { figuresOf } from '../src/api/figures.ts'
import { type Asset, maxLimit } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine, listed, oneOf, optional, type Param } from '../src/core/command.ts'
import { type Block, type Button, type Message, type Text, t, type View } from '../src/core/view.ts'
import { ApiError, UserError } from '../src/errors.ts'
import { freshness, staleNote } from '../src/views/facts.ts'
import { isOutOfOrder, legend, orderNote } from '../src/views/list.ts'
import {
  areProceedsCounted,
  isOfAnyAge,
  orderings,
  type Ranking,
  ranked,
  rankings,
} from '../src/views/ranking.ts'
import { chainName } from '../src/views/token.ts'
import { ignoredChainText, knownFakes } from './lookup.ts'
import { chain } from './params.ts'
import { command, type Services } from './services.ts'

/** Pages of the API that a ranking reads at most, of 50 tokens each. */
const maxPages = 4

const periods = ['day', 'week'] as const
type Period = (typeof periods)[number]
const secondsOf: Record<Period, number> = { day: 86_400, week: 7 * 86_400 }

const rankingNames: Record<Ranking, Message> = {
  raised: t('top-button-raised'),
  mcap: t('top-button-mcap'),
  volume: t('top-button-volume'),
  moved: t('top-button-moved'),
  new: t('top-button-new'),
}

const periodNames: Record<Period, Message> = {
  day: t('top-button-day'),
  week: t('top-button-week'),
}

/** A ranking and its period, as far as they were typed. */
interface Choice {
  ranking?: Ranking | undefined
  period?: Period | undefined
}

/** `raised`, `week`, or both in any order. */
function choice(): Param<Choice, Services> {
  const words = [...rankings, ...periods]
  return {
    about: t('top-what'),
    example: 'raised',
    required: true,
    choices: () => rankings.map((value) => ({ value, label: rankingNames[value] })),
    parse: (raw) => {
      const typed = raw.toLowerCase().split(/\s+/u)
      const unknown = typed.find((word) => !words.some((each) => each === word))
      if (unknown !== undefined) {
        throw new UserError(t('command-choice-unknown', { typed: unknown, choices: listed(words) }))
      }
      return {
        ranking: rankings.find((each) => typed.includes(each)),
        period: periods.find((each) => typed.includes(each)),
      }
    },
  }
}

/** The top tokens of one chain by amount raised, market cap, volume or price change, or the newest. */
export const top = command({
  name: 'top',
  about: t('top-about'),
  params: {
    what: optional(choice()),
    period: optional(
      oneOf<Period, Services>(
        t('top-period'),
        periods.map((value) => ({ value, label: periodNames[value] })),
      ),
    ),
    chain: optional(chain()),
  },
  run: async ({ what = {}, period: named, chain: on }, services) => {
    const chain = on ?? services.chains.find(({ testnet }) => !testnet) ?? services.chains[0]
    const chosen = { ranking: what.ranking, period: named ?? what.period, chain }
    const view = await rankingView({ ...chosen, ranking: what.ranking ?? 'raised' }, services)
    // Pools that never end don't count what they raised: there the most valuable ones say more.
    return view.isEmpty && what.ranking === undefined && chosen.period === undefined
      ? (await rankingView({ ...chosen, ranking: 'mcap' }, services)).view
      : view.view
  },
})

interface Chosen {
  ranking: Ranking
  period: Period | undefined
  chain: Chain
}

async function rankingView(
  { ranking, period: named, chain }: Chosen,
  services: Services,
): Promise<{ view: View; isEmpty: boolean }> {
  // The API's changes and volumes are of 24 hours.
  const period = named ?? (isOfAnyAge(ranking) ? 'day' : 'week')
  const title = [titles[ranking][period](chainName(chain))]
  if (isOfAnyAge(ranking) && ranking !== 'mcap' && period === 'week') {
    const view: View = {
      title,
      blocks: [{ kind: 'text', spans: [t('top-day-only')] }],
      buttons: buttons(ranking, period, chain),
    }
    return { view, isEmpty: false }
  }
  const now = services.now()
  const since = now - secondsOf[period]
  const sample = await sampleOf(ranking, chain, since, services)
  const isFake = knownFakes(chain, services)
  const { items, assets, note } = ranked(ranking, {
    ...sample,
    chain,
    isFake,
    units: services.units,
    since,
  })
  const notes = [...(note ? [note] : []), ...sampleNotes(ranking, sample, services)]
  const isCounted = areProceedsCounted(sample.assets, services.units)
  const view: View = {
    title,
    blocks: [
      items.length > 0
        ? { kind: 'list', first: 1, items }
        : {
            kind: 'text',
            spans: [emptyText(ranking, period, { ...sample, isCounted }, chain, services)],
          },
      ...legend(assets, isFake),
      ...notes.map((each): Block => ({ kind: 'text', spans: [each], small: true })),
      ...staleNote(freshness(sample, now)),
    ],
    buttons: buttons(ranking, period, chain, isCounted),
  }
  return { view, isEmpty: items.length === 0 }
}

/** The tokens to rank, and how complete they are. */
interface Sample {
  assets: Asset[]
  /** The API listed no others that could be in the ranking. */
  isComplete: boolean
  chainIgnored: boolean
  /** Age of the oldest answer in seconds. */
  age: number
  stale: boolean
}

/**
 * Reads the newest tokens back to `since`, or the first in the ranking's order: up to four pages, each from the client's cache
 * if somebody asked a moment ago. If the ranking is the order, one page is enough.
 */
async function sampleOf(
  ranking: Ranking,
  chain: Chain,
  since: number,
  { api, units }: Services,
): Promise<Sample> {
  const ordering = isOfAnyAge(ranking) ? orderings[ranking] : undefined
  const found = new Map<string, Asset>()
  const sample = { isComplete: false, chainIgnored: false, age: 0, stale: false }
  let offset = 0
  let fullPage = 0
  let isEnough = false
  for (let page = 0; page < maxPages && !isEnough; page += 1) {
    const filter = { chain: chain.id, ordering, limit: maxLimit, offset }
    const read = await api.assets(filter).catch(unlessFirst(page))
    if (!read) break
    const { items, receivedCount, chainIgnored } = read.value
    const before = found.size
    for (const asset of items) found.set(asset.asset_address.toLowerCase(), asset)
    sample.chainIgnored ||= chainIgnored
    sample.stale ||= read.stale
    sample.age = Math.max(sample.age, read.age)
    offset += receivedCount
    // A page that is shorter, or brings nothing new, is the last. The first one may be shorter than asked for.
    const isLast = receivedCount < fullPage || found.size === before
    sample.isComplete = isLast || (!ordering && items.some(isOlder))
    // The first ten in an order are the first ten of all, if the API keeps it.
    const isOrder = ranking !== 'moved' && ordering && !isOutOfOrder(items, ordering, units)
    isEnough = sample.isComplete || isOrder === true
    fullPage = Math.max(fullPage, receivedCount)
  }
  return { ...sample, assets: [...found.values()] }

  function isOlder(asset: Asset): boolean {
    const { createdAt } = figuresOf(asset, units)
    return createdAt !== undefined && createdAt < since
  }
}

/** A ranking of the pages before is better than none. */
function unlessFirst(page: number) {
  return (error: unknown): undefined => {
    if (page === 0 || !(error instanceof ApiError)) throw error
  }
}

function sampleNotes(
  ranking: Ranking,
  { assets, isComplete }: Sample,
  { units }: Services,
): Text[] {
  if (isComplete) return []
  const count = assets.length
  if (!isOfAnyAge(ranking)) return [t('top-among-newest', { count })]
  const order = orderings[ranking]
  if (isOutOfOrder(assets, order, units)) return [orderNote(order)]
  return ranking === 'moved' ? [t('top-among-most-traded', { count })] : []
}

function emptyText(
  ranking: Ranking,
  period: Period,
  { assets, chainIgnored, isCounted }: Sample & { isCounted: boolean },
  chain: Chain,
  services: Services,
): Text {
  const ignored = chainIgnored ? ignoredChainText([chain], services) : undefined
  if (ignored) return ignored
  if (ranking === 'moved') return t('top-none-moved', { chain: chainName(chain) })
  if (ranking === 'mcap') return t('top-none-mcap', { chain: chainName(chain) })
  if (ranking === 'volume') return t('top-none-volume', { chain: chainName(chain) })
  const isDated = assets.some((asset) => figuresOf(asset, services.units).createdAt !== undefined)
  if (assets.length > 0 && !isDated) return t('top-undated')
  if (ranking === 'raised' && !isCounted) {
    return t('top-none-raised-uncounted', { chain: chainName(chain) })
  }
  return emptyTexts[ranking][period](chainName(chain))
}

type OfChain = (chain: Text) => Message

const titles: Record<Ranking, Record<Period, OfChain>> = {
  raised: {
    day: (chain) => t('top-title-raised-day', { chain }),
    week: (chain) => t('top-title-raised-week', { chain }),
  },
  mcap: {
    day: (chain) => t('top-title-mcap', { chain }),
    week: (chain) => t('top-title-mcap', { chain }),
  },
  volume: {
    day: (chain) => t('top-title-volume', { chain }),
    week: (chain) => t('top-title-volume-week', { chain }),
  },
  moved: {
    day: (chain) => t('top-title-moved', { chain }),
    week: (chain) => t('top-title-moved-week', { chain }),
  },
  new: {
    day: (chain) => t('top-title-new-day', { chain }),
    week: (chain) => t('top-title-new-week', { chain }),
  },
}

const emptyTexts: Record<'raised' | 'new', Record<Period, OfChain>> = {
  raised: {
    day: (chain) => t('top-none-raised-day', { chain }),
    week: (chain) => t('top-none-raised-week', { chain }),
  },
  new: {
    day: (chain) => t('top-none-new-day', { chain }),
    week: (chain) => t('top-none-new-week', { chain }),
  },
}

/**
 * A row of rankings and, where there is a choice, one of periods.
 * @param isCounted whether pools say what they raise: nothing is ranked by it otherwise
 */
function buttons(current: Ranking, shown: Period, { id }: Chain, isCounted = true): Button[][] {
  const line = (ranking: Ranking, period: Period | undefined) =>
    formatLine('top', ranking, { period, chain: id })
  const button = (label: Message, isChosen: boolean, line: string): Button => ({
    label: isChosen ? t('chosen', { label }) : label,
    line,
  })
  const offered = rankings.filter((each) => isCounted || each !== 'raised')
  const byRanking = offered.map((each) =>
    button(
      rankingNames[each],
      each === current,
      // Each has the period that it begins with beside a ranking that has no other.
      line(each, isOfAnyAge(each) || isOfAnyAge(current) ? undefined : shown),
    ),
  )
  const rows = [byRanking.slice(0, -2), byRanking.slice(-2)]
  const byPeriod = periods.map((each) =>
    button(periodNames[each], each === shown, line(current, each)),
  )
  const hasChoice = isOfAnyAge(current)
    ? current !== 'mcap' && shown !== 'day'
    : offered.includes(current)
  return hasChoice ? [...rows, byPeriod] : rows
}
