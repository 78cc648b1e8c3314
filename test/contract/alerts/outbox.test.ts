import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { enqueue } from '../../../src/alerts/matching.ts'
import { StoredOutbox } from '../../../src/alerts/outbox.ts'
import type { Target } from '../../../src/alerts/subscription.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { digest } from '../../unit/alerts/pieces.ts'
import { outboxContract } from './outbox-contract.ts'
import type { OutboxEngine } from './outbox-engine.ts'

let folder: string
let database: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-outbox-'))
  database = await TestDatabase.make()
})
afterEach(async () => {
  await database.remove()
  await rm(folder, { recursive: true, force: true })
})

async function connect(): Promise<Store> {
  return database.open()
}

const chatOf = (chat: string, place: Partial<Target> = {}): Target => {
  return { platform: 'telegram', kind: 'chat', id: chat, ...place }
}

/** Outboxes take turns with two connections, as two processes have them. */
async function engine(): Promise<OutboxEngine> {
  const [store, other] = [await connect(), await connect()]
  const clock = { now: 1_700_000_000_000 }
  const seconds = () => Math.floor(clock.now / 1000)
  const follows = new Subscriptions({ store, now: seconds, perChat: 1000 })
  let made = 0
  let told = 0
  const targetOf = async (id: number) => {
    const row = await store
      .selectFrom('destinations')
      .select(['chat', 'platform', 'thread'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return chatOf(row.chat, row)
  }
  return {
    clock,
    gathering: 2,
    outbox: () => {
      made += 1
      return new StoredOutbox(made % 2 === 1 ? store : other, () => clock.now)
    },
    destination: async (chat, place) => {
      await follows.follow(chatOf(chat, place), { kind: 'incoming', setting: {}, scope: {} })
      const row = await store
        .selectFrom('destinations')
        .select('id')
        .where('chat', '=', chat)
        .where('platform', '=', place?.platform ?? 'telegram')
        .where('thread', '=', place?.thread ?? '')
        .executeTakeFirstOrThrow()
      return row.id
    },
    tell: async (...destinations) => {
      told += 1
      const rule = { kind: 'digest', setting: { hour: 8, zone: `${told}` }, scope: {} } as const
      for (const id of destinations) await follows.follow(await targetOf(id), rule)
      const { id: filter } = await store
        .selectFrom('filters')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      const news = digest({ key: `news ${told}`, filter, at: seconds() })
      const { deliveries } = await store
        .transaction()
        .execute((tx) => enqueue(tx, [news], seconds()))
      expect(deliveries).toBe(destinations.length)
      const { id } = await store
        .selectFrom('news')
        .select('id')
        .where('key', '=', news.key)
        .executeTakeFirstOrThrow()
      return id
    },
    kept: (news, destination) =>
      store
        .selectFrom('deliveries')
        .select(['state', 'reason'])
        .where('news', '=', news)
        .where('destination', '=', destination)
        .executeTakeFirstOrThrow(),
    resume: async (id) => follows.resume(await targetOf(id)),
    mute: async (id, until) => follows.mute(await targetOf(id), until),
    follows: async (id) => (await follows.of(await targetOf(id))).follows.length,
    bodies: async () => {
      const rows = await store.selectFrom('news').select('id').where('body', '<>', '').execute()
      return rows.length
    },
    close: async () => undefined,
  }
}

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../src', path))

/** A process that claims and is never heard of again. */
const hungProcess = `
  import { StoredOutbox } from ${source('alerts/outbox.ts')}
  import { openStore } from ${source('db/database.ts')}
  const store = await openStore(process.argv[2])
  const outbox = new StoredOutbox(store, () => Number(process.argv[3]))
  const claims = await outbox.claim('telegram', { most: 5, together: 10, lease: 60 })
  process.send(claims.map(({ news }) => news))
  setInterval(() => undefined, 1000)
`

/** A process that claims until nothing is left for it and settles each, together with others that do. */
const busyProcess = `
  import { existsSync } from 'node:fs'
  import { setTimeout } from 'node:timers/promises'
  import { StoredOutbox } from ${source('alerts/outbox.ts')}
  import { openStore } from ${source('db/database.ts')}
  const [, , address, now, signal] = process.argv
  const store = await openStore(address)
  const outbox = new StoredOutbox(store, () => Number(now))
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
    const claims = await persist(() => outbox.claim('telegram', { most: 3, together: 10, lease: 60 }))
    if (claims.length === 0) break
    for (const claim of claims) {
      sent.push([claim.destination.id, ...claim.news])
      await persist(() => outbox.record(claim, claim.news, { kind: 'sent' }, 0))
    }
  }
  await store.destroy()
  process.send(sent)
  process.disconnect()
`

/** Kills a process that is still there. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('the outbox in the bot’s own database', () => {
  outboxContract(engine)

  test('news of very many deliveries is forgotten with all of them', async () => {
    const { clock, destination, tell, outbox } = await engine()
    const id = await tell(await destination('ada'))
    const store = await connect()
    const count = 4500
    await sql`with recursive more(chat) as (select 100 union all select chat + 1 from more where chat < ${99 + count})
      insert into deliveries select news, chat, 'sent', run_at, 1, 1, 0, null, updated_at
      from deliveries, more where news = ${id}`.execute(store)
    clock.now += 32 * 86_400_000
    expect(await outbox().prune()).toBe(count + 2)
  })

  test('processes that claim and settle at once tell each chat once', async () => {
    const { clock, destination, tell } = await engine()
    const chats: number[] = []
    for (let each = 0; each < 60; each += 1) chats.push(await destination(`chat ${each}`))
    const ids = [await tell(...chats), await tell(...chats)]
    clock.now += 2000
    const program = join(folder, 'process.mjs')
    await writeFile(program, busyProcess)
    const signal = join(folder, 'go')
    const args = [database.address, `${clock.now}`, signal]
    const processes = [1, 2, 3].map(() => fork(program, args))
    try {
      await Promise.all(processes.map((each) => once(each, 'message')))
      const reports = Promise.all(processes.map((each) => once(each, 'message')))
      await writeFile(signal, '')
      const sent = (await reports).flatMap(([each]) => each)
      expect(sent.toSorted(([one], [other]) => one - other)).toEqual(
        chats.map((chat) => [chat, ...ids]),
      )
    } finally {
      await Promise.all(processes.map(ended))
    }
  })

  test('what a killed process held is neither lost nor taken before its lease has run out', async () => {
    const { clock, destination, tell, outbox } = await engine()
    const ada = await destination('ada')
    const id = await tell(ada)
    clock.now += 2000
    const program = join(folder, 'process.mjs')
    await writeFile(program, hungProcess)
    const killed = fork(program, [database.address, `${clock.now}`])
    try {
      const [held] = await once(killed, 'message')
      expect(held).toEqual([[id]])
    } finally {
      await ended(killed)
    }
    const limits = { most: 5, together: 10, lease: 60 }
    const left = outbox()
    expect(await left.claim('telegram', limits)).toEqual([])
    clock.now += 60_000
    expect(await left.claim('telegram', limits)).toMatchObject([{ news: [id], attempts: 2 }])
  })
})
