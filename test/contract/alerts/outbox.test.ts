import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chatsDue, deliveriesWaiting, pruneEvents } from '../../../src/alerts/delivery-queries.ts'
import {
  addDeliveries,
  type Claim,
  type DeliveryResult,
  Outbox,
  quietHours,
  type ResultCount,
} from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { claimAll } from './claims.ts'

const hour = 3_600_000
const day = 24 * hour
/** Milliseconds for which a delivery waits for others. */
const gather = 2000

let database: TestDatabase
/** The connections of two processes. */
let store: Store
let otherStore: Store
/** Unix milliseconds. */
let clock: number
let outbox: Outbox
let results: ResultCount[]
let events: number
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  otherStore = await database.open()
  clock = 1_700_000_000_000
  results = []
  events = 0
  outbox = new Outbox(store, () => clock, { onResult: (each) => results.push(each) })
})
afterEach(() => database.remove())

const seconds = () => Math.floor(clock / 1000)
const subscriptions = () => new Subscriptions({ store, now: seconds, perChat: 1000 })
/** An outbox as of another process. */
const another = () => new Outbox(otherStore, () => clock)

/** Subscribes a chat of Telegram, or of the platform and topic given, and returns its row's id. */
async function chat(
  name: string,
  { platform = 'telegram' as 'telegram' | 'discord', thread = '' } = {},
): Promise<number> {
  const target = { platform, kind: 'chat', id: name, ...(thread && { thread }) } as const
  await subscriptions().subscribe(target, { kind: 'incoming', setting: {}, scope: {} })
  const { id } = await store
    .selectFrom('chats')
    .select('id')
    .where('chat', '=', name)
    .where('platform', '=', platform)
    .where('thread', '=', thread)
    .executeTakeFirstOrThrow()
  return id
}

