import { z } from 'zod'
import { baseToken, baseTokens } from '../api/asset.ts'
import type { DeliveriesTable, Store } from '../db/schema.ts'
import { hasText, rangesOf } from '../db/sql.ts'
import { storedJson, trimmedAssetSchema } from './asset.ts'
import { readBody } from './events.ts'
import { kinds, kindWord } from './kinds/list.ts'
import { type Rule, ruleOf } from './rule.ts'
import { chainsWithAssets } from './snapshot.ts'

// Reads a chat's rules and its last deliveries, as they are stored, for an operator.

/** A rule of a chat, and the time at which the chat got it in unix seconds. */
interface DatedRule {
  rule: Rule
  since: number
}

/** A chat's rules, oldest first. */
export async function rulesOfChat(store: Store, chat: number): Promise<DatedRule[]> {
  const rows = await store
    .selectFrom('subscriptions')
    .innerJoin('rules', 'rules.id', 'subscriptions.rule_id')
    .selectAll('rules')
    .select('subscriptions.created_at_s')
    .where('subscriptions.chat_id', '=', chat)
    .orderBy('subscriptions.created_at_s')
    .orderBy('rules.id')
    .execute()
  return rows.flatMap((row) => {
    const rule = ruleOf(row)
    return rule === undefined ? [] : [{ rule, since: row.created_at_s }]
  })
}

/** A rule as people type it: `progress percent:25,50 chain:8453`. */
export function optionsText({ kind, setting, scope }: Rule): string {
  const options = { ...kinds[kind].optionsFrom(setting), ...scope }
  const typed = Object.entries(options).map(([name, value]) => `${name}:${value}`)
  return [kindWord(kind), ...typed].join(' ')
}

/** A delivery as it is stored, with its event. Times are unix seconds. */
interface StoredDelivery extends Pick<DeliveriesTable, 'state' | 'attempts' | 'reason'> {
  event: number
  /** The id of the chat's row. */
  chat: number
  kind: string
  /** 0 if the event is not about a single chain. */
  chain: number
  /** '' if the event is not about a single asset. */
  asset: string
  /** '' if it has none, or this version can't parse the event. */
  symbol: string
  /** When the bot found the event. */
  foundAt: number
  /** When a delivery that waits is due. */
  runAt: number
  /** When it was last changed: sent, given up or dropped, if it is. */
  at: number
}

/**
 * Finds the deliveries of the newest events to chats (ids of rows), newest first.
 * @param assets the addresses in lower case of the only tokens to look for; undefined for all events
 */
export async function lastDeliveries(
  store: Store,
  chats: readonly number[],
  assets: readonly string[] | undefined,
  max: number,
): Promise<StoredDelivery[]> {
  const found: StoredDelivery[] = []
  for await (const { from, to = 0 } of eventRanges(store, assets)) {
    const rows = await eventsOf(store, assets)
      .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
      .select(['events.kind', 'events.chain', 'events.asset', 'events.body', 'events.found_at_s'])
      .selectAll('deliveries')
      .where('events.id', '<', from)
      .where('events.id', '>=', to)
      .where('deliveries.chat_id', 'in', chats)
      .orderBy('events.id', 'desc')
      .orderBy('deliveries.chat_id')
      .limit(max - found.length)
      .execute()
    found.push(
      ...rows.map((row) => ({
        event: row.event_id,
        chat: row.chat_id,
        kind: row.kind,
        chain: row.chain,
        asset: row.asset,
        symbol: symbolIn(row.kind, row.body),
        foundAt: row.found_at_s,
        state: row.state,
        attempts: row.attempts,
        reason: row.reason,
        runAt: row.run_at_s,
        at: row.updated_at_s,
      })),
    )
    if (found.length >= max) break
  }
  return found
}

function symbolIn(kind: string, body: string): string {
  const asset = readBody(kind, body)?.asset
  return (asset && baseToken(asset)?.token_symbol) ?? ''
}

function eventsOf(store: Store, assets: readonly string[] | undefined) {
  return store
    .selectFrom('events')
    .$if(assets !== undefined, (rest) => rest.where('events.asset', 'in', assets ?? []))
}

/** Ranges of the ids of events, newest first, `from` excluded: no index finds the deliveries of a chat. */
function eventRanges(store: Store, assets?: readonly string[]) {
  return rangesOf(Number.MAX_SAFE_INTEGER, (from, size) =>
    eventsOf(store, assets)
      .select('events.id as end')
      .where('events.id', '<', from)
      .orderBy('events.id', 'desc')
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst(),
  )
}

/** More tokens of one name are not told apart. */
const maxNamed = 200

/**
 * Finds tokens by symbol or name, in any case: those that are watched, and those of events that are kept, newest first. Returns
 * addresses in lower case.
 */
export async function findAssets(store: Store, name: string): Promise<string[]> {
  const wanted = name.toLowerCase()
  const isNamedSo = hasText('body', JSON.stringify(name))
  const found = new Set<string>()
  for await (const rows of bodies(store, isNamedSo)) {
    for (const { asset, body } of rows) {
      const stored = namedSchema.safeParse(storedJson(body)).data?.asset
      if (stored === undefined) continue
      const names = baseTokens(stored).flatMap((each) => [each.token_symbol, each.token_name])
      if (names.some((each) => each?.toLowerCase() === wanted)) found.add(asset)
    }
    if (found.size >= maxNamed) break
  }
  return [...found].slice(0, maxNamed)
}

/** Reads the stored bodies that match, of tokens and then of events, a part at a time: SQLite blocks the process while it reads. */
async function* bodies(store: Store, isMatching: ReturnType<typeof hasText>) {
  for (const chain of await chainsWithAssets(store)) {
    const watched = store.selectFrom('watched_assets').where('chain', '=', chain)
    const ranges = rangesOf('', (from, size) =>
      watched
        .select('asset as end')
        .where('asset', '>', from)
        .orderBy('asset')
        .offset(size - 1)
        .limit(1)
        .executeTakeFirst(),
    )
    for await (const { from, to } of ranges) {
      yield await watched
        .select(['asset', 'body'])
        .where('asset', '>', from)
        .$if(to !== undefined, (rest) => rest.where('asset', '<=', to ?? ''))
        .where(isMatching)
        .execute()
    }
  }
  for await (const { from, to = 0 } of eventRanges(store)) {
    yield await store
      .selectFrom('events')
      .select(['asset', 'body'])
      .where('id', '<', from)
      .where('id', '>=', to)
      .where('asset', '<>', '')
      .where(isMatching)
      .orderBy('id', 'desc')
      .execute()
  }
}

const namedSchema = z.object({ asset: trimmedAssetSchema })
