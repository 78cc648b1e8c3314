import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { EmbeddedQueue } from '../../../src/jobs/embedded.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../../unit/core/log-book.ts'
import { queueContract } from './contract.ts'

const now = () => Math.floor(Date.now() / 1000)
const log = createLogger('silent', [])
const patience = { timeout: 10_000 }

let folder: string
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-queue-'))
  store = await openStore(join(folder, 'gavel.db'))
})
afterEach(async () => {
  await store.destroy()
  await rm(folder, { recursive: true, force: true })
})

function kept(key: string) {
  return store.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst()
}

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../src', path))

/** A process that takes a job and never ends it. */
const hungWorker = `
  import { EmbeddedQueue } from ${source('jobs/embedded.ts')}
  import { createLogger } from ${source('log.ts')}
  import { openStore } from ${source('db/database.ts')}
  const store = await openStore(process.argv[2])
  const now = () => Math.floor(Date.now() / 1000)
  const queue = new EmbeddedQueue({ store, log: createLogger('silent', []), now, lease: 1 })
  queue.handle('greet', () => {
    process.send('taken')
    return new Promise(() => undefined)
  })
  queue.start()
`

describe('the embedded queue', () => {
  queueContract(async () => ({
    queue: async () => new EmbeddedQueue({ store, log, now, tries: 3, pause: () => 0 }),
    now,
    kept: async (key) => {
      const row = await kept(key)
      return row && { state: row.state, reason: row.reason }
    },
    close: async () => undefined,
  }))

  test('what a killed process was at is taken up when its lease has run out', async () => {
    const first = new EmbeddedQueue({ store, log, now })
    await first.add({ key: 'ada', kind: 'greet', body: 1 })
    const program = join(folder, 'worker.mjs')
    await writeFile(program, hungWorker)
    const worker = fork(program, [join(folder, 'gavel.db')])
    try {
      await once(worker, 'message')
    } finally {
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    }
    expect((await kept('ada'))?.leased_until).toBeGreaterThan(0)
    const second = new EmbeddedQueue({ store, log, now })
    const ran: unknown[] = []
    second.handle('greet', async (body) => {
      ran.push(body)
      return 'done'
    })
    second.start()
    await vi.waitFor(() => expect(ran).toEqual([1]), { timeout: 10_000 })
    await second.stop()
  })

  test('a job that takes longer than its lease is not given to another', async () => {
    let runs = 0
    let clock = now()
    const over = Promise.withResolvers<void>()
    const lease = 2
    const both = [1, 2].map(() => new EmbeddedQueue({ store, log, now: () => clock, lease }))
    for (const each of both) {
      each.handle('greet', async () => {
        runs += 1
        await over.promise
        return 'done'
      })
      each.start()
    }
    await both[0]?.add({ key: 'ada', kind: 'greet', body: 1 })
    await vi.waitFor(() => expect(runs).toBe(1))
    const end = clock + 2 * lease
    while (clock < end) {
      clock += 1
      await vi.waitFor(
        async () => expect((await kept('ada'))?.leased_until).toBe(clock + lease),
        patience,
      )
      // Something is added, so both look for work.
      for (const each of both) await each.add({ key: `tick ${clock}`, kind: 'tick', body: 1 })
    }
    over.resolve()
    await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('done'), patience)
    await Promise.all(both.map((each) => each.stop()))
    expect(runs).toBe(1)
  })

  test('a job that is done keeps its key and loses its body; one given up keeps both, for the operator', async () => {
    const queue = new EmbeddedQueue({ store, log, now, tries: 1 })
    queue.handle('greet', async (body) => {
      if (body === 'bad') throw new Error('no')
      return 'done'
    })
    queue.start()
    await queue.add({ key: 'ada', kind: 'greet', body: 'secret' })
    await queue.add({ key: 'bob', kind: 'greet', body: 'bad' })
    await vi.waitFor(async () => expect((await kept('bob'))?.state).toBe('given-up'))
    expect(await kept('ada')).toMatchObject({ state: 'done', body: 'null' })
    expect(await kept('bob')).toMatchObject({ body: '"bad"', reason: 'no' })
    await queue.stop()
  })

  test('each failure waits longer than the one before, and both it and the end are logged', async () => {
    const book = new LogBook()
    const loud = createLogger('info', [], book)
    let clock = 1_000_000
    const queue = new EmbeddedQueue({ store, log: loud, now: () => clock, tries: 4 })
    queue.handle('greet', async () => {
      throw new Error('no luck')
    })
    queue.start()
    await queue.add({ key: 'ada', kind: 'greet', body: 1 })
    const pauses: number[] = []
    for (let failures = 1; failures < 4; failures += 1) {
      await vi.waitFor(async () =>
        expect(await kept('ada')).toMatchObject({ attempts: failures, leased_until: 0 }),
      )
      const due = (await kept('ada'))?.run_at ?? 0
      pauses.push(due - clock)
      clock = due
      // Something is added, so the queue looks at its clock.
      await queue.add({ key: `tick ${failures}`, kind: 'tick', body: 1 })
    }
    expect(pauses).toEqual([2, 4, 8])
    await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('given-up'))
    await queue.stop()
    expect(book.of('warn')).toHaveLength(3)
    expect(book.of('error')).toHaveLength(1)
    expect(book.of('error')[0]).toContain('no luck')
  })

  test('a database that fails for a moment is asked again', async () => {
    const book = new LogBook()
    const queue = new EmbeddedQueue({ store, log: createLogger('info', [], book), now })
    let ran = 0
    queue.handle('greet', async () => {
      ran += 1
      return 'done'
    })
    await queue.add({ key: 'ada', kind: 'greet', body: 1 })
    await store.schema.alterTable('jobs').renameTo('gone').execute()
    queue.start()
    await vi.waitFor(() => expect(book.of('error').length).toBeGreaterThan(0))
    await store.schema.alterTable('gone').renameTo('jobs').execute()
    await vi.waitFor(() => expect(ran).toBe(1), { timeout: 5000 })
    await queue.stop()
  })
})
