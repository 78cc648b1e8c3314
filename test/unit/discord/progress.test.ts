import { setTimeout as delay } from 'node:timers/promises'
import type { APIMessage } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { ShowProgress } from '../../../src/core/command.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { defaultTimes } from '../../../src/discord/reply.ts'
import { later, refuses, says, viewOf } from '../core/scripted-bot.ts'
import {
  type Chat,
  connection,
  controlOf,
  deferred,
  isEphemeral,
  startChat,
  startServer,
  textOf,
} from './discord-chat.ts'

const patience = { timeout: 20_000 }

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

/** A command whose steps and answer come when the test says so. */
function stepwise(line: string) {
  const asked = Promise.withResolvers<ShowProgress<string>>()
  const answer = Promise.withResolvers<Answer>()
  chat.bot.on(line, (_, __, show) => {
    asked.resolve(show)
    return answer.promise
  })
  return {
    show: async (words: string) => (await asked.promise)(viewOf(words)),
    showView: asked.promise,
    come: answer.resolve,
  }
}

const slash = () => chat.server.people.slash(ada.id, club.id, 'ask', { term: 'moon' })
const launch = () => chat.server.people.slash(ada.id, club.id, 'launch')
const launchLine = `launch from:${club.id}`
const adaReads = () => chat.reads(club.id, ada.id)
const benReads = () => chat.reads(club.id, ben.id)
/** Everything that was ever shown, in order. */
const bodies = () =>
  chat.server.calls
    .filter(({ method }) => method === 'POST' || method === 'PATCH')
    .map(({ body }) => JSON.stringify(body))
    .flatMap((body) => /step \d|at last/u.exec(body)?.[0] ?? [])

describe('steps of an answer', () => {
  test('are shown in its place until it comes', async () => {
    const steps = stepwise('ask moon')
    const asked = slash()
    await steps.show('step 1')
    expect(await asked.taken).toBe('message')
    expect(benReads()).toEqual(['step 1'])
    await steps.show('step 2')
    await expect.poll(benReads, patience).toEqual(['step 2'])
    steps.come(says('at last'))
    await expect.poll(benReads, patience).toEqual(['at last'])
    expect(bodies()).toEqual(['step 1', 'step 2', 'at last'])
  })

  test('never come after the answer', async () => {
    const steps = stepwise('ask moon')
    const asked = slash()
    await steps.show('step 1')
    await asked.taken
    await steps.show('step 2')
    steps.come(says('at last'))
    await expect.poll(benReads, patience).toEqual(['at last'])
    await steps.show('step 3')
    // Another's second step is due later than what still waited here.
    const other = stepwise('ask sun')
    chat.server.people.slash(ben.id, club.id, 'ask', { term: 'sun' })
    for (const words of ['sun', 'more sun']) {
      await other.show(words)
      await expect.poll(benReads, patience).toEqual(['at last', words])
    }
    other.come(says('day'))
    expect(bodies()).toEqual(['step 1', 'at last'])
  })

  test.each([
    ['the answer to a command', false],
    ['the answer to a press', true],
  ])(
    'and what they lead to never take away what somebody opened from %s meanwhile',
    async (_, isPressed) => {
      const [first, next] = [
        { label: 'First', line: 'ask moon' },
        { label: 'Next', line: 'ask next' },
      ]
      const press = (message: APIMessage, label: string) =>
        chat.server.people.click(ada.id, club.id, message.id, controlOf(message, label))
      chat.bot.on('ask list', says('the list', [first]))
      const list = await chat.server.people
        .slash(ada.id, club.id, 'ask', { term: 'list' })
        .message()
      const steps = stepwise('ask moon')
      const asked = isPressed ? press(list, 'First') : slash()
      await (await steps.showView)(viewOf('step 1', [next]))
      await press(await asked.message(), 'Next').message()
      steps.come(says('at last'))
      await chat.server.people.slash(ben.id, club.id, 'ask', { term: 'sun' }).message()
      await delay(100)
      expect(benReads()).toEqual([...(isPressed ? [] : ['the list']), 'ask next', 'ask sun'])
    },
  )

  test('are not taken for what somebody opened: where they have no buttons the answer always comes', async () => {
    const buttons = ['moon', 'next'].map((term) => ({ label: term, line: `ask ${term}` }))
    chat.bot.on('ask list', says('the list', buttons))
    const list = await chat.server.people.slash(ada.id, club.id, 'ask', { term: 'list' }).message()
    const press = (label: string) =>
      chat.server.people.click(ada.id, club.id, list.id, controlOf(list, label))
    const next = later()
    chat.bot.on('ask next', next.script)
    const steps = stepwise('ask moon')
    const asked = [press('moon'), press('next')]
    await steps.show('step 1')
    await asked[0]?.message()
    next.come(says('ask next'))
    await asked[1]?.message()
    await expect.poll(benReads, patience).toEqual(['ask next'])
    steps.come(says('at last'))
    await expect.poll(benReads, patience).toEqual(['at last'])
  })

  test('and a refusal after them leave what somebody opened: it is told them alone', async () => {
    const next = { label: 'Next', line: 'ask next' }
    const steps = stepwise('ask moon')
    const asked = slash()
    await (await steps.showView)(viewOf('step 1', [next]))
    const shown = await asked.message()
    await chat.server.people.click(ada.id, club.id, shown.id, controlOf(shown, 'Next')).message()
    steps.come(refuses('Not like this.'))
    await expect.poll(adaReads, patience).toEqual(['ask next', 'Not like this.'])
    expect(benReads()).toEqual(['ask next'])
  })

  test('that follow fast are not all shown: of those waiting only the last', async () => {
    const steps = stepwise('ask moon')
    slash()
    for (const count of [1, 2, 3, 4]) await steps.show(`step ${count}`)
    await expect.poll(benReads, patience).toEqual(['step 4'])
    steps.come(says('at last'))
    await expect.poll(benReads, patience).toEqual(['at last'])
    expect(bodies()).toEqual(['step 1', 'step 4', 'at last'])
  })

  test('are replaced by the answer, even if that is a refusal', async () => {
    const steps = stepwise('ask moon')
    const asked = slash()
    await steps.show('step 1')
    await asked.taken
    steps.come(refuses('Not like this.'))
    await expect.poll(benReads, patience).toEqual(['Not like this.'])
  })

  test('that can’t be shown don’t stop the command', async () => {
    const steps = stepwise('ask moon')
    const asked = slash()
    const show = await steps.showView
    const buttons = Array.from({ length: 60 }, () => ({ label: 'x', line: 'ask' }))
    await show(viewOf('too much', buttons))
    await expect.poll(() => chat.log.of('error').length, patience).toBe(1)
    steps.come(says('at last'))
    expect(textOf(await asked.message())).toBe('at last')
  })

  test('after a press are shown in the pressed message', async () => {
    const line = 'launching confirm k3f9a2bc.12'
    chat.bot.on(launchLine, says('Confirm?', [{ label: 'Confirm', line, look: 'main' }]))
    const message = await launch().message()
    const steps = stepwise(line)
    const { people } = chat.server
    const asked = people.click(ada.id, club.id, message.id, controlOf(message, 'Confirm'))
    await steps.show('step 1')
    expect((await asked.message()).id).toBe(message.id)
    expect([adaReads(), benReads()]).toEqual([['step 1'], []])
    steps.come(says('at last'))
    await expect.poll(adaReads, patience).toEqual(['at last'])
  })

  test('go on if the button is pressed again meanwhile, and that press is answered, too', async () => {
    const line = 'launching confirm k3f9a2bc.12'
    chat.bot.on(launchLine, says('Confirm?', [{ label: 'Confirm', line }]))
    const message = await launch().message()
    const press = () =>
      chat.server.people.click(ada.id, club.id, message.id, controlOf(message, 'Confirm'))
    const steps = stepwise(line)
    chat.times.deferAfterMs = 0
    const asked = press()
    expect(await asked.taken).toBe('pending-update')
    chat.times.deferAfterMs = defaultTimes.deferAfterMs
    chat.bot.on(line, refuses('This has already been answered.'))
    expect(isEphemeral(await press().message())).toBe(true)
    await steps.show('step 1')
    await expect.poll(adaReads, patience).toEqual(['step 1', 'This has already been answered.'])
    steps.come(says('at last'))
    await expect.poll(adaReads, patience).toEqual(['at last', 'This has already been answered.'])
  })

  test('that the person dismissed are followed by a new ephemeral answer', async () => {
    const steps = stepwise(launchLine)
    const asked = launch()
    await steps.show('step 1')
    const { id } = await asked.message()
    chat.server.people.dismiss(ada.id, club.id, id)
    const file = { name: 'payload.json', type: 'application/json', bytes: Buffer.from('{}') }
    steps.come({ view: { ...viewOf('at last'), files: [file] }, outcome: 'answered' })
    await expect.poll(adaReads, patience).toEqual(['at last'])
    const [message] = chat.server.people.messages(club.id, ada.id)
    expect(message && isEphemeral(message)).toBe(true)
    expect(message?.attachments.map(({ filename }) => filename)).toEqual(['payload.json'])
    expect(chat.log.of('error')).toEqual([])
  })
})

