import { describe, expect, it } from 'vitest'
import { premiere } from '../../../sandbox/interface/premiere.ts'
import { World } from '../../../sandbox/interface/world.ts'

const beginning = Date.UTC(2026, 0, 15, 12)
const base = 8453
const everything = { chain: base, status: 'all', limit: 1000, offset: 0 } as const

function newWorld(): World {
  return new World({ chains: [8453, 84532], seed: 1, now: beginning })
}

describe('time that runs faster', () => {
  const minutes = 60
  const left = (token: { endsAt: number }, world: World) => token.endsAt - world.now / 1000

  it('brings ends nearer at once, as times of the clock, and takes them back when it slows down', () => {
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

  it('never puts an end into the past that has not come, nor what is over into the future', () => {
    const world = newWorld()
    const over = world.tokens.filter(({ status }) => status === 'graduated' || status === 'stall')
    const ends = over.map(({ endsAt }) => endsAt)
    for (const speed of [300, 60, 1, 10]) {
      world.setSpeed(speed)
      const now = world.now / 1000
      for (const token of world.tokens) {
        if (token.status === 'live') expect(token.endsAt).toBeGreaterThanOrEqual(now)
        if (token.status === 'incoming') expect(token.startsAt).toBeGreaterThanOrEqual(now)
        expect(token.endsAt).toBeGreaterThanOrEqual(token.startsAt)
      }
      world.tick(1)
    }
    expect(over.map(({ endsAt }) => endsAt)).toEqual(ends)
  })

  it('announces more, though never more than anybody can follow', () => {
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

describe('a world in a test’s hands', () => {
  it('announces an auction, lets it go live at its time, and gives it whole', () => {
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
      graduation_pool: { pool_migration_timestamp: new Date(world.now).toISOString() },
    })
    expect(world.asset(base, unsold.address)).toMatchObject({ asset_status: 'stall' })
  })

  it('loses an asset and has it back in its place', () => {
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

  it('begins with as many assets as are asked for, and keeps them', () => {
    const world = new World({ chains: [base], seed: 1, now: beginning, population: 3000 })
    expect(world.tokens.length).toBeGreaterThan(2980)
    expect(world.tokens.length).toBeLessThan(3020)
    world.tick(1)
    expect(world.tokens.length).toBeGreaterThan(2980)
  })
})

describe('the premiere', () => {
  it('goes live within the minute, sells past every threshold and graduates; another ends unsold', () => {
    const world = newWorld()
    const known = new Set(world.tokens)
    premiere(world, base)
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