/** Adds an event for these chats, due once gathered; returns its id and how many deliveries it has. */
async function add(...chats: readonly number[]): Promise<{ id: number; deliveries: number }> {
  events += 1
  const any = { chain: 0, asset: '', numeraire: '', creator: '', category: '' }
  const { id: rule } = await store
    .insertInto('rules')
    .values({ ...any, kind: 'digest', setting: `${events}`, memory: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subscriptions = chats.map((chat_id) => ({
    rule_id: rule,
    chat_id,
    created_at_s: events,
  }))
  await store.insertInto('subscriptions').values(subscriptions).execute()
  const at = seconds()
  const times = { happened_at_s: at, found_at_s: at, useful_until_s: at + 3600 }
  const event = { kind: 'digest', chain: 0, asset: '', body: '{}', ...times }
  return store.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('events')
      .values({ ...event, key: `event ${events}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const range = { after: 0, last: 1000 }
    const { deliveries } = await addDeliveries(tx, id, { rules: [rule], range }, at)
    return { id, deliveries }
  })
}

const eventFor = async (...chats: readonly number[]) => (await add(...chats)).id

/** Adds events for one chat, which are due when this returns. */
async function due(chat: number, count = 1): Promise<number[]> {
  const ids: number[] = []
  for (let each = 0; each < count; each += 1) ids.push(await eventFor(chat))
  clock += gather
  return ids
}

/** The one claim that can be made. */
async function claimOne(by = outbox): Promise<Claim> {
  const claims = await claimAll(by)
  expect(claims).toHaveLength(1)
  const [claim] = claims
  if (claim === undefined) throw new Error('nothing was claimed')
  return claim
}

const nothing = async (by = outbox) => expect(await claimAll(by)).toEqual([])

const record = (claim: Claim, result: DeliveryResult, nextAt = 0, by = outbox) =>
  by.record(claim, claim.events, result, nextAt)

const sent = { kind: 'sent' } as const
const retry = (changes: Partial<Extract<DeliveryResult, { kind: 'retry' }>> = {}) =>
  ({ kind: 'retry', runAt: seconds(), reason: 'busy', ...changes }) as const

const stored = (event: number, chat: number) =>
  store
    .selectFrom('deliveries')
    .select(['state', 'reason'])
    .where('event_id', '=', event)
    .where('chat_id', '=', chat)
    .executeTakeFirstOrThrow()

const mute = (name: string, until: number) =>
  subscriptions().mute({ platform: 'telegram', kind: 'chat', id: name }, until)
const resume = (name: string) =>
  subscriptions().resume({ platform: 'telegram', kind: 'chat', id: name })

describe('a claim', () => {
  test('has the events due to one chat, once they were gathered, oldest first', async () => {
    const ada = await chat('ada')
    const first = await eventFor(ada)
    await nothing()
    expect(await outbox.nextAt('telegram')).toBe(clock + gather)
    const [second] = await due(ada)
    expect(await claimAll(outbox, 'discord')).toEqual([])
    expect(await claimOne()).toMatchObject({
      chat: { row: ada, platform: 'telegram', kind: 'chat', id: 'ada' },
      events: [first, second],
      attempts: 1,
      uncertain: false,
    })
    expect(await outbox.nextAt('telegram')).toBeUndefined()
  })

  test('has no more events than asked for, those of the chat that is most overdue first', async () => {
    const [ada, bob] = [await chat('ada'), await chat('bob')]
    const ids = [await eventFor(bob)]
    clock += 1000
    ids.push(await eventFor(ada, bob))
    clock += 1
    ids.push(await eventFor(ada, bob))
    clock += gather
    const seen: unknown[] = []
    for (let claim = await outbox.claim('telegram', 2); claim; ) {
      seen.push([claim.chat.id, claim.events])
      await record(claim, sent, clock)
      claim = await outbox.claim('telegram', 2)
    }
    expect(seen).toEqual([
      ['bob', ids.slice(0, 2)],
      ['ada', ids.slice(1)],
      ['bob', ids.slice(2)],
    ])
  })

  test('is held by one process, until the result of all of it is recorded', async () => {
    const ada = await chat('ada')
    const [first = 0, ...rest] = await due(ada, 3)
    const claim = await claimOne()
    await outbox.record(claim, [first], { kind: 'dropped', reason: 'too late' }, 0)
    const fourth = await due(ada)
    await nothing()
    await nothing(another())
    await outbox.record(claim, rest, sent, 0)
    expect((await claimOne()).events).toEqual(fourth)
  })

  test('that is released is due as before, and counts as no attempt', async () => {
    const ada = await chat('ada')
    const ids = await due(ada, 2)
    await outbox.release(await claimOne())
    ids.push(...(await due(ada)))
    expect(await claimOne(another())).toMatchObject({ events: ids, attempts: 1, uncertain: false })
  })

  test('of a killed process is claimed as the same message after a minute, as it may have arrived', async () => {
    const ada = await chat('ada')
    const ids = await due(ada, 2)
    await claimOne()
    const third = await due(ada)
    const other = another()
    await nothing(other)
    clock = (await other.nextAt('telegram')) ?? 0
    const again = await claimOne(other)
    expect(again).toMatchObject({ events: ids, attempts: 2, uncertain: true })
    await record(again, sent, 0, other)
    expect((await claimOne(other)).events).toEqual(third)
  })

  test('that another process has taken over after a minute can only be recorded as sent', async () => {
    const ada = await chat('ada')
    const [id = 0] = await due(ada)
    const late = await claimOne()
    clock += 61_000
    const other = another()
    const claim = await claimOne(other)
    await record(late, retry())
    await record(late, { kind: 'given-up', reason: 'no' })
    await outbox.release(late)
    expect(results).toEqual([])
    expect(await stored(id, ada)).toEqual({ state: 'waiting', reason: null })
    await nothing(another())
    await record(late, sent)
    await record(claim, retry(), 0, other)
    await record(claim, { kind: 'given-up', reason: 'no' }, 0, other)
    expect(await stored(id, ada)).toEqual({ state: 'sent', reason: null })
    await nothing(other)
  })
})

describe('a result', () => {
  test('“sent” begins the chat’s cooldown, after which all later events are one claim', async () => {
    const ada = await chat('ada')
    const [first = 0] = await due(ada)
    const claim = await claimOne()
    const ids = await due(ada)
    await nothing()
    const next = clock + 3000
    await record(claim, sent, next)
    expect(await stored(first, ada)).toEqual({ state: 'sent', reason: null })
    await nothing()
    expect(await outbox.nextAt('telegram')).toBe(next)
    ids.push(...(await due(ada)))
    clock = next
    expect((await claimOne()).events).toEqual(ids)
  })

  test.each<DeliveryResult>([
    { kind: 'given-up', reason: 'too long' },
    { kind: 'dropped', reason: 'too late' },
    { kind: 'uncertain', reason: 'no answer' },
  ])('$kind is stored with its reason, counted, and final', async (result) => {
    const ada = await chat('ada')
    const [id = 0] = await due(ada, 2)
    await record(await claimOne(), result)
    expect(results).toEqual([{ platform: 'telegram', result: result.kind, deliveries: 2 }])
    const { kind: state, ...rest } = result
    expect(await stored(id, ada)).toEqual({ state, ...rest })
    clock += day
    await nothing()
  })

  test('“retry” waits until its time, counts its attempts, and delays nothing else', async () => {
    const ada = await chat('ada')
    const [first = 0] = await due(ada)
    const runAt = seconds() + 20
    await record(await claimOne(), retry({ runAt }))
    expect(await stored(first, ada)).toEqual({ state: 'waiting', reason: 'busy' })
    await nothing()
    expect(await outbox.nextAt('telegram')).toBe(runAt * 1000)
    const between = await due(ada)
    const claim = await claimOne()
    expect(claim.events).toEqual(between)
    await record(claim, sent)
    clock = runAt * 1000 - gather
    const third = await eventFor(ada)
    clock = runAt * 1000
    expect(await claimOne()).toMatchObject({
      events: [first, third],
      attempts: 2,
      uncertain: false,
    })
  })

  test('without an answer is claimed again as the same message, marked uncertain, whatever came since', async () => {
    const ada = await chat('ada')
    const ids = await due(ada, 2)
    await record(await claimOne(), retry({ uncertain: true }))
    const rest = await due(ada)
    await record(await claimOne(), retry())
    rest.push(...(await due(ada)))
    const third = await claimOne()
    expect(third).toMatchObject({ events: ids, uncertain: true })
    await outbox.release(third)
    const again = await claimOne()
    expect(again).toMatchObject({ events: ids, attempts: 3, uncertain: true })
    await record(again, { kind: 'uncertain', reason: 'no answer' })
    expect(await claimOne()).toMatchObject({ events: rest, attempts: 1, uncertain: false })
  })
})

test('what waits for the end of quiet hours is due once they have changed', async () => {
  const ada = await chat('ada')
  const ids = await due(ada)
  const runAt = seconds() + 8 * 3600
  const putOff = retry({ runAt, reason: quietHours, untried: true })
  await record(await claimOne(), putOff)
  await nothing()
  await outbox.endQuiet('telegram', 'ada')
  await record(await claimOne(), putOff)
  clock = runAt * 1000
  const claim = await claimOne()
  expect(claim.events).toEqual(ids)
  await outbox.endQuiet('telegram', 'ada')
  await nothing()
  await record(claim, sent)
  await outbox.endQuiet('telegram', 'ada')
  await nothing()
})

describe('a chat', () => {
  test('that is paused gets nothing until it is resumed, and its waiting deliveries are dropped with the reason', async () => {
    const ada = await chat('ada')
    const [first = 0] = await due(ada)
    const claim = await claimOne()
    const [second = 0] = await due(ada)
    await outbox.pause(ada, 'blocked')
    expect(results).toEqual([{ platform: 'telegram', result: 'dropped', deliveries: 2 }])
    for (const id of [first, second])
      expect(await stored(id, ada)).toEqual({ state: 'dropped', reason: 'blocked' })
    await record(claim, { kind: 'given-up', reason: '403' })
    expect(await stored(first, ada)).toEqual({ state: 'given-up', reason: '403' })
    clock += day
    await nothing()
    expect(await outbox.nextAt('telegram')).toBeUndefined()
    await resume('ada')
    const third = await due(ada)
    expect((await claimOne()).events).toEqual(third)
  })

  test('that is paused during a send and resumed at once gets the next event without delay', async () => {
    const ada = await chat('ada')
    await due(ada)
    const claim = await claimOne()
    await outbox.pause(ada, 'blocked')
    await resume('ada')
    const next = await due(ada)
    expect((await claimOne(another())).events).toEqual(next)
    await record(claim, sent)
    await nothing(another())
  })

  test('that is muted during a send gets no retry of it', async () => {
    const ada = await chat('ada')
    await due(ada)
    const claim = await claimOne()
    await mute('ada', seconds() + 3600)
    await record(claim, retry())
    await nothing()
    clock += day
    await nothing()
    const fresh = await due(ada)
    expect((await claimOne()).events).toEqual(fresh)
  })

  test('that migrates takes its waiting deliveries along', async () => {
    const ada = await chat('ada')
    const ids = await due(ada, 2)
    const claim = await claimOne()
    await chat('-100ada', { thread: '2' })
    await chat('-100ada', { platform: 'discord' })
    await outbox.migrate(ada, '-100ada')
    await record(claim, retry({ runAt: 0 }))
    expect(await claimOne()).toMatchObject({
      chat: { row: ada, id: '-100ada' },
      events: ids,
    })
  })

  test.each<DeliveryResult>([sent, { kind: 'uncertain', reason: 'no answer' }])(
    'that migrates to the id of another is merged into it, and an event that was $kind is not sent there again',
    async (result) => {
      const [old, target] = [await chat('ada'), await chat('-100ada')]
      const own = { platform: 'telegram', kind: 'chat', id: 'ada' } as const
      await subscriptions().subscribe(own, { kind: 'live', setting: {}, scope: {} })
      const first = await eventFor(old, target)
      clock += gather
      for (const claim of await claimAll(outbox))
        await record(claim, claim.chat.row === old ? result : retry({ runAt: 0 }))
      const ids = [await eventFor(old, target), await eventFor(old)]
      clock += gather
      const claims = await claimAll(outbox)
      for (const claim of claims) if (claim.chat.row === target) await outbox.release(claim)
      await outbox.migrate(old, '-100ada')
      for (const claim of claims)
        if (claim.chat.row === old) await record(claim, retry({ runAt: 0 }))
      const claim = await claimOne()
      expect(claim).toMatchObject({ chat: { row: target }, events: ids })
      expect((await stored(first, target)).state).toBe('dropped')
      await record(claim, sent)
      await nothing()
      const { subscriptions: merged } = await subscriptions().of({ ...own, id: '-100ada' })
      expect(merged.map(({ rule }) => rule.kind).toSorted()).toEqual(['incoming', 'live'])
    },
  )

  test.each(['blocked', 'muted'])(
    'that migrates to one that is %s drops its waiting deliveries',
    async (reason) => {
      const [old, target] = [await chat('ada'), await chat('-100ada')]
      const [id = 0] = await due(old)
      if (reason === 'blocked') await outbox.pause(target, 'blocked')
      else await mute('-100ada', seconds() + 3600)
      await outbox.migrate(old, '-100ada')
      expect(await stored(id, target)).toEqual({ state: 'dropped', reason })
      clock += day
      await nothing()
    },
  )

  test('that migrates stays muted, and in the cooldown of both', async () => {
    const [old, target] = [await chat('ada'), await chat('-100ada')]
    await due(target)
    const next = clock + 30_000
    await record(await claimOne(), sent, next)
    const [id = 0] = await due(old)
    const claim = await claimOne()
    await mute('ada', seconds() + 3600)
    await outbox.migrate(old, '-100ada')
    await record(claim, sent)
    expect(await stored(id, old)).toMatchObject({ state: 'sent' })
    expect((await add(target)).deliveries).toBe(0)
    await mute('-100ada', 0)
    await eventFor(target)
    expect(await outbox.nextAt('telegram')).toBe(next)
  })
})

describe('a clock', () => {
  test('that jumps ahead does not let a process claim a chat twice', async () => {
    const ada = await chat('ada')
    const [id = 0] = await due(ada)
    const claim = await claimOne()
    clock += hour
    await nothing()
    await record(claim, sent)
    expect((await stored(id, ada)).state).toBe('sent')
  })

  test('that ran ahead and was corrected delays what it put off until then, and loses nothing', async () => {
    const right = clock
    const [ada, bob] = [await chat('ada'), await chat('bob')]
    clock = right + hour
    const ids = await due(ada)
    await claimOne()
    const [retried] = await due(bob)
    await record(await claimOne(), retry({ runAt: seconds() + 600 }))
    clock = right
    await nothing(another())
    clock = right + 2 * hour
    const claims = await claimAll(another())
    expect(claims.flatMap(({ events }) => events)).toEqual([...ids, retried])
  })
})

describe('the backlog counts', () => {
  const counts = async () => ({
    telegram: await chatsDue(store, 'telegram', clock),
    discord: await chatsDue(store, 'discord', clock),
    deliveries: await deliveriesWaiting(store),
  })
  const none = { due: 0, oldest: 0 }

  test('each chat once, since its oldest event was due, and every waiting delivery', async () => {
    expect(await counts()).toEqual({ telegram: none, discord: none, deliveries: 0 })
    const [ada, bob] = [await chat('ada'), await chat('bob')]
    const cleo = await chat('cleo', { platform: 'discord' })
    await eventFor(ada, bob)
    clock += 30_000
    await eventFor(ada, bob, cleo)
    clock += gather
    expect(await counts()).toEqual({
      telegram: { due: 2, oldest: 30 },
      discord: { due: 1, oldest: 0 },
      deliveries: 5,
    })
  })

  test('nothing as due that is being sent, deferred or muted', async () => {
    await due(await chat('ada'))
    const claim = await claimOne()
    expect(await counts()).toMatchObject({ telegram: none, deliveries: 1 })
    await record(claim, retry({ runAt: seconds() + 60 }))
    expect(await counts()).toMatchObject({ telegram: none, deliveries: 1 })
    await mute('ada', seconds() + 600)
    expect(await counts()).toMatchObject({ telegram: none, deliveries: 0 })
  })
})

describe('pruning', () => {
  test('deletes old results, not waiting or recent ones', async () => {
    const [ada, bob] = [await chat('ada'), await chat('bob')]
    await eventFor(ada, bob)
    clock += gather
    for (const claim of await claimAll(outbox)) await record(claim, sent)
    expect(await pruneEvents(store, seconds() - 30 * 86_400)).toBe(0)
    clock += 32 * day
    const [fresh = 0] = await due(ada)
    expect(await pruneEvents(store, seconds() - 30 * 86_400)).toBe(3)
    expect((await stored(fresh, ada)).state).toBe('waiting')
    expect(await pruneEvents(store, seconds() - 30 * 86_400)).toBe(0)
  })

  test('deletes an event with very many deliveries', async () => {
    const id = await eventFor(await chat('ada'))
    const count = 4500
    await sql`with recursive more(chat) as (select 100 union all select chat + 1 from more where chat < ${99 + count})
      insert into deliveries select event_id, chat, 'sent', run_at_s, 1, 1, null, updated_at_s, null
      from deliveries, more where event_id = ${id}`.execute(store)
    clock += 32 * day
    expect(await pruneEvents(store, seconds() - 30 * 86_400)).toBe(count + 2)
  })
})

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../src', path))

/** A process that claims and never records a result. */
const hungProcess = `
  import { Outbox } from ${source('alerts/outbox.ts')}
  import { openStore } from ${source('db/database.ts')}
  const store = await openStore(process.argv[2])
  const outbox = new Outbox(store, () => Number(process.argv[3]))
  const claim = await outbox.claim('telegram', 10)
  process.send(claim.events)
  setInterval(() => undefined, 1000)
`

/** A process that claims until nothing is left for it and records each as sent, together with others that do. */
const busyProcess = `
  import { existsSync } from 'node:fs'
  import { setTimeout } from 'node:timers/promises'
  import { Outbox } from ${source('alerts/outbox.ts')}
  import { openStore } from ${source('db/database.ts')}
  const [, , address, now, signal] = process.argv
  const store = await openStore(address)
  const outbox = new Outbox(store, () => Number(now))
  const sent = []
  // Nobody waits long for another's write.
  async function persist(work) {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!String(error.code).startsWith('SQLITE_BUSY')) throw error
        await setTimeout(5)
      }
    }
  }
  process.send('ready')
  while (!existsSync(signal)) await setTimeout(5)
  for (;;) {
    const claim = await persist(() => outbox.claim('telegram', 10))
    if (!claim) break
    sent.push([claim.chat.row, ...claim.events])
    await persist(() => outbox.record(claim, claim.events, { kind: 'sent' }, 0))
  }
  await store.destroy()
  process.send(sent)
  process.disconnect()
`

describe('of several processes', () => {
  let folder: string
  let program: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gavel-outbox-'))
    program = join(folder, 'process.mjs')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  test('that send at the same time, each delivery is sent by one', async () => {
    const chats: number[] = []
    for (let each = 0; each < 60; each += 1) chats.push(await chat(`chat ${each}`))
    const ids = [await eventFor(...chats), await eventFor(...chats)]
    clock += gather
    await writeFile(program, busyProcess)
    const signal = join(folder, 'go')
    const processes = [1, 2, 3].map(() => fork(program, [database.address, `${clock}`, signal]))
    try {
      await Promise.all(processes.map((each) => once(each, 'message')))
      const reports = Promise.all(processes.map((each) => once(each, 'message')))
      await writeFile(signal, '')
      const all = (await reports).flatMap(([each]) => each)
      expect(all.toSorted(([one], [other]) => one - other)).toEqual(chats.map((id) => [id, ...ids]))
    } finally {
      await Promise.all(processes.map(kill))
    }
  })

  test('one that is killed loses nothing, and its message is claimed again after a minute', async () => {
    const [id] = await due(await chat('ada'))
    await writeFile(program, hungProcess)
    const killed = fork(program, [database.address, `${clock}`])
    try {
      expect(await once(killed, 'message')).toEqual([[id], undefined])
    } finally {
      await kill(killed)
    }
    await nothing()
    clock += 60_000
    expect(await claimOne()).toMatchObject({ events: [id], attempts: 2 })
  })
})
