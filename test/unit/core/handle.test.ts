import { describe, expect, test } from 'vitest'
import { plainView } from '../../../src/core/catalogue.ts'
import type { Context } from '../../../src/core/command.ts'
import type { Input } from '../../../src/core/conversation.ts'
import type { IncomingInput, PressedMessage } from '../../../src/core/incoming.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { handled, messageOf, pressOf } from './asked.ts'
import { ScriptedBot, says } from './scripted-bot.ts'

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const inPrivate: Context = {
  platform: telegram,
  user: '7',
  chat: '7',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
}
const inGroup: Context = { ...inPrivate, chat: '-5', ephemeral: false, isPrivate: false }
const onServer: Context = { ...inGroup, platform: discord, chat: '5' }

/** What came of it: where it was shown, and in which words. */
async function outcome(bot: ScriptedBot, context: Context, input: IncomingInput) {
  const { answers, manner, led } = await handled(bot.dispatch, context, input)
  const words = answers.map(({ view }) => plainView(view))
  return led.length > 0 ? { led } : { words, manner }
}

function pressed(line: string, message: Partial<PressedMessage>, asNew = false) {
  return {
    kind: 'press',
    line,
    asNew,
    message: { isSoleReader: false, isTheirs: true, isPost: false, ...message },
  } as const
}

const here = { ephemeral: false, inPlace: false }
const alone = { ephemeral: true, inPlace: false }

describe('a command whose answer is for the asker alone', () => {
  const line = { kind: 'command', line: 'launch' } as const
  test.each([
    ['is run in their private chat', inPrivate, { words: ['launch'], manner: here }],
    ['leads there from a group', inGroup, { led: ['launch from:-5'] }],
    ['is hidden on a server', onServer, { words: ['launch from:5'], manner: alone }],
    [
      'names no chat where the bot is a guest',
      { ...onServer, isGuest: true },
      { words: ['launch'], manner: alone },
    ],
  ])('%s', async (_, context, expected) => {
    expect(await outcome(new ScriptedBot(), context, line)).toEqual(expected)
  })

  test('names no line for the private chat if it is run by buttons only', async () => {
    const typed = messageOf('/launching@gavel_bot confirm x')
    expect(await outcome(new ScriptedBot(), inGroup, typed)).toEqual({ led: [undefined] })
  })
})

describe('a menu', () => {
  const menu = { kind: 'command', line: 'alerts' } as const
  const shown = async (context: Context, input: IncomingInput) => {
    const bot = new ScriptedBot()
    const { manner, led } = await outcome(bot, context, input)
    const [asked] = bot.asked
    return { manner, led, line: asked?.line, ephemeral: asked?.context.ephemeral }
  }
  const inChat = { line: 'alerts', led: undefined }

  test.each([
    ['is for all in a group', inGroup, { ...inChat, manner: here, ephemeral: false }],
    ['is for the asker alone on a server', onServer, { ...inChat, manner: alone, ephemeral: true }],
    [
      'is an ordinary message in a private chat',
      { ...inPrivate, platform: discord },
      { ...inChat, manner: here, ephemeral: true },
    ],
  ])('%s, and is about the chat', async (_, context, expected) => {
    expect(await shown(context, menu)).toEqual(expected)
  })

  test.each([
    [
      'replaces a message for all in a group',
      inGroup,
      pressed('alerts', {}),
      { manner: { ephemeral: false, inPlace: true }, ephemeral: false },
    ],
    [
      'is a new message for the presser on a server',
      onServer,
      pressed('alerts', {}),
      { manner: alone, ephemeral: true },
    ],
    [
      'goes on in the message that the presser alone reads',
      onServer,
      pressed('alerts', { isSoleReader: true }),
      { manner: { ephemeral: true, inPlace: true }, ephemeral: true },
    ],
  ])('that a button opens %s', async (_, context, input, expected) => {
    expect(await shown(context, input)).toEqual({ ...inChat, ...expected })
  })
})

