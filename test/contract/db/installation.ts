import { sql } from 'kysely'
import sharp from 'sharp'
import { ManagedChats } from '../../../src/alerts/chat-alerts.ts'
import type { Target } from '../../../src/alerts/chats.ts'
import { storeEvents } from '../../../src/alerts/events.ts'
import type { Event } from '../../../src/alerts/kinds/kind.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { upsertAssets } from '../../../src/alerts/snapshot.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { AdminLog } from '../../../src/db/admin-log.ts'
import { Blocklist } from '../../../src/db/blocklist.ts'
import { claimDatabase } from '../../../src/db/bot-identity.ts'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import type { Store } from '../../../src/db/schema.ts'
import { Watchlists } from '../../../src/db/watchlists.ts'
import { EmbeddedQueue } from '../../../src/jobs/embedded.ts'
import { Drafts } from '../../../src/launch/draft.ts'
import { rawCid } from '../../../src/launch/image.ts'
import { Payloads } from '../../../src/launch/payload.ts'
import { Pictures } from '../../../src/launch/pictures.ts'
import { createLogger } from '../../../src/log.ts'
import { auction, chain, eventually } from '../../unit/alerts/notifier-harness.ts'
import { ada } from '../../unit/launch/harness.ts'
import { payloadBody } from '../../unit/launch/payload-body.ts'

export const log = createLogger('silent', [])
const oddLine = 'asset 🦦 \0 ’x’ \\ {"a":null} é'
export const maxShown = Number.MAX_SAFE_INTEGER

const now = () => Math.floor(Date.now() / 1000)
/** What gathers is due by then. */
const soon = () => Date.now() + 10_000

export const chats: [Target, Target] = [
  { platform: 'telegram', kind: 'person', id: '7' },
  { platform: 'telegram', kind: 'chat', id: '-1008' },
]

export function partsOf(store: Store) {
  return {
    lines: new StoredCallbacks(store, now, log),
    drafts: new Drafts(store, now),
    payloads: new Payloads(store, now),
    pictures: new Pictures(store, now),
    subscriptions: new Subscriptions({ store, now, perChat: 30 }),
    outbox: new Outbox(store, soon),
  }
}

function newsOf(name: string): Event {
  const asset = auction(name)
  const at = now()
  const usefulUntil = at + 86_400
  return {
    key: `live ${name}`,
    chain,
    asset: asset.asset_address,
    at,
    usefulUntil,
    body: { kind: 'live', asset },
  }
}

export function tell(store: Store, name: string): Promise<unknown> {
  return store
    .transaction()
    .execute((tx) => storeEvents(tx, [newsOf(name)], { chains: [8453], now: now() }))
}

/** Something of everything that the bot stores. */
export async function furnish(store: Store): Promise<{ lastFilter: number }> {
  const { lines, drafts, payloads, pictures } = partsOf(store)
  await lines.store(oddLine)
  await store
    .insertInto('callback_lines')
    .values({ id: 'x', line: '', shown_at_s: maxShown })
    .execute()
  const begun = await drafts.begin(ada, { origin: '-1008', goal: 'launch' })
  const draft = await drafts.save({ ...begun, answers: { name: 'Moon 🦦 Otter' } })
  const payload = await payloads.create(draft.id, payloadBody)
  await payloads.newLink(payload.id)
  const noise = { type: 'gaussian', mean: 99, sigma: 40 } as const
  const picture = sharp({
    create: { width: 64, height: 64, channels: 3, background: 'red', noise },
  })
  const bytes = new Uint8Array(await picture.webp().toBuffer())
  const cid = await rawCid(bytes)
  await pictures.keep({ cid, type: 'image/webp', bytes })
  await pictures.keep({ cid: 'empty', type: 'image/webp', bytes: new Uint8Array() })
  const lastFilter = await furnishAlerts(store)
  await furnishJobs(store)
  await furnishPeople(store)
  await claimDatabase(store, 'telegram', '4242')
  return { lastFilter }
}

/**
 * A person speaks Spanish, manages a group and watches two tokens, of which one had no price; the group has cards and quiet
 * hours.
 */
