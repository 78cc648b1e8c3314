import { decodeFunctionData, encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launcherAbi } from '../../../sandbox/api/launches.ts'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { moduleAt, moduleEntries } from '../../../sandbox/chain/modules.ts'
import { sandboxTemplates } from '../../../sandbox/templates-setting.ts'
import { Api } from '../../../src/api/client.ts'
import { ChainNode } from '../../../src/chain/node.ts'
import { readConfig } from '../../../src/config.ts'
import {
  examineTemplate,
  printTemplate,
  type ReadTemplate,
} from '../../../src/doctor/launch-template.ts'
import type { Template } from '../../../src/launch/settings.ts'
import { needed } from '../../settings.ts'
import { silent } from '../../unit/api/server.ts'

const key = 'the-doctor-never-tells-this'
const chainId = 8453
const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const launcher = { to: airlock, airlock } as const
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const weth = BigInt('0x4200000000000000000000000000000000000006')

let chain: LocalChain
let apiServer: ApiServer
let api: Api

beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain?.stop())

beforeEach(async () => {
  apiServer = await ApiServer.start({ key, local: [{ ...chain, launcher }] })
  const { api: options, chains } = await readConfig({ ...needed, API_BASE_URL: apiServer.baseUrl })
  api = new Api({ ...options, key, chains, log: silent })
})
afterEach(async () => {
  await api.close()
  await apiServer.stop()
})

interface Circumstances {
  vesting?: boolean
  node?: boolean
  modules?: boolean
}

async function examine(template: Template, circumstances: Circumstances = {}) {
  const { vesting = false, node = true, modules = true } = circumstances
  const { launch, api: options } = await readConfig({
    ...needed,
    TEMPLATES: JSON.stringify([template]),
    ...(modules && { MODULES: JSON.stringify({ [chainId]: moduleEntries }) }),
  })
  const parts = {
    settings: launch,
    api,
    units: options.units,
    node: node ? new ChainNode({ rpcUrl: chain.rpcUrl, chainId }) : undefined,
    now: () => Math.floor(Date.now() / 1000),
  }
  return examineTemplate(parts, template, { vesting })
}

async function read(template: Template, circumstances?: Circumstances): Promise<ReadTemplate> {
  const report = await examine(template, circumstances)
  if (report.kind !== 'read') throw new Error(report.problems.join('\n'))
  return report
}

const kinds = sandboxTemplates.map((template) => [template.label, template] as const)

/** Without what it is pinned with. */
function bare({ expects: _, openShare: __, ...template }: Template): Template {
  return template
}

function changedIn({ rows }: ReadTemplate): string[] {
  return rows.filter(({ why }) => why?.key === 'terms-why-template').map(({ key }) => key)
}

describe.each(kinds)('%s', (_, template) => {
  test('is pinned to what the sandbox’s own setting pins', async () => {
    const { expects, openShare, unsteady } = await read(bare(template), { vesting: true })
    expect(expects).toEqual(template.expects)
    expect(openShare).toBe(template.openShare)
    expect(unsteady).toEqual([])
  })

  test('is as expected in every row, on either side of its pool', async () => {
    const { expects } = await read(bare(template))
    const sides = new Set<boolean>()
    for (let tries = 0; tries < 40 && sides.size < 2; tries += 1) {
      const report = await read({ ...template, expects })
      for (const { result } of apiServer.launches.built) {
        sides.add(BigInt(result.token_address) < weth)
      }
      const own = ['gas', 'value', 'metadata']
      const rows = report.rows.filter((row) => !own.includes(row.key))
      expect(rows.filter(({ state }) => state !== 'same')).toEqual([])
      expect(rows.length).toBeGreaterThan(10)
      expect(report.doubts).toEqual([])
      expect(report.expects).toEqual(expects)
    }
    expect(sides).toEqual(new Set([true, false]))
  })

  test('that changed has each difference named, and is proposed as it is now', async () => {
    apiServer.launches.changes = { fee: 30_000, restTo: stranger, startsAfter: 7200 }
    const report = await read(template)
    const isAuction = template.id === 'sandbox-dynamic'
    const keys = ['rest', 'tradingFee', 'governance', 'contracts']
    expect(changedIn(report).toSorted()).toEqual(
      [...keys, ...(isAuction ? ['trading', 'liquidity', 'owner'] : [])].toSorted(),
    )
    expect(report.doubts.join()).toMatch(/^the template changed since .*“Trading fee”/u)
    const { tradingFee, rest, opening } = report.expects
    expect({ tradingFee, rest, opening }).toEqual({
      tradingFee: { first: '3' },
      rest: { to: stranger.toLowerCase(), percent: '40' },
      opening: template.expects?.opening,
    })
    expect(printTemplate(report)).toContain('The template changed: ')
  })
})

const [standard = sandboxTemplates[0]] = sandboxTemplates
if (!standard) throw new Error('the sandbox has a template')

