import { describe, expect, onTestFinished, test } from 'vitest'
import { InterfaceServer } from '../../../sandbox/interface/server.ts'
import { Api, type Call } from '../../../src/api/client.ts'
import { defaultQueryNames } from '../../../src/api/query-names.ts'
import { httpServer, nowhere, silent } from './server.ts'
import { failure, key } from './transport.ts'

const metadata = { name: 'Otter', description: '', image_hash: 'ipfs://a' }
const address = `0x${'a'.repeat(40)}`

/** A client, and what it tells of its calls. */
function counted(baseUrl: string) {
  const calls: Call[] = []
  let limited = 0
  const api = new Api({
    baseUrl,
    key,
    queryNames: defaultQueryNames,
    chains: [8453],
    log: silent,
    onCall: (call) => calls.push(call),
    onLimited: () => {
      limited += 1
    },
  })
  onTestFinished(() => api.close())
  const told = () => calls.map(({ endpoint, result }) => `${endpoint} ${result}`)
  return { api, calls, told, limited: () => limited }
}

test('each call is told by its endpoint, and one that memory answers is none', async () => {
  const server = await InterfaceServer.start({ key })
  onTestFinished(() => server.stop())
  const { api, calls, told } = counted(server.baseUrl)
  const [first] = (await api.assets({ limit: 5 })).value.items
  await api.assets({ limit: 5 })
  await api.search({ term: 'otter' })
  await api.asset(first?.asset_address ?? '')
  await failure(api.auction(address))
  expect(told()).toEqual(['assets ok', 'search ok', 'asset ok', 'auction not-found'])
  expect(calls.every(({ seconds }) => seconds > 0)).toBe(true)
})

describe('a call that fails is told by its kind', () => {
  test.each([
    [401, 'unauthorised'],
    [404, 'not-found'],
    [422, 'invalid'],
    [500, 'unavailable'],
  ])('status %i: %s', async (status, kind) => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(status).end()
    })
    const { api, told } = counted(server.url)
    await failure(api.uploadMetadata(metadata))
    expect(told()).toEqual([`upload-metadata ${kind}`])
  })

  test('an answer that is not what the document says: malformed', async () => {
    await using server = await httpServer((_request, response) => response.end('{"result":7}'))
    const { api, told } = counted(server.url)
    await failure(api.assets({}))
    expect(told()).toEqual(['assets malformed'])
  })

  test('nobody there: unavailable', async () => {
    const { api, told } = counted(await nowhere())
    await failure(api.auction(address))
    expect(told()).toEqual(['auction unavailable'])
  })
})

test('each answer with status 429 is told, and the call once', async () => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(429).end()
  })
  const { api, told, limited } = counted(server.url)
  await failure(api.auction(address))
  expect(told()).toEqual(['auction rate-limited'])
  expect(server.requests.length).toBeGreaterThan(1)
  expect(limited()).toBe(server.requests.length)
})