async function furnishPeople(store: Store): Promise<void> {
  const settings = new ChatSettings(store)
  await settings.set('telegram', '7', { language: 'es', seenLanguage: 'pt-BR' })
  await settings.set('telegram', '-1008', {
    cards: true,
    quiet: { from: 23, to: 7 },
    zone: 'Europe/Berlin',
  })
  await new ManagedChats(store, now).note('telegram', '7', '-1008')
  const log = new AdminLog(store, now)
  await log.end(await log.begin('ada', 'chats pause telegram:-1008'), 'Paused 🦦.')
  await new Blocklist(store, now).block({ platform: 'telegram', id: '13' })
  const watchlists = new Watchlists(store)
  const price = { amount: '0.00000012340', currency: 'usd' }
  const watched = { chain, addedAt: now() }
  for (const [name, more] of [
    ['Otter', { price }],
    ['Heron', {}],
  ] as const) {
    const asset = auction(name).asset_address.toLowerCase()
    await watchlists.add('telegram', '7', { ...watched, asset, ...more })
  }
}

/** Two chats follow; the first was told of a heron, and an otter waits for both. */
async function furnishAlerts(store: Store): Promise<number> {
  const { subscriptions, outbox } = partsOf(store)
  const live = { kind: 'live', setting: {}, scope: {} } as const
  await subscriptions.subscribe(chats[0], live)
  await tell(store, 'Heron')
  const claim = await outbox.claim('telegram', 10)
  if (!claim) throw new Error('nothing was claimed')
  await outbox.record(claim, claim.events, { kind: 'sent' }, 0)
  await subscriptions.subscribe(chats[1], live)
  await tell(store, 'Otter')
  const gone = { kind: 'graduated', setting: {}, scope: {} } as const
  await subscriptions.subscribe(chats[1], gone)
  const [, last] = (await subscriptions.of(chats[1])).subscriptions
  await subscriptions.unsubscribe(chats[1], last?.id ?? 0)
  await sql`delete from rules where id = ${last?.id}`.execute(store)
  const asset = auction('Otter')
  const body = JSON.stringify({ asset, pastPhases: ['live'], absences: 0 })
  const of = { chain, asset: asset.asset_address }
  const row = { ...of, phase: 'live', body, history: '[]', updated_at_s: now() }
  await upsertAssets(store, [row])
  await store
    .insertInto('watched_chains')
    .values({ chain, begun_at_s: now(), body: '{}' })
    .execute()
  const shown = { ...of, chat_id: 1, message: '99', shown: 'x' }
  await store
    .insertInto('live_messages')
    .values({ ...shown, due_at_s: now(), over_at_s: null, created_at_s: now() })
    .execute()
  return last?.id ?? 0
}

/** One is done, one was given up, one failed once and waits, one waits for another day. */
async function furnishJobs(store: Store): Promise<void> {
  const queue = new EmbeddedQueue({
    store,
    log,
    now,
    tries: 2,
    pause: (failures) => (failures > 1 ? 1 : 0),
  })
  queue.handle('greet', async () => 'done')
  queue.handle('fail', async () => {
    throw new Error('no \0 way')
  })
  await queue.add({ key: 'greeted', kind: 'greet', body: 'greeted' })
  await queue.add({ key: 'failed', kind: 'fail', body: 'failed' })
  queue.start()
  await eventually(async () => {
    const left = store.selectFrom('jobs').select('key').where('state', '=', 'waiting')
    if ((await left.execute()).length > 0) throw new Error('not yet')
  })
  await queue.stop()
  await store
    .updateTable('jobs')
    .set({ updated_at_s: now() - 60 * 86_400 })
    .where('key', '=', 'greeted')
    .execute()
  const due = { key: 'due', kind: 'greet', body: { to: '🦦 \0' } }
  await queue.add(due)
  await store
    .updateTable('jobs')
    .set({ attempts: 1, reason: 'busy' })
    .where('key', '=', 'due')
    .execute()
  await queue.add({ key: 'later', kind: 'greet', body: 'later', runAt: now() + 86_400 })
}
