import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { unseen } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let harness: LaunchHarness
let nextPerson = 3_000_000
beforeAll(async () => {
  // Answers wait for their turn, and Telegram takes its time: a kill finds updates at every stage.
  harness = await startLaunchHarness(
    { TELEGRAM_LIMITS: '{"all":12,"person":100,"group":100}', COMMANDS_PER_PERSON: '1000' },
    undefined,
    { count: 3 },
  )
})
afterAll(() => harness?.stopAll())

const draft = z.object({ answers: z.looseObject({}), rejectedTexts: z.looseObject({}) })

async function drafts(): Promise<unknown[]> {
  const store = await harness.database?.open()
  const rows = await store?.selectFrom('drafts').select('body').execute()
  return (rows ?? []).map(({ body }) => {
    const { answers, rejectedTexts } = draft.parse(JSON.parse(body))
    const { name, symbol, description } = answers
    return { name, symbol, description, rejectedTexts }
  })
}

async function subscriptionCount(): Promise<number> {
  const store = await harness.database?.open()
  return (await store?.selectFrom('subscriptions').selectAll().execute())?.length ?? 0
}

/** How often the bot asked somebody for this. */
function asked(person: number, question: string): number {
  return texts(person).filter((text) => text.includes(question)).length
}

function failSending(fault: 'fail' | 'mute'): void {
  harness.telegram.fault = (method) => (method === 'sendMessage' ? fault : undefined)
}

/** The bot's messages in a private chat, the oldest first. */
function texts(person: number): string[] {
  return harness.telegram.people
    .messages(person)
    .filter(({ sender }) => sender.isBot)
    .map(({ text }) => text.replace(unseen, ''))
}

/** Somebody new, who is asked for the token's name. */
async function launcher(): Promise<number> {
  const { people } = harness.telegram
  const [person = 0] = harness.telegram.circumstances.crowd(1, nextPerson++)
  people.text(person, person, '/launch')
  const asked = await people.waitFor(person, ({ text }) => text.includes('Template'))
  await people.press(person, person, asked.id, { row: 0, column: 0 }, 12_000)
  await people.waitFor(person, ({ text }) => text.includes('Name'))
  return person
}

test.each<[string, number, () => void]>([
  ['before it changed anything', 1, () => harness.apiServer.faults.set({ kind: 'hang' })],
  ['after its change, before the answer', 1, () => failSending('fail')],
  ['after the answer, before Telegram knew of either', 2, () => failSending('mute')],
])('a replica is killed %s: the text answers one question', async (_, shown, fault) => {
  const { people } = harness.telegram
  const ada = await launcher()
  people.text(ada, ada, 'Otter')
  await people.waitFor(ada, ({ text }) => text.includes('Symbol'))
  const [victim] = harness.running()
  if (harness.balancer) harness.balancer.choose = () => 0
  fault()
  people.text(ada, ada, 'OTR')
  await delay(1_000)
  await victim?.kill()
  harness.apiServer.faults.clear()
  harness.telegram.fault = () => undefined
  await harness.startBot()
  await expect.poll(() => asked(ada, 'Description'), { timeout: 30_000 }).toBe(shown)
  people.text(ada, ada, 'Swims on its back.')
  await expect.poll(() => asked(ada, 'Logo')).toBe(1)
  expect(asked(ada, 'Description')).toBe(shown)
  const answers = {
    name: 'Otter',
    symbol: 'OTR',
    description: 'Swims on its back.',
    rejectedTexts: {},
  }
  expect((await drafts()).at(-1)).toEqual(answers)
})

test('replicas are killed again and again while people type: each text answers its question once, nobody misses an answer, and what is doubled is only shown', async () => {
  const { telegram, running, balancer } = harness
  const { people } = telegram
  balancer?.inTurn()
  const before = (await drafts()).length
  const crowd = await Promise.all(Array.from({ length: 10 }, launcher))
  telegram.answerDelayMs = 150
  for (const [index, person] of crowd.entries()) {
    for (const line of [`Otter ${index}`, `OTR${index}`, 'Swims on its back.']) {
      people.text(person, person, line)
    }
    people.text(person, person, '/alerts add live')
    people.text(person, person, '/help search')
    people.text(person, person, '/asset moon')
  }
  for (let kills = 0; kills < 6; kills += 1) {
    await delay(900)
    const all = running()
    await all[kills % all.length]?.kill()
    await harness.startBot()
  }
  await vi.waitFor(
    () => {
      for (const person of crowd) {
        for (const part of ['Symbol', 'Description', 'Logo', 'Moon', '/search']) {
          expect(texts(person).join('\n'), `${person}`).toContain(part)
        }
      }
    },
    { timeout: 120_000, interval: 500 },
  )
  const answered = crowd.map((_, index) => ({
    name: `Otter ${index}`,
    symbol: `OTR${index}`,
    description: 'Swims on its back.',
    rejectedTexts: {},
  }))
  expect(await drafts()).toEqual(expect.arrayContaining(answered))
  expect(await drafts()).toHaveLength(before + crowd.length)
  expect(await subscriptionCount()).toBe(crowd.length)
  const doubled = crowd.reduce((sum, person) => sum + texts(person).length - 7, 0)
  process.stdout.write(`messages that came twice: ${doubled}\n`)
})
