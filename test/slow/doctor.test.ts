import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { moduleEntries } from '../../sandbox/chain/modules.ts'
import { KuboServer } from '../../sandbox/ipfs/kubo.ts'
import { PinataServer } from '../../sandbox/ipfs/pinata.ts'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import {
  doctor,
  type Installation,
  install,
  testMisconfigurations,
  withoutTelegram,
} from './doctor-harness.ts'

const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const launcher = { to: airlock, airlock } as const

let installation: Installation
let chain: LocalChain
let ipfs: KuboServer
let pinata: PinataServer
beforeAll(async () => {
  chain = await startChain({ chainId: 8453, launcher })
  ipfs = await KuboServer.start()
  pinata = await PinataServer.start({ jwt: 'that.of-the.account' })
  installation = await install(
    { local: [{ ...chain, launcher }], ipfs },
    {
      IPFS_API_URL: ipfs.url,
      TEMPLATES: JSON.stringify(sandboxTemplates),
      MODULES: JSON.stringify({ 8453: moduleEntries }),
      RPC_URLS: JSON.stringify({ 8453: chain.rpcUrl }),
    },
  )
})
afterAll(() => Promise.all([installation, chain, ipfs, pinata].map((part) => part?.stop())))

test('a healthy set-up has a line for each setting, and code 0', async () => {
  const { code, output, marked } = await doctor(installation.healthy)
  expect(marked('FIX')).toEqual([])
  expect(marked('?')).toEqual([])
  expect(code).toBe(0)
  expect(output).toContain('All is well.')
})

test('so has one that Telegram calls', async () => {
  const called = { TELEGRAM_UPDATES: 'webhook' }
  const { code, output } = await doctor({ ...installation.healthy, ...called })
  expect(output).toMatch(/TELEGRAM_UPDATES +webhook; the start sets it/u)
  expect(code).toBe(0)
})

describe('a set-up that is not finished', () => {
  test('is told what is missing, what for, and how the rest is', async () => {
    const { DISCORD_TOKEN = '', DISCORD_API_ROOT = '' } = installation.healthy
    const { code, output, marked } = await doctor({
      DISCORD_TOKEN,
      DISCORD_API_ROOT,
      DATABASE_URL: installation.fileUrl('none-yet.db'),
      PORT: '0',
    })
    expect(code).toBe(1)
    expect(marked('FIX')).toEqual([expect.stringMatching(/^FIX +API_KEY +is needed$/u)])
    expect(marked('ok').join('\n')).toMatch(/DISCORD_TOKEN +\S/u)
    const missing = marked('-').map((line) => line.split(/ +/u)[1])
    expect(missing).toEqual([
      'TELEGRAM_TOKEN',
      'PUBLIC_URL',
      'TEMPLATES',
      'RPC_URLS',
      'IPFS_API_URL',
      'IPFS_GATEWAY',
    ])
    expect(marked('-').every((line) => line.includes('not set; needed '))).toBe(true)
    expect(output).toContain('To fix: API_KEY.')
  })

  test('without anything names what is needed first, and makes nothing', async () => {
    const { code, marked } = await doctor({
      DATABASE_URL: installation.fileUrl('never/made.db'),
      PORT: '0',
    })
    expect(code).toBe(1)
    expect(marked('FIX').map((line) => line.split(/ {2,}/u)[1])).toEqual([
      'API_KEY',
      'TELEGRAM_TOKEN or DISCORD_TOKEN',
    ])
    expect(existsSync(join(installation.folder, 'never'))).toBe(false)
  })
})

test('without TEMPLATES names those that the API lists, in lines that a terminal holds', async () => {
  const { marked } = await doctor({ ...withoutTelegram(installation), TEMPLATES: '' })
  expect(marked('ok').join('\n')).toMatch(/TEMPLATES +not set; the API lists Standard/u)
  const lines = [...marked('ok'), ...marked('-')].filter((line) => line.includes('TEMPLATES'))
  expect(lines.filter((line) => line.length > 110)).toEqual([])
})

