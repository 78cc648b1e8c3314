import { beforeEach, expect, test } from 'vitest'
import type { Api, Listing } from '../../../src/api/client.ts'
import { KeyBudget } from '../../../src/api/http.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { Authenticity } from '../../../src/cards/authenticity.ts'
import { Risks } from '../../../src/cards/risks.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { ApiError } from '../../../src/errors.ts'

const chain = chainById(8453)
const creator = `0x${'c'.repeat(40)}`

function asset(address: string, status = 'live', token: Record<string, unknown> = {}): Asset {
  const base_token = { token_symbol: 'OTTER', token_creator_address: creator, ...token }
  return assetSchema.parse({
    asset_address: `0x${address.repeat(40)}`,
    asset_status: status,
    auction_pool: { base_token },
  })
}

function listing(items: Asset[], more: Partial<Listing> = {}): Listing {
  return {
    items,
    unfiltered: items,
    contradictedFilters: [],
    receivedCount: items.length,
    bytes: 0,
    chainIgnored: false,
    ...more,
  }
}

let byCreator: Listing | ApiError
let bySymbol: Listing | ApiError
let asked: unknown[]
let now: number
const answer = async (question: unknown, value: Listing | ApiError) => {
  asked.push(question)
  if (value instanceof ApiError) throw value
  return { value, age: 0, stale: false }
}
const api: Pick<Api, 'assets' | 'search' | 'isBusy'> = {
  isBusy: false,
  assets: (filter) => answer(filter, byCreator),
  search: (filter) => answer(filter, bySymbol),
}
beforeEach(() => {
  asked = []
  now = 1
  byCreator = listing([
    asset('1'),
    asset('2', 'graduated'),
    asset('3', 'stall'),
    asset('4', 'stall'),
  ])
  bySymbol = listing([
    asset('1'),
    asset('5', 'live', { token_symbol: '$otter' }),
    asset('6', 'live', { token_symbol: 'OTTERS' }),
  ])
})

async function found(risks: Risks, of = asset('1')) {
  await risks.search(of, chain)
  return risks.known(of, chain)
}

test('a token is not another one because its address is written in another letter case', async () => {
  const [listed, own] = [`0x${'A'.repeat(40)}`, `0x${'a'.repeat(40)}`].map((asset_address) => ({
    ...asset('1'),
    asset_address,
  }))
  for (const [of, inList] of [
    [own, listed],
    [listed, own],
  ]) {
    if (!of || !inList) throw new Error('there are two')
    byCreator = listing([inList])
    bySymbol = listing([inList])
    expect(await found(new Risks({ api }), of)).toMatchObject({
      others: { count: 0 },
      alike: { count: 0 },
    })
  }
})

test('counts the creator’s other tokens, how they ended, and others with the same symbol', async () => {
  expect(await found(new Risks({ api }))).toEqual({
    others: { count: 3, hasMore: false, graduated: 1, failed: 2 },
    alike: { count: 1, hasMore: false },
  })
  expect(asked).toEqual([
    { chain: 8453, creator, limit: 50 },
    { chain: 8453, term: 'otter', limit: 50 },
  ])
})

test('a full list may lack others', async () => {
  byCreator = listing([asset('1'), asset('2')], { receivedCount: 50 })
  expect(await found(new Risks({ api }))).toMatchObject({ others: { count: 1, hasMore: true } })
})

test('an API that ignores the creator says nothing of one', async () => {
  byCreator = listing([asset('2')], { contradictedFilters: ['creator'] })
  expect(await found(new Risks({ api }))).toEqual({ alike: { count: 1, hasMore: false } })
})

test('tokens without a creator are nobody’s', async () => {
  byCreator = listing([asset('2', 'live', { token_creator_address: undefined })])
  expect(await found(new Risks({ api }))).toMatchObject({ others: { count: 0 } })
})

test('says of a fake why it is one, beside the rest, and nothing of an authentic token', async () => {
  const until = now + 300_000
  const fake = { isFake: true, reasons: ['Not TSLA'], until }
  const verdicts = new Map([[asset('1').asset_address, fake]])
  const verdict = async (address: string) =>
    verdicts.get(address) ?? { isFake: false, reasons: ['ignored'], until }
  const risks = new Risks({ api, authenticity: { verdict }, now: () => now })
  expect(await found(risks)).toMatchObject({ others: { count: 3 }, fake: ['Not TSLA'] })
  expect(await found(risks, asset('2'))).not.toHaveProperty('fake')
})

