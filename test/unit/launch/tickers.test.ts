import { encodeErrorResult, type Hex, parseAbi, toFunctionSelector, zeroHash } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Answers } from '../../../src/launch/draft.ts'
import { reconciled } from '../../../src/launch/questions/list.ts'
import { type Question, reply, serveNode, serveProvider } from '../chain/node-server.ts'
import { ada, answers, chainId, LaunchHarness, launcher } from './harness.ts'
import { localChain } from './local-chain.ts'
import { lineOf, textOf } from './view-reading.ts'

// The launcher of Robinhood Chain, which keeps a register of symbols; here it is the one of the local chain.
const registrar = '0x22e99278308B393ea1260859B181AD7E78f5eeED'
const launchers = { [chainId]: { to: registrar, airlock: launcher.airlock } } as const
const isTickerAvailable = toFunctionSelector('isTickerAvailable(string)')
const { symbol: _, description: __, ...unanswered } = answers
const taken = '⚠️ $QUILLON is taken on Base'

function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function calledData({ method, params: [call] }: Question): string {
  const isCall = method === 'eth_call' && typeof call === 'object' && call !== null
  return isCall && 'data' in call ? String(call.data) : ''
}

/** A node at which a symbol is free or not, once it answers. */
async function register(free: () => Promise<object>) {
  const node = await serveNode(async (question, response) => {
    const isAsked = calledData(question).startsWith(isTickerAvailable)
    reply(response, question, isAsked ? await free() : { result: word(chainId) })
  })
  onTestFinished(() => node[Symbol.asyncDispose]())
  return {
    ...node,
    questions: () =>
      node.asked.map(calledData).filter((data) => data.startsWith(isTickerAvailable)),
  }
}

/** A bot that asks for the symbol and the description, and what it says to these answers. */
async function answering(options: Parameters<typeof LaunchHarness.start>[0]) {
  const harness = await LaunchHarness.start(options)
  const bot = await harness.bot()
  await harness.draft(bot, { answers: unanswered })
  return async (text: string) => {
    const view = await bot.conversation.receive({ text, files: [], fields: {} }, ada)
    return view ?? expect.unreachable()
  }
}

describe('where the launch contract reserves symbols', () => {
  test('it is asked while the person answers the next question, and the review says that a symbol is taken', async () => {
    const { promise, resolve } = Promise.withResolvers<object>()
    const node = await register(() => promise)
    const say = await answering({ rpcUrl: node.url, settings: { launchers } })
    // The node has not answered yet.
    expect(textOf(await say('quillon'))).not.toContain('taken')
    resolve({ result: word(0) })
    const review = await say('skip')
    expect(textOf(review)).toContain(
      '⚠️ $quillon is taken on Base: another token was launched with it within the last 24 hours.',
    )
    expect(lineOf(review, '✎ Symbol')).toMatch(/^change \S+ symbol$/u)
    expect(node.questions()).toHaveLength(1)
    // The register knows the upper case alone.
    expect(node.questions()[0]).toContain(Buffer.from('QUILLON').toString('hex'))
  })

  test.each([
    ['is free', { result: word(1) }],
    ['is answered with nonsense', { result: word(7) }],
    ['can’t be asked about', { error: { code: -32_000, message: 'busy' } }],
  ])('a symbol that %s is used', async (_, answer) => {
    const node = await register(async () => answer)
    const say = await answering({ rpcUrl: node.url, settings: { launchers } })
    await say('QUILLON')
    expect(textOf(await say('skip'))).not.toContain('is taken')
    expect(node.questions()).not.toHaveLength(0)
  })

  test('another symbol is asked about again', async () => {
    const node = await register(async () => ({ result: word(0) }))
    const say = await answering({ rpcUrl: node.url, settings: { launchers } })
    await say('QUILLON')
    expect(textOf(await say('skip'))).toContain(taken)
    expect(textOf(await say('symbol: WREXHAM'))).toContain('$WREXHAM is taken on Base')
    expect(node.questions()).toHaveLength(2)
  })

  test.each([
    ['R2D2', 'can’t be a symbol'],
    ['MOON7', 'can’t be a symbol'],
    ['ABCDEFGHIJKLMNOP', 'has 16 characters'],
  ])('“%s” is no symbol: it %s', async (symbol, why) => {
    const say = await answering({ settings: { launchers } })
    const text = textOf(await say(symbol))
    expect(text).toContain(`“${symbol}” ${why}. Allowed: 1–15 letters A–Z.`)
    expect(text).toContain('Base takes each symbol once in 24 hours.')
  })

  test('a form says so beside the field', async () => {
    const harness = await LaunchHarness.start({ settings: { launchers } })
    const bot = await harness.bot()
    await harness.draft(bot, { answers: unanswered })
    const { form } = await bot.conversation.begin(ada, { goal: 'launch' })
    const { fields } = await bot.conversation.form(form?.line ?? '', ada)
    expect(fields.map(({ id, about }) => [id, about && plainText(about)])).toContainEqual([
      'symbol',
      '1–15 letters A–Z. Base takes each symbol once in 24 hours.',
    ])
  })

  test('a symbol that it does not take is asked for again after a change of chain', async () => {
    const harness = await LaunchHarness.start({ settings: { launchers } })
    const draft = await harness.draft(await harness.bot())
    const settings = {
      templates: [{ id: 'sandbox-standard', label: 'Standard', chain: chainId }],
      launchers,
      modules: {},
      symbol: { pattern: /^\w+$/u },
      integrator: undefined,
      publicUrl: undefined,
      signingUrlTemplate: undefined,
    }
    const symbolOf = (changes: Partial<Answers>) =>
      reconciled({ ...draft, answers: { ...answers, ...changes } }, settings).answers.symbol
    expect(symbolOf({ symbol: 'MOON7' })).toBeUndefined()
    expect(symbolOf({ symbol: 'MOON' })).toBe('MOON')
  })
})

test('without such a launch contract nothing is asked, and digits are letters enough', async () => {
  const node = await register(async () => ({ result: word(0) }))
  const say = await answering({ rpcUrl: node.url })
  await say('R2D2')
  expect(textOf(await say('skip'))).not.toContain('taken')
  expect(node.asked).toEqual([])
})

test('without a node nothing is asked', async () => {
  const say = await answering({ settings: { launchers } })
  await say('QUILLON')
  expect(textOf(await say('skip'))).not.toContain('taken')
})

test('a payload whose symbol was taken meanwhile says so, with the answer to change', async () => {
  const data = encodeErrorResult({
    abi: parseAbi(['error TickerReserved(bytes32, address, uint48)']),
    args: [zeroHash, registrar, 1_788_300_000],
  })
  const chain = await localChain()
  const provider = await serveProvider(chain, ({ method, params }) => {
    const isCreate = JSON.stringify(params).includes('882db707')
    if (method === 'eth_simulateV1') return { error: { code: -32_601, message: 'no such method' } }
    return isCreate ? { error: { code: 3, message: 'execution reverted', data } } : undefined
  })
  onTestFinished(() => provider[Symbol.asyncDispose]())
  const harness = await LaunchHarness.start({ chain, rpcUrl: provider.url })
  const bot = await harness.bot()
  const view = await bot.confirm(await harness.draft(bot))
  expect(textOf(view)).toContain(
    'its symbol is reserved: another token was launched with it within the last 24 hours',
  )
  expect(lineOf(view, '✎ Symbol')).toMatch(/^change \S+ symbol$/u)
})
