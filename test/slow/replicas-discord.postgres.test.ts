import type { APIMessage } from 'discord-api-types/v10'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commands } from '../../commands/index.ts'
import { ada, ben, club } from '../../sandbox/discord/cast.ts'
import { discordText } from '../e2e/discord-message.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { DiscordUser } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ replicas: { count: 2 }, env: { DISCORD_INTERACTIONS: 'http' } })
  await vi.waitFor(
    () => expect(harness.discord.endpoint.url).toBe(`${harness.balancer?.url}/discord`),
    {
      timeout: 30_000,
    },
  )
})
afterAll(() => harness?.stop())

test('without a gateway each interaction is answered once, by whichever replica it hits', async () => {
  harness.balancer?.inTurn()
  const before = new Map(harness.balancer?.calls)
  const user = new DiscordUser(harness)
  const topics = commands
    .filter(({ name, unlisted }) => !unlisted && name !== 'help')
    .map(({ name }) => name)
  for (const topic of topics) {
    await user.says(`/help ${topic}`)
    await user.sees(`/${topic}`)
  }
  const calls = harness.balancer?.calls ?? new Map<string, number>()
  const counts = [...calls].map(([target, count]) => count - (before.get(target) ?? 0))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(topics.length)
  expect(counts.filter((count) => count > 0)).toHaveLength(2)
})

test('a press is answered by another replica than the command', async () => {
  const user = new DiscordUser(harness)
  await user.says('/assets live')
  await user.sees('Live auctions', 'Page 1')
  await user.presses('Next ▶')
  await user.sees('Live auctions', 'Page 2')
})

test('an interaction that comes to both replicas is answered once', async () => {
  const { balancer, discord } = harness
  if (!balancer) throw new Error('nothing stands before the replicas')
  const called = () => [...balancer.calls.values()].reduce((sum, count) => sum + count, 0)
  const shown = () => discord.people.messages(club.id, ada.id).length
  const [calledBefore, shownBefore] = [called(), shown()]
  balancer.isRepeating = true
  const user = new DiscordUser(harness)
  for (const topic of ['search', 'asset', 'auction']) {
    await user.says(`/help ${topic}`)
    await user.sees(`/${topic}`)
  }
  balancer.isRepeating = false
  expect(called() - calledBefore).toBe(6)
  expect(shown() - shownBefore).toBe(3)
})

test('a person who floods both replicas in turn is told so', async () => {
  harness.balancer?.inTurn()
  const { people } = harness.discord
  const ask = () => people.slash(ben.id, people.dm(ben.id), 'help').message()
  const shown: APIMessage[] = []
  // Each of two replicas lets a person's thirty commands through.
  while (shown.length < 80) shown.push(...(await Promise.all([ask(), ask(), ask(), ask(), ask()])))
  const told = shown.map(discordText).filter((text) => text.includes('That’s a lot at once'))
  expect(told.length).toBeGreaterThan(0)
})
