import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { gavel } from '../../sandbox/discord/cast.ts'
import type { Rule } from '../../src/alerts/rule.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { runProgram } from '../run-program.ts'

vi.setConfig({ testTimeout: 120_000 })

// What an operator sees of "I got no alert": the real bot runs, and the real `npm run admin` looks at its database.

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
  const [notified, muted] = [part(telegram, 0), part(telegram, 1)]
  const [blocked, picky] = [part(telegram, 2), part(telegram, 3)]
  const [slow] = [part(discord, 0)]
  await alerts.follows([notified, muted, blocked, slow], live)
  await alerts.follows([picky], { kind: 'live', setting: {}, scope: { name: 'zebra' } })
  await alerts.follows([picky], { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await alerts.mutes(muted)
  alerts.harness.telegram.people.block(Number(blocked.id))
  await eventually(async () => expect(await alerts.paused(blocked)).toBe('blocked'))
  const { faults } = alerts.harness.discord
  faults.set({ kind: 'status', status: 503, match: 'POST /channels/:id/messages' })
  const token = alerts.announces()
  const { address, symbol } = token
  const { event } = await foundLine('live', address)
  await eventually(() => expect(alerts.messagesWith(notified, token.name)).toHaveLength(1))
  await eventually(() => expect(logged('an alert was sent')).toHaveLength(1))
  await eventually(() => expect(logged('an alert is tried again').length).toBeGreaterThan(0))

  // What became of it in each chat.
  const outcome = (what: string) =>
    new RegExp(
      `^- .* UTC, live of 0x\\w{40} \\(\\$P\\d+\\) on chain 8453, event ${event}: ${what}`,
      'mu',
    )
  expect(await admin('explain', idOf(notified))).toMatch(outcome('sent .* UTC$'))
  const ofPicky = await admin('explain', idOf(picky))
  expect(ofPicky).toMatch(/\n- live name:zebra, since .*\n- progress percent:50, since .* UTC\n/u)
  expect(ofPicky).not.toContain(`event ${event}:`)
  const ofMuted = await admin('explain', idOf(muted))
  expect(ofMuted).toMatch(/: muted until .* UTC; /u)
  expect(ofMuted).toMatch(outcome('dropped .*, muted$'))
  const ofBlocked = await admin('explain', idOf(blocked))
  expect(ofBlocked).toContain(': paused (blocked): the person has blocked the bot; ')
  expect(ofBlocked).toMatch(outcome('dropped .*, blocked$'))
  await eventually(async () =>
    expect(await admin('explain', idOf(slow))).toMatch(outcome('waiting, due .*Discord .* 503')),
  )
  // As a person's complaint has it, and with the word that the operators' page has.
  for (const token of [address, symbol, `$${symbol.toLowerCase()}`])
    expect(await admin('explain', 'chat', idOf(notified), token)).toMatch(outcome('sent '))
  const [sent] = logged('an alert was sent')
  const [delivery = ''] = z.array(z.string()).parse(sent?.deliveries)
  const [, chat = ''] = new RegExp(`^${event}\\.(\\d+)$`, 'u').exec(delivery) ?? []
  expect(await admin('explain', `chat:${chat}`)).toMatch(outcome('sent '))
  // The chat by its number in other lines.
  const [retried] = logged('an alert is tried again')
  expect(await admin('explain', `chat:${String(retried?.chat)}`)).toContain(`${idOf(slow)}: `)
  const lost = logged('chats are unreachable: their alerts are paused').at(-1)
  const [number] = z.array(z.number()).parse(lost?.chats)
  expect(await admin('chats', `chat:${number}`)).toContain(`${idOf(blocked)}, private, `)
  // The stand-in's names of tokens are in no line about an alert's way.
  for (const msg of ['an event was found', 'an alert was sent', 'an alert is tried again']) {
    expect(JSON.stringify(logged(msg))).not.toContain(token.name)
  }
  faults.clear()
})

test('a chat with quiet hours says which, and what waits for their end', async () => {
  const asleep = part(telegram, 4)
  await alerts.follows([asleep], live)
  const hour = new Date().getUTCHours()
  const [from, to] = [(hour + 23) % 24, (hour + 5) % 24]
  const id = Number(asleep.id)
  alerts.harness.telegram.people.text(id, id, `/settings quiet:${from}-${to} zone:UTC`)
  await eventually(() => expect(alerts.written(asleep).join('\n')).toContain('Quiet hours: '))
  const token = alerts.announces()
  const { event } = await foundLine('live', token.address)
  await eventually(async () =>
    expect(await admin('explain', idOf(asleep))).toMatch(
      new RegExp(`, event ${event}: waiting, due .* UTC .*, quiet hours$`, 'mu'),
    ),
  )
  expect(await admin('explain', idOf(asleep))).toContain(
    `; quiet hours from ${from} to ${to} (UTC); `,
  )
})

test('a token of which a chat was told nothing, and one that the bot doesn’t know', async () => {
  const [, , , , person = part(discord, 1)] = discord
  await alerts.follows([person], { kind: 'progress', setting: { percents: [90] }, scope: {} })
  const token = alerts.announces()
  await foundLine('live', token.address)
  const said = await admin('explain', idOf(person), token.address)
  expect(said).toMatch(
    /\n- progress percent:90, since .*\nNo deliveries about this token are stored/u,
  )
  await expect(admin('explain', idOf(person), 'whatever')).rejects.toThrow(
    'The bot doesn’t know a token whatever. Give its symbol, name or address.',
  )
})

test('an event that was found when it was of no use any more is in the log alone', async () => {
  const notified = part(telegram, 0)
  await alerts.follows([notified], { kind: 'graduated', setting: {}, scope: {} })
  const token = alerts.announces()
  await foundLine('live', token.address)
  await alerts.harness.bot.stop()
  alerts.ends(token, 'graduated')
  await alerts.harness.setClock(3 * day)
  await alerts.startBot()
  const { event } = await foundLine('graduated', token.address)
  expect(logged('an event was found too late to be of use')).toMatchObject([{ event }])
  const said = await admin('explain', idOf(notified), token.address)
  expect(said).toContain('\n- graduated, since ')
  expect(said).not.toContain(`, event ${event}`)
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
