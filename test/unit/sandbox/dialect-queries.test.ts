import { describe, expect, test } from 'vitest'
import { type Dialect, defaultDialect } from '../../../sandbox/interface/dialect.ts'
import { dialects } from '../../../sandbox/interface/dialects.ts'
import { showcaseAddresses } from '../../../sandbox/interface/showcase.ts'
import { speaking } from './dialect-asking.ts'

const otter = `/assets/${showcaseAddresses.moonOtter}`
const list = { chainId: 8453, status: 'all', limit: 5, offset: 0 }

describe.each(['strict', 'strict-mute'] as const)('%s', (name) => {
  test.each([
    ['chainId', '/assets/', list],
    ['status', '/assets/', list],
    ['limit', '/assets/', list],
    ['offset', '/assets/', list],
    ['chainId', '/assets/search', { chainId: 8453, term: 'otter', limit: 5 }],
    ['limit', '/assets/search', { chainId: 8453, term: 'otter', limit: 5 }],
    ['chainId', otter, { chainId: 8453 }],
  ])('refuses to go without %s at %s', async (missing, path, query) => {
    await using standIn = await speaking(name)
    expect(await standIn.ask(path, query)).toMatchObject({ status: 200 })
    const rest = Object.entries(query).filter(([parameter]) => parameter !== missing)
    const answer = await standIn.ask(path, Object.fromEntries(rest))
    expect(answer).toMatchObject({ status: 400, assets: [] })
    if (name === 'strict') expect(answer.message).toContain(missing)
    else expect(answer.message).toBe('Bad request')
  })

  test.each([
    ['/assets/', { ...list, page: 1 }],
    ['/assets/', { ...list, term: 'otter' }],
    ['/assets/search', { chainId: 8453, term: 'otter', limit: 5, offset: 0 }],
    [otter, { chainId: 8453, limit: 5 }],
    ['/auctions/0x00', { chainId: 8453, chain: 8453 }],
  ])('refuses what %s does not take: %j', async (path, query) => {
    await using standIn = await speaking(name)
    const { status, message } = await standIn.ask(path, query)
    expect(status).toBe(400)
    expect(message).toMatch(name === 'strict' ? /is not a parameter/u : /^Bad request$/u)
  })
})

test('a limit goes with an offset, and the other way around', async () => {
  await using standIn = await speaking({ ...defaultDialect, limitNeedsOffset: true })
  expect(await standIn.ask('/assets/', { limit: 5 })).toMatchObject({
    status: 400,
    message: 'limit needs offset',
  })
  expect(await standIn.ask('/assets/', { offset: 5 })).toMatchObject({
    status: 400,
    message: 'offset needs limit',
  })
  expect((await standIn.ask('/assets/', { limit: 5, offset: 5 })).assets).toHaveLength(5)
  expect((await standIn.ask('/assets/')).status).toBe(200)
  expect((await standIn.ask('/assets/search', { term: 'otter', limit: 5 })).status).toBe(200)
})

test('other names are required by those names, and the usual ones are ignored', async () => {
  await using standIn = await speaking('strict-names')
  const refused = await standIn.ask('/assets/', list)
  expect(refused).toMatchObject({ status: 400, message: 'network: is required' })
  const query = { network: 84532, state: 'live', pageSize: 3, start: 0, limit: 99, foo: 'bar' }
  const { assets } = await standIn.ask('/assets/', query)
  expect(assets).toHaveLength(3)
  const wrong = await standIn.ask('/assets/', { ...query, pageSize: 99 })
  expect(wrong).toMatchObject({ status: 400, message: expect.stringMatching(/^pageSize: /u) })
})

const withNames = Object.entries(dialects).filter(([, { queryNames }]) => 'term' in queryNames)
test.each(withNames)('%s minds each of its nine names', async (_, dialect: Dialect) => {
  await using standIn = await speaking(dialect, 120)
  const { queryNames: names } = dialect
  const list = async (query: Partial<Record<keyof typeof names, string | number>>) => {
    const asked = { chain: 8453, status: 'all', limit: 50, offset: 0, ...query }
    const renamed = Object.entries(asked).map(([meaning, value]) => [nameOf(meaning), value])
    return (await standIn.ask('/assets/', Object.fromEntries(renamed))).assets.map(
      ({ asset_address: address }) => address,
    )
  }
  const nameOf = (meaning: string) =>
    Object.entries(names).find(([each]) => each === meaning)?.[1] ?? meaning
  const all = await list({})
  expect(all).toHaveLength(50)
  for (const query of [
    { chain: 84532 },
    { status: 'graduated' },
    { limit: 7 },
    { offset: 7 },
    { ordering: 'market_cap_desc' },
    { category: 'builder-coin' },
    { numeraire: '0x0000000000000000000000000000000000000001' },
    { creator: '0x0000000000000000000000000000000000000001' },
  ]) {
    expect(await list(query)).not.toEqual(all)
  }
  const found = await standIn.ask('/assets/search', {
    [nameOf('chain')]: 8453,
    [nameOf('limit')]: 5,
    [nameOf('term')]: 'lantern',
  })
  expect(found.assets).toHaveLength(1)
})

test('past the end the last page comes again, or nothing in the usual dialect', async () => {
  const pageAt = async (dialect: Dialect, offset: number) => {
    await using standIn = await speaking(dialect)
    const { assets } = await standIn.ask('/assets/', { chainId: 8453, limit: 7, offset })
    return assets.map(({ asset_address: address }) => address)
  }
  const repeating = dialects['repeated-page']
  const last = await pageAt(repeating, 28)
  expect(last.length).toBeGreaterThan(0)
  expect(await pageAt(repeating, 21)).not.toEqual(last)
  expect(await pageAt(repeating, 35)).toEqual(last)
  expect(await pageAt(repeating, 1_000_000)).toEqual(last)
  expect(await pageAt(defaultDialect, 1_000_000)).toEqual([])
})
