import { expect, test } from 'vitest'
import { plainView } from '../../../src/core/catalogue.ts'
import { type Context, text } from '../../../src/core/command.ts'
import type { Conversation, Form, Input } from '../../../src/core/conversation.ts'
import type { View } from '../../../src/core/view.ts'
import { UserError } from '../../../src/errors.ts'
import { command, context, find, makeBot, type Pond, said, silence } from './otter-bot.ts'

const heard: Input = { text: 'Moon Otter', fields: {}, files: [] }
const roomy = { person: 1000, chat: 1000 }

const secret = command({
  name: 'secret',
  about: 'Dig where the otter lies',
  params: {},
  ephemeral: true,
  unlisted: true,
  run: async () => said('dug'),
})
const diary = command({
  name: 'diary',
  about: 'Read what you wrote',
  params: {},
  ephemeral: true,
  run: async (_, __, { user, ephemeral }, show) => {
    await show(said('turning pages'))
    return said(`${user} ${ephemeral}`)
  },
})

/** What words stand for that nobody asked for. */
const asset = command({
  name: 'asset',
  about: 'Show one',
  params: { asset: text<Pond>('A term', 'otter', 20) },
  run: async (args) => said(args.asset),
})

/** A conversation that asks for a name, and shows that it is thinking. */
function asking(): { conversation: Conversation<Pond>; asked: unknown[] } {
  const asked: unknown[] = []
  const conversation: Conversation<Pond> = {
    receive: async (each, pond, by, show) => {
      asked.push([each, pond.otters.length, by])
      await show(said('thinking'))
      return said(`You said ${each.text}`)
    },
    form: async (line, pond, by): Promise<Form> => {
      asked.push([line, pond.otters.length, by])
      return { id: 'name.1', title: 'Name', fields: [] }
    },
  }
  return { conversation, asked }
}

function collected(): { views: View[]; show: (view: View) => Promise<void> } {
  const views: View[] = []
  return { views, show: async (view) => void views.push(view) }
}

test('a hidden command is in no menu and is never suggested, but its lines run', async () => {
  const { bot } = makeBot([find, secret])
  expect(bot.menu.map(({ name }) => name)).toEqual(['find'])
  const { view } = await bot.answer(bot.parse('secre'), context)
  expect(plainView(view)).toBe('There is no command /secre. See /help.')
  expect((await bot.answer(bot.parse('secret'), context)).view).toMatchObject(said('dug'))
})

test.each([
  ['diary', true],
  ['secret now', true],
  ['  DIARY\nx', true],
  ['find secret', false],
  ['diaries', false],
  ['', false],
])('whether only the asker may read the answer to %j: %s', (line, alone) => {
  expect(makeBot([find, secret, diary]).bot.parse(line).ephemeral).toBe(alone)
})

test('a command is given its context, and can show views before its answer', async () => {
  const { views, show } = collected()
  const { bot } = makeBot([diary])
  const { view } = await bot.answer(bot.parse('diary'), context, show)
  expect(view).toMatchObject(said('ben true'))
  expect(views).toMatchObject([said('turning pages')])
})

test('words go to the conversation, which answers instead of the command line', async () => {
  const { conversation, asked } = asking()
  const { bot, pond } = makeBot([find], roomy, conversation)
  const { views, show } = collected()
  expect(await bot.receive(heard, context, show)).toMatchObject({
    view: said('You said Moon Otter'),
    outcome: 'answered',
  })
  expect(asked).toEqual([[heard, 2, context]])
  expect(views).toMatchObject([said('thinking')])
  expect(pond.asked).toEqual([])
})

test('without an open question words are run as a command line', async () => {
  const { bot } = makeBot([asset])
  expect((await bot.receive(heard, context)).view).toMatchObject(said('Moon Otter'))
  const { view, outcome } = await bot.receive({ ...heard, text: 'x'.repeat(21) }, context)
  expect([plainView(view), outcome]).toEqual([
    'That’s too long: 21 characters, at most 20.',
    'refused',
  ])
})

test('one message counts once against the flood limit, also if it is run as a command line', async () => {
  const { bot } = makeBot([asset], { person: 2, chat: 2 })
  const outcomes = []
  for (const _ of [1, 2, 3]) outcomes.push((await bot.receive(heard, context)).outcome)
  expect(outcomes).toEqual(['answered', 'answered', 'refused'])
})

test('messages over the flood limit do not reach the conversation', async () => {
  const { conversation, asked } = asking()
  const { bot } = makeBot([find], { person: 1, chat: 1 }, conversation)
  await bot.receive(heard, context)
  expect(await bot.receive(heard, context)).toMatchObject({
    outcome: 'refused',
  })
  expect(await bot.receive(heard, context)).toMatchObject({ repeated: true })
  expect(asked).toHaveLength(1)
})

test('whose input was taken is noted, and not who only searches or is refused', async () => {
  const noted: string[] = []
  const note = async ({ user }: Context) => void noted.push(user)
  const silent = () => undefined
  const refuse = async () => {
    throw new UserError('Not like this.')
  }
  for (const receive of [silence.receive, refuse]) {
    const { bot } = makeBot([find], roomy, { ...silence, receive }, silent, note)
    await bot.receive(heard, context)
  }
  expect(noted).toEqual([])
  const { bot } = makeBot([find], roomy, asking().conversation, silent, note)
  await bot.receive(heard, context)
  expect(noted).toEqual([context.user])
})

test('a conversation that refuses or fails is explained', async () => {
  for (const [error, outcome] of [
    [new UserError('Not like this.'), 'refused'],
    [new Error('a bug'), 'failed'],
  ] as const) {
    const hear = async () => {
      throw error
    }
    const { bot } = makeBot([find], roomy, { ...silence, receive: hear })
    expect(await bot.receive(heard, context)).toMatchObject({ outcome })
  }
})

test('a form is found by its line, or what to say instead of it', async () => {
  const { conversation, asked } = asking()
  const { bot } = makeBot([find], roomy, conversation)
  expect(await bot.form('form name', context)).toEqual({ id: 'name.1', title: 'Name', fields: [] })
  expect(asked).toEqual([['form name', 2, context]])
  const refused = await makeBot([find]).bot.form('form name', context)
  expect(refused).toMatchObject({ outcome: 'refused', view: { title: [], blocks: [{}] } })
})
