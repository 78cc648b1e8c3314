import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import type { Fault } from '../../../sandbox/faults.ts'
import { Api } from '../../../src/api/client.ts'
import { KeyBudget } from '../../../src/api/http.ts'
import { Authenticity } from '../../../src/cards/authenticity.ts'
import { defaultTables, silent } from '../api/server.ts'

const key = 'test-key'
const minute = 60_000
const { moonOtter, otterSpace } = showcaseAddresses

let server: ApiServer
let api: Api
let now: number
beforeEach(async () => {
  server = await ApiServer.start({ key })
  api = new Api({
    baseUrl: server.baseUrl,
    key,
    ...defaultTables,
    chains: [8453],
    log: silent,
    retryPauseMs: 1,
  })
  now = 1
})
afterEach(async () => {
  await api.close()
  await server.stop()
})

const open = (budget?: KeyBudget) => new Authenticity({ api, budget, now: () => now })
const asked = () => server.requests.map(({ path, query }) => ({ path, ...query }))
const authentic = { isFake: false, reasons: [], until: expect.any(Number) }

test('a fake is told with its reasons, and asked for once in five minutes', async () => {
  server.fakes.set(moonOtter.toLowerCase(), [{ id: 'quote', message: 'Not the real TSLA' }])
  const authenticity = open()
  const both = [moonOtter, moonOtter.toLowerCase()].map((each) => authenticity.verdict(each, 8453))
  const fake = { isFake: true, reasons: ['Not the real TSLA'], until: now + 5 * minute }
  expect(await Promise.all(both)).toEqual([fake, fake])
  expect(await authenticity.verdict(otterSpace, 8453)).toEqual(authentic)
  const path = '/assets/authenticity'
  expect(asked()).toEqual([
    { path, chainId: '8453', assetAddress: moonOtter },
    { path, chainId: '8453', assetAddress: otterSpace },
  ])
  now += 5 * minute + 1
  server.fakes.clear()
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
})

test('what is known is said without asking, as long as it is kept', async () => {
  server.fakes.set(moonOtter.toLowerCase(), [{ id: 'quote', message: 'Not the real TSLA' }])
  const authenticity = open()
  const isFake = () => authenticity.known(moonOtter.toLowerCase(), 8453)?.isFake
  expect(isFake()).toBeUndefined()
  await authenticity.verdict(moonOtter, 8453)
  expect([isFake(), authenticity.known(moonOtter, 4663)]).toEqual([true, undefined])
  now += 5 * minute + 1
  expect(isFake()).toBeUndefined()
  expect(asked()).toHaveLength(1)
})

test('of its reasons no more is kept than a card can show', async () => {
  const failures = Array.from({ length: 1_000 }, (_, id) => ({
    id: `${id}`,
    message: 'x'.repeat(999),
  }))
  server.fakes.set(moonOtter.toLowerCase(), failures)
  const { reasons = [] } = (await open().verdict(moonOtter, 8453)) ?? {}
  expect(reasons).toHaveLength(3)
  expect(reasons.join('').length).toBeLessThanOrEqual(1_500)
})

test.each<[string, Fault]>([
  ['a firewall’s page', { kind: 'html' }],
  ['something else', { kind: 'wrong-shape' }],
])('an API that answers %s is asked again after an hour', async (_, fault) => {
  const authenticity = open()
  server.faults.set(fault)
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  server.faults.clear()
  now += 59 * minute
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  expect(await authenticity.verdict(otterSpace, 8453)).toBeUndefined()
  expect(asked()).toHaveLength(1)
  now += 2 * minute
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
})

/** Assets that the API doesn't know. */
const unknownAssets = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`)

test.each([404, 400])('a refusal with %i counts for its asset alone', async (status) => {
  const authenticity = open()
  server.faults.set({ kind: 'status', status })
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  server.faults.clear()
  now += 4 * minute
  expect(await authenticity.verdict(moonOtter.toLowerCase(), 8453)).toBeUndefined()
  expect(await authenticity.verdict(otterSpace, 8453)).toEqual(authentic)
  expect(asked()).toHaveLength(2)
  now += minute + 1
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
})

test('an API that refused three assets, and never gave a verdict, is asked again after an hour', async () => {
  const authenticity = open()
  const [first = '', second = '', third = ''] = unknownAssets
  for (const each of [first, first, second, third]) await authenticity.verdict(each, 8453)
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  expect(asked()).toHaveLength(3)
  now += 60 * minute
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
})

test('an API that gave a verdict is asked of each asset, however many it doesn’t know', async () => {
  const authenticity = open()
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
  for (const each of unknownAssets) {
    expect(await authenticity.verdict(each, 8453)).toBeUndefined()
  }
  expect(await authenticity.verdict(otterSpace, 8453)).toEqual(authentic)
})

test('an API that is away is asked again after five minutes', async () => {
  const authenticity = open()
  server.faults.set({ kind: 'reset' })
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  server.faults.clear()
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  now += 5 * minute + 1
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
})

test('a verdict without readable reasons still is one', async () => {
  const body = '{"result":{"verdict":"fake","failures":[{"id":7}]}}'
  server.faults.set({ kind: 'status', status: 200, body })
  expect(await open().verdict(moonOtter, 8453)).toMatchObject({ isFake: true, reasons: [] })
})

test('while the API limits the key it is not asked, and may be later', async () => {
  const budget = new KeyBudget(() => now)
  budget.limited(1)
  const authenticity = open(budget)
  expect(await authenticity.verdict(moonOtter, 8453)).toBeUndefined()
  expect(asked()).toEqual([])
  now += 60 * minute
  expect(await authenticity.verdict(moonOtter, 8453)).toEqual(authentic)
})
