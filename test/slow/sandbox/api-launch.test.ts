import { type Address, decodeAbiParameters, type Hex, parseAbi, parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { poolLayouts } from '../../unit/chain/airlock/sample.ts'
import { tokenAbi, walletOn } from '../../unit/chain/on-chain.ts'

const key = 'a key for tests'
const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const launcher = { to: airlock, airlock } as const
const wallet = '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e'
const uri = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const poolManagerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const metadata = {
  token_name: 'New Moon',
  token_symbol: 'NEW',
  user_address: wallet,
  token_uri: uri,
  beneficiaries: [],
}
let chain: LocalChain
let hands: ReturnType<typeof walletOn>
const running: ApiServer[] = []

beforeAll(async () => {
  chain = await startChain({ chainId: 8453, launcher })
  hands = walletOn(chain)
})

afterAll(() => chain?.stop())

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function start(): Promise<ApiServer> {
  const server = await ApiServer.start({ key, local: [{ ...chain, launcher }] })
  running.push(server)
  return server
}

async function call(server: ApiServer, path: string, body?: unknown) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${server.baseUrl}${path}`, { headers, ...init })
  const text = await response.text()
  return { status: response.status, text, result: () => JSON.parse(text).result }
}

/** The creator gets all that a template leaves open. */
function ownShares(template: string) {
  if (template === 'sandbox-dynamic') return []
  const percent = template === 'sandbox-shared' ? 35n : 95n
  return [{ beneficiary: wallet, shares: String(percent * 10n ** 16n) }]
}

async function build(server: ApiServer, template_id: string, more = {}) {
  const beneficiaries = ownShares(template_id)
  const asked = { template_id, metadata: { ...metadata, beneficiaries, ...more }, debug: true }
  const answer = await call(server, '/auction-templates?chainId=8453', asked)
  expect(answer.text).toContain('encoded_payload')
  return answer.result()
}

const launch = (data: Hex) => hands.send(airlock, data)

const metadataOf = (recipients: object[]) => ({
  name: 'New Moon',
  description: '',
  image_hash: '',
  social_links: [],
  vesting_recipients: recipients,
})

describe('templates on a real chain', () => {
  it.each(['sandbox-standard', 'sandbox-hook', 'sandbox-shared', 'sandbox-dynamic'])(
    'give a payload that launches there, at the address of the answer: %s',
    async (template) => {
      const server = await start()
      const built = await build(server, template)
      const address = built.token_address
      const read = (functionName: 'name' | 'symbol') =>
        hands.client.readContract({ address, abi: tokenAbi, functionName })
      expect(await hands.client.getCode({ address })).toBeUndefined()
      expect((await launch(built.encoded_payload)).status).toBe('success')
      expect([await read('name'), await read('symbol')]).toEqual(['New Moon', 'NEW'])
    },
  )

  it('give another token each time, even if another stand-in uses the chain', async () => {
    const [one, other] = [await start(), await start()]
    const built = await build(one, 'sandbox-standard')
    await launch(built.encoded_payload)
    const next = await build(other, 'sandbox-standard')
    expect(next.token_address).not.toBe(built.token_address)
    expect((await launch(next.encoded_payload)).status).toBe('success')
  })

  it('go stale once the auction would have started', async () => {
    const built = await build(await start(), 'sandbox-dynamic')
    const id = await hands.client.snapshot()
    await hands.client.increaseTime({ seconds: 1000 })
    await hands.client.mine({ blocks: 1 })
    const data = built.encoded_payload
    await expect(hands.client.call({ to: airlock, data })).rejects.toThrow()
    await hands.client.revert({ id })
  })

  it('give the recipients of the uploaded metadata their tokens', async () => {
    const server = await start()
    const [first, second] = [chain.accounts[2]?.address, chain.accounts[3]?.address]
    const asked = metadataOf([
      { address: first, amount: 25_000_000, percentage: 2.5 },
      { address: second, amount: 7 },
      { address: `0x${'0'.repeat(40)}`, amount: 0 },
    ])
    const upload = await call(server, '/ipfs/upload-metadata', asked)
    const more = { token_uri: `ipfs://${upload.result()}` }
    for (const template of ['sandbox-standard', 'sandbox-hook']) {
      const built = await build(server, template, more)
      await launch(built.encoded_payload)
      const vested = (account: Address | undefined) =>
        hands.client.readContract({
          address: built.token_address,
          abi: parseAbi(['function vestedAmountOf(address) view returns (uint256)']),
          functionName: 'vestedAmountOf',
          args: [account ?? wallet],
        })
      expect(await vested(first)).toBe(25n * 10n ** 24n)
      expect(await vested(second)).toBe(7n * 10n ** 18n)
    }
    const tooMuch = metadataOf([{ address: first, amount: 410_000_000 }])
    const greedy = await call(server, '/ipfs/upload-metadata', tooMuch)
    const refused = await call(server, '/auction-templates', {
      template_id: 'sandbox-standard',
      metadata: {
        ...metadata,
        beneficiaries: ownShares('sandbox-standard'),
        token_uri: `ipfs://${greedy.result()}`,
      },
    })
    expect(refused.text).toContain('more than is not for sale')
  })

  it('give the shares as they are asked for beside what is preset, by ascending address', async () => {
    const beneficiary = chain.accounts[2]?.address ?? wallet
    const built = await build(await start(), 'sandbox-shared', {
      beneficiaries: [
        { beneficiary, shares: '250000000000000000' },
        { beneficiary: wallet, shares: '100000000000000000' },
      ],
    })
    const [{ beneficiaries: shares }] = decodeAbiParameters(
      poolLayouts.multicurve,
      built.params.pool_initializer_data,
    )
    const of = new Map(shares.map((each) => [each.beneficiary, each.shares]))
    expect(of.get(wallet)).toBe(10n ** 17n)
    expect(of.get(beneficiary)).toBe(25n * 10n ** 16n)
    expect([...of.values()].toSorted()).toContain(6n * 10n ** 17n)
    const addresses = shares.map((each) => BigInt(each.beneficiary))
    expect(addresses.toSorted((left, right) => (left < right ? -1 : 1))).toEqual(addresses)
  })
})

