import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { readConfig } from '../../../src/config.ts'
import type { Report } from '../../../src/doctor/report.ts'
import { needed } from '../../settings.ts'
import { reply, serveNode } from '../chain/node-server.ts'
import { examine, key } from './refusing-server.ts'

const chains = [8453, 84532] as const

async function standIn() {
  const server = await ApiServer.start({ key, dialect: 'decimals-unsaid' })
  onTestFinished(() => server.stop())
  return server
}

const callParams = z.tuple([z.object({ to: z.string(), data: z.string() }), z.unknown()])

/** A node that knows of each token how many decimals it has, and nothing else. */
async function nodeOf(server: ApiServer, chain: number) {
  const node = await serveNode((question, response) => {
    if (question.method === 'eth_chainId') {
      return reply(response, question, { result: `0x${chain.toString(16)}` })
    }
    const called = callParams.safeParse(question.params)
    const [{ to, data }] = called.data ?? [{ to: '', data: '' }]
    const token = server.world.tokens.find(
      ({ address }) => address.toLowerCase() === to.toLowerCase(),
    )
    const result = !token
      ? '0x'
      : data.startsWith('0x313ce567')
        ? encodeAbiParameters(parseAbiParameters('uint8'), [token.decimals ?? 18])
        : data.startsWith('0x95d89b41')
          ? encodeAbiParameters(parseAbiParameters('string'), ['TOKEN'])
          : '0x'
    return reply(response, question, { result })
  })
  onTestFinished(() => node[Symbol.asyncDispose]())
  return node
}

/** The settings of an operator who has these nodes. */
async function withNodes(rpcUrls: Record<number, string>) {
  return { settings: (await readConfig(needed)).launch, rpcUrls }
}

function unitOf(report: Report, field: string) {
  return report.units.find((each) => each.field === field)
}

test('decimals that no answer gives are read from the chain’s node', async () => {
  const server = await standIn()
  const alone = await examine(server.baseUrl, { chains })
  expect(unitOf(alone, 'pool_config_num_tokens_to_sell')?.verdict).not.toBe('ok')
  const rpcUrls = Object.fromEntries(
    await Promise.all(
      chains.map(async (chain) => [chain, (await nodeOf(server, chain)).url] as const),
    ),
  )
  const known = await examine(server.baseUrl, {
    chains,
    launches: await withNodes(rpcUrls),
  })
  expect(unitOf(known, 'pool_config_num_tokens_to_sell')).toMatchObject({ better: 'tokens-base' })
  expect(
    known.sample?.rows.find(({ field }) => field === 'pool_config_num_tokens_to_sell')?.shown,
  ).toMatch(/^\d+/u)
})

test('a node is asked only once about an asset, however many rounds the doctor makes', async () => {
  const server = await standIn()
  const node = await nodeOf(server, 8453)
  const report = await examine(server.baseUrl, {
    chains: [8453],
    launches: await withNodes({ 8453: node.url }),
  })
  // What was found is examined again in a round of its own.
  expect(report.settings).not.toEqual([])
  const supply = '0x18160ddd'
  const symbol = '0x95d89b41'
  const calls = node.asked.flatMap(({ params }) => callParams.safeParse(params).data?.[0] ?? [])
  for (const view of [supply, symbol]) {
    const asked = calls.filter(({ data }) => data.startsWith(view)).map(({ to }) => to)
    expect(asked.length, view).toBeGreaterThan(0)
    expect(asked, view).toEqual([...new Set(asked)])
  }
})

test('a node that fails is not asked again for each asset', async () => {
  const server = await standIn()
  await using node = await serveNode((question, response) => {
    reply(response, question, { error: { code: -32_000, message: 'out of order' } })
  })
  await examine(server.baseUrl, { chains: [8453], launches: await withNodes({ 8453: node.url }) })
  expect(node.asked.map(({ method }) => method)).toEqual(['eth_chainId'])
})
