import { baseToken } from '../api/figures.ts'
import { decimal } from '../api/number.ts'
import type { Store } from '../db/schema.ts'
import { type Event, type EventBody, eventBodySchema } from './event.ts'
import { addDeliveries } from './outbox.ts'
import { storedJson } from './snapshot.ts'
import type { Subscription } from './subscription.ts'
import { ruleOf } from './subscriptions.ts'

/** An event as it was stored. */
export interface StoredEvent extends Omit<Event, 'body'> {
  id: number
  /** Undefined if it was pruned, or if this version can't parse it. */
  body: EventBody | undefined
}

/**
 * Stores events in the caller's transaction, together with the state they were detected by. Events whose key is stored
 * already are skipped; for each new one a waiting delivery is added per subscribed chat that is neither paused nor
 * muted at `now` (unix seconds). Returns how many of each were added. If others may write concurrently, the caller must
 * hold the lock (`lockDeliveries`).
 */
export async function enqueue(
  tx: Store,
  events: readonly Event[],
  now: number,
): Promise<{ news: number; deliveries: number }> {
  const added = { news: 0, deliveries: 0 }
  for (const event of events) {
    const id = await store(tx, event)
    if (id === undefined) continue
    added.news += 1
    const filters = await matchingFilters(tx, event)
    added.deliveries += await addDeliveries(tx, id, filters, now)
  }
  return added
}

/** Reads events by id, oldest first; those that don't exist are left out. */
export async function readEvents(store: Store, ids: readonly number[]): Promise<StoredEvent[]> {
  if (ids.length === 0) return []
  const rows = await store
    .selectFrom('news')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ id, key, chain, asset, at, useful_until, body }) => ({
    id,
    key,
    chain,
    asset,
    at,
    usefulUntil: useful_until,
    body: eventBodySchema.safeParse(storedJson(body)).data,
  }))
}

async function store(tx: Store, event: Event): Promise<number | undefined> {
  const row = await tx
    .insertInto('news')
    .values({
      key: event.key,
      kind: event.body.kind,
      chain: event.chain,
      asset: event.asset.toLowerCase(),
      body: JSON.stringify(event.body),
      at: event.at,
      useful_until: event.usefulUntil,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Ids of the filters that match the event. */
async function matchingFilters(tx: Store, event: Event): Promise<number[]> {
  const rows = await candidates(tx, event)
  const matching = rows.filter((row) => {
    const rule = ruleOf(row)
    return rule !== undefined && concerns({ id: row.id, rule }, event.body)
  })
  return matching.map(({ id }) => id)
}

/**
 * Filters of the event's kind whose scope includes its asset. Each combination of "this value" and "any" is one index
 * seek.
 */
function candidates(tx: Store, { chain, asset, body }: Event) {
  if ('filter' in body) {
    return tx.selectFrom('filters').selectAll().where('id', '=', body.filter).execute()
  }
  const about = body.asset
  return tx
    .selectFrom('filters')
    .selectAll()
    .where('kind', '=', body.kind)
    .where('asset', 'in', thisOrAny(asset))
    .where('creator', 'in', thisOrAny(baseToken(about)?.token_creator_address))
    .where('numeraire', 'in', thisOrAny(about.asset_numeraire_address))
    .where('category', 'in', ['', ...categoriesOf(about.asset_categories)])
    .where('chain', 'in', [0, chain])
    .execute()
}

function thisOrAny(address: string | undefined): string[] {
  return ['', (address ?? '').toWellFormed().toLowerCase()]
}

function categoriesOf(categories: readonly string[] | undefined): string[] {
  return (categories ?? []).map((category) => category.toWellFormed())
}

/**
 * Whether a filter matches an event by its kind and setting; `candidates` has checked the scope. Progress matches a
 * percentage above `from` and up to `to`. An ending matches minutes from the present one up to, but not including,
 * those of the last observation; it matches nothing if there was none.
 */
export function concerns({ id, rule }: Subscription, body: EventBody): boolean {
  switch (body.kind) {
    case 'progress':
      return rule.kind === 'progress' && crossesAny(rule.setting.percents, body.from, body.to)
    case 'ending': {
      if (rule.kind !== 'ending' || body.fromMinutes === undefined) return false
      return rule.setting.minutes >= body.minutes && rule.setting.minutes < body.fromMinutes
    }
    case 'price':
    case 'mcap':
    case 'digest':
      return rule.kind === body.kind && body.filter === id
    default:
      return rule.kind === body.kind
  }
}

function crossesAny(percents: readonly number[], fromText: string, toText: string): boolean {
  const from = decimal(fromText)?.times(100)
  const to = decimal(toText)?.times(100)
  if (from === undefined || to === undefined) return false
  return percents.some((percent) => from.lt(percent) && to.gte(percent))
}