describe('what the real service refuses is refused', () => {
  const share = { beneficiary: wallet, shares: '950000000000000000' }
  it.each<[what: string, template: string, beneficiaries: object[], words: string]>([
    ['no shares where the template leaves some', 'sandbox-shared', [], 'do not sum to 100%'],
    ['less than is open', 'sandbox-shared', [{ ...share, shares: '3' }], 'do not sum to 100%'],
    ['more than is open', 'sandbox-shared', [share], 'do not sum to 100%'],
    ['a share where nothing is open', 'sandbox-dynamic', [share], 'do not sum to 100%'],
    ['`share` for `shares`', 'sandbox-standard', [{ beneficiary: wallet, share: '1' }], 'Required'],
  ])('%s', async (_, template_id, beneficiaries, words) => {
    const asked = { template_id, metadata: { ...metadata, beneficiaries } }
    const { status, text } = await call(await start(), '/auction-templates?chainId=8453', asked)
    expect([status, text]).toEqual([400, expect.stringContaining(words)])
  })

  it.each<[what: string, changes: object, path: unknown[]]>([
    [
      'a percentage without an amount',
      { vesting_recipients: [{ address: wallet, percentage: 35 }] },
      ['vesting_recipients', 0, 'amount'],
    ],
    [
      'an amount as text',
      { vesting_recipients: [{ address: wallet, amount: '35' }] },
      ['vesting_recipients', 0, 'amount'],
    ],
    ['no list of recipients', { vesting_recipients: undefined }, ['vesting_recipients']],
    ['no list of links', { social_links: undefined }, ['social_links']],
  ])('%s', async (_, changes, path) => {
    const asked = { ...metadataOf([]), ...changes }
    const { status, text } = await call(await start(), '/ipfs/upload-metadata', asked)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ statusCode: 400, errors: [{ path }] })
  })

  it.each([
    ['another field than image', 'file', '\x89PNG', 400],
    ['a WebP', 'image', 'RIFF1234WEBP', 400],
    ['more than 5 MB', 'image', `\x89PNG${'x'.repeat(5 * 2 ** 20)}`, 413],
  ])('%s', async (_, field, bytes, status) => {
    const server = await start()
    const form = new FormData()
    form.append(field, new Blob([Buffer.from(bytes, 'latin1')]), 'a.png')
    const address = `${server.baseUrl}/ipfs/upload-image`
    const answer = await fetch(address, {
      method: 'POST',
      body: form,
      headers: { 'x-api-key': key },
    })
    expect(answer.status).toBe(status)
  })

  it('only with debug there is more than the payload', async () => {
    const asked = {
      template_id: 'sandbox-dynamic',
      metadata,
    }
    const answer = await call(await start(), '/auction-templates?chainId=8453', asked)
    expect(Object.keys(answer.result())).toEqual(['encoded_payload'])
  })
})