describe('a press', () => {
  test.each([
    ['changes a message for all', inGroup, pressed('ask', {}), { ephemeral: false, inPlace: true }],
    ['is a new message if it opens something', inGroup, pressed('ask', {}, true), here],
    [
      'on somebody else’s message is for the presser',
      onServer,
      pressed('ask', { isTheirs: false }),
      alone,
    ],
    ['that is for them alone is no change for all', onServer, pressed('launching x', {}), alone],
    [
      'changes a message that only they read',
      onServer,
      pressed('launching x', { isSoleReader: true }),
      { ephemeral: true, inPlace: true },
    ],
  ])('%s', async (_, context, input, manner) => {
    expect(await outcome(new ScriptedBot(), context, input)).toMatchObject({ manner })
  })

  test.each([
    [
      'by a reader runs its line in their private chat',
      pressed('ask x', { isPost: true, isTheirs: false }),
      'ask x',
    ],
    [
      'by a manager that opens something is about the channel',
      pressed('ask x', { isPost: true }, true),
      'ask x in:-5',
    ],
    [
      'that is for them alone begins in the channel',
      pressed('launch', { isPost: true }),
      'launch from:-5',
    ],
  ])('under a channel’s post %s', async (_, input, line) => {
    expect(await outcome(new ScriptedBot(), inGroup, input)).toEqual({ led: [line] })
  })

  test('by a manager under a channel’s post changes the post', async () => {
    const input = pressed('ask', { isPost: true })
    expect(await outcome(new ScriptedBot(), inGroup, input)).toMatchObject({ words: ['ask'] })
  })

  test('of a button that is too old says so, and runs nothing', async () => {
    const bot = new ScriptedBot()
    const input = { ...pressed('', {}), line: undefined }
    expect(await outcome(bot, inGroup, input)).toMatchObject({
      words: ['These buttons are too old. Send the command again.'],
    })
    expect(bot.lines).toEqual([])
  })

  test('is told each time that there are too many, and what is typed only once', async () => {
    const bot = new ScriptedBot()
    bot.floodLimits.person = 0
    const repeated = async (input: IncomingInput) =>
      (await handled(bot.dispatch, inPrivate, input)).answers.map((answer) => answer.repeated)
    expect(await repeated(pressOf('ask'))).toEqual([false])
    expect(await repeated(pressOf('ask'))).toEqual([false])
    expect(await repeated(messageOf('/ask'))).toEqual([true])
  })
})

describe('a link', () => {
  test('runs its line in the private chat, after a confirmation if that changes something', async () => {
    const bot = new ScriptedBot()
    expect(await outcome(bot, inPrivate, { kind: 'link', line: 'launch from:-5' })).toMatchObject({
      words: ['launch from:-5'],
    })
    const { answers } = await handled(bot.dispatch, inPrivate, { kind: 'link', line: 'change x' })
    expect(answers[0]?.view.buttons?.flat()).toMatchObject([{ line: 'change x' }])
    expect(bot.lines).toEqual(['launch from:-5'])
  })

  test('leads from a group to the private chat if its answer is for one alone', async () => {
    const link = { kind: 'link', line: 'launch' } as const
    expect(await outcome(new ScriptedBot(), inGroup, link)).toEqual({ led: ['launch'] })
  })
})

describe('a secret', () => {
  test.each([
    [true, '🗑️ I deleted your message.'],
    [false, '⚠️ Delete your message now: I’m not allowed to do it here.'],
  ])('behind a command is not run; that it was deleted (%s) is said', async (isDeleted, note) => {
    const bot = new ScriptedBot()
    const { answers } = await handled(bot.dispatch, inGroup, messageOf(`/ask ${phrase}`), {
      deleteMessage: async () => isDeleted,
    })
    expect(answers.map(({ view }) => plainView(view)).join()).toContain(note)
    expect(bot.lines).toEqual([])
  })

  test.each([inGroup, onServer])(
    'is not stored with a link to the private chat',
    async (context) => {
      const bot = new ScriptedBot()
      const line = `launch ${phrase}`
      const { led, answers } = await handled(bot.dispatch, context, { kind: 'command', line })
      expect([led, answers.map((answer) => answer.outcome), bot.lines]).toEqual([
        [],
        ['refused'],
        [],
      ])
    },
  )
})

