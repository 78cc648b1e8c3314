import { encodeAbiParameters, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { placeOf } from '../../../sandbox/chain/modules.ts'
import { checksummed } from '../../../src/chain/address.ts'
import { knownLaunchers } from '../../../src/chain/chains.ts'
import { nameExample, resolveName } from '../../../src/chain/names.ts'
import { ChainNode } from '../../../src/chain/node.ts'
import { ada } from './airlock/sample.ts'
import { serveNode, serveProvider } from './node-server.ts'

const launcher = knownLaunchers[8453] ?? { to: ada, airlock: ada }
/** Coins as resolvers number them: ether's, and those of a chain (ENSIP-11). */
const [ether, onBase, onUnichain] = [60, 0x8000_0000 + 8453, 0x8000_0000 + 130]
const first = checksummed('0x52908400098527886e0f7030069857d2e4169ee7')
const second = checksummed('0x8617e340b3d01fa5f11f306f4090fd50e238070d')
/** A contract on every local chain. */
const contract = placeOf('NameResolver')

let ethereum: LocalChain
let base: LocalChain
let nodes: Map<number, ChainNode>

beforeAll(async () => {
  ;[ethereum, base] = await Promise.all([
    startChain({
      chainId: 1,
      launcher,
      names: [
        { name: 'ada.eth', addresses: { [ether]: first } },
        { name: 'both.eth', addresses: { [ether]: first, [onBase]: second } },
        { name: 'safe.eth', addresses: { [ether]: contract } },
        { name: 'safe-there.eth', addresses: { [ether]: contract, [onBase]: second } },
        { name: 'empty.eth' },
        { name: 'away.eth', isOffchain: true },
        { name: '月.eth', addresses: { [ether]: first } },
        { name: '❤.eth', addresses: { [ether]: first } },
        { name: 'vitalik.eth', addresses: { [ether]: first } },
      ],
    }),
    startChain({
      chainId: 8453,
      launcher,
      names: [
        { name: 'ada.base.eth', addresses: { [ether]: first } },
        { name: 'both.base.eth', addresses: { [ether]: first, [onBase]: second } },
        { name: 'safe.base.eth', addresses: { [ether]: contract } },
        { name: 'empty.base.eth' },
      ],
    }),
  ])
  nodes = new Map(
    [ethereum, base].map(({ rpcUrl, chainId }) => [chainId, new ChainNode({ rpcUrl, chainId })]),
  )
})

afterAll(() => Promise.all([ethereum.stop(), base.stop()]))

function found(name: string, chain = 8453) {
  return foundOn(chain, name)
}

function foundOn(chain: number | undefined, name: string) {
  return resolveName(name, { nodes, chain }).then(
    ({ address }) => address,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

describe('a name', () => {
  test.each([
    ['ada.eth', first],
    ['ada.base.eth', first],
    ['❤.eth', first],
    ['月.eth', first],
  ])('%s stands for its address', async (name, address) => {
    expect(await found(name)).toBe(address)
  })

  test.each(['both.eth', 'both.base.eth'])(
    '%s stands on Base for what is set for Base',
    async (name) => {
      expect(await found(name)).toBe(second)
      expect(await found(name, 1)).toBe(first)
      expect(await foundOn(undefined, name)).toBe(first)
    },
  )

  test('is read in any case, and the variation selector of a keyboard’s emoji is no other name', async () => {
    const typed = await resolveName('Ada.ETH', { nodes, chain: 8453 })
    expect(typed).toEqual({ name: 'ada.eth', address: first })
    expect(await found('❤️.eth')).toBe(first)
  })

  test.each(['nobody.eth', 'empty.eth', 'nobody.base.eth', 'empty.base.eth', 'ada.ada.eth'])(
    '%s, which has no address, is unknown',
    async (name) => {
      expect(await found(name)).toBe(
        `I found no address for ${name}. Check the spelling, or send the address (0x…).`,
      )
    },
  )

  test.each(['away.eth', 'ada.away.eth'])(
    '%s, which a server resolves, is refused',
    async (name) => {
      expect(await found(name)).toBe(
        `${name} is kept on a server outside the chain, so I can’t check it. Send the address (0x…).`,
      )
    },
  )

  test('of a contract is refused on another chain, where it may not exist', async () => {
    expect(await found('safe.eth')).toContain('safe.eth is a contract on Ethereum')
    expect(await found('safe.eth', 1)).toBe(contract)
    expect(await found('safe-there.eth')).toBe(second)
    expect(await found('safe.base.eth')).toBe(contract)
    expect(await found('safe.base.eth', 130)).toContain('is a contract on Base')
    expect(await found('ada.eth', onUnichain - 0x8000_0000)).toBe(first)
  })

  test.each([
    ['vitаlik.eth', 'a Cyrillic а'],
    ['ada..eth', 'an empty label'],
    ['a_da.eth', 'an underscore within'],
    [`${'a'.repeat(300)}.eth`, 'too long a label'],
  ])('%s is not valid: %s', async (name) => {
    expect(await found(name)).toContain('isn’t a valid name, and may imitate another')
  })

  test('that only reads like another is answered with what it would be read as', async () => {
    expect(await found('ada\u00ad.eth')).toContain('If you mean ada.eth')
    expect(await found('ａda.eth')).toBe(
      'ａda.eth isn’t written the way names are. If you mean ada.eth, send that, or send the address (0x…).',
    )
  })

  test('that does not end in .eth is not looked up', async () => {
    expect(await found('ada.com')).toContain('only names that end in .eth')
  })

  test('needs the node of its chain, and a node that answers', async () => {
    const none = new Map<number, ChainNode>()
    await expect(resolveName('ada.eth', { nodes: none })).rejects.toThrow(
      'I can’t look up ada.eth: this bot isn’t connected to Ethereum. Send the address (0x…).',
    )
    const away = { rpcUrl: 'http://127.0.0.1:9', chainId: 1, retryPauseMs: 1 }
    const dead = new Map([[1, new ChainNode(away)]])
    await expect(resolveName('ada.eth', { nodes: dead })).rejects.toThrow('Try again in a minute')
    await using odd = await serveNode(({ id }, response) => {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: 'boom' }))
    })
    const strange = new Map([[1, new ChainNode({ rpcUrl: odd.url, chainId: 1, retryPauseMs: 1 })]])
    await expect(resolveName('ada.eth', { nodes: strange })).rejects.toThrow(
      'Try again in a minute',
    )
    // Another chain's answer is none.
    const wrong = new Map([[1, new ChainNode({ rpcUrl: base.rpcUrl, chainId: 1 })]])
    await expect(resolveName('ada.eth', { nodes: wrong })).rejects.toThrow('Try again in a minute')
  })
})

