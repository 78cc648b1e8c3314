import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiServer, type ApiServerOptions } from '../../../sandbox/api/server.ts'
import { statusOf } from '../../../src/api/asset.ts'
import { ChainCheck } from '../../../src/api/chain-check.ts'
import { Api, type ApiOptions, type Call } from '../../../src/api/client.ts'
import { type Asset, differ, statusWordsSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { tokenLookup } from '../../../src/chain/node.ts'
import { ApiError } from '../../../src/errors.ts'
import { defaultTables, failure, httpServer, listeningLog, nowhere, silent } from './server.ts'

const key = 'test-key'
const chains = [8453, 84532] as const
const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const clock = { ms: 0 }
const closing: (() => Promise<void>)[] = []

const order = {
  template_id: 'sandbox-standard',
  metadata: {
    token_name: 'Otter',
    token_symbol: 'OTTER',
    user_address: '0x00000000000000000000000000000000000000A1',
    token_uri: 'ipfs://a',
    beneficiaries: [
      {
        beneficiary: '0x00000000000000000000000000000000000000A1',
        shares: '950000000000000000',
      },
    ],
  },
  debug: true,
}

beforeEach(() => {
  clock.ms = 1000
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function openApi(baseUrl: string, options: Partial<ApiOptions> = {}): Api {
  const api = new Api({
    baseUrl,
    key,
    ...defaultTables,
    chains,
    log: silent,
    now: () => clock.ms,
    retryPauseMs: 1,
    ...options,
  })
  closing.push(() => api.close())
  return api
}

async function setUp(
  server: Partial<ApiServerOptions> = {},
  options: Partial<ApiOptions> = {},
): Promise<{ server: ApiServer; api: Api }> {
  const started = await ApiServer.start({ key, chains, ...server })
  closing.push(() => started.stop())
  return { server: started, api: openApi(started.baseUrl, options) }
}

describe('each endpoint', () => {
  test('lists what the filter asks for', async () => {
    const { server, api } = await setUp()
    const { value } = await api.assets({ status: 'live', limit: 7, ordering: 'market_cap_desc' })
    expect(value).toMatchObject({ receivedCount: 7, chainIgnored: false })
    expect(value.items.map((asset) => asset.asset_status)).toEqual(Array(7).fill('live'))
    expect(server.requests.at(-1)?.query).toEqual({
      chainId: '8453',
      status: 'live',
      limit: '7',
      offset: '0',
      ordering: 'market_cap_desc',
    })
  })

  test('always asks for what an API may require', async () => {
    const { server, api } = await setUp()
    await api.assets({})
    expect(server.requests.find(({ path }) => path === '/assets/')?.query).toEqual({
      chainId: '8453',
      status: 'all',
      limit: '50',
      offset: '0',
    })
    await api.search({ term: 'otter' })
    expect(server.requests.at(-1)?.query).toEqual({ chainId: '8453', limit: '50', term: 'otter' })
  })

  test('gives each asset the decimals of its quote token, and its status in the document’s words', async () => {
    const words: Record<string, string> = {
      live: 'ACTIVE',
      incoming: 'UPCOMING',
      graduated: 'TRADING',
    }
    const server = await ApiServer.start({
      key: 'a-key',
      rewrite: (asset) => ({ ...asset, asset_status: words[asset.asset_status ?? ''] }),
    })
    onTestFinished(() => server.stop())
    const api = openApi(server.baseUrl, {
      key: 'a-key',
      token: tokenLookup({ nodes: new Map() }),
      statusWords: statusWordsSchema.parse('live=ACTIVE,incoming=UPCOMING,graduated=TRADING'),
    })
    const { items } = (await api.assets({})).value
    const quotes = new Map<string | undefined, number>(
      server.world.tokens.map(({ numeraire }) => [
        numeraire.address.toLowerCase(),
        numeraire.decimals,
      ]),
    )
    for (const { asset_numeraire_address: quote, decimals } of items) {
      expect(decimals?.quote).toBe(quotes.get(quote?.toLowerCase()))
    }
    expect(new Set(items.map(({ decimals }) => decimals?.quote))).toEqual(new Set([18, 6]))
    const live = (await api.assets({ status: 'live' })).value.items
    expect(live.length).toBeGreaterThan(3)
    expect(new Set(live.map(statusOf))).toEqual(new Set(['live']))
    const [first] = live
    if (!first) throw new Error('nothing is live')
    expect((await api.asset(first.asset_address)).value).toEqual(first)
  })

  test('gives each asset the symbol of a launched quote token, which it asks for once', async () => {
    const [builder, product, stranger] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`)
    const base_token = { token_symbol: 'BUILD' }
    const known = { asset_address: builder, auction_pool: { base_token } }
    const listed = [builder, stranger].map((asset_numeraire_address) => ({
      asset_address: product,
      asset_numeraire_address,
      // Only the API's own answer about the quote token says this.
      quote_symbol: 'USDC',
    }))
    await using server = await httpServer((request, response) => {
      const isKnown = request.url?.includes(`/assets/${builder}`)
      const isList = request.url?.includes('/assets/?')
      response.statusCode = isKnown || isList ? 200 : 404
      response.end(JSON.stringify({ result: isList ? listed : known }))
    })
    const api = openApi(server.url)
    for (let reads = 0; reads < 3; reads += 1) {
      const { items } = (await api.assets({})).value
      expect(items.map(({ quote_symbol }) => quote_symbol)).toEqual(['BUILD', undefined])
      clock.ms += 5001
    }
    const lookups = server.requests.filter(({ url }) => !url.includes('/assets/?'))
    expect(lookups).toHaveLength(2)
  })

  test('takes from the node the symbol of a quote token of which the API says none', async () => {
    const [nameless, stranger, unknown] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`)
    const quotes = [nameless, stranger, unknown, usdc]
    const listed = quotes.map((asset_numeraire_address, index) => ({
      asset_address: `0x${String(index + 1).repeat(40)}`,
      asset_numeraire_address,
    }))
    await using server = await httpServer((request, response) => {
      const isNameless = request.url?.includes(`/assets/${nameless}`)
      const isList = request.url?.includes('/assets/?')
      response.statusCode = isNameless || isList ? 200 : 404
      response.end(JSON.stringify({ result: isList ? listed : { asset_address: nameless } }))
    })
    const tokenFacts = async (token: string) =>
      differ(token, unknown) ? { symbol: `$${token.slice(-1)}`, decimals: 9 } : undefined
    const nodes = new Map([[8453, { tokenFacts }]])
    const { value } = await openApi(server.url, { token: tokenLookup({ nodes }) }).assets({})
    expect(
      value.items.map(({ decimals, quote_symbol }) => [decimals?.quote, quote_symbol]),
    ).toEqual(
      // A launched token has the API's decimals, and a well-known one the symbol that the bot knows.
      [
        [18, expect.stringMatching(/^\$a$/iu)],
        [9, expect.stringMatching(/^\$b$/iu)],
        [undefined, undefined],
        [6, undefined],
      ],
    )
  })

  test('does not wait for a quote token that the API takes long to say, and has it later', async () => {
    const quote = `0x${'a'.repeat(40)}`
    const list = [{ asset_address: `0x${'1'.repeat(40)}`, asset_numeraire_address: quote }]
    const base_token = { token_symbol: 'BUILD' }
    const held: (() => void)[] = []
    await using server = await httpServer((request, response) => {
      const answer = (result: unknown) => response.end(JSON.stringify({ result }))
      if (request.url?.includes('/assets/?')) answer(list)
      else held.push(() => answer({ asset_address: quote, auction_pool: { base_token } }))
    })
    const api = openApi(server.url)
    const symbol = async () => (await api.assets({})).value.items[0]?.quote_symbol
    const from = performance.now()
    expect(await symbol()).toBeUndefined()
    expect(performance.now() - from).toBeLessThan(3_000)
    for (const answer of held) answer()
    clock.ms += 5_001
    await expect.poll(symbol).toBe('BUILD')
    expect(held).toHaveLength(1)
  })

  test('says how long a list was, in bytes', async () => {
    const listing = JSON.stringify({ result: [{ asset_address: '0x1', other: '🦦'.repeat(50) }] })
    await using server = await httpServer((_request, response) => response.end(listing))
    const { value } = await openApi(server.url).assets({})
    expect(value.bytes).toBe(Buffer.byteLength(listing))
  })

  test('finds by symbol and shows by address', async () => {
    const { server, api } = await setUp()
    const token = server.world.tokens.find(
      ({ chain, symbol }) => chain === 8453 && /^[A-Z]{4,}$/u.test(symbol),
    )
    if (!token) throw new Error('the world has no such token')
    const found = await api.search({ term: token.symbol.toLowerCase() })
    const [first] = found.value.items
    expect(first?.asset_address.toLowerCase()).toBe(token.address.toLowerCase())
    const { value } = await api.asset(token.address)
    expect(value).toEqual(first)
  })

  test('summarises an auction by pool address or id', async () => {
    const { server, api } = await setUp()
    const token = server.world.tokens.find(({ chain }) => chain === 84532)
    if (!token) throw new Error('the world has no such token')
    const byId = await api.auction(token.poolId, 84532)
    expect(byId.value).toMatchObject({ auction_base_token_address: token.address })
    expect(server.requests.at(-1)?.query).toEqual({ chainId: '84532' })
  })

  test('uploads metadata and builds an auction', async () => {
    const { api } = await setUp()
    const cid = await api.uploadMetadata({
      name: 'Otter',
      description: '',
      image_hash: 'ipfs://a',
      social_links: [],
      vesting_recipients: [],
    })
    expect(cid).toMatch(/^\w+$/u)
    const metadata = { ...order.metadata, token_uri: `ipfs://${cid}` }
    const built = await api.buildAuction({ ...order, metadata }, 84532)
    expect(built.encoded_payload).toMatch(/^0x882db707/u)
    expect(built.params?.salt).toMatch(/^0x/u)
  })

  test('lists the templates of the key', async () => {
    const { api } = await setUp()
    const [first, second] = await api.templates()
    expect(first).toEqual({
      id: 'sandbox-standard',
      name: 'Standard curve',
      description: 'A price curve that opens as soon as you sign.',
    })
    expect(second?.description).toBeUndefined()
  })

  test('uploads a picture as a form', async () => {
    const { server, api } = await setUp()
    const bytes = Buffer.from('\x89PNG, and more', 'latin1')
    expect(await api.uploadImage({ type: 'image/png', bytes })).toMatch(/^bafy/u)
    const [picture] = server.launches.pictures
    expect(picture).toMatchObject({ type: 'image/png', bytes })
    const webp = { type: 'image/webp', bytes: Buffer.from('RIFF') }
    await expect(api.uploadImage(webp)).rejects.toMatchObject({
      kind: 'invalid',
      words: 'Invalid file type',
    })
  })

  test('has the words of a refusal beside the error, but not in what is logged of it', async () => {
    const { api } = await setUp()
    const metadata = { ...order.metadata, beneficiaries: [] }
    const error = await api.buildAuction({ ...order, metadata }, 84532).catch((each) => each)
    expect(error).toMatchObject({
      kind: 'invalid',
      words: 'The shares of beneficiaries do not sum to 100%',
    })
    expect(inspect(error)).not.toContain('beneficiaries')
  })

  test('refuses what cannot be an address without asking', async () => {
    const { server, api } = await setUp()
    const composed = `4663-0x${'a'.repeat(40)}`
    const hostile = [`${composed}/..`, `-${composed}`, `0-0x${'a'.repeat(40)}`, 'a-b', '4663-0x..']
    for (const address of ['', '..', '../auctions/1', 'a b', '%2e%2e', 'é', ...hostile]) {
      await expect(api.asset(address)).rejects.toMatchObject({ kind: 'invalid' })
      await expect(api.auction(address)).rejects.toMatchObject({ kind: 'invalid' })
    }
    expect(server.requests).toEqual([])
  })

  test('says when there is no such thing', async () => {
    const { api } = await setUp()
    const nobody = '0x00000000000000000000000000000000000f00d5'
    await expect(api.asset(nobody)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(api.auction(nobody)).rejects.toMatchObject({ kind: 'not-found' })
    expect(api.state()).toMatchObject({ state: 'ok' })
  })
})

describe('an asset that the API repeats', () => {
  const quote = `0x${'b'.repeat(40)}`
  const ends = 1_790_000_100
  const auction_pool = { pool_config_ending_time: String(ends) }
  const unchanged = { asset_address: `0x${'1'.repeat(40)}`, asset_status: 'live' }
  const changing = { asset_address: `0x${'2'.repeat(40)}`, auction_pool }

  async function repeating(options: Partial<ApiOptions> = {}) {
    const listed: object[] = [unchanged, changing]
    const server = await httpServer((_request, response) => {
      response.end(JSON.stringify({ result: listed }))
    })
    closing.push(async () => server[Symbol.asyncDispose]())
    const api = openApi(server.url, options)
    const list = async () => {
      clock.ms += 5001
      return (await api.assets({})).value.items
    }
    return { list, listed }
  }

  test('is read even if it is nested very deeply, and so are those beside it', async () => {
    const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`
    const nested = `{"asset_address":"${unchanged.asset_address}","token_uri_data":{"extra":${deep}}}`
    await using server = await httpServer((_request, response) => {
      response.end(`{"result":[${nested},${JSON.stringify(changing)}]}`)
    })
    const { items } = (await openApi(server.url).assets({})).value
    expect(items.map((each) => each.asset_address)).toEqual([
      unchanged.asset_address,
      changing.asset_address,
    ])
  })

  test('gets its new status when one of its times comes, and the old one if the clock is set back', async () => {
    let now = ends - 1
    const { list } = await repeating({ clock: () => now })
    const status = async () => statusOf((await list())[1] ?? changing)
    expect(await status()).toBe('live')
    now = ends
    expect(await status()).toBe('ended')
    now = ends - 1
    expect(await status()).toBe('live')
  })

  test('gets decimals once they are known', async () => {
    let token: { decimals: number; symbol: string | undefined } | undefined
    const { list, listed } = await repeating({ token: async () => token })
    listed.splice(0, 2, { ...unchanged, asset_numeraire_address: quote })
    expect((await list())[0]?.decimals?.quote).toBeUndefined()
    token = { decimals: 8, symbol: undefined }
    expect((await list())[0]?.decimals?.quote).toBe(8)
    token = { decimals: 8, symbol: 'ODD' }
    expect((await list())[0]?.quote_symbol).toBe('ODD')
  })
})

test('before any call nothing is known of the state', async () => {
  const { api } = await setUp()
  expect(api.state()).toEqual({
    state: 'unknown',
    chainsIgnored: [],
    chainsRefused: [],
    figures: 'ok',
  })
  await api.assets({})
  expect(api.state()).toMatchObject({ state: 'ok' })
})

describe('when the API fails', () => {
  test('serves old answers, marked with their age, and recovers', async () => {
    const { server, api } = await setUp({}, { deadlineMs: 500 })
    const before = await api.assets({ limit: 5 })
    server.faults.set({ kind: 'status', status: 500 })
    clock.ms += 20_000
    const during = await api.assets({ limit: 5 })
    expect(during).toEqual({ value: before.value, age: 20, stale: true })
    expect(api.state().state).not.toBe('ok')
    server.faults.clear()
    clock.ms += 2000
    expect(await api.assets({ limit: 5 })).toMatchObject({ age: 0, stale: false })
    expect(api.state().state).toBe('ok')
  })

  test('waits half a minute for a built auction, and some seconds for everything else', async () => {
    // A hundredth of the time: 300 ms and 80 ms.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const sooner = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100))
    onTestFinished(() => sooner.mockRestore())
    const answers: (() => void)[] = []
    await using server = await httpServer((_request, response) => {
      answers.push(() => response.end(JSON.stringify({ result: { encoded_payload: '0x00' } })))
    })
    const api = openApi(server.url, { breakAfter: 100 })
    const unanswered = { kind: 'unavailable' }
    const uploading = expect(
      api.uploadMetadata({
        name: 'Otter',
        description: '',
        image_hash: '',
        social_links: [],
        vesting_recipients: [],
      }),
    ).rejects.toMatchObject(unanswered)
    const late = expect(api.buildAuction(order)).rejects.toMatchObject(unanswered)
    await vi.waitUntil(() => answers.length === 2)
    const inTime = api.buildAuction(order)
    await vi.waitUntil(() => answers.length === 3)
    await uploading
    await delay(120)
    answers[2]?.()
    expect(await inTime).toMatchObject({ encoded_payload: '0x00' })
    await late
  })

  test('by a wrong key, it is forbidden and the state is down', async () => {
    const { api } = await setUp({ key: 'another' })
    await expect(api.assets({})).rejects.toMatchObject({ kind: 'forbidden' })
    expect(api.state()).toMatchObject({ state: 'down', failure: 'forbidden', chainsIgnored: [] })
  })
})

test('the state names a chain whose list is refused, until it is listed', async () => {
  let isRefused = true
  await using server = await httpServer((request, response) => {
    const isSecond = request.url?.includes('chainId=84532') === true
    response.writeHead(isRefused && isSecond ? 400 : 200).end(JSON.stringify({ result: [] }))
  })
  const api = openApi(server.url, { chains: [8453, 84532], cacheMs: 0 })
  await api.assets({})
  await expect(api.assets({ chain: 84532 })).rejects.toMatchObject({ kind: 'invalid' })
  expect(api.state()).toMatchObject({ chainsRefused: [84532], state: 'ok' })
  isRefused = false
  clock.ms += 5000
  await api.assets({ chain: 84532 })
  expect(api.state()).toMatchObject({ chainsRefused: [] })
})

test('a chain is listed though the first one is refused', async () => {
  const asset = { asset_address: `0x${'a'.repeat(40)}` }
  await using server = await httpServer((request, response) => {
    const isHome = request.url?.includes('chainId=8453&') === true
    const body = JSON.stringify({ result: isHome ? 'no such chain' : [asset] })
    response.writeHead(isHome ? 400 : 200).end(body)
  })
  const { value } = await openApi(server.url, { chains: [8453, 84532] }).assets({ chain: 84532 })
  expect(value).toMatchObject({ items: [asset], chainIgnored: false })
})

test('the state says to run the doctor if figures contradict each other', async () => {
  const { api } = await setUp()
  await api.assets({})
  expect(api.state()).toMatchObject({ figures: 'ok' })
  const { server } = await setUp()
  const wrong = openApi(server.baseUrl, { units: { ...defaultUnits, pool_market_cap: 'usd18' } })
  await wrong.assets({})
  expect(wrong.state()).toMatchObject({ figures: 'run the doctor' })
})

describe('if a query name is not the one that the API knows', () => {
  test('leaves out what contradicts the filter, counts it as received, and says so once', async () => {
    const { log, lines } = listeningLog()
    const names = { status: 's', numeraire: 'n', category: 'c', creator: 'cr' }
    const { server, api } = await setUp({ queryNames: names }, { log })
    for (const status of ['live', 'graduated', 'incoming'] as const) {
      const { value } = await api.assets({ status })
      expect(value.receivedCount).toBe(50)
      expect(value.items.length).toBeGreaterThan(0)
      expect(value.items.length).toBeLessThan(50)
      const answered = new Set(value.items.map((asset) => asset.asset_status))
      for (const other of ['live', 'graduated', 'incoming']) {
        expect(answered.has(other)).toBe(other === status)
      }
    }
    const numeraire = server.world.tokens[0]?.numeraire.address ?? ''
    for (const asset of (await api.assets({ numeraire })).value.items) {
      expect(asset.asset_numeraire_address?.toLowerCase()).toBe(numeraire.toLowerCase())
    }
    expect(lines.filter((line) => line.includes('"filter":"status"'))).toHaveLength(1)
  })

  test('leaves out what does not match the term', async () => {
    const everything = await ApiServer.start({ key, chains })
    closing.push(() => everything.stop())
    const listing = JSON.stringify({
      result: (await openApi(everything.baseUrl).assets({})).value.items,
    })
    await using server = await httpServer((_request, response) => response.end(listing))
    const { value } = await openApi(server.url).search({ term: 'zzzznothing' })
    expect(value).toMatchObject({ items: [], receivedCount: 50 })
  })

  test('never shows another chain’s tokens as those of the chain asked for', async () => {
    const { log, lines } = listeningLog()
    const { server, api } = await setUp({ queryNames: { chain: 'network' } }, { log })
    const [home, other] = await Promise.all([api.assets({}), api.assets({ chain: 84532 })])
    expect(home.value).toMatchObject({ receivedCount: 50, chainIgnored: false })
    expect(home.value.items).toHaveLength(50)
    expect(other.value).toMatchObject({ items: [], receivedCount: 50, chainIgnored: true })
    const foreign = home.value.items[0]?.asset_address ?? ''
    await expect(api.asset(foreign, 84532)).rejects.toMatchObject({ kind: 'not-found' })
    const search = await api.search({ term: foreign, chain: 84532 })
    expect(search.value).toMatchObject({ items: [], receivedCount: 1, chainIgnored: true })
    expect(api.state().chainsIgnored).toEqual([84532])
    expect(lines.filter((line) => line.includes('API_QUERY_NAMES'))).toHaveLength(1)
    // Quote tokens that nobody knows are asked for besides.
    const lists = server.requests.filter(({ path }) => !path.startsWith('/assets/0x'))
    expect(lists.length).toBeLessThan(5)
  })
})

describe('an answer to another question', () => {
  const other = '0x00000000000000000000000000000000000000A2'
  const asked = '0x00000000000000000000000000000000000000a1'

  test('counts as not found', async () => {
    await using server = await httpServer((request, response) => {
      const asset = { asset_address: other }
      const auction = { auction_pool_address: other, auction_pool_id: other }
      response.end(JSON.stringify({ result: request.url?.includes('assets') ? asset : auction }))
    })
    const api = openApi(server.url)
    await expect(api.asset(asked)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(api.auction(asked)).rejects.toMatchObject({ kind: 'not-found' })
    expect((await api.asset(other.toLowerCase())).value).toMatchObject({ asset_address: other })
  })

  test('is told by the pool’s id or the token where auctions share an address', async () => {
    const shared = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544'
    const [token, stranger] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
    const id = `0x${'c'.repeat(64)}`
    let auction: object = {}
    await using server = await httpServer((_request, response) => {
      response.end(JSON.stringify({ result: auction }))
    })
    const api = openApi(server.url, { cacheMs: 0 })
    const found = (asked: string, answer: object) => {
      auction = { auction_pool_address: shared, ...answer }
      return api.auction(asked, 4663).then(
        () => true,
        ({ kind }: ApiError) => kind !== 'not-found',
      )
    }
    const of = (address: string) => ({
      auction_pool_id: `4663-${address}`,
      auction_base_token_address: address,
    })
    expect(await found(`4663-${token}`, of(token))).toBe(true)
    expect(server.requests[0]?.url).toContain(`/auctions/4663-${token}?`)
    expect(await found(`4663-${token}`, of(stranger))).toBe(false)
    expect(await found(`4663-${token}`, { auction_base_token_address: token })).toBe(true)
    expect(await found(`4663-${token}`, { auction_base_token_address: stranger })).toBe(false)
    expect(await found(token, of(token))).toBe(true)
    expect(await found(token, of(stranger))).toBe(false)
    expect(await found(token, { auction_base_token_address: stranger })).toBe(false)
    expect(await found(shared, of(stranger))).toBe(false)
    expect(await found(id, { auction_pool_id: id })).toBe(true)
    expect(await found(id, { auction_pool_id: `0x${'d'.repeat(64)}` })).toBe(false)
  })

  test('of items without an address is skipped and logged by count, without their content', async () => {
    const { log, lines } = listeningLog()
    await using server = await httpServer((_request, response) => {
      response.end(
        JSON.stringify({ result: [{ asset_address: asked }, { asset_status: 'hostile' }] }),
      )
    })
    const { value } = await openApi(server.url, { log }).assets({})
    expect(value).toMatchObject({ items: [{ asset_address: asked }], receivedCount: 2 })
    expect(lines.some((line) => line.includes('"unusable":1'))).toBe(true)
    expect(lines.join()).not.toContain('hostile')
  })
})

describe('what onCall is given', () => {
  const metadata = {
    name: 'Otter',
    description: '',
    image_hash: 'ipfs://a',
    social_links: [],
    vesting_recipients: [],
  }
  const address = `0x${'a'.repeat(40)}`

  function counted(baseUrl: string) {
    const calls: Call[] = []
    let limited = 0
    const api = openApi(baseUrl, {
      onCall: (call) => calls.push(call),
      onLimited: () => {
        limited += 1
      },
    })
    const outcomes = () => calls.map(({ endpoint, result }) => `${endpoint} ${result}`)
    return { api, calls, outcomes, limited: () => limited }
  }

  test('the endpoint and the result; a read from the cache is no call', async () => {
    const { server } = await setUp()
    const { api, calls, outcomes } = counted(server.baseUrl)
    const [first] = (await api.assets({ limit: 5 })).value.items
    await api.assets({ limit: 5 })
    await api.search({ term: 'otter' })
    await api.asset(first?.asset_address ?? '')
    await failure(api.auction(address))
    expect(outcomes()).toEqual(['assets ok', 'search ok', 'asset ok', 'auction not-found'])
    expect(calls.every(({ seconds }) => seconds > 0)).toBe(true)
  })

  test('is the kind of a failure', async () => {
    await using refusing = await httpServer((_request, response) => response.writeHead(422).end())
    const refused = counted(refusing.url)
    await failure(refused.api.uploadMetadata(metadata))
    expect(refused.outcomes()).toEqual(['upload-metadata invalid'])
    const none = counted(await nowhere())
    await failure(none.api.auction(address))
    expect(none.outcomes()).toEqual(['auction unavailable'])
  })

  test('is each answer with status 429, and the call once', async () => {
    await using server = await httpServer((_request, response) => response.writeHead(429).end())
    const { api, outcomes, limited } = counted(server.url)
    await failure(api.auction(address))
    expect(outcomes()).toEqual(['auction rate-limited'])
    expect(server.requests.length).toBeGreaterThan(1)
    expect(limited()).toBe(server.requests.length)
  })
})

const hour = 3_600_000

function numbered(id: number): Asset {
  return { asset_address: `0x${id.toString(16).padStart(40, '0')}` }
}

function checking(lists: Record<number, Asset[] | 'fails'>) {
  const time = { ms: 1000 }
  let asked = 0
  const check = new ChainCheck({
    home: 1,
    log: silent,
    now: () => time.ms,
    listing: async (chain) => {
      asked += 1
      const list = lists[chain] ?? []
      if (list === 'fails') throw new ApiError('unavailable', 'down')
      return list
    },
  })
  return { check, time, lists, asked: () => asked }
}

describe('the check of a chain', () => {
  test('asks nothing for the home chain, and once for any number of readers of another', async () => {
    const { check, asked } = checking({ 1: [numbered(1)], 2: [numbered(1)] })
    expect(await check.isIgnored(1)).toBe(false)
    expect(asked()).toBe(0)
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => check.isIgnored(2)))
    expect(verdicts).toEqual(Array(10).fill(true))
    expect(asked()).toBe(2)
  })

  test('trusts a chain without assets, and checks it again soon', async () => {
    const { check, time, lists } = checking({ 1: [numbered(1)], 2: [] })
    expect(await check.isIgnored(2)).toBe(false)
    lists[2] = [numbered(1)]
    time.ms += hour / 10
    await check.isIgnored(2)
    await expect.poll(() => check.isIgnored(2)).toBe(true)
  })

  test('lasts for an hour and is then refreshed in the background', async () => {
    const { check, time, lists, asked } = checking({ 1: [numbered(1)], 2: [numbered(2)] })
    expect(await check.isIgnored(2)).toBe(false)
    time.ms += hour - 1
    lists[2] = [numbered(1)]
    expect(await check.isIgnored(2)).toBe(false)
    expect(asked()).toBe(2)
    time.ms += 2
    expect(await check.isIgnored(2)).toBe(false)
    await expect.poll(() => check.isIgnored(2)).toBe(true)
  })

  test('keeps its result while the API fails, and fails without one', async () => {
    const { check, time, lists } = checking({ 1: 'fails', 2: [numbered(1)] })
    await expect(check.isIgnored(2)).rejects.toMatchObject({ kind: 'unavailable' })
    lists[1] = [numbered(1)]
    expect(await check.isIgnored(2)).toBe(true)
    lists[1] = 'fails'
    time.ms += hour
    expect([await check.isIgnored(2), await check.isIgnored(2)]).toEqual([true, true])
    lists[1] = [numbered(3)]
    const later = () => {
      time.ms += hour
      return check.isIgnored(2)
    }
    await expect.poll(later).toBe(false)
  })
})