test('a verdict lasts five minutes, on a card that asked for it later, too', async () => {
  let isFake = true
  const authenticity = new Authenticity({
    api: { authenticity: async () => ({ verdict: isFake ? 'fake' : 'authentic' }) },
    now: () => now,
  })
  await authenticity.verdict(asset('1').asset_address, chain.id)
  now += 240_000
  const risks = new Risks({ api, authenticity, now: () => now })
  expect(await found(risks)).toHaveProperty('fake')
  isFake = false
  now += 60_001
  expect(await found(risks)).not.toHaveProperty('fake')
})

test('is found without a verdict on its authenticity, too', async () => {
  const risks = new Risks({ api, authenticity: { verdict: async () => undefined } })
  const risk = await found(risks)
  expect(risk).toMatchObject({ others: { count: 3 }, alike: { count: 1 } })
  expect(risk).not.toHaveProperty('fake')
})

test('is asked for once in five minutes, and again a minute after a failure', async () => {
  const risks = new Risks({ api, now: () => now })
  await Promise.all([found(risks), found(risks)])
  expect(await found(risks)).toBeDefined()
  expect(asked).toHaveLength(2)
  now += 300_001
  bySymbol = new ApiError('unavailable', 'down')
  expect(await found(risks)).toEqual({ others: expect.objectContaining({ count: 3 }) })
  bySymbol = listing([])
  now += 60_001
  expect(await found(risks)).toMatchObject({ others: { count: 3 }, alike: { count: 0 } })
  expect(asked).toHaveLength(5)
})

test('tokens of one creator or with one symbol share what was found, each without itself', async () => {
  const risks = new Risks({ api })
  await found(risks)
  const other = asset('3', 'stall')
  expect(risks.search(other, chain)).toBeUndefined()
  expect(risks.known(other, chain)).toEqual({
    others: { count: 3, hasMore: false, graduated: 1, failed: 1 },
    alike: { count: 2, hasMore: false },
  })
  const namedOtherwise = asset('7', 'live', { token_symbol: 'BADGER' })
  expect(await found(risks, namedOtherwise)).toMatchObject({ others: { count: 4 } })
  expect(asked).toHaveLength(3)
})

test('what is known of a token is one object while it is the same', async () => {
  const risks = new Risks({ api, now: () => now })
  const token = asset('1')
  const first = await found(risks, token)
  expect(first).toBeDefined()
  expect(risks.known(token, chain)).toBe(first)
  now += 300_001
  expect(risks.known(token, chain)).toBeUndefined()
  expect(await found(risks, token)).not.toBe(first)
})

test('no more than ten lists are asked for at once, two a token', async () => {
  const held: (() => void)[] = []
  const slow = () => new Promise<never>((_, reject) => held.push(() => reject(new Error('late'))))
  const risks = new Risks({ api: { ...api, assets: slow, search: slow } })
  const search = (each: string) => {
    const token = { token_symbol: each, token_creator_address: `0x${each.repeat(40)}` }
    return risks.search(asset(each, 'live', token), chain)
  }
  const searching = [...'123456789abcdef'].map(search)
  expect(searching.filter((each) => each !== undefined)).toHaveLength(5)
  for (const release of held) release()
  await Promise.all(searching)
  expect(search('f')).toBeDefined()
})

test('while the API limits the key, nothing is asked for cards beside the tokens themselves', async () => {
  const budget = new KeyBudget(() => now)
  const risks = new Risks({ api, budget, now: () => now })
  budget.limited(2)
  now += 10_000
  expect(risks.search(asset('1'), chain)).toBeUndefined()
  expect([asked, risks.known(asset('1'), chain)]).toEqual([[], undefined])
  now += 3_600_000
  await risks.search(asset('1'), chain)
  expect(asked).toHaveLength(2)
})

test('while calls wait for a connection to the API, nothing is asked for cards beside the tokens themselves', async () => {
  const busy = { ...api, isBusy: true }
  const risks = new Risks({ api: busy })
  expect(risks.search(asset('1'), chain)).toBeUndefined()
  busy.isBusy = false
  await risks.search(asset('1'), chain)
  expect(asked).toHaveLength(2)
})
