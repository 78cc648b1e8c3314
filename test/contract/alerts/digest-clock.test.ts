import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DigestScheduler } from '../../../src/alerts/digest.ts'
import { readBody } from '../../../src/alerts/matching.ts'
import { unfenced } from '../../../src/db/leases.ts'
import { createLogger } from '../../../src/log.ts'
import { auction } from '../../unit/alerts/auction.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

const hour = 3600
const day = 24 * hour
const patient = { timeout: 20_000, interval: 5 }

describe('the digests’ clock', () => {
  let watching: Watching
  let clock: DigestScheduler | undefined
  let time: number
  beforeEach(async () => {
    watching = await Watching.start({ population: 20 })
    time = watching.now()
  })
  afterEach(async () => {
    await clock?.stop()
    await watching.stop()
  })

  /** The hour of UTC that begins next. */
  const nextHour = () => (Math.floor(watching.now() / hour) + 1) * hour
  const hourOf = (unix: number) => Math.floor(unix / hour) % 24

  /** Looks at the clock until nothing changes any more, then stops, as a bot that is there for a moment. */
  async function pollChain(unix: number, chains = [chain]): Promise<void> {
    time = unix
    let looks = 0
    const follows = {
      inUse: () => {
        looks += 1
        return watching.follows.inUse()
      },
      remember: watching.follows.remember.bind(watching.follows),
    }
    const { store, assets, units, log } = watching
    clock = new DigestScheduler({
      fence: unfenced,
      store,
      assets,
      follows,
      units,
      chains,
      interval: 0.01,
      log: createLogger('debug', [], log),
      now: () => time,
      onEvents: () => {
        watching.rings += 1
      },
    })
    await vi.waitFor(() => expect(looks).toBeGreaterThan(2), patient)
    await clock.stop()
  }

  async function follow(at: number, chat = 'a'): Promise<void> {
    await watching.follow(chat, {
      kind: 'digest',
      setting: { hour: hourOf(at), zone: 'UTC' },
      scope: {},
    })
  }

  async function told() {
    const rows = await watching.store
      .selectFrom('news')
      .selectAll()
      .where('kind', '=', 'digest')
      .execute()
    return rows.map((row) => ({ ...row, body: readBody('digest', row.body) }))
  }

  test('tells at the hour, once, to those who follow, and not on the day on which they began after it', async () => {
    const due = nextHour()
    await follow(due)
    await watching.look()
    const born = watching.world.announce(chain)
    await watching.look()
    await pollChain(due - 60)
    expect(await told()).toEqual([])
    await pollChain(due)
    await pollChain(due + hour)
    const date = new Date(due * 1000).toISOString().slice(0, 10)
    expect(await told()).toMatchObject([
      {
        key: expect.stringMatching(new RegExp(`^digest:\\d+:${date}$`, 'u')),
        useful_until: due + 6 * hour,
        body: {
          date,
          zone: 'UTC',
          counts: { wentLive: 1 },
          newest: [{ asset: born.address.toLowerCase() }],
        },
      },
    ])
    await follow(due, 'b')
    await pollChain(due + 2 * hour)
    expect(await told()).toHaveLength(1)
    const deliveries = await watching.store.selectFrom('deliveries').selectAll().execute()
    expect(deliveries).toHaveLength(1)
    expect(watching.rings).toBe(1)
  })

  test('sums up the day that went by, and no more, for each scope by itself', async () => {
    const due = nextHour()
    await follow(due)
    const setting = { hour: hourOf(due), zone: 'UTC' }
    await watching.follow('b', { kind: 'digest', setting, scope: { chain: 84532 } })
    await watching.look()
    watching.world.announce(chain)
    await watching.look()
    await watching.store
      .updateTable('watched_assets')
      .set({ phase: 'gone' })
      .where('phase', '!=', 'graduated')
      .execute()
    await pollChain(due - 60)
    await pollChain(due)
    await pollChain(due + day)
    const bodies = (on: number, rows: Awaited<ReturnType<typeof told>>) =>
      rows.filter((row) => row.chain === on).map(({ body }) => body)
    const all = await told()
    expect(bodies(84532, all)).toMatchObject([
      { scope: { chain: 84532 }, counts: { wentLive: 0 } },
      { movers: [] },
    ])
    expect(bodies(0, all)).toMatchObject([
      { counts: { wentLive: 1 }, movers: expect.arrayContaining([expect.anything()]) },
      { counts: { wentLive: 0 }, newest: [], movers: [] },
    ])
  })

  test('says of what is new how it stands now, not how it stood when it was news', async () => {
    const due = nextHour()
    await follow(due)
    await watching.look()
    const born = watching.world.announce(chain)
    await watching.look()
    watching.world.change(born, { sold: 0.77 })
    await watching.look()
    await pollChain(due - 60)
    await pollChain(due)
    const [digest] = await told()
    expect(digest?.body).toMatchObject({ newest: [{ progress: '0.77' }] })
  })

  test('counts what went live on each chain, however much did on another', async () => {
    const due = nextHour()
    const quiet = 84532
    await follow(due)
    await pollChain(due - 60)
    const body = JSON.stringify({ kind: 'live', asset: auction() })
    const row = { kind: 'live', asset: '', body, useful_until: due + day }
    const busy = Array.from({ length: 2000 }, (_, index) => `busy ${index}`)
    await watching.store.transaction().execute(async (tx) => {
      for (let from = 0; from < busy.length; from += 100) {
        const rows = busy
          .slice(from, from + 100)
          .map((key) => ({ ...row, key, chain, at: due - 1 }))
        await tx.insertInto('news').values(rows).execute()
      }
      const last = { ...row, key: 'quiet', chain: quiet, at: due - hour }
      await tx.insertInto('news').values(last).execute()
    })
    await pollChain(due, [chain, quiet])
    expect(await told()).toMatchObject([{ body: { counts: { wentLive: busy.length + 1 } } }])
  })

  test.each(['muted', 'paused'] as const)(
    'tells a chat that was %s at the hour nothing of it later, and the next day’s',
    async (how) => {
      const due = nextHour()
      await follow(due)
      await pollChain(due - 60)
      const goOn = await watching.hush('a', how)
      await pollChain(due)
      await goOn()
      await pollChain(due + 60)
      expect(watching.rings).toBe(0)
      await pollChain(due + day)
      expect(watching.rings).toBe(1)
      const deliveries = await watching.store.selectFrom('deliveries').selectAll().execute()
      expect(deliveries).toHaveLength(1)
    },
  )

  test('that sees a digest for the first time after its hour tells it the next day', async () => {
    const due = nextHour()
    await follow(due - hour)
    await pollChain(due)
    expect(await told()).toEqual([])
    expect(watching.log.of('info').join()).not.toContain('digests')
    await pollChain(due + day)
    expect(await told()).toHaveLength(1)
    await pollChain(due + day)
    expect(watching.log.lines.filter(({ msg }) => msg === 'digests')).toMatchObject([
      { digest: 1, deliveries: 1, late: 0 },
    ])
  })

  test('tells late after a downtime, and after a longer one drops what is of no use and counts it', async () => {
    const due = nextHour()
    await follow(due)
    await pollChain(due - 60)
    await pollChain(due + 5 * hour)
    expect(await told()).toHaveLength(1)
    await pollChain(due + 3 * day + 7 * hour)
    expect(await told()).toHaveLength(1)
    expect(watching.log.of('info').join()).toContain('"late":3')
    await pollChain(due + 4 * day)
    expect(await told()).toHaveLength(2)
  })

  test('tells nothing twice where the clock is set back', async () => {
    const due = nextHour()
    await follow(due)
    await pollChain(due - 60)
    await pollChain(due + 60)
    await pollChain(due - hour)
    await pollChain(due + 120)
    expect(await told()).toHaveLength(1)
  })

  test.each([
    ['a year', 365],
    ['days', 4],
  ])('is not silenced by a clock that was %s ahead for a moment', async (_what, days) => {
    const due = nextHour()
    await follow(due)
    await pollChain(due - 60)
    await pollChain(due - 60 + days * day)
    await pollChain(due - 30)
    const before = (await told()).length
    await pollChain(due)
    expect(await told()).toHaveLength(before + 1)
  })
})
