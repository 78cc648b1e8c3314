import { describe, expect, it } from 'vitest'
import { toAsset } from '../../../sandbox/api/asset.ts'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { numerairesOf } from '../../../sandbox/api/token.ts'
import { announceFirst, World } from '../../../sandbox/api/world.ts'

const beginning = Date.UTC(2026, 0, 15, 12)
const base = 8453
const everything = { chain: base, status: 'all', limit: 1000, offset: 0 } as const

function newWorld(seed = 1): World {
  return new World({ chains: [8453, 84532], seed, now: beginning })
}

describe('a new world', () => {
  it('is the same for the same seed and another for another seed', () => {
    expect(newWorld(7).list(everything)).toEqual(newWorld(7).list(everything))
    expect(newWorld(7).list(everything)).not.toEqual(newWorld(8).list(everything))
  })

  it('has about 200 assets over two chains in every status', () => {
    const { tokens } = newWorld()
    expect(tokens.length).toBeGreaterThan(190)
    expect(tokens.length).toBeLessThan(210)
    for (const chain of [8453, 84532]) {
      const here = tokens.filter((token) => token.chain === chain)
      expect(new Set(here.map((token) => token.status))).toEqual(
        new Set(['incoming', 'live', 'graduated', 'stall']),
      )
    }
  })

  it('has absent and null fields and all three forms of time, and no graduation pool of its own before it graduates', () => {
    const assets = newWorld().tokens.map((token) => toAsset(token))
    expect(assets.some((asset) => asset.graduation_pool === null)).toBe(true)
    expect(assets.some((asset) => asset.graduation_pool === undefined)).toBe(true)
    expect(assets.some((asset) => !asset.auction_pool)).toBe(true)
    expect(assets.some((asset) => !asset.asset_status)).toBe(true)
    expect(
      assets.some((asset) => asset.auction_pool?.base_token.token_image_public_url === null),
    ).toBe(true)
    const sentinels = assets.filter((asset) =>
      asset.graduation_pool?.pool_address.startsWith('0xdeaDDeADDEaD'),
    )
    expect(sentinels.length).toBeGreaterThan(0)
    expect(sentinels.every((asset) => asset.asset_current_pool === 'auction')).toBe(true)
    const times = assets.flatMap((asset) => asset.auction_pool?.pool_config_starting_time ?? [])
    for (const form of [/^\d{10}$/, /^\d{13}$/, /^\d{4}-\d\d-\d\dT[\d:]{8}\+00:00$/]) {
      expect(times.some((time) => form.test(time))).toBe(true)
    }
  })

  it('has hostile names and links, and assets that share a symbol', () => {
    const { tokens } = newWorld()
    const names = tokens.map((token) => token.name)
    expect(names).toContain('@everyone')
    expect(names).toContain('')
    expect(names.some((name) => name.length > 290)).toBe(true)
    expect(names.some((name) => name.includes('\u202E'))).toBe(true)
    const urls = tokens.flatMap((token) => token.socialLinks.map((link) => link.url))
    expect(urls.some((url) => url.startsWith('javascript:'))).toBe(true)
    expect(
      tokens.filter((token) => token.symbol === 'PEPPER' && token.chain === base).length,
    ).toBeGreaterThan(2)
  })
})

describe('the showcase', () => {
  it('has Moon Otter live and 42% sold at its address, with figures that agree', () => {
    const otter = newWorld().asset(base, showcaseAddresses.moonOtter)
    expect(otter).toMatchObject({
      asset_status: 'live',
      auction_pool: {
        pool_current_sale_progress_percentage: 42,
        pool_current_price: '353125000000',
        pool_current_market_cap: '353125000000000000000',
        pool_current_total_tokens_sold: '252000000000000000000000000',
        pool_config_num_tokens_to_sell: '600000000000000000000000000',
        pool_market_data: { pool_price: '0.00113', pool_market_cap: '1130000' },
        base_token: { token_name: 'Moon Otter', token_symbol: 'OTTER' },
      },
    })
  })

  it('has two assets for $OTTER and one for $LANTERN and $HARBOR, in every seed', () => {
    for (const seed of [1, 2, 3]) {
      const symbols = newWorld(seed).tokens.map((token) => token.symbol)
      expect(symbols.filter((symbol) => symbol === 'OTTER')).toHaveLength(2)
      expect(symbols.filter((symbol) => symbol === 'LANTERN')).toHaveLength(1)
      expect(symbols.filter((symbol) => symbol === 'HARBOR')).toHaveLength(1)
    }
  })
})