describe('a resolver that a stranger wrote', () => {
  const resolver = encodeAbiParameters([{ type: 'address' }], [first])
  const account = encodeAbiParameters([{ type: 'address' }], [second])

  /** What a Basename stands for if its resolver answers so, and what the node was asked. */
  async function answered(answer: Hex) {
    await using server = await serveProvider(base, ({ method, params }) => {
      if (method !== 'eth_call') return undefined
      const isResolver = JSON.stringify(params).toLowerCase().includes(first.toLowerCase())
      return { result: isResolver ? answer : resolver }
    })
    const own = new Map([[8453, new ChainNode({ rpcUrl: server.url, chainId: 8453 })]])
    const { address } = await resolveName('ada.base.eth', { nodes: own }).catch(() => ({
      address: undefined,
    }))
    return { address, asked: server.asked }
  }

  test('gets little gas, as it may return as many bytes as that pays for', async () => {
    const { address, asked } = await answered(account)
    expect(address).toBe(second)
    const calls = asked.filter(({ method }) => method === 'eth_call')
    expect(calls).toHaveLength(2)
    for (const { params } of calls) expect(params[0]).toMatchObject({ gas: '0x4c4b40' })
  })

  test.each<[string, Hex]>([
    ['more digits than an address', `0x${'ff'.repeat(32)}`],
    ['bytes in place of an address', encodeAbiParameters([{ type: 'bytes' }], [second])],
    ['an address and more', `${account}${'00'.repeat(2_000)}`],
    ['half a word', '0x1234'],
    ['nobody', `0x${'00'.repeat(32)}`],
  ])('names nobody by %s', async (_, answer) => {
    expect((await answered(answer)).address).toBeUndefined()
  })
})

test('names are offered as far as there are nodes for them', () => {
  expect(nameExample(nodes)).toBe('ada.eth')
  expect(nameExample(new Map([[8453, true]]))).toBe('ada.base.eth')
  expect(nameExample(new Map([[130, true]]))).toBeUndefined()
})
