import { decodeFunctionData, parseAbi } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiServer, type ApiServerOptions } from '../../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import type { FaultKind } from '../../../sandbox/faults.ts'
import { KuboServer } from '../../../sandbox/ipfs/kubo.ts'

const key = 'a key for tests'
const running = new Set<{ stop(): Promise<void> }>()

async function start(options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  const server = await ApiServer.start({ key, ...options })
  running.add(server)
  return server
}

afterEach(async () => {
  await Promise.all([...running].map((server) => server.stop()))
  running.clear()
})

async function call(server: ApiServer, path: string, init: RequestInit = {}) {
  const response = await fetch(`${server.baseUrl}${path}`, {
    ...init,
    headers: { 'x-api-key': key, ...init.headers },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: () => JSON.parse(text) }
}

async function post(server: ApiServer, path: string, body: unknown) {
  return await call(server, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('the key', () => {
  it('is asked for by every endpoint: 403 without it, and with another', async () => {
    const server = await start()
    const calls = [
      ['GET', '/assets/'],
      ['GET', '/assets/search?term=x'],
      ['GET', `/assets/${showcaseAddresses.moonOtter}`],
      ['GET', '/auctions/0x00'],
      ['POST', '/auction-templates'],
      ['POST', '/ipfs/upload-metadata'],
    ] as const
    for (const [method, path] of calls) {
      const without = await fetch(`${server.baseUrl}${path}`, { method })
      expect(without.status).toBe(403)
      expect(await without.json()).toEqual({ message: 'Forbidden resource', statusCode: 403 })
      const wrong = await call(server, path, { method, headers: { 'x-api-key': 'another' } })
      expect(wrong.status).toBe(403)
      expect(wrong.body()).toEqual({ message: 'Forbidden resource', statusCode: 403 })
    }
  })
})

describe('reading', () => {
  it('lists assets of the requested chain', async () => {
    const server = await start()
    const answer = await call(server, '/assets/?chainId=84532&limit=50')
    expect(answer.status).toBe(200)
    const addresses = new Set<string>(
      server.world.tokens
        .filter((token) => token.chain === 84532)
        .map((token) => token.address.toLowerCase()),
    )
    const { result } = answer.body()
    expect(result).toHaveLength(50)
    for (const asset of result) expect(addresses).toContain(asset.asset_address.toLowerCase())
  })

  it.each([
    '/assets/?limit=51',
    '/assets/?limit=-1',
    '/assets/?limit=ten',
    '/assets/?limit=1.5',
    '/assets/?limit=',
    '/assets/?offset=-1',
    '/assets/?status=stall',
    '/assets/?ordering=newest',
    '/assets/?category=meme-coin',
    '/assets/?chainId=base',
    '/assets/search',
    '/assets/search?term=',
    '/assets/search?term=x&limit=51',
    '/assets/search?term=x&category=meme-coin',
    '/auctions/0x00?chainId=base',
  ])('refuses %s with 400', async (path) => {
    const answer = await call(await start(), path)
    expect(answer.status).toBe(400)
    const [name] = /(?<=\?)\w+(?=[^?&]*$)|(?<=&)\w+(?=[^&]*$)|$/u.exec(path) ?? []
    expect(answer.body()).toEqual({
      statusCode: 400,
      message: 'Validation failed',
      errors: [expect.objectContaining({ path: [name || 'term'], message: expect.any(String) })],
    })
  })

  it('says by zod’s word that a parameter is missing', async () => {
    const answer = await call(await start(), '/assets/search')
    expect(answer.body().errors).toMatchObject([
      { code: 'invalid_type', path: ['term'], message: 'Required' },
    ])
  })

  it('takes the list with a slash at its end and without', async () => {
    const server = await start()
    const [one, other] = await Promise.all([
      call(server, '/assets/?chainId=8453&limit=5'),
      call(server, '/assets?chainId=8453&limit=5'),
    ])
    expect(one.body().result).toHaveLength(5)
    expect(other.text).toBe(one.text)
  })

  it('leaves market data and categories of some assets out where they are asked for alone', async () => {
    const server = await start()
    const listed = (await call(server, '/assets?limit=50')).body().result
    const alone = await Promise.all(
      listed.map(
        async ({ asset_address: address }: { asset_address: string }) =>
          (await call(server, `/assets/${address}`)).body().result,
      ),
    )
    const isFull = alone.map((asset) => 'asset_categories' in asset)
    expect(new Set(isFull)).toEqual(new Set([true, false]))
    for (const [index, asset] of alone.entries()) {
      const { asset_categories: _, auction_pool: pool, ...rest } = listed[index]
      if (isFull[index]) expect(asset).toEqual(listed[index])
      else {
        expect(asset).toMatchObject({ asset_address: rest.asset_address })
        expect(JSON.stringify(asset)).not.toMatch(/pool_market_data|asset_categories/u)
        expect(asset.auction_pool?.pool_current_price).toBe(pool?.pool_current_price)
      }
    }
  })

  it('answers an empty list for an unknown chain and 404 for unknown assets and auctions', async () => {
    const server = await start()
    expect((await call(server, '/assets/?chainId=1')).body()).toEqual({ result: [] })
    for (const path of [
      '/assets/0x0000000000000000000000000000000000000001?chainId=8453',
      `/assets/${showcaseAddresses.moonOtter}?chainId=84532`,
      '/auctions/0x0000000000000000000000000000000000000001',
    ]) {
      expect((await call(server, path)).status).toBe(404)
    }
    expect((await call(server, '/auctions/0x00')).body()).toEqual({
      message: 'Auction not found',
      error: 'Not Found',
      statusCode: 404,
    })
    expect((await call(server, '/auctions/deploy/x')).body()).toMatchObject({
      message: 'Cannot GET /v1/auctions/deploy/x',
    })
  })

  it('goes by renamed query names and ignores those it does not know', async () => {
    const server = await start({ queryNames: { chain: 'network', status: 'state' } })
    const renamed = (await call(server, '/assets/?network=84532&state=incoming')).body().result
    const ignored = (await call(server, '/assets/?chainId=84532&status=nonsense')).body().result
    const incoming = server.world.tokens.filter(
      (token) => token.chain === 84532 && token.status === 'incoming',
    )
    expect(renamed).toHaveLength(incoming.length)
    const first = server.world.tokens.find((token) => token.chain === 8453)
    expect(ignored[0].asset_address.toLowerCase()).toBe(first?.address.toLowerCase())
  })
})

describe('launching', () => {
  const metadata = {
    token_name: 'New Moon',
    token_symbol: 'NEW',
    user_address: '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e',
    token_uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
    beneficiaries: [
      {
        beneficiary: '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e',
        shares: '950000000000000000',
      },
    ],
  }
  const abi = parseAbi([
    'function create((uint256,uint256,address,address,bytes,address,bytes,address,bytes,address,bytes,address,bytes32) createData) returns (address,address,address,address,address)',
  ])

  it('builds calldata of the launch contract that equals the parameters beside it', async () => {
    const answer = await post(await start(), '/auction-templates?chainId=8453', {
      template_id: 'sandbox-standard',
      metadata,
      debug: true,
    })
    expect(answer.status).toBe(200)
    const { result } = answer.body()
    expect(result.encoded_payload.slice(0, 10)).toBe('0x882db707')
    const { params } = result
    expect(decodeFunctionData({ abi, data: result.encoded_payload }).args[0]).toEqual([
      BigInt(params.initial_supply),
      BigInt(params.num_tokens_to_sell),
      params.numeraire,
      params.token_factory,
      params.token_factory_data,
      params.governance_factory,
      params.governance_factory_data,
      params.pool_initializer,
      params.pool_initializer_data,
      params.liquidity_migrator,
      params.liquidity_migrator_data,
      params.integrator,
      params.salt,
    ])
  })

  it('refuses bodies that lack what is required, and templates that it does not know', async () => {
    const server = await start()
    const template_id = 'sandbox-standard'
    for (const body of [
      {},
      { template_id },
      { template_id, metadata: {} },
      { template_id, metadata: { ...metadata, token_uri: 'https://example.com' } },
      { template_id, metadata, debug: 'yes' },
      {
        template_id,
        metadata: {
          ...metadata,
          beneficiaries: [{ beneficiary: metadata.user_address, shares: '960000000000000000' }],
        },
      },
    ]) {
      expect((await post(server, '/auction-templates', body)).status).toBe(400)
    }
    const unknown = { template_id: 'unknown', metadata }
    expect((await post(server, '/auction-templates', unknown)).status).toBe(404)
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
    expect((await call(server, '/auction-templates', broken)).status).toBe(400)
    const text = { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }
    expect((await call(server, '/auction-templates', text)).status).toBe(415)
  })

  it('answers a bare CID for metadata, the same for the same, and refuses incomplete ones', async () => {
    const server = await start()
    const asked = {
      name: 'New Moon',
      description: '',
      image_hash: 'ipfs://x',
      social_links: [],
      vesting_recipients: [],
    }
    const { result } = (await post(server, '/ipfs/upload-metadata', asked)).body()
    expect(result).toMatch(/^bafkrei[a-z2-7]{52}$/)
    expect((await post(server, '/ipfs/upload-metadata', asked)).body().result).toBe(result)
    for (const body of [{ name: 'x' }, { ...asked, categories: ['meme-coin'] }]) {
      expect((await post(server, '/ipfs/upload-metadata', body)).status).toBe(400)
    }
  })

  it('stores uploaded metadata under their CID, or something else if tampered with', async () => {
    const ipfs = await KuboServer.start()
    running.add(ipfs)
    const server = await start({ ipfs })
    const asked = {
      name: 'New Moon',
      description: '',
      image_hash: 'ipfs://x',
      social_links: [],
      vesting_recipients: [],
    }
    const stored = async () => {
      const { result } = (await post(server, '/ipfs/upload-metadata', asked)).body()
      const url = `${ipfs.url}/api/v0/cat?arg=${result}`
      return (await fetch(url, { method: 'POST' })).text()
    }
    expect(JSON.parse(await stored())).toMatchObject(asked)
    server.launches.tamperUpload = ({ name }) => Buffer.from(`not ${name}`)
    expect(await stored()).toBe('not New Moon')
    expect(ipfs.pinned).toEqual([])
  })
})

describe('faults', () => {
  it('answers a status, an HTML page, broken JSON, another shape or 429', async () => {
    const server = await start()
    const seen = async (kind: FaultKind, more = {}) => {
      server.faults.set({ kind, ...more })
      return await call(server, '/assets/')
    }
    const status = await seen('status', { status: 503 })
    expect(status.status).toBe(503)
    expect(status.body()).toMatchObject({ statusCode: 503 })
    expect((await seen('status', { status: 422, body: '' })).text).toBe('')
    expect((await seen('status', { status: 422, body: '{"error":"no"}' })).text).toBe(
      '{"error":"no"}',
    )
    const page = await seen('html')
    expect(page.status).toBe(403)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('server')).toBe('cloudflare')
    expect(page.text).toContain('<title>Attention Required! | Cloudflare</title>')
    expect((await seen('status', { status: 403 })).body()).toEqual({
      message: 'Forbidden resource',
      statusCode: 403,
    })
    expect((await seen('broken-json')).body).toThrow(SyntaxError)
    expect((await seen('wrong-shape')).body().result).not.toBeInstanceOf(Array)
    const limited = await seen('429', { retryAfter: 7 })
    expect(limited.status).toBe(429)
    expect(limited.headers.get('retry-after')).toBe('7')
    expect((await seen('429')).headers.get('retry-after')).toBeNull()
    server.faults.clear()
    expect((await call(server, '/assets/')).status).toBe(200)
  })

  it.each(['reset', 'truncated'] as const)('breaks the connection: %s', async (kind) => {
    const server = await start()
    server.faults.set({ kind })
    await expect(call(server, '/assets/')).rejects.toThrow()
  })

  it('answers slowly but rightly, and sends more than anyone should read', async () => {
    const server = await start()
    server.faults.set({ kind: 'slow', delayMs: 30 })
    expect((await call(server, '/assets/')).body().result).toHaveLength(20)
    server.faults.set({ kind: 'huge' })
    const response = await fetch(`${server.baseUrl}/assets/`, { headers: { 'x-api-key': key } })
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 20_000_000) break
    }
    expect(bytes).toBeGreaterThan(20_000_000)
  })

  it('ends connections that hang or wait when it stops', async () => {
    for (const fault of [{ kind: 'hang' }, { kind: 'slow', delayMs: 600_000 }] as const) {
      const server = await start()
      server.faults.set(fault)
      const waiting = call(server, '/assets/')
      const outcome = expect(waiting).rejects.toThrow()
      await expect.poll(() => server.requests.length).toBe(1)
      await server.stop()
      await outcome
      running.delete(server)
    }
  })

  it('affects only paths that match, as often as set; the longest match decides', async () => {
    const server = await start()
    server.faults.set({ kind: 'status', status: 500, times: 1 })
    server.faults.set({ kind: 'status', status: 502, match: '/assets/search', times: 2 })
    const statuses: number[] = []
    for (const path of ['search?term=x', 'search?term=x', '', 'search?term=x', '']) {
      statuses.push((await call(server, `/assets/${path}`)).status)
    }
    expect(statuses).toEqual([502, 502, 500, 200, 200])
  })
})
