import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'

vi.setConfig({ testTimeout: 180_000 })

const healthSchema = z.object({ parts: z.object({ interface: z.unknown() }) })

let alerts: AlertHarness
let people: Subscriber[]
beforeEach(async () => {
  alerts = await AlertHarness.start()
  people = alerts.crowd(20)
  await alerts.follows(people)
})
afterEach(() => alerts?.stop())

const on = (platform: Subscriber['platform']) => people.filter((each) => each.platform === platform)

/** How often the bot wrote in its log that this began and ended. */
function said(platform: string): [began: number, ended: number] {
  const count = (words: string) => alerts.logged(words, `"platform":"${platform}"`)
  return [count('alerts wait'), count('alerts go out again')]
}

describe.each([
  ['telegram', 'discord', () => alerts.harness.telegram.down(), () => alerts.harness.telegram.up()],
  ['discord', 'telegram', () => alerts.harness.discord.down(), () => alerts.harness.discord.up()],
] as const)('while %s is down', (down, other, goDown, comeBack) => {
  test(`${other} is told, and the rest once it is back: nothing is lost, nothing told twice`, async () => {
    await goDown()
    const names = [alerts.goesLive()]
    await alerts.everybodyHas(on(other), names[0] ?? '')
    await eventually(() => expect(said(down)).toEqual([1, 0]))
    names.push(alerts.goesLive())
    await comeBack()
    for (const name of names) await alerts.everybodyHas(people, name)
    await eventually(async () => expect(await alerts.waiting()).toBe(0))
    for (const name of names) expect(alerts.counts(people, name)).toEqual(people.map(() => 1))
    expect([said(down), said(other)]).toEqual([
      [1, 1],
      [0, 0],
    ])
  })
})

test('while both platforms answer with faults alerts wait, and are then sent to everybody once', async () => {
  const { telegram, discord } = alerts.harness
  telegram.fault = () => 'fail'
  discord.faults.set({ kind: 'status', status: 500 })
  const name = alerts.goesLive()
  await eventually(() => {
    expect(said('telegram')[0]).toBe(1)
    expect(said('discord')[0]).toBe(1)
  })
  telegram.fault = () => undefined
  discord.faults.clear()
  await alerts.everybodyHas(people, name)
  await eventually(async () => expect(await alerts.waiting()).toBe(0))
  expect(alerts.counts(people, name)).toEqual(people.map(() => 1))
})

test('while the API refuses the key /healthz says so, even if nobody uses a command', async () => {
  const { bot, apiServer } = alerts.harness
  const seen = async () =>
    healthSchema.parse(await (await fetch(bot.healthUrl ?? '')).json()).parts.interface
  apiServer.faults.set({ kind: 'status', status: 403 })
  await eventually(async () =>
    expect(await seen()).toMatchObject({ state: 'down', failure: 'forbidden' }),
  )
  apiServer.faults.clear()
  await eventually(async () => expect(await seen()).toMatchObject({ state: 'ok' }))
})
