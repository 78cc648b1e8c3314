import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { selectors } from '../../../src/chain/airlock/calldata.ts'
import { ChainNode } from '../../../src/chain/node.ts'
import { NodeError, Rpc } from '../../../src/chain/rpc.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { t } from '../../../src/core/view.ts'
import { encodeCreate, otterParams, somebody } from './airlock/sample.ts'
import { type Question, reply, serveNode, serveProvider } from './node-server.ts'
import { paramsOn, rehearsalOf, salt } from './on-chain.ts'

const chainId = 8453
const airlock = somebody('airlock')
const launcher = { to: airlock, airlock }
const token = somebody('token')

async function failure(asking: Promise<unknown>): Promise<NodeError> {
  const error = await asking.then(
    (value) => value,
    (reason: unknown) => reason,
  )
  if (!(error instanceof NodeError)) throw new Error(`not a NodeError: ${inspect(error)}`)
  return error
}

/** Milliseconds for a node that gives no answer; others get more, as a busy machine takes long. */
const short = 900

/** What a node says that is asked for its chain and answers like this. */
async function faultOf(
  answer: (response: ServerResponse, question: Question) => unknown,
  timeoutMs = 20_000,
) {
  await using server = await serveNode((question, response) => void answer(response, question))
  const node = new ChainNode({ rpcUrl: server.url, chainId, timeoutMs })
  const error = await failure(node.check())
  const whole = inspect(error, { depth: 9, showHidden: true })
  for (const secret of ['secret-in-path', 'secret-in-query', server.host]) {
    expect(whole).not.toContain(secret)
  }
  return error
}

