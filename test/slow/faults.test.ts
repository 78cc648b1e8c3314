import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import type { Fault } from '../../sandbox/faults.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'

let harness: Harness
let unseen: string[]
let guests = 500_000
beforeAll(async () => {
  harness = await startHarness({ apiServer: { seed: 7 } })
  unseen = harness.apiServer.world.tokens
    .filter(({ chain, name }) => chain === 8453 && /^[A-Z][a-z]+ [A-Z][a-z]+$/u.test(name))
    .map(({ address }) => address)
})
afterAll(() => harness.stop())
beforeEach(async () => {
  harness.apiServer.faults.clear()
  await untilHealthy()
})

/** The circuit closes by itself some seconds after the API is back. */
async function untilHealthy(): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    // Somebody new each time: one person may not ask this often.
    const probe = new TelegramUser(harness, guests++)
    await probe.says(`/search probe${Math.random()}`)
    const answer = await probe.sees('')
    if (answer.startsWith('Search:')) return
    await delay(500)
  }
  throw new Error('the bot never came back')
}

/** An asset that nobody asked for yet, so that no answer of the past can stand in. */
function fresh(): string {
  const address = unseen.pop()
  if (address === undefined) throw new Error('all assets were asked for')
  return address
}

const faults: [name: string, fault: Fault, ...answer: string[]][] = [
  ['500', { kind: 'status', status: 500 }, 'Data provider unreachable', 'Try again'],
  ['503', { kind: 'status', status: 503 }, 'Data provider unreachable', 'Try again'],
  ['400', { kind: 'status', status: 400 }, 'Request rejected'],
  ['401', { kind: 'status', status: 401 }, 'isn’t set up right', 'operator'],
  ['403 as JSON', { kind: 'status', status: 403 }, 'isn’t set up right', 'operator'],
  ['403 of a firewall', { kind: 'html' }, 'A firewall in front of the data provider'],
  ['broken JSON', { kind: 'broken-json' }, 'Unreadable answer', 'Try again'],
  ['another shape', { kind: 'wrong-shape' }, 'Unreadable answer'],
  ['a huge body', { kind: 'huge' }, 'Unreadable answer'],
  ['a cut body', { kind: 'truncated' }, 'answer'],
  ['a reset', { kind: 'reset' }, 'Data provider unreachable'],
  ['429', { kind: '429', retryAfter: 9 }, 'Too busy', 'Try again'],
  ['silence', { kind: 'hang' }, 'Data provider unreachable'],
]

describe.each(faults)('when the API answers with %s', (_, fault, ...answer) => {
  test('people on both platforms read what to do', async () => {
    harness.apiServer.faults.set(fault)
    const address = fresh()
    const telegram = new TelegramUser(harness)
    const discord = new DiscordUser(harness)
    const asked = [telegram.says(`/asset ${address}`), discord.says(`/asset ${address}`)]
    await telegram.sees(...answer)
    await Promise.all(asked)
    await discord.sees(...answer)
  })
})

test('a slow API is waited for, with a sign of life', async () => {
  harness.apiServer.faults.set({ kind: 'slow', delayMs: 2500, times: 1 })
  const ada = new DiscordUser(harness)
  // The stand-in fails an interaction that is not taken up within 3 s.
  await ada.says(`/asset ${fresh()}`)
  await ada.sees('Base')
  harness.apiServer.faults.set({ kind: 'slow', delayMs: 1500, times: 1 })
  const typing: unknown[] = []
  const off = harness.telegram.people.on('change', (change) => {
    if (change.kind === 'typing') typing.push(change)
  })
  const ben = new TelegramUser(harness)
  await ben.says(`/asset ${fresh()}`)
  await ben.sees('Base')
  off()
  expect(typing).toHaveLength(1)
})

test('a passing fault is retried without anybody noticing', async () => {
  harness.apiServer.faults.set({ kind: 'status', status: 502, times: 1 })
  const ada = new TelegramUser(harness)
  await ada.says(`/asset ${fresh()}`)
  await ada.sees('Base')
})

test('while the API is down, cached answers are shown with their age', async () => {
  const ada = new TelegramUser(harness)
  const address = fresh()
  await ada.says(`/asset ${address}`)
  await ada.sees('Base')
  await delay(5_500)
  harness.apiServer.faults.set({ kind: 'status', status: 500 })
  await ada.presses('Refresh')
  await ada.sees('Data provider unreachable – showing data from')
})

test('Try again runs the same command once the API is back', async () => {
  harness.apiServer.faults.set({ kind: 'status', status: 500 })
  const ada = new TelegramUser(harness)
  await ada.says(`/asset ${fresh()}`)
  await ada.sees('Data provider unreachable')
  harness.apiServer.faults.clear()
  await untilHealthy()
  await ada.presses('Try again')
  await ada.sees('Base', 'MC')
})

test('/healthz says whether the API is down or back', async () => {
  const health = async () => (await fetch(harness.bot.healthUrl ?? '')).json()
  expect(await health()).toMatchObject({
    status: 'ok',
    parts: { interface: { state: 'ok' }, telegram: 'connected', discord: 'connected' },
  })
  harness.apiServer.faults.set({ kind: 'status', status: 500 })
  const ada = new TelegramUser(harness)
  await ada.says(`/asset ${fresh()}`)
  await ada.sees('Data provider unreachable')
  expect(await health()).toMatchObject({
    status: 'ok',
    parts: { interface: { failure: 'unavailable' } },
  })
})

test('after a kill old buttons work, also those with long lines', async () => {
  const creator = showcaseAddresses.harbor
  const long = `/assets live numeraire:0x4200000000000000000000000000000000000006 creator:${creator}`
  const telegram = new TelegramUser(harness)
  const discord = new DiscordUser(harness)
  await telegram.says(long)
  await telegram.sees('Live auctions on Base', 'Nothing on Base matches')
  await discord.says(long)
  await discord.sees('Live auctions on Base', 'Nothing on Base matches')
  await harness.bot.kill()
  await harness.startBot()
  await telegram.presses('Graduated')
  await telegram.sees('Graduated tokens on Base', 'Nothing on Base matches')
  await discord.presses('Graduated')
  await discord.sees('Graduated tokens on Base', 'Nothing on Base matches')
  await telegram.says(`/asset ${showcaseAddresses.moonOtter}`)
  await telegram.sees('Moon Otter')
})

test('messages sent while the bot was down are answered when it is back', async () => {
  await harness.bot.kill()
  const ada = new TelegramUser(harness)
  await ada.says(`/asset ${showcaseAddresses.lantern}`)
  await harness.startBot()
  await ada.sees('Paper Lantern')
})

test('Discord dropping the connection is survived', async () => {
  harness.discord.dropGateway()
  const ada = new DiscordUser(harness)
  for (let tries = 0; ; tries++) {
    try {
      await ada.says('/asset LANTERN')
      break
    } catch (error) {
      if (tries > 5) throw error
    }
  }
  await ada.sees('Paper Lantern')
})

test('the bot’s output never contains the key or the tokens', () => {
  const output = harness.output()
  expect(output).toContain('"msg":"ready"')
  for (const secret of harness.secrets) expect(output).not.toContain(secret)
})
