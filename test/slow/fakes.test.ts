import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 120_000 })

const chain = 8453

let alerts: AlertHarness
let people: Subscriber[]
beforeAll(async () => {
  alerts = await AlertHarness.start()
  people = alerts.crowd(2)
  await alerts.follows(people)
})
afterAll(() => alerts?.stop())

test('a fake is said to be one on its card, and is not told as a new auction', async () => {
  const { apiServer } = alerts.harness
  const fake = apiServer.world.announce(chain, { name: 'Feigned Otter', symbol: 'FEIGN' })
  const message = 'Its quote token is not the real TSLA'
  apiServer.fakes.set(fake.address.toLowerCase(), [{ id: 'quote-token', message }])
  const real = apiServer.world.announce(chain, { name: 'Honest Heron', symbol: 'HONEST' })
  await alerts.everybodyHas(people, real.name)
  await eventually(async () => expect(await alerts.waiting()).toBe(0))
  expect(alerts.counts(people, fake.name)).toEqual(people.map(() => 0))
  const telegram = new TelegramUser(alerts.harness)
  const discord = new DiscordUser(alerts.harness)
  const asked = [telegram.says(`/asset ${fake.address}`), discord.says(`/asset ${fake.address}`)]
  await telegram.sees('Feigned Otter', `🔴 Fake: ${message}`)
  await Promise.all(asked)
  await discord.sees('Feigned Otter', `🔴 Fake: ${message}`)
})