test('what another setting keeps from being tried is not called wrong or well', async () => {
  const having = (settings: Record<string, string>) =>
    doctor({ ...withoutTelegram(installation), ...settings })
  expect((await having({ API_KEY: '' })).marked('?').join('\n')).toMatch(
    /API_BASE_URL +can’t be asked without API_KEY/u,
  )
  expect((await having({ API_BASE_URL: 'nowhere' })).marked('?').join('\n')).toMatch(
    /API_KEY +can’t be tried without API_BASE_URL/u,
  )
  const deadNode = JSON.stringify({ 8453: installation.dead })
  const { marked } = await doctor({ ...withoutTelegram(installation), RPC_URLS: deadNode })
  expect(marked('?').length).toBeGreaterThan(0)
  expect(marked('?').every((line) => /TEMPLATES .*check RPC_URLS/u.test(line))).toBe(true)
})

test('a name that is probably a misspelt setting is told', async () => {
  const { code, marked } = await doctor({
    ...withoutTelegram(installation),
    TELEGRAM_UPDATE: 'webhook',
    LINK: '[]',
    LINES: '24',
    NODE_ENV: 'production',
  })
  expect(marked('?')).toEqual([
    expect.stringMatching(/TELEGRAM_UPDATE +is not a setting; did you mean TELEGRAM_UPDATES\?/u),
    expect.stringMatching(/LINK +is not a setting; did you mean LINKS\?/u),
  ])
  expect(code).toBe(2)
})

test('what can’t be told ends with code 2, and says why', async () => {
  const { code, output, marked } = await doctor({
    ...withoutTelegram(installation),
    CHAINS: '8453,777777',
  })
  expect(marked('FIX')).toEqual([])
  expect(marked('?')).toEqual([
    expect.stringMatching(/CHAINS +777777: the API lists nothing there, now or at all/u),
  ])
  expect(output).toContain('Can’t be told: CHAINS.')
  expect(code).toBe(2)
})

test('a clock that is wrong is told by the servers that were asked', async () => {
  const clock = join(installation.folder, 'clock')
  await writeFile(clock, '-300')
  const { code, marked } = await doctor({
    ...withoutTelegram(installation),
    CLOCK_FILE: clock,
    NODE_OPTIONS: `--import ${new URL('../e2e/clock-offset.ts', import.meta.url).href}`,
  })
  expect(marked('FIX')).toEqual([
    expect.stringMatching(/clock +(?:299|30\d) seconds behind \d servers/u),
  ])
  expect(code).toBe(1)
})

testMisconfigurations(
  () => installation,
  [
    {
      what: 'an IPFS node where nothing answers',
      setting: 'IPFS_API_URL',
      env: () => ({ IPFS_API_URL: installation.dead }),
      says: /nothing answers there \(ECONNREFUSED\)/u,
    },
    {
      what: 'a key that Pinata refuses',
      setting: 'PINATA_JWT',
      env: () => ({
        IPFS_API_URL: '',
        PINATA_JWT: 'a-key-of-another-account',
        PINATA_API_ROOT: pinata.url,
      }),
      says: /refuses the key/u,
    },
    {
      what: 'a node of another chain',
      setting: 'RPC_URLS',
      env: () => ({ RPC_URLS: JSON.stringify({ 8453: chain.rpcUrl, 1: chain.rpcUrl }) }),
      says: /The node of chain 1 answers for chain 8453/u,
    },
    {
      what: 'a node that does not answer',
      setting: 'RPC_URLS',
      env: () => ({ RPC_URLS: JSON.stringify({ 8453: installation.dead }) }),
      says: /Base \(8453\): The node of chain 8453 did not answer/u,
    },
    {
      what: 'a chain that the API does not have',
      setting: 'CHAINS',
      env: () => ({ CHAINS: '8435', TEMPLATES: '' }),
      says: /nothing on 8435; this key’s assets are on 8453: set CHAINS=8453/u,
    },
    {
      what: 'a launch contract that is not there',
      setting: 'LAUNCHERS',
      env: () => ({
        LAUNCHERS: JSON.stringify({ 8453: '0x00000000000000000000000000000000000000AA' }),
        TEMPLATES: '',
      }),
      says: /there is no contract at 0x0+AA/u,
    },
    {
      what: 'a template that can’t be built',
      setting: 'TEMPLATES',
      env: () => ({ TEMPLATES: '[{"id":"of-last-year","label":"Old","chain":8453}]' }),
      says: /Old on Base .*does not know this template/u,
    },
  ],
)