test('steps that come faster than they can be read are left out', async () => {
  chat.times.viewPauseMs = defaultTimes.viewPauseMs
  const steps = stepwise('ask moon')
  const asked = slash()
  await steps.show('step 1')
  await asked.taken
  await steps.show('step 2')
  await steps.show('step 3')
  steps.come(says('at last'))
  await expect.poll(benReads, patience).toEqual(['at last'])
  expect(bodies()).toEqual(['step 1', 'at last'])
})

describe('steps in a private chat', () => {
  const dm = () => chat.server.people.dm(ben.id)
  const read = () => chat.reads(dm(), ben.id).slice(1)

  test('are one message, which becomes the answer', async () => {
    const steps = stepwise('ask moon')
    chat.server.people.text(ben.id, dm(), '/ask moon')
    await steps.show('step 1')
    await expect.poll(read, patience).toEqual(['step 1'])
    await steps.show('step 2')
    await expect.poll(read, patience).toEqual(['step 2'])
    steps.come(refuses('at last'))
    await expect.poll(read, patience).toEqual(['at last'])
    expect(bodies()).toEqual(['step 1', 'step 2', 'at last'])
  })
})

test('an answer after the interaction expired is no error', async () => {
  let clock = Date.now()
  const server = await startServer({ now: () => clock })
  const parts = connection(server.root)
  const { log, platform } = parts
  await platform.start()
  const come = deferred(parts, 'ask moon')
  await server.people.slash(ada.id, club.id, 'ask', { term: 'moon' }).taken
  clock += 15 * 60_000 + 1
  come(says('too late'))
  await expect.poll(() => log.of('info').join(), patience).toContain('Invalid Webhook Token')
  expect(log.of('error')).toEqual([])
  const next = server.people.slash(ada.id, club.id, 'ask', { term: 'sun' })
  expect(textOf(await next.message())).toBe('ask sun')
  await platform.stop()
  await server.stop()
})