test('tolerances set by the operator stay, and only pins that no longer hold are proposed anew', async () => {
  const expects = {
    ...standard.expects,
    opening: { cap: ['1', '1000'] },
    tradingFee: { first: '2' },
  }
  const report = await read({ ...standard, expects })
  expect(changedIn(report)).toEqual(['tradingFee'])
  expect(report.expects).toEqual({ ...expects, tradingFee: { first: '1' } })
})

test('the release of requested vesting is examined by a build that requests it, and only with --vesting', async () => {
  const without = await read(bare(standard))
  expect(apiServer.launches.uploaded).toEqual([])
  expect(without.expects.vesting).toEqual([])
  expect(without.notes.join()).toContain('--vesting')
  const later = await read({ ...standard, expects: without.expects }, { vesting: true })
  expect(later.expects.vesting).toEqual([{ to: 'asked', cliff: 0, duration: 31_536_000 }])
  const pinned = { ...standard, expects: { vesting: [{ to: 'asked', cliff: 0, duration: 60 }] } }
  const report = await read(pinned, { vesting: true })
  expect(report.notes.join()).toContain('The template changed: vesting that people ask for')
  expect(report.expects.vesting).toEqual([{ to: 'asked', cliff: 0, duration: 31_536_000 }])
})

test('the share that a template leaves open is found in few requests, and printed as it is pasted', async () => {
  const template = { id: 'sandbox-shared', label: 'Shared', chain: chainId }
  const report = await read(template)
  expect(report.openShare).toBe('35')
  expect(printTemplate(report)).toContain('"openShare":"35"')
  const { shares } = report.expects
  expect(shares).toContainEqual({ to: 'you', percent: '35' })
  const asked = apiServer.requests.filter(({ path }) => path === '/auction-templates')
  expect(asked.length).toBeLessThan(8)
  // One that changed is found anew.
  expect((await read({ ...template, openShare: '50' })).openShare).toBe('35')
})

test('a template that TEMPLATES does not pin is checked by what the bot learns and tells people', async () => {
  const template = { id: 'sandbox-shared', label: 'Shared fees', chain: chainId }
  const report = await read(template)
  expect(report.rows.find(({ key }) => key === 'shares')).toMatchObject({ state: 'same' })
  expect(report.doubts).toEqual([])
  const printed = printTemplate(report)
  expect(printed).toContain('The bot would call it verified')
  expect(printed).toContain('It is not pinned yet.')
})

test('rows that differ between two builds are not pinned', async () => {
  let fee = 10_000
  const build = apiServer.launches.build.bind(apiServer.launches)
  apiServer.launches.build = (...args) => {
    fee += 1000
    apiServer.launches.changes = { fee }
    return build(...args)
  }
  const report = await read(bare(standard))
  expect(report.unsteady).toEqual(['Trading fee'])
  expect(report.expects).not.toHaveProperty('tradingFee')
  expect(printTemplate(report)).toContain('Two builds differ in Trading fee')
})

test('without a node it is read and pinned all the same, with a remark that nothing was rehearsed', async () => {
  const report = await read(bare(standard), { node: false })
  expect(report.expects.sale).toEqual(standard.expects?.sale)
  expect(printTemplate(report)).toMatch(/Not rehearsed: no node is set up/u)
})

test('lines fit 80 columns, and control characters of a label do not reach the terminal', async () => {
  const label = 'Evil\u001b[2J\u202eName'
  const text = printTemplate(await read({ ...bare(standard), label }))
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
})

describe('it can’t be pinned', () => {
  test('if a module is not known', async () => {
    const factory = moduleAt('TokenFactory')
    apiServer.launches.tamper = (result) => {
      const args = decodeFunctionData({ abi: launcherAbi, data: result.encoded_payload }).args
      const built = { ...args[0], tokenFactory: factory }
      const data = encodeFunctionData({ abi: launcherAbi, functionName: 'create', args: [built] })
      return {
        ...result,
        encoded_payload: data,
        params: { ...result.params, token_factory: factory },
        token_address: undefined,
      }
    }
    const report = await examine(bare(standard), { modules: false, node: false })
    expect(report).toMatchObject({ kind: 'unread' })
    expect(printTemplate(report)).toContain('MODULES')
  })

  test('if the API does not know the template', async () => {
    const report = await examine({ ...bare(standard), id: 'of-yesterday' })
    expect(printTemplate(report)).toContain('does not know this template')
  })

  test('if the payload does not do what was asked', async () => {
    apiServer.launches.tamper = (result) => ({
      ...result,
      params: { ...result.params, num_tokens_to_sell: '1' },
    })
    expect(printTemplate(await examine(bare(standard)))).toContain('tokens to sell: expected 1,')
  })

  test('if the API or the node does not answer', async () => {
    apiServer.faults.set({ match: '/auction-templates', kind: 'status', status: 500 })
    expect(printTemplate(await examine(bare(standard)))).toContain('Nothing usable answers')
  })

  test('if the contracts refuse it', async () => {
    apiServer.launches.tamper = (result) => {
      const taken = `0x${'00'.repeat(19)}01`
      return { ...result, token_address: taken }
    }
    expect(printTemplate(await examine(bare(standard)))).toContain('It would not launch: ')
  })
})
