import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Rule } from '../../src/alerts/rule.ts'
import { AlertTown, eventually, type Subscriber } from '../e2e/alert-town.ts'
import { DiscordVisitor, TelegramVisitor } from '../e2e/visitor.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const hour = 3600
const ahead = { words: 'the clock went ahead', endsAtFirst: 100, endsThen: 100 }
const back = { words: 'the clock went back', endsAtFirst: 100, endsThen: 50 }

let alerts: AlertTown
let people: Subscriber[]
beforeEach(async () => {
  alerts = await AlertTown.start({
    hasOwnClock: true,
    telegramFloodLimits: true,
    discordRateLimits: true,
  })
  people = alerts.crowd(30)
})
afterEach(() => alerts?.stop())

const inMinutes = (minutes: number) => Math.floor(Date.now() / 1000) + minutes * 60

/** It lasts beyond what either clock makes of its end. */
const goesLive = () => alerts.announces({ endsAt: inMinutes(300) }).name

/** Each third of the people follows something else. */
async function third(index: number, rule: Rule): Promise<Subscriber[]> {
  const some = people.filter((_, place) => place % 3 === index)
  await alerts.follows(some, rule)
  return some
}

async function commandsAnswer(): Promise<void> {
  for (const visitor of [new TelegramVisitor(alerts.town), new DiscordVisitor(alerts.town)]) {
    await visitor.says('/help')
    await visitor.sees('/alerts')
  }
}

test.each([
  ['ahead', hour, ahead, back],
  ['back', -hour, back, ahead],
])(
  'a clock that jumps %s an hour, and later is put right: nothing is lost, nothing told twice, and the log says so',
  async (_, seconds, jump, putRight) => {
    const { telegram, discord } = alerts.town
    const live = await third(0, { kind: 'live', setting: {}, scope: {} })
    const ending = await third(1, { kind: 'ending', setting: { minutes: 60 }, scope: {} })
    const digest = await third(2, {
      kind: 'digest',
      setting: { hour: new Date().getUTCHours(), zone: 'UTC' },
      scope: {},
    })
    const toEnd = alerts.announces({ endsAt: inMinutes(jump.endsAtFirst) })
    await alerts.everybodyHas(live, toEnd.name)
    await alerts.digestsBegin()
    await alerts.dayPasses()
    await eventually(() => expect(alerts.logged('"digests"')).toBe(1))

    const names = [goesLive()]
    await eventually(() => expect(alerts.counts(live, names[0] ?? '')).toContain(1))
    telegram.fault = () => 'fail'
    discord.faults.set({ kind: 'status', status: 500 })
    names.push(goesLive())
    alerts.changes(toEnd, { endsAt: inMinutes(jump.endsThen) })
    for (const platform of ['telegram', 'discord']) {
      await eventually(() =>
        expect(alerts.logged('alerts wait', `"platform":"${platform}"`)).toBeGreaterThan(0),
      )
    }
    await alerts.looks()
    await alerts.town.setClock(seconds)
    telegram.fault = () => undefined
    discord.faults.clear()
    names.push(goesLive())
    const once = async () => {
      for (const name of names) await alerts.everybodyHas(live, name)
      await alerts.everybodyHas(ending, toEnd.name)
      await alerts.everybodyHas(digest, 'Daily summary')
      await eventually(async () => expect(await alerts.waiting()).toBe(0))
    }
    await once()
    await commandsAnswer()
    expect(alerts.logged(jump.words)).toBe(1)

    await alerts.town.setClock(0)
    names.push(goesLive())
    await once()
    await commandsAnswer()
    await alerts.looks()
    await once()
    expect(alerts.logged(putRight.words)).toBe(1)
  },
)