describe('a message in a group', () => {
  test.each(['/other@another_bot', '/unknown', 'good morning'])('%s is not ours', async (text) => {
    const bot = new ScriptedBot()
    expect(await outcome(bot, inGroup, messageOf(text))).toMatchObject({ words: [] })
    expect(bot.lines).toEqual([])
  })

  test('is an answer only as a reply, and while the person is asked something', async () => {
    const bot = new ScriptedBot()
    bot.receiver = async () => says('Taken.')
    const reply = { ...messageOf('0.5'), isReply: true }
    expect(await outcome(bot, inGroup, reply)).toMatchObject({ words: [] })
    bot.isAsking = true
    expect(await outcome(bot, inGroup, messageOf('0.5'))).toMatchObject({ words: [] })
    expect(await outcome(bot, inGroup, reply)).toMatchObject({ words: ['Taken.'] })
  })

  test('that names a token is answered with its card, but a channel’s post is not', async () => {
    const bot = new ScriptedBot()
    bot.overheards.set('look at OTTER', says('the card'))
    const post = { ...messageOf('look at OTTER'), isPost: true }
    expect(await outcome(bot, inGroup, post)).toMatchObject({ words: [] })
    expect(await outcome(bot, inGroup, messageOf('look at OTTER'))).toMatchObject({
      words: ['the card'],
    })
  })
})

describe('a form', () => {
  const filled = { text: '', fields: { name: 'Otter' }, files: [] } satisfies Input
  const form = { kind: 'form', form: 'name.1', input: filled, inPlace: true } as const

  test('that was sent is taken as input, with its id', async () => {
    const bot = new ScriptedBot()
    bot.receiver = async () => says('Taken.')
    const expected = { words: ['Taken.'], manner: { ephemeral: true, inPlace: true } }
    expect(await outcome(bot, onServer, form)).toEqual(expected)
    expect(bot.heard[0]?.heard).toEqual({ ...filled, form: 'name.1' })
  })

  test.each([
    ['is too old', { ...form, form: undefined }, 'This form is too old. Send the command again.'],
    ['can’t be taken', { ...form, input: new UserError('Too long.') }, 'Too long.'],
  ])('that %s is refused', async (_, input, words) => {
    const bot = new ScriptedBot()
    expect(await outcome(bot, onServer, input)).toMatchObject({ words: [words] })
    expect(bot.heard).toEqual([])
  })

  test('that can’t be shown is explained', async () => {
    const bot = new ScriptedBot()
    bot.forms.set('name', { id: 'name.1', title: 'Name', fields: [] })
    const openForm = async () => {
      throw new TypeError('too many fields')
    }
    const input = { kind: 'form press', line: 'name' } as const
    const { answers } = await handled(bot.dispatch, onServer, input, { openForm })
    expect(answers.map((answer) => answer.outcome)).toEqual(['failed'])
  })
})

test('a blocked person gets the notice for whatever they do, and nothing is run', async () => {
  const bot = new ScriptedBot()
  bot.blocked.add('7')
  bot.isNoticeDue = true
  const inputs: IncomingInput[] = [
    { kind: 'command', line: 'launch' },
    { kind: 'link', line: 'launch' },
    { kind: 'form press', line: 'name' },
    pressOf('launch'),
    messageOf(`/ask ${phrase}`),
  ]
  for (const input of inputs) {
    const { words } = await outcome(bot, inGroup, input)
    expect(words?.join()).toContain('its operator has blocked you')
  }
  expect(await outcome(bot, inGroup, messageOf('words'))).toMatchObject({ words: [] })
  expect([bot.lines, bot.formsAsked]).toEqual([[], []])
})