describe('finding assets', () => {
  it('lists newest first and pages without gap or repetition', () => {
    const world = newWorld()
    const all = world.list(everything)
    const created = all.map((asset) => Date.parse(asset.asset_creation_timestamp))
    expect(created).toEqual(created.toSorted((left, right) => right - left))
    const pages = [0, 30, 60, 90].flatMap((offset) =>
      world.list({ ...everything, limit: 30, offset }),
    )
    expect(pages).toEqual(all.slice(0, 120))
  })

  it('filters by status, numeraire, category and creator', () => {
    const world = newWorld()
    const live = world.list({ ...everything, status: 'live' })
    expect(live.length).toBeGreaterThan(10)
    expect(live.every((asset) => (asset.asset_status ?? 'live') === 'live')).toBe(true)
    const [, usdc] = numerairesOf(base)
    const quoted = world.list({ ...everything, numeraire: usdc?.address.toLowerCase() })
    expect(quoted.length).toBeGreaterThan(10)
    expect(new Set(quoted.map((asset) => asset.asset_numeraire_address.toLowerCase()))).toEqual(
      new Set([usdc?.address.toLowerCase()]),
    )
    const builders = world.list({ ...everything, category: 'builder-coin' })
    expect(builders.length).toBeGreaterThan(10)
    expect(builders.every((asset) => asset.asset_categories.includes('builder-coin'))).toBe(true)
    const creator = world.tokens.find((token) => token.chain === base)?.creator
    const created = world.list({ ...everything, creator })
    expect(created.length).toBeGreaterThan(0)
    expect(created.length).toBeLessThan(world.list(everything).length)
  })

  it.each([
    ['market_cap_asc', 1],
    ['market_cap_desc', -1],
  ] as const)('orders by %s', (ordering, sign) => {
    const world = newWorld()
    const inDollars = new Map<string, number>(
      world.tokens.map(({ address, price, supply }) => [address.toLowerCase(), price * supply]),
    )
    const listed = world.list({ ...everything, ordering })
    const caps = listed.map(
      ({ asset_address: address }) => inDollars.get(address.toLowerCase()) ?? 0,
    )
    expect(caps).toEqual(caps.toSorted((left, right) => sign * (left - right)))
  })

  it('finds a term in symbol, name and address, an exact symbol first', () => {
    const world = newWorld()
    const search = (term: string) => world.search({ chain: base, term, limit: 50 })
    expect(search('otter').map((asset) => asset.asset_address)).toEqual([
      showcaseAddresses.moonOtter,
      showcaseAddresses.otterSpace,
    ])
    expect(search('paper lan')[0]?.asset_address).toBe(showcaseAddresses.lantern)
    expect(search(showcaseAddresses.lantern.toLowerCase())).toHaveLength(1)
    expect(search('no such thing at all')).toEqual([])
  })

  it('finds what came or was renamed since the last search, and not what went', () => {
    const world = newWorld()
    const found = (term: string) => world.search({ chain: base, term, limit: 50 }).length
    expect(found('zebra crossing')).toBe(0)
    const token = world.announce(base, { name: 'Zebra Crossing' })
    expect(found('zebra crossing')).toBe(1)
    world.change(token, { name: 'Quokka' })
    expect([found('zebra crossing'), found('quokka')]).toEqual([0, 1])
    const bringBack = world.remove(token)
    expect(found('quokka')).toBe(0)
    bringBack()
    expect(found('quokka')).toBe(1)
  })
})

describe('ticking', () => {
  it('sells what is live, starts what is due, and ends each auction as graduated or stalled', () => {
    const world = newWorld()
    const before = new Map(world.tokens.map((token) => [token.address, { ...token }]))
    const selling = world.tokens.find((token) => token.status === 'live' && !token.showcase)
    world.tick(60)
    expect(selling?.sold).toBeGreaterThan(before.get(selling?.address ?? '0x')?.sold ?? 1)
    for (let day = 0; day < 9; day += 1) world.tick(86_400)
    const originals = world.tokens.filter((token) => before.has(token.address) && !token.showcase)
    const outcomes = originals.filter((token) => before.get(token.address)?.status === 'live')
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes.every((token) => ['graduated', 'stall'].includes(token.status))).toBe(true)
    const graduated = outcomes.filter((token) => token.status === 'graduated')
    expect(graduated.length).toBeGreaterThan(0)
    for (const token of graduated) {
      expect(toAsset(token)).toMatchObject({ asset_current_pool: 'graduation' })
    }
    expect(
      originals.some((token) => before.get(token.address)?.status === 'incoming') &&
        originals.every((token) => token.status !== 'incoming'),
    ).toBe(true)
  })

  it('stays bounded however long it runs, and keeps the showcase', () => {
    const world = newWorld()
    for (let step = 0; step < 500; step += 1) world.tick(3600)
    expect(world.tokens.length).toBeLessThanOrEqual(500)
    for (const [chain, address] of [
      [8453, showcaseAddresses.lantern],
      [84532, showcaseAddresses.harbor],
    ] as const) {
      expect(world.asset(chain, address)).toBeDefined()
    }
    expect(world.list({ ...everything, status: 'live' }).length).toBeGreaterThan(0)
  })
})