describe.concurrent('a node that fails is told apart from one that refuses, and its URL stays secret', () => {
  test.each([
    [500, 'The node of chain 8453 did not answer eth_chainId (HTTP 500).'],
    [401, 'The node of chain 8453 did not answer eth_chainId (HTTP 401).'],
    [404, 'The node of chain 8453 did not answer eth_chainId (HTTP 404).'],
  ])('HTTP %i', async (status, message) => {
    const error = await faultOf((response) => response.writeHead(status).end('no'))
    expect(error).toMatchObject({ kind: 'unavailable', message })
  })

  test('it asks for a longer pause than the deadline', async () => {
    const error = await faultOf(
      (response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
      short,
    )
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('in time'),
    })
  })

  test('it never answers', async () => {
    const error = await faultOf(() => undefined, short)
    expect(error.kind).toBe('unavailable')
  })

  test('it stops in the middle', async () => {
    const error = await faultOf((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":')
    }, short)
    expect(error.kind).toBe('unavailable')
  })

  test('it closes the connection', async () => {
    const error = await faultOf((response) => response.destroy(), short)
    expect(error.kind).toBe('unavailable')
  })

  test('nothing listens', async () => {
    const server = await serveNode(() => undefined)
    await server[Symbol.asyncDispose]()
    const error = await failure(new ChainNode({ rpcUrl: server.url, chainId }).check())
    expect(error.kind).toBe('unavailable')
    expect(inspect(error)).not.toContain(server.host)
  })

  test('it refuses, and repeats the key as it does', async () => {
    const error = await faultOf((response, question) =>
      reply(response, question, {
        error: { code: -32_001, message: 'the key secret-in-query\u202e is not known' },
      }),
    )
    expect(error.kind).toBe('unavailable')
    expect(error.message).toBe(
      'The node of chain 8453 refused eth_chainId (-32001: the key ***\\u{202e} is not known).',
    )
  })

  test('it refuses in a megabyte of text, of which the beginning is kept', async () => {
    const message = 'method '.repeat(150_000)
    const error = await faultOf((response, question) =>
      reply(response, question, { error: { code: -32_000, message } }),
    )
    expect(error).toMatchObject({ name: 'RpcRefusal', details: message.slice(0, 2_000) })
  })

  test.each([
    ['a page', '<html>hello</html>'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['a number where a text belongs', '{"jsonrpc":"2.0","id":1,"result":8453}'],
    ['a text that is no number', '{"jsonrpc":"2.0","id":1,"result":"base"}'],
    ['more than anybody reads', `{"result":"0x${'0'.repeat(11_000_000)}"}`],
  ])('it answers with %s', async (_, body) => {
    const error = await faultOf((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    )
    expect(error.kind).toBe('malformed')
  })

  test('it answers with long JSON that is nested deeply, which is not parsed', async () => {
    const answers = [60, 66].map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`)
    const pad = 'x'.repeat(300_000)
    await using server = await serveNode((_, response) => {
      response.end(`{"jsonrpc":"2.0","id":1,"result":["${pad}",${answers[0] ?? '1'}]}`)
    })
    const rpc = new Rpc({ rpcUrl: server.url, chainId, retryPauseMs: 1 })
    const ask = () => rpc.request('eth_example', [], z.array(z.unknown()))
    expect(await ask()).toHaveLength(2)
    answers.shift()
    expect((await failure(ask())).kind).toBe('malformed')
  })

  test('it answers for another chain, and is not asked anything else', async () => {
    await using server = await serveNode((question, response) =>
      reply(response, question, { result: '0x1' }),
    )
    const node = new ChainNode({ rpcUrl: server.url, chainId })
    const calldata = encodeCreate(otterParams)
    const wanted = { airlock, token }
    for (const asking of [
      node.check(),
      node.block(),
      node.hasCode(token),
      node.rehearse(rehearsalOf(launcher, otterParams)),
      node.findLaunch({ ...wanted, fromBlock: 0n }),
      node.receipt(salt(1), { ...wanted, calldata }),
    ]) {
      expect(await failure(asking)).toMatchObject({
        kind: 'wrong-chain',
        message: 'The node of chain 8453 answers for chain 1.',
      })
    }
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
  })
})

test('a passing fault is retried', async () => {
  await using server = await serveNode((question, response) => {
    if (server.asked.length < 3) response.writeHead(503).end()
    else reply(response, question, { result: '0x2105' })
  })
  await new ChainNode({ rpcUrl: server.url, chainId }).check()
  expect(server.asked).toHaveLength(3)
})

describe('in front of a real chain', () => {
  let chain: LocalChain

  beforeAll(async () => {
    chain = await startChain({ chainId, launcher })
  })

  afterAll(() => chain.stop())

  const launchCall = z.object({ data: z.string().startsWith(selectors.create) })

  /** A node that can't simulate, and answers a call of the launch with this error. */
  function refusing(error: object) {
    return ({ method, params: [call] }: Question) => {
      if (method === 'eth_simulateV1') return { error: { code: -32_601, message: 'no' } }
      return method === 'eth_call' && launchCall.safeParse(call).success ? { error } : undefined
    }
  }

  test('a provider that changes to another chain is no longer trusted', async () => {
    let moved = false
    await using server = await serveProvider(chain, ({ method }) =>
      moved && method === 'eth_chainId' ? { result: '0x1' } : undefined,
    )
    const node = new ChainNode({ rpcUrl: server.url, chainId })
    await node.block()
    moved = true
    const params = paramsOn(chain, { salt: salt(6) })
    for (const asking of [
      node.block(),
      node.hasCode(token),
      node.rehearse(rehearsalOf(launcher, params)),
      node.findLaunch({ airlock, token, fromBlock: 0n }),
    ]) {
      expect((await failure(asking)).kind).toBe('wrong-chain')
    }
  })

  test('a call that the provider rejects is no refusal by the contract', async () => {
    await using server = await serveProvider(chain, ({ method }) =>
      ['eth_call', 'eth_simulateV1'].includes(method)
        ? { error: { code: -32_601, message: 'not supported' } }
        : undefined,
    )
    const node = new ChainNode({ rpcUrl: server.url, chainId })
    const params = paramsOn(chain, { salt: salt(3) })
    const asking = node.rehearse(rehearsalOf(launcher, params))
    expect((await failure(asking)).kind).toBe('unavailable')
  })

  test.each([
    ['as geth says it', { code: 3, message: 'execution reverted', data: '0xe2517d3f' }],
    ['in an older dialect', { code: -32_015, message: 'VM error', data: 'Reverted 0xe2517d3f' }],
    ['wrapped', { code: -32_603, message: 'Internal error', data: { data: '0xe2517d3f' } }],
    ['in words alone', { code: -32_000, message: 'execution reverted' }],
  ])('a revert is read %s', async (_, error) => {
    await using server = await serveProvider(chain, refusing(error))
    const node = new ChainNode({ rpcUrl: server.url, chainId })
    const params = paramsOn(chain, { salt: salt(4) })
    const rehearsal = await node.rehearse(rehearsalOf(launcher, params))
    expect(rehearsal).toMatchObject({
      kind: 'refused',
      reason: t('refused-by-contract', {
        why:
          'data' in error
            ? t('refused-unknown', { error: { code: '0xe2517d3f' } })
            : t('refused-silent'),
      }),
    })
  })

  test('what a contract says is bounded and harmless', async () => {
    // Error(string) with a long text that turns the direction of writing.
    const said = `${'\u202e'.repeat(30)}${'a'.repeat(300)}`
    const bytes = Buffer.from(said)
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
    const data = `0x08c379a0${word(32)}${word(bytes.length)}${padded}`
    await using server = await serveProvider(
      chain,
      refusing({ code: 3, message: 'execution reverted', data }),
    )
    const node = new ChainNode({ rpcUrl: server.url, chainId })
    const params = paramsOn(chain, { salt: salt(5) })
    const rehearsal = await node.rehearse(rehearsalOf(launcher, params))
    const reason = rehearsal.kind === 'refused' ? plainText(rehearsal.reason) : ''
    expect(reason).toContain('a…”')
    expect(reason).not.toMatch(/\p{Cf}/u)
    expect(reason.length).toBeLessThan(500)
  })
})
