import Database from 'better-sqlite3'
import type { Event, Scope } from '../src/alerts/kinds/kind.ts'
import { type Rule, type RuleRow, rowOf } from '../src/alerts/rule.ts'
import { openStore } from '../src/db/database.ts'
import { chain } from './bots.ts'

const subscriptionsPerChat = 4
const creators = 2_000
const assets = 5_000
const numeraires = ['numeraire-0', 'numeraire-1'] as const
const categories = ['builder-coin', 'product-coin'] as const
const percents = [25, 50, 75, 90, 100]

/** The time of all events, in unix seconds. */
export const eventTime = 1_800_000_000

/** Creates a database file with this many subscriptions, four per chat. */
export async function createSubscriptions(file: string, count: number): Promise<void> {
  await (await openStore(file)).destroy()
  const database = new Database(file)
  try {
    database.transaction(() => fill(database, count))()
    database.exec('analyze')
    database.pragma('wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

function fill(database: Database.Database, count: number): void {
  const ids = new Map<string, number>()
  const addChat = database.prepare(
    `insert into chats (id, platform, kind, chat, thread, muted_until_s, next_at_ms, claims, created_at_s, updated_at_s)
     values (?, 'telegram', 'person', ?, '', 0, 0, 0, 0, 0)`,
  )
  const addRule = database.prepare(
    `insert into rules (id, kind, chain, asset, numeraire, creator, category, setting, memory)
     values (@id, @kind, @chain, @asset, @numeraire, @creator, @category, @setting, '')`,
  )
  const addSubscription = database.prepare(
    'insert into subscriptions (rule_id, chat_id, created_at_s) values (?, ?, 0) on conflict do nothing',
  )
  const idOf = (row: RuleRow): number => {
    const key = JSON.stringify(row)
    const stored = ids.get(key)
    if (stored !== undefined) return stored
    const id = ids.size + 1
    ids.set(key, id)
    addRule.run({ ...row, id })
    return id
  }
  const chats = Math.ceil(count / subscriptionsPerChat)
  for (let id = 1; id <= chats; id += 1) addChat.run(id, String(id))
  // Two rules of one chat may be equal: then the next number is used.
  for (let number = 0, stored = 0; stored < count; number += 1) {
    const chat = (number % chats) + 1
    const row = rowOf(ruleOfNumber(number))
    stored += addSubscription.run(idOf(row), chat).changes
  }
}

/**
 * Returns the rule of the subscription with this number: two of five match everything or much, the others one asset or
 * creator.
 */
function ruleOfNumber(number: number): Rule {
  const draw = seededNumbers(number)
  const within = draw(2) === 0 ? {} : { chain }
  const one: Scope =
    draw(2) === 0 ? { asset: addressOf(draw(assets)) } : { creator: `creator-${draw(creators)}` }
  const wide = draw(10)
  if (wide >= 7) return { kind: 'progress', setting: { percents }, scope: { ...one, ...within } }
  const many: Scope[] = [
    {},
    { category: categories[draw(2)] },
    { numeraire: numeraires[draw(2)] },
    one,
    one,
  ]
  const scope = { ...many[draw(many.length)], ...within }
  return wide < 4 ? { kind: 'live', setting: {}, scope } : { kind: 'graduated', setting: {}, scope }
}

function addressOf(asset: number): string {
  return `0x${asset.toString(16).padStart(40, '0')}`
}

/** Makes a generator of numbers below a limit that depend only on the seed. */
function seededNumbers(seed: number): (limit: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0
    return ((state ^ (state >>> 12)) >>> 0) % limit
  }
}

/** Makes an event that matches many subscriptions (a new auction) or few (one asset's progress). */
export function makeEvent(sort: 'wide' | 'narrow', key: string): Event {
  const asset = {
    asset_address: addressOf(17),
    asset_numeraire_address: numeraires[0],
    asset_categories: [categories[0]],
    auction_pool: { base_token: { token_creator_address: 'creator-17' } },
  }
  const about = {
    key,
    chain,
    asset: addressOf(17),
    at: eventTime,
    usefulUntil: eventTime + 3600,
  }
  return sort === 'wide'
    ? { ...about, body: { kind: 'live', asset } }
    : { ...about, body: { kind: 'progress', asset, from: '0.2', to: '0.26' } }
}
