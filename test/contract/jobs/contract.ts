import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Job, jobId, type Queue } from '../../../src/jobs/queue.ts'

/** One engine over one database. */
export interface Engine {
  /** Gives up after three tries, with so many seconds between them; by default they follow each other at once. */
  queue(pause?: number, onGivenUp?: () => void): Promise<Queue>
  now(): number
  /** What the engine kept of a job. */
  kept(key: string): Promise<{ state: string; reason: string | null } | undefined>
  close(): Promise<void>
}

const job = (key: string, more: Partial<Job> = {}): Job => ({
  key,
  kind: 'greet',
  body: { to: key },
  ...more,
})

/** Handles jobs of a kind; returns the bodies of those that ran. */
function noted(queue: Queue, kind: string): unknown[] {
  const bodies: unknown[] = []
  queue.handle(kind, async (body) => {
    bodies.push(body)
    return 'done'
  })
  return bodies
}

/** Waits for something to hold; a busy machine has its time. */
function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 })
}

/** Waits for a job to end so. */
function ends(engine: Engine, key: string, state: string, reason: string | null = null) {
  return eventually(async () => expect(await engine.kept(key)).toEqual({ state, reason }))
}

/** What every engine must do; call it inside a `describe`. */
export function queueContract(open: () => Promise<Engine>): void {
  async function withEngine(use: (engine: Engine, queue: Queue) => Promise<void>): Promise<void> {
    const engine = await open()
    const queue = await engine.queue()
    try {
      await use(engine, queue)
    } finally {
      await queue.stop()
      await engine.close()
    }
  }

  test('a job runs with its body, once, whether it was added before or after the start', () =>
    withEngine(async (engine, queue) => {
      const bodies = noted(queue, 'greet')
      await queue.add(job('ada'))
      queue.start()
      await eventually(() => expect(bodies).toEqual([{ to: 'ada' }]))
      await queue.add(job('bob'))
      await eventually(() => expect(bodies).toEqual([{ to: 'ada' }, { to: 'bob' }]))
      await ends(engine, 'bob', 'done')
    }))

  test('a job that failed is listed with why; it is tried again when that is asked, or given up for good', () =>
    withEngine(async (engine, queue) => {
      let isMended = false
      const ran: unknown[] = []
      queue.handle('greet', async (body) => {
        ran.push(body)
        if (!isMended) throw new Error('no way')
        return 'done'
      })
      await queue.add(job('ada'))
      await queue.add(job('bob'))
      await queue.add(job('later', { runAt: engine.now() + 3_600 }))
      queue.start()
      await ends(engine, 'ada', 'given-up', 'no way')
      await ends(engine, 'bob', 'given-up', 'no way')
      const stuck = await queue.stuck(10)
      // By ids that tell nothing of their keys, which may have somebody's account in them.
      const ids = [jobId(job('ada').key), jobId(job('bob').key)]
      expect(stuck.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const about = { kind: 'greet', state: 'given-up', reason: 'no way' }
      expect(stuck).toEqual([expect.objectContaining(about), expect.objectContaining(about)])
      isMended = true
      const before = ran.length
      const [first, second] = stuck
      expect(await queue.retry([first?.id ?? ''])).toBe(1)
      await eventually(() => expect(ran).toHaveLength(before + 1))
      await eventually(async () => expect(await queue.stuck(10)).toHaveLength(1))
      expect(await queue.drop(['nothing', second?.id ?? ''])).toBe(1)
      expect(await queue.stuck(10)).toEqual([])
      // Neither runs once more, nor is a key free again.
      await queue.add(job('ada'))
      await queue.add(job('bob'))
      await queue.add(job('eve'))
      await eventually(() => expect(ran).toHaveLength(before + 2))
      expect(ran.at(-1)).toEqual({ to: 'eve' })
      expect(await queue.retry(['nothing'])).toBe(0)
      expect(await queue.drop([first?.id ?? ''])).toBe(0)
    }))

  test('a key is used once for ever, even after its job has ended', () =>
    withEngine(async (engine, queue) => {
      const bodies = noted(queue, 'greet')
      await queue.add(job('ada'))
      await queue.add(job('ada', { body: 'second' }))
      queue.start()
      await ends(engine, 'ada', 'done')
      await queue.add(job('ada', { body: 'third' }))
      await queue.add(job('bob'))
      await eventually(() => expect(bodies).toHaveLength(2))
      expect(bodies).toEqual([{ to: 'ada' }, { to: 'bob' }])
    }))

  test('a job for later waits until then, or until it is run early', () =>
    withEngine(async (engine, queue) => {
      const ran = noted(queue, 'greet')
      queue.start()
      await queue.add(job('later', { runAt: engine.now() + 1000 }))
      await queue.add(job('soon', { runAt: engine.now() + 1 }))
      await eventually(() => expect(ran).toEqual([{ to: 'soon' }]))
      await queue.runNow({ kind: 'greet', key: 'later' })
      await eventually(() => expect(ran).toEqual([{ to: 'soon' }, { to: 'later' }]))
    }))

  test('a job that asks for another run gets it', () =>
    withEngine(async (engine, queue) => {
      let runs = 0
      queue.handle('greet', async () => {
        runs += 1
        return runs < 5 ? { runAt: engine.now() } : 'done'
      })
      queue.start()
      await queue.add(job('ada'))
      await ends(engine, 'ada', 'done')
      expect(runs).toBe(5)
    }))

  test('a job that is requested while it runs runs again at once', () =>
    withEngine(async (engine, queue) => {
      let runs = 0
      queue.handle('greet', async () => {
        runs += 1
        if (runs === 1) await queue.runNow({ kind: 'greet', key: 'ada' })
        return runs === 1 ? { runAt: engine.now() + 1000 } : 'done'
      })
      queue.start()
      await queue.add(job('ada'))
      await eventually(() => expect(runs).toBe(2))
    }))

  test('a job that fails is retried, and given up with its reason', () =>
    withEngine(async (engine, queue) => {
      let tries = 0
      queue.handle('greet', async () => {
        tries += 1
        throw new Error(`no. ${tries}`)
      })
      queue.start()
      await queue.add(job('ada'))
      await ends(engine, 'ada', 'given-up', 'no. 3')
      await queue.runNow({ kind: 'greet', key: 'ada' })
      await queue.add(job('ada'))
      await delay(50)
      expect(tries).toBe(3)
    }))

  test('several jobs run at once, up to a limit', () =>
    withEngine(async (_engine, queue) => {
      let atOnce = 0
      let most = 0
      let ran = 0
      queue.handle('greet', async () => {
        atOnce += 1
        most = Math.max(most, atOnce)
        await delay(5)
        atOnce -= 1
        ran += 1
        return 'done'
      })
      for (let each = 0; each < 40; each += 1) await queue.add(job(`job ${each}`))
      queue.start()
      await eventually(() => expect(ran).toBe(40))
      expect(most).toBeGreaterThan(1)
      expect(most).toBeLessThan(40)
    }))

  test('many jobs of one kind keep no other kind waiting', () =>
    withEngine(async (_engine, queue) => {
      const go = Promise.withResolvers<void>()
      queue.handle('greet', async () => {
        await go.promise
        return 'done'
      })
      const ran = noted(queue, 'tell')
      for (let each = 0; each < 40; each += 1) await queue.add(job(`job ${each}`))
      queue.start()
      await queue.add(job('ada', { kind: 'tell' }))
      await eventually(() => expect(ran).toEqual([{ to: 'ada' }]))
      await queue.add(job('bob', { kind: 'tell' }))
      await eventually(() => expect(ran).toHaveLength(2))
      go.resolve()
    }))

  test('a stop lets the running job end and begins no other', () =>
    withEngine(async (engine, queue) => {
      let ended = 0
      const begun = Promise.withResolvers<void>()
      queue.handle('greet', async () => {
        begun.resolve()
        await delay(50)
        ended += 1
        return 'done'
      })
      queue.start()
      await queue.add(job('ada'))
      await begun.promise
      await queue.stop()
      expect(ended).toBe(1)
      expect(await engine.kept('ada')).toEqual({ state: 'done', reason: null })
      await (await engine.queue()).add(job('bob'))
      await delay(30)
      expect(await engine.kept('bob')).toEqual({ state: 'waiting', reason: null })
    }))

  test('jobs that are due and not begun are counted, with how long they have waited', () =>
    withEngine(async (engine, queue) => {
      queue.handle('greet', async () => 'done')
      const none = { due: 0, oldest: 0, waiting: 0, retrying: 0 }
      expect(await queue.backlog()).toEqual(none)
      await queue.add(job('ada', { runAt: engine.now() - 50 }))
      await queue.add(job('ben', { runAt: engine.now() - 200 }))
      await queue.add(job('later', { runAt: engine.now() + 1000 }))
      const { due, oldest, ...others } = await queue.backlog()
      expect(due).toBe(2)
      expect(others).toEqual({ waiting: 3, retrying: 0 })
      expect(oldest).toBeGreaterThanOrEqual(199)
      expect(oldest).toBeLessThan(1000)
      queue.start()
      await eventually(async () => expect(await queue.backlog()).toEqual({ ...none, waiting: 1 }))
    }))

  test('a job whose last try failed is due until one succeeds, since the first that failed', async () => {
    const engine = await open()
    const queue = await engine.queue(2)
    let fails = true
    try {
      queue.handle('greet', async () => {
        if (fails) throw new Error('nobody is there')
        return { runAt: engine.now() + 1000 }
      })
      queue.start()
      await queue.add(job('ada'))
      const failing = { due: 1, waiting: 0, retrying: 1 }
      await eventually(async () => expect(await queue.backlog()).toMatchObject(failing))
      // The second try has failed, too: its age is that of the first.
      await eventually(async () => {
        expect(await queue.backlog()).toMatchObject(failing)
        expect((await queue.backlog()).oldest).toBeGreaterThan(2)
      })
      fails = false
      const well = { due: 0, oldest: 0, waiting: 1, retrying: 0 }
      await eventually(async () => expect(await queue.backlog()).toEqual(well))
    } finally {
      await queue.stop()
      await engine.close()
    }
  })

  test('a job that failed is due also while it waits for its next try', async () => {
    const engine = await open()
    const queue = await engine.queue(1000)
    try {
      queue.handle('greet', async () => {
        throw new Error('nobody is there')
      })
      queue.start()
      await queue.add(job('ada'))
      const failing = { due: 1, waiting: 0, retrying: 1 }
      await eventually(async () => expect(await queue.backlog()).toMatchObject(failing))
    } finally {
      await queue.stop()
      await engine.close()
    }
  })

  test('a job that is given up is reported once', async () => {
    const engine = await open()
    let reported = 0
    const queue = await engine.queue(0, () => {
      reported += 1
    })
    try {
      queue.handle('greet', async () => {
        throw new Error('nobody is there')
      })
      queue.start()
      await queue.add(job('ada'))
      await ends(engine, 'ada', 'given-up', 'nobody is there')
      expect(reported).toBe(1)
    } finally {
      await queue.stop()
      await engine.close()
    }
  })

  test('jobs of a kind without a handler wait for one', () =>
    withEngine(async (engine, queue) => {
      queue.handle('other', async () => 'done')
      queue.start()
      await queue.add(job('ada'))
      await queue.add(job('bob', { kind: 'other' }))
      await eventually(async () => expect((await engine.kept('bob'))?.state).toBe('done'))
      expect(await engine.kept('ada')).toEqual({ state: 'waiting', reason: null })
      queue.handle('greet', async () => 'done')
      await eventually(async () => expect((await engine.kept('ada'))?.state).toBe('done'))
    }))
}
