import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Token } from '../../../sandbox/api/token.ts'
import { Recorder } from '../../../src/alerts/recorder.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'
import { silent } from '../../unit/api/server.ts'

let harness: WatcherHarness
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 20 })
  await harness.subscribe('all', { kind: 'live', setting: {}, scope: {} })
  await harness.poll()
})
afterEach(() => harness.stop())

const keyOf = ({ address }: Token) => `live:${chain}:${address.toLowerCase()}`

/** Auctions of which strangers wrote as much as is taken from the API. */
function announceFat(count: number): Token[] {
  const link = { label: 'l'.repeat(200), url: `https://example.org/${'u'.repeat(2000)}` }
  const socialLinks = Array.from({ length: 20 }, () => link)
  const words = {
    name: 'n'.repeat(5000),
    symbol: 's'.repeat(5000),
    description: 'd'.repeat(40_000),
  }
  return Array.from({ length: count }, () =>
    harness.world.announce(chain, { ...words, socialLinks }),
  )
}

/** The longest texts that the database has of an asset and of an event. */
async function longest() {
  const rows = await harness.store.selectFrom('watched_assets').select('body').execute()
  const events = await harness.store.selectFrom('events').select('body').execute()
  const most = (texts: { body: string }[]) => Math.max(...texts.map(({ body }) => body.length))
  return { asset: most(rows), event: most(events) }
}

describe('assets with very long texts', () => {
  test('are stored in short, and notified like any other', async () => {
    const tokens = [...announceFat(10), harness.world.announce(chain), ...announceFat(10)]
    expect(await harness.poll()).toMatchObject({ events: { live: 21 }, deliveries: 21 })
    expect((await harness.keys()).sort()).toEqual(tokens.map(keyOf).sort())
    const { asset, event } = await longest()
    expect(asset).toBeLessThan(5000)
    expect(event).toBeLessThan(5000)
  })

  test('are all notified, even if a page of them is too long for one answer', async () => {
    const tokens = [...announceFat(25), harness.world.announce(chain), ...announceFat(24)]
    const page = harness.api.assets({ chain, status: 'live' })
    await expect(page).rejects.toThrow('too large')
    await harness.poll()
    expect((await harness.keys()).sort()).toEqual(tokens.map(keyOf).sort())
    await harness.poll()
    expect(await harness.keys()).toHaveLength(tokens.length)
  })

  test('are stored in short if they are fetched by address, too', async () => {
    const [token] = announceFat(1)
    await harness.poll()
    if (token) harness.world.end(token, 'stall')
    await harness.poll()
    expect(token && (await harness.phase(token.address))).toBe('ended')
    expect((await longest()).asset).toBeLessThan(5000)
  })
})

describe('lists that are longer than one poll may read', () => {
  const pollWith = (maxBytes: number) => {
    const recorder = new Recorder({ ...harness, log: silent, chains: [chain] })
    return harness.read(recorder, harness.api, { maxBytes })
  }

  test('end the poll: what was read counts, and nothing is concluded about the rest', async () => {
    for (let index = 0; index < 60; index += 1) harness.world.announce(chain)
    await harness.poll()
    const read = await Promise.all(
      (['incoming', 'live'] as const).map((status) => harness.api.assets({ chain, status })),
    )
    const firstPages = read.reduce((sum, { value }) => sum + value.bytes, 0)
    const complete = await pollWith(firstPages * 10)
    expect(complete.failure).toBeUndefined()
    const { failure, observations } = await pollWith(firstPages)
    expect(failure).toMatchObject({ kind: 'malformed', message: expect.stringContaining('longer') })
    expect(observations.size).toBe(read.reduce((sum, { value }) => sum + value.items.length, 0))
    const rows = await harness.store.selectFrom('watched_assets').select('asset').execute()
    expect(observations.size).toBeLessThan(rows.length)
    expect([...observations.values()].map(({ source }) => source)).not.toContain('none')
  })

  test('count as the maximum of one answer if they were too long for one', async () => {
    announceFat(50)
    expect((await pollWith(40 * 2 ** 20)).failure).toBeUndefined()
    const { bytes } = (await harness.api.assets({ chain, status: 'live', limit: 12 })).value
    expect((await pollWith(3 * bytes)).failure).toMatchObject({ kind: 'malformed' })
  })

  test('are logged, the poll counts as incomplete, and all is notified once they are shorter', async () => {
    const usual = harness.world.announce(chain)
    const remove = announceFat(20).map((token) => () => harness.world.remove(token))
    const watcher = harness.watch([chain], { maxBytes: 1_000_000 })
    const isSeen = () => watcher.lag()[0]?.seconds !== undefined
    const says = (level: string) => harness.log.of(level).join('\n')
    await vi.waitFor(() => expect(says('warn')).toContain('longer than 1000000 bytes'), 20_000)
    expect(isSeen()).toBe(false)
    expect(await harness.keys()).toEqual([])
    for (const each of remove) each()
    await vi.waitFor(
      () => expect(says('info')).toContain('polls of the chain succeed again'),
      20_000,
    )
    expect(isSeen()).toBe(true)
    expect(await harness.keys()).toEqual([keyOf(usual)])
  })
})
