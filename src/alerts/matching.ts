import { baseToken } from '../api/figures.ts'
import type { Store } from '../db/schema.ts'
import { storedJson } from './asset.ts'
import type { Event, EventBody } from './event.ts'
import { kindNamed, kinds } from './kinds/list.ts'
import { addDeliveries } from './outbox.ts'
import { ruleOf } from './rule.ts'
import type { Subscription } from './subscriptions.ts'

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
  return rows.map(({ id, key, kind, chain, asset, at, useful_until, body }) => ({
    id,
    key,
    chain,
    asset,
    at,
    usefulUntil: useful_until,
    body: readBody(kind, body),
  }))
}

/** Parses what is stored of an event (JSON); undefined if this version can't. */
export function readBody(kindId: string, body: string): EventBody | undefined {
  const kind = kindNamed(kindId)
  return kind && kinds[kind].body.safeParse(storedJson(body)).data
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
    return rule !== undefined && matches({ id: row.id, rule }, event.body)
  })
  return matching.map(({ id }) => id)
}

/**
 * Filters of the event's kind whose scope includes its asset. Each combination of "this value" and "any" is one index
 * seek.
 */
function candidates(tx: Store, { chain, asset, body }: Event) {
  const { asset: about, filter } = body
  if (filter !== undefined || about === undefined) {
    return tx
      .selectFrom('filters')
      .selectAll()
      .where('id', '=', filter ?? 0)
      .execute()
  }
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

/** Whether a rule matches an event by its kind and setting; `candidates` has checked the scope. */
export function matches({ id, rule }: Subscription, body: EventBody): boolean {
  if (rule.kind !== body.kind) return false
  const { detection } = kinds[rule.kind]
  if (detection.by === 'settings') return detection.matches(rule.setting, body)
  return detection.by === 'asset' || body.filter === id
}
