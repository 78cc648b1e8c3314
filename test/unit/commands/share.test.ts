import { afterEach, beforeEach, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, lineOf, opens, Talk } from './talk.ts'

const otter = showcaseAddresses.moonOtter
const page = `https://basescan.org/token/${otter}`

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

async function links(line: string): Promise<Map<string, URL>> {
  const view = await talk.says(line)
  return new Map(
    controls(view)
      .flat()
      .map((control) => control.split(' '))
      .map(([label = '', url = '']) => [label, new URL(url)]),
  )
}

test('a card leads to links that open a post with the token’s name and page', async () => {
  const card = await talk.says(`asset ${otter}`)
  const all = await links(lineOf(card, '📤 Share'))
  const text = 'Moon Otter $OTTER'
  expect([...all.values()].map(({ origin, pathname }) => origin + pathname)).toEqual([
    'https://t.me/share/url',
    'https://x.com/intent/post',
    'https://farcaster.xyz/~/compose',
  ])
  expect([...all.values()].map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { url: page, text },
    { text, url: page },
    { text, 'embeds[]': page },
  ])
  // Telegram’s page shows a plus as it is.
  expect(all.get('Telegram')?.search).not.toContain('+')
})

test('names by strangers mention nobody, tag nothing and link nowhere in the post', async () => {
  const hostile = harness.apiServer.world.tokens.filter(
    ({ chain, name, symbol }) => chain === 8453 && /[@#/]|\.\p{L}/u.test(name + symbol),
  )
  expect(hostile.length).toBeGreaterThan(2)
  for (const { address } of hostile) {
    const all = await links(`share ${address} chain:8453`)
    for (const { href, searchParams } of all.values()) {
      expect(href.length).toBeLessThanOrEqual(512)
      expect(searchParams.get('text') ?? '').not.toMatch(/[@#:/]|\.\p{L}/u)
    }
  }
})

test('a long name gives way, so that Discord takes the address', async () => {
  const token = harness.apiServer.world.tokens.find(({ chain }) => chain === 8453)
  const name = '月'.repeat(48)
  const symbol = '猫'.repeat(16)
  Object.assign(token ?? {}, { name, symbol })
  const all = await links(`share ${token?.address} chain:8453`)
  expect([...all.values()].every(({ href }) => href.length <= 512)).toBe(true)
  expect(all.get('X')?.searchParams.get('text')).toBe(`$${symbol.slice(0, 16)}`)
})

test('a token that the API does not list yet is shared by its page alone', async () => {
  const all = await links(`share 0x${'12'.repeat(20)} chain:8453`)
  expect(all.get('X')?.searchParams.get('text')).toBeNull()
  expect(all.get('X')?.searchParams.get('url')).toMatch(/^https:\/\/basescan\.org\/token\/0x12/u)
})

test('the creator of a card has a page, where alerts are one press, if the person may set alerts', async () => {
  const card = await talk.says(`asset ${otter}`)
  const creator = harness.apiServer.world.tokens.find(({ address }) => address === otter)?.creator
  const tokens = await talk.says(lineOf(card, '👤 Creator'))
  expect(shown(tokens)[0]).toMatch(/^Tokens created by 0x.+ · Base$/u)
  expect(opens(tokens).map(({ label }) => label)).toContain('Moon Otter $OTTER')
  const line = lineOf(tokens, '🔔 Alerts: everything they launch')
  expect(line.toLowerCase()).toBe(`creators ${creator?.toLowerCase()} chain:8453`)
  await talk.says(line)
  const { subscriptions } = await harness.services.alerts.of(
    harness.services.alerts.permissions({ context: ada }),
  )
  expect(subscriptions.map(({ rule }) => [rule.kind, rule.scope])).toEqual([
    ['live', { chain: 8453, creator: creator?.toLowerCase() }],
  ])
  const member = new Talk(harness, { ...ada, chat: '-5', isPrivate: false, ephemeral: false })
  expect(await member.isRefused(line)).not.toBe('')
  expect(shown(await talk.says('alerts')).join('\n')).toMatch(/creator/iu)
})

test('each button of a card has a line that fits into Telegram’s 64 bytes', async () => {
  const token = harness.apiServer.world.tokens.find(({ chain }) => chain === 84_532)
  const card = await talk.says(`asset ${token?.address} chain:84532`)
  const lines = (card.buttons ?? []).flat().flatMap((each) => ('line' in each ? [each.line] : []))
  expect(lines.length).toBeGreaterThan(3)
  // One byte says how it opens.
  for (const each of lines.filter((line) => !line.startsWith('auction')))
    expect(each.length).toBeLessThan(64)
})