describe('time that runs faster', () => {
  const minutes = 60
  const left = (token: { endsAt: number }, world: World) => token.endsAt - world.now / 1000

  it('moves ends closer at once, as times of the clock, and back when it slows down', () => {
    const world = newWorld()
    const token = world.announce(base, { endsAt: world.now / 1000 + 60 * minutes })
    world.setSpeed(10)
    expect(left(token, world)).toBeCloseTo(6 * minutes)
    world.setSpeed(300)
    expect(left(token, world)).toBeCloseTo(12)
    world.setSpeed(1)
    expect(left(token, world)).toBeCloseTo(60 * minutes)
  })

  it('sells in a minute what would take ten, and starts and ends as much sooner', () => {
    const world = newWorld()
    const now = world.now / 1000
    const selling = world.announce(base, { endsAt: now + 3600, pace: 1 / 3600 })
    const due = world.announce(base, { startsAt: now + 600 })
    world.setSpeed(10)
    expect(due.status).toBe('incoming')
    for (let second = 0; second < 60; second += 1) world.tick(1)
    expect(selling.sold).toBeCloseTo(1 / 6, 1)
    expect(due.status).toBe('live')
    for (let second = 0; second < 305; second += 1) world.tick(1)
    expect(['graduated', 'stall']).toContain(selling.status)
  })

  it('announces more, though never more than a person can follow', () => {
    const world = newWorld()
    world.setSpeed(300)
    const known = new Set(world.tokens)
    for (let second = 0; second < 80; second += 1) world.tick(1)
    const arrived = world.tokens.filter((token) => !known.has(token))
    expect(arrived.length).toBeGreaterThan(3)
    expect(arrived.length).toBeLessThan(30)
    for (const { createdAt, startsAt, endsAt } of arrived) {
      expect(endsAt - startsAt).toBeLessThanOrEqual(2400 / 300)
      expect(startsAt - createdAt).toBeLessThanOrEqual(1)
    }
  })
})

describe('a world changed by a test', () => {
  it('announces an auction, lets it go live at its time, and returns all of its data', () => {
    const world = newWorld()
    const token = world.announce(base, { startsAt: world.now / 1000 + 30, name: 'New Moon' })
    expect(world.list({ ...everything, limit: 1 })[0]).toMatchObject({
      asset_address: token.address,
      asset_status: 'incoming',
      auction_pool: { base_token: { token_name: 'New Moon' } },
    })
    world.tick(31)
    expect(world.asset(base, token.address)?.asset_status).toBe('live')
  })

  it('changes what is sold, and the price with it unless that is given', () => {
    const world = newWorld()
    const token = world.announce(base)
    const pool = () => world.asset(base, token.address)?.auction_pool
    const before = Number(pool()?.pool_current_price)
    world.change(token, { sold: 0.5 })
    expect(pool()?.pool_current_sale_progress_percentage).toBe(50)
    expect(Number(pool()?.pool_current_price)).toBeCloseTo(before * 2.5, -8)
    world.change(token, { price: 3 })
    expect(pool()?.pool_market_data?.pool_price).toBe('3')
    expect(pool()?.pool_current_sale_progress_percentage).toBe(50)
    const stranger = { chain: 84532, address: token.address }
    expect(() => world.change(stranger, { sold: 1 })).toThrow('there is no token')
  })

  it('ends auctions either way', () => {
    const world = newWorld()
    const [sold, unsold] = [world.announce(base), world.announce(base)]
    world.end(sold, 'graduated')
    world.end(unsold, 'stall')
    expect(world.asset(base, sold.address)).toMatchObject({
      asset_status: 'graduated',
      asset_current_pool: 'graduation',
      graduation_pool: { pool_migration_timestamp: '2026-01-15T12:00:00+00:00' },
    })
    expect(world.asset(base, unsold.address)).toMatchObject({ asset_status: 'stall' })
  })

  it('removes an asset and puts it back in its place', () => {
    const world = newWorld()
    const all = world.list(everything)
    const third = world.tokens.filter(({ chain }) => chain === base)[2]
    if (!third) throw new Error('the world is empty')
    const giveBack = world.remove(third)
    expect(world.asset(base, third.address)).toBeUndefined()
    expect(world.list(everything)).toHaveLength(all.length - 1)
    giveBack()
    expect(world.list(everything)).toEqual(all)
    expect(world.asset(base, third.address)).toBeDefined()
  })
})

describe('the first auctions', () => {
  it('go live within the minute: one sells past every threshold and graduates, another ends unsold', () => {
    const world = newWorld()
    const known = new Set(world.tokens)
    announceFirst(world, base)
    const [third, second, first] = world.tokens.filter((token) => !known.has(token))
    expect([first, second, third].map((token) => token?.status)).toEqual(Array(3).fill('incoming'))
    for (let step = 0; step < 20; step += 1) world.tick(1)
    expect(first?.status).toBe('live')
    const shares: number[] = []
    for (let step = 0; step < 460; step += 1) {
      world.tick(1)
      if (first?.status === 'live') shares.push(first.sold)
    }
    for (const threshold of [0.25, 0.5, 0.75, 0.9]) {
      expect(shares.some((share) => share >= threshold && share < threshold + 0.05)).toBe(true)
    }
    expect(first?.status).toBe('graduated')
    expect(second?.status).toBe('stall')
  })
})
