import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { readConfig } from '../../../src/config.ts'
import { examineLaunches } from '../../../src/doctor/settings.ts'
import { needed } from '../../settings.ts'

const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const elsewhere = '0x00000000000000000000000000000000000000AA'
let chain: LocalChain

beforeAll(async () => {
  chain = await startChain({ chainId: 8453, launcher: { to: airlock, airlock } })
})
afterAll(() => chain?.stop())

async function findings(env: Record<string, string>) {
  const templates = JSON.stringify([{ id: 'a', label: 'A', chain: 8453 }])
  const config = await readConfig({ ...needed, TEMPLATES: templates, ...env })
  const { launch: settings, rpcUrls, ipfs } = config
  const found = await examineLaunches({ settings, rpcUrls, publishes: ipfs !== undefined })
  return found.map(({ what, verdict, detail }) => `${what} ${verdict}: ${detail}`)
}

const nodes = (url: string) => ({ RPC_URLS: JSON.stringify({ 8453: url }) })
const set = { PUBLIC_URL: 'https://gavel.example.org', IPFS_API_URL: 'http://127.0.0.1:5001' }

test('with all settings there is nothing to report', async () => {
  expect(await findings({ ...set, ...nodes(chain.rpcUrl) })).toEqual([
    'chain 8453 ok: the node answers, the launch contract is there',
    'A unknown: not pinned: run npm run doctor -- template NAME',
    'signing page ok: people get a link',
    'pictures ok: an IPFS service is set',
  ])
})

test('optional settings that are missing are reported, with what to set', async () => {
  expect(await findings({})).toEqual([
    'chain 8453 unknown: nothing is simulated: set RPC_URLS',
    'A unknown: not pinned: run npm run doctor -- template NAME',
    'signing page unknown: people get files: set PUBLIC_URL',
    'pictures unknown: CIDs only: set IPFS_API_URL or PINATA_JWT',
  ])
})

test('a pinned template is reported with how much of it is pinned', async () => {
  const expects = { supply: '1000000000', minting: null }
  const templates = JSON.stringify([{ id: 'a', label: 'A', chain: 8453, expects }])
  expect((await findings({ TEMPLATES: templates }))[1]).toBe('A ok: pinned: 2 rows of its table')
})

test('without a template launches are not reported', async () => {
  expect(await findings({ TEMPLATES: '[]' })).toEqual([])
})

describe('something is wrong', () => {
  test('if there is no contract at the launcher’s address', async () => {
    const launchers = { LAUNCHERS: JSON.stringify({ 8453: elsewhere }) }
    expect((await findings({ ...launchers, ...nodes(chain.rpcUrl) }))[0]).toBe(
      'chain 8453 wrong: no contract at the launcher: check LAUNCHERS',
    )
  })

  test('if the node is of another chain', async () => {
    const templates = JSON.stringify([{ id: 'a', label: 'A', chain: 1 }])
    const rpc = { RPC_URLS: JSON.stringify({ 1: chain.rpcUrl }) }
    expect((await findings({ CHAINS: '1', TEMPLATES: templates, ...rpc }))[0]).toBe(
      'chain 1 wrong: the node is on another chain: check RPC_URLS',
    )
  })

  test('if nothing answers', async () => {
    expect((await findings(nodes('http://127.0.0.1:9')))[0]).toBe(
      'chain 8453 wrong: the node does not answer: check RPC_URLS',
    )
  })
})
