import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { gavel } from '../../sandbox/discord/cast.ts'
import type { Rule } from '../../src/alerts/rule.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { runProgram } from '../run-program.ts'

vi.setConfig({ testTimeout: 120_000 })

// The answers to "why did I get no alert?": the real bot ran, and the real `npm run admin` looks at its database.

const live: Rule = { kind: 'live', setting: {}, scope: {} }
const day = 86_400

let alerts: AlertHarness
let telegram: Subscriber[]
let discord: Subscriber[]
beforeAll(async () => {
  alerts = await AlertHarness.start({ canSetClock: true })
  const crowd = alerts.crowd(5)
  telegram = crowd.filter(({ platform }) => platform === 'telegram')
  discord = crowd.filter(({ platform }) => platform === 'discord')
})
afterAll(() => alerts?.stop())

/** What `npm run admin` prints. */
async function admin(...words: string[]): Promise<string> {
  const env = { DATABASE_URL: `file:${alerts.database}` }
  const { code, stdout, stderr } = await runProgram(['src/admin/main.ts', ...words], env)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

function idOf({ platform, id }: Subscriber): string {
  return `${platform}:${id}`
}

function part(all: readonly Subscriber[], index: number): Subscriber {
  const one = all[index]
  if (one === undefined) throw new Error('too few people')
  return one
}

const line = z.looseObject({ msg: z.string(), level: z.string() })

/** Lines of the bot's log with this text. */
function logged(msg: string) {
  return alerts.harness
    .output()
    .split('\n')
    .flatMap((text) => (text === '' ? [] : [line.parse(JSON.parse(text))]))
    .filter((each) => each.msg === msg)
}

/** The line of the log about an event of a token. */
function foundLine(kind: string, address: string) {
  return eventually(() => {
    const found = ['an event was found', 'an event was found too late to be of use']
      .flatMap(logged)
      .filter((each) => each.asset === address.toLowerCase() && each.kind === kind)
    expect(found).toHaveLength(1)
    return z.looseObject({ event: z.number() }).parse(found[0])
  })
}

test('the log leads from an event to its deliveries, and says no name', async () => {
  const [told, muted] = [part(telegram, 0), part(telegram, 1)]
  const [blocked, picky] = [part(telegram, 2), part(telegram, 3)]
  const [slow] = [part(discord, 0)]
  await alerts.follows([told, muted, blocked, slow], live)
  await alerts.follows([picky], { kind: 'live', setting: {}, scope: { name: 'zebra' } })
  await alerts.follows([picky], { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await alerts.mutes(muted)
  alerts.harness.telegram.people.block(Number(blocked.id))
  await eventually(async () => expect(await alerts.paused(blocked)).toBe('blocked'))
  const { faults } = alerts.harness.discord
  faults.set({ kind: 'status', status: 503, match: 'POST /channels/:id/messages' })
  const token = alerts.announces()
  const { event } = await foundLine('live', token.address)
  await eventually(() => expect(alerts.told(told, token.name)).toHaveLength(1))
  await eventually(() => expect(logged('an alert was sent')).toHaveLength(1))
  await eventually(() => expect(logged('an alert is tried again').length).toBeGreaterThan(0))

  // Each of the five questions, and one who was told.
  expect(await admin('explain', idOf(told), String(event))).toMatch(
    /event \d+: live of 0x\w{40} \(\$P\d+\) on chain 8453, found .* UTC .*\n.*: told .* UTC .*, at the first try/u,
  )
  expect(await admin('explain', idOf(picky), String(event))).toMatch(
    /not told: no rule of it matches\n.*live name:zebra; name zebra is asked for, it was .*\n.*its other rules: progress percent:50/u,
  )
  expect(await admin('explain', idOf(muted), String(event))).toMatch(
    /not told: it was muted, .*\n- now: muted until /u,
  )
  expect(await admin('explain', idOf(blocked), String(event))).toMatch(
    /not told: paused \(blocked\), .*: the person has blocked the bot/u,
  )
  // It is tried again every few seconds: not while it is being sent.
  await eventually(async () =>
    expect(await admin('explain', idOf(slow), String(event))).toMatch(
      /not told yet: it waits for its (?:next try|turn), .*\n- last error.*: Discord .* 503/u,
    ),
  )
  // The event by kind and token, with the word that the operators' page has, and the delivery by its id in the log.
  const byName = await admin('explain', 'chat', idOf(told), 'live', token.address, '8453')
  expect(byName).toContain(': told ')
  // And as a person's complaint has it.
  for (const words of [['live', token.symbol], [`$${token.symbol.toLowerCase()}`]]) {
    const said = await admin('explain', idOf(told), ...words)
    expect(said).toMatch(new RegExp(`^event ${event}: live .*\\n${idOf(told)}: told `, 'u'))
  }
  const [sent] = logged('an alert was sent')
  const [delivery = ''] = z.array(z.string()).parse(sent?.deliveries)
  expect(delivery).toMatch(new RegExp(`^${event}\\.\\d+$`, 'u'))
  expect(await admin('explain', delivery)).toContain(`${idOf(told)}: told `)
  // The chat by its number in other lines.
  const [retried] = logged('an alert is tried again')
  expect(await admin('explain', `chat:${String(retried?.chat)}`)).toContain(`${idOf(slow)}: `)
  const lost = logged('chats are lost: their alerts are paused').at(-1)
  const [number] = z.array(z.number()).parse(lost?.chats)
  expect(await admin('chats', `chat:${number}`)).toContain(`${idOf(blocked)}, private, `)
  // The stand-in's names of tokens are in no line about an alert's way.
  for (const msg of ['an event was found', 'an alert was sent', 'an alert is tried again']) {
    expect(JSON.stringify(logged(msg))).not.toContain(token.name)
  }
  faults.clear()
})

test('an alert that waits for the end of quiet hours says whether it is of use by then', async () => {
  const asleep = part(telegram, 4)
  await alerts.follows([asleep], live)
  const hour = new Date().getUTCHours()
  const quiet = `quiet:${(hour + 23) % 24}-${(hour + 5) % 24}`
  const id = Number(asleep.id)
  alerts.harness.telegram.people.text(id, id, `/settings ${quiet} zone:UTC`)
  await eventually(() => expect(alerts.written(asleep).join('\n')).toContain('Quiet hours: '))
  const token = alerts.announces()
  const { event } = await foundLine('live', token.address)
  await eventually(async () =>
    expect(await admin('explain', idOf(asleep), String(event))).toMatch(
      /not told yet: it waits for the end of the chat’s quiet hours, .* UTC .*\n- it is of no use any more by then/u,
    ),
  )
})

test('an event that is not there is one that the bot has not found', async () => {
  const [, , , , person = part(discord, 1)] = discord
  await alerts.follows([person], { kind: 'progress', setting: { percents: [90] }, scope: {} })
  const token = alerts.announces()
  await foundLine('live', token.address)
  const said = await admin('explain', idOf(person), 'progress', token.address)
  expect(said).toContain('the bot has found no such event of the kind progress')
  expect(said).toContain('The bot saw the token live on chain 8453')
  expect(said).toMatch(
    /It has watched chain 8453 since .* UTC: nobody is told of what began before/u,
  )
  expect(said).toContain('progress percent:90, since ')
  const unknown = await admin('explain', idOf(person), 'live', `0x${'7'.repeat(40)}`)
  expect(unknown).toContain('never seen the token')
  await expect(admin('explain', idOf(person), 'whatever')).rejects.toThrow(
    'The bot knows no token whatever. Name the event',
  )
})

test('an event that was found when it was of no use any more was too late', async () => {
  const told = part(telegram, 0)
  await alerts.follows([told], { kind: 'graduated', setting: {}, scope: {} })
  const token = alerts.announces()
  await foundLine('live', token.address)
  await alerts.harness.bot.stop()
  alerts.ends(token, 'graduated')
  await alerts.harness.setClock(3 * day)
  await alerts.startBot()
  const { event } = await foundLine('graduated', token.address)
  const said = await admin('explain', idOf(told), String(event))
  expect(said).toMatch(/not told: too late; .* it was of use until .* UTC/u)
  expect(said).toContain('its rule: graduated')
})

test('the log, to its last detail, knows nobody', () => {
  const guests = [...alerts.harness.discord.world.users.keys()].filter((id) => id !== gavel.id)
  const people = [...[...telegram, ...discord].map(({ id }) => id), ...guests]
  const output = alerts.harness.output()
  expect(output).toContain('an alert was sent')
  for (const id of people) expect(output).not.toMatch(new RegExp(`(?<!\\d)${id}(?!\\d)`, 'u'))
  expect(output).not.toMatch(/guest\d/u)
})

test('the first line of the log says the version', () => {
  const [first] = alerts.harness.output().split('\n')
  expect(JSON.parse(first ?? '')).toMatchObject({ msg: 'starting', version: expect.any(String) })
})