describe('a launch', () => {
  it('is listed as a live asset, with the data of the chain and its metadata', async () => {
    const server = await start()
    const cid = 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4'
    const upload = await call(server, '/ipfs/upload-metadata', {
      name: 'Night Heron',
      description: 'Stands still.',
      image_hash: `ipfs://${cid}`,
      social_links: [{ label: 'X', url: 'https://x.com/heron' }],
      fee_receiver: chain.accounts[2]?.address,
      categories: ['builder-coin'],
      vesting_recipients: [{ address: wallet, amount: 25_000_000, percentage: 2.5 }],
    })
    const built = await build(server, 'sandbox-standard', {
      token_name: 'Night Heron',
      token_symbol: 'DUSKLING',
      token_uri: `ipfs://${upload.result()}`,
    })
    const path = `/assets/${built.token_address}?chainId=8453`
    expect((await call(server, path)).status).toBe(404)
    await launch(built.encoded_payload)
    await expect.poll(async () => (await call(server, path)).status).toBe(200)
    const live = (await call(server, '/assets/?chainId=8453&status=live&limit=1')).result()
    expect(live[0]).toMatchObject({
      asset_address: built.token_address,
      asset_status: 'live',
      asset_categories: ['builder-coin'],
      auction_pool: {
        base_token: {
          token_name: 'Night Heron',
          token_symbol: 'DUSKLING',
          token_description: 'Stands still.',
          token_creator_address: wallet,
          token_fee_receiver_address: chain.accounts[2]?.address,
          token_image_public_url: `https://pictures.example/ipfs/${cid}`,
          token_vesting_recipient_addresses: [wallet],
          token_uri_data: {
            vesting_recipients: [
              { address: wallet, amount: `25${'0'.repeat(24)}`, percentage: '2.5' },
            ],
            social_links: [{ label: 'X', url: 'https://x.com/heron' }],
          },
        },
      },
    })
    const found = (await call(server, '/assets/search?chainId=8453&term=DUSKLING')).result()
    expect(found).toHaveLength(1)
  })

  it.each(['sandbox-standard', 'sandbox-dynamic'])(
    'has the pool and the price that it has on the chain: %s',
    async (template) => {
      const server = await start()
      const built = await build(server, template)
      const { logs } = await launch(built.encoded_payload)
      const [opened] = parseEventLogs({ abi: poolManagerAbi, logs })
      if (!opened) throw new Error('no pool was opened')
      const asset = () => server.world.asset(8453, built.token_address)
      await expect.poll(asset).toBeDefined()
      // An auction has no price before it begins, a quarter of an hour after it was built.
      if (template === 'sandbox-dynamic') server.world.tick(901)
      const pool = asset()?.auction_pool
      expect(pool?.pool_id).toBe(opened.args.id)
      // As if the token were token0: in WETH, which is worth 3,200 dollars here.
      const isToken0 = BigInt(built.token_address) < BigInt(built.params.numeraire)
      const price = 1.0001 ** (isToken0 ? opened.args.tick : -opened.args.tick)
      expect(Number(pool?.pool_market_data?.pool_price) / (3200 * price)).toBeCloseTo(1, 2)
      expect(price * 1e9).toBeCloseTo(template === 'sandbox-dynamic' ? 112.6 : 15.24, 1)
    },
  )

  it.each(['sandbox-standard', 'sandbox-dynamic'])(
    'has a minimum and an end only if its payload does: %s',
    async (template) => {
      const server = await start()
      const built = await build(server, template)
      await launch(built.encoded_payload)
      const asset = () => server.world.asset(8453, built.token_address)
      await expect.poll(asset).toBeDefined()
      const { pool_config_min_proceeds: least, pool_config_ending_time: end } =
        asset()?.auction_pool ?? {}
      if (template === 'sandbox-standard') expect([least, end]).toEqual([undefined, undefined])
      else {
        expect(Number(least) / 1e18).toBeCloseTo(2)
        expect(end).toBeDefined()
      }
    },
  )

  it('of a dynamic auction is announced first, and sells once it has started', async () => {
    const server = await start()
    const built = await build(server, 'sandbox-dynamic')
    await launch(built.encoded_payload)
    const status = () => {
      const asset = server.world.asset(8453, built.token_address)
      return asset?.asset_status
    }
    await expect.poll(status).toBe('incoming')
    server.world.tick(1000)
    expect(status()).toBe('live')
  })
})

describe('options and counters for tests', () => {
  it('keeps each upload and payload, and answers a payload as it was tampered with', async () => {
    const server = await start()
    const right = await build(server, 'sandbox-standard')
    server.launches.tamper = (result) => ({ ...result, token_address: wallet })
    expect((await build(server, 'sandbox-standard')).token_address).toBe(wallet)
    expect(server.launches.built[1]?.result.token_address).not.toBe(wallet)
    server.launches.tamper = ({ encoded_payload }) => ({ encoded_payload })
    expect(await build(server, 'sandbox-standard')).not.toHaveProperty('params')
    expect(server.launches.built).toHaveLength(3)
    expect(server.launches.built[0]?.result).toEqual(right)
    expect(server.launches.built[0]).toMatchObject({ asked: { template_id: 'sandbox-standard' } })
    expect(server.launches.uploaded).toEqual([])
  })
})
