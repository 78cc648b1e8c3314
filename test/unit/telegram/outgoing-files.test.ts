import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { ShowProgress } from '../../../src/core/command.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import type { Attachment, Button } from '../../../src/core/view.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const json = file('launch-OTTER.json', 'application/json', Buffer.from('{"to":"0x42"}'))

function file(name: string, type: string, bytes: Uint8Array): Attachment {
  return { name, type, bytes }
}

async function picture(format: 'png' | 'jpeg' | 'webp', width = 512, height = 512) {
  const blank = sharp({ create: { width, height, channels: 3, background: '#123456' } })
  return file(`otter.${format}`, `image/${format}`, await blank.toFormat(format).toBuffer())
}

function withFiles(words: string, files: Attachment[], label?: string): Answer {
  const { view } = says(words, label === undefined ? [] : [{ label, line: 'ask more' }])
  return { view: { ...view, files }, outcome: 'answered' }
}

/** What people see of the bot in a chat: photos with their size, documents with their content, and texts. */
function shown(chatId: number = ben.id): string[] {
  return chat.server.people
    .messages(chatId)
    .filter(({ sender }) => sender.isBot || chatId === news.id)
    .map(({ photo, document, text }) => {
      if (photo) return `photo ${photo.width}×${photo.height}`
      if (!document) return text
      const bytes = chat.server.api.files.get(document.fileId)?.bytes
      return `${document.name}: ${bytes?.toString('latin1', 0, 20)}`
    })
}

async function asked(answer: Answer, chatId: number = ben.id, thread?: number): Promise<void> {
  const { server, bot, sees } = chat
  bot.on('ask files', answer)
  server.people.text(ben.id, chatId, '/ask files', thread === undefined ? {} : { thread })
  await sees(chatId, 'below')
}

describe('the files of an answer', () => {
  test('are above its text, a picture as a photo, anything else as a document', async () => {
    await asked(withFiles('below', [await picture('webp'), json], 'More'))
    expect(shown()).toEqual(['photo 512×512', 'launch-OTTER.json: {"to":"0x42"}', 'below'])
    const last = chat.server.people.messages(ben.id).at(-1)
    expect(last?.buttons.flat().map(({ text }) => text)).toEqual(['More'])
    const [sent] = chat.server.calls.of('sendPhoto')
    expect(sent?.status).toBe(200)
  })

  test('that Telegram does not take for a photo are documents', async () => {
    const odd = [
      file('otter.svg', 'image/svg+xml', Buffer.from('<svg/>')),
      file('otter.png', 'image/png', Buffer.from('no picture')),
      { ...(await picture('png', 4_000, 20)), name: 'long.png' },
    ]
    await asked(withFiles('below', odd))
    expect(shown()).toEqual([
      'otter.svg: <svg/>',
      'otter.png: no picture',
      expect.stringMatching(/^long\.png: .PNG/u),
      'below',
    ])
    expect(chat.bot.explained).toEqual([])
    // What can't be one is not even tried as one.
    expect(chat.server.calls.of('sendPhoto')).toHaveLength(2)
  })

  test('have names that can’t affect the text around them', async () => {
    const names = ['a"b;c.json', 'x\r\ncontent-type: text/html\r\n\r\n.json', '', '月.json']
    await asked(
      withFiles(
        'below',
        names.map((name) => ({ ...json, name })),
      ),
    )
    expect(shown().map((text) => text.split(':')[0])).toEqual([
      'a_b_c.json',
      'x__content-type_ text_html____.json',
      'file',
      '月.json',
      'below',
    ])
  })

  test('stay in the topic', async () => {
    await asked(withFiles('below', [json]), lodge.id, 3)
    const threads = chat.server.people.messages(lodge.id).map(({ thread }) => thread)
    expect(threads).toEqual([3, 3, 3])
  })

  test('are not sent with an interim view', async () => {
    chat.bot.on('ask files', async (_, __, show: ShowProgress<string>) => {
      await show({ ...viewOf('first'), files: [json] })
      await chat.sees(ben.id, 'first')
      return withFiles('below', [json])
    })
    chat.server.people.text(ben.id, ben.id, '/ask files')
    await chat.sees(ben.id, 'below')
    await chat.settled(ben.id)
    expect(shown()).toEqual(['first', 'launch-OTTER.json: {"to":"0x42"}', 'below', 'ask settled'])
  })

  test('that are empty are refused by Telegram, and the person reads so', async () => {
    chat.bot.on('ask files', withFiles('below', [{ ...json, bytes: new Uint8Array() }]))
    chat.server.people.text(ben.id, ben.id, '/ask files')
    await chat.sees(ben.id, 'explained')
    expect(shown()).toEqual(['explained'])
  })
})

describe('a press whose answer has files', () => {
  const more = { label: 'More', line: 'ask more' }

  async function pressed(buttons: Button<string>[] = [more]): Promise<void> {
    chat.bot.on('ask card', says('the card', buttons))
    chat.server.people.text(ben.id, ben.id, '/ask card')
    const { id } = await chat.sees(ben.id, 'the card')
    chat.bot.on('ask more', withFiles('below', [json], 'Further'))
    const result = await chat.server.people.press(ben.id, ben.id, id, { label: 'More' }, 20_000)
    expect(result).toEqual({ kind: 'answer', text: '', alert: false, url: '' })
    await chat.settled(ben.id)
  }

  const labels = () =>
    chat.server.people
      .messages(ben.id)
      .filter(({ sender }) => sender.isBot)
      .map(({ buttons }) => buttons.flat().map(({ text }) => text))

  test('sends new messages, and removes the old buttons', async () => {
    await pressed()
    expect(shown()).toEqual([
      'the card',
      'launch-OTTER.json: {"to":"0x42"}',
      'below',
      'ask settled',
    ])
    expect(labels()).toEqual([[], [], ['Further'], []])
  })

  test('leaves the pressed message with the last step of those before it', async () => {
    chat.bot.on('ask card', says('the card', [more]))
    chat.server.people.text(ben.id, ben.id, '/ask card')
    const { id } = await chat.sees(ben.id, 'the card')
    chat.bot.on('ask more', async (_, __, show) => {
      // The steps come too fast for each to be shown.
      for (const step of ['first', 'second', 'last step']) await show(viewOf(step, [more]))
      return withFiles('below', [json])
    })
    await chat.server.people.press(ben.id, ben.id, id, { label: 'More' }, 20_000)
    await chat.settled(ben.id)
    expect(shown()).toEqual([
      'last step',
      'launch-OTTER.json: {"to":"0x42"}',
      'below',
      'ask settled',
    ])
    expect(labels()).toEqual([[], [], [], []])
  })

  test('arrives even if the message with the steps before it was deleted', async () => {
    chat.bot.on('ask files', async (_, __, show) => {
      await show(viewOf('first'))
      const { id } = await chat.sees(ben.id, 'first')
      const place = chat.server.api.world.places.get(ben.id)
      if (place) chat.server.api.world.remove(place, id)
      await show(viewOf('last step'))
      return withFiles('below', [json])
    })
    chat.server.people.text(ben.id, ben.id, '/ask files')
    await chat.sees(ben.id, 'below')
    await chat.settled(ben.id)
    expect(shown()).toEqual(['launch-OTTER.json: {"to":"0x42"}', 'below', 'ask settled'])
    expect(chat.log.of('error')).toEqual([])
  })

  test('arrives even if the old message was deleted', async () => {
    chat.bot.on('ask card', says('the card', [more]))
    chat.server.people.text(ben.id, ben.id, '/ask card')
    const { id } = await chat.sees(ben.id, 'the card')
    chat.bot.on('ask more', () => {
      const place = chat.server.api.world.places.get(ben.id)
      if (place) chat.server.api.world.remove(place, id)
      return withFiles('below', [json])
    })
    await chat.server.people.press(ben.id, ben.id, id, { label: 'More' }, 20_000)
    expect(shown()).toEqual(['launch-OTTER.json: {"to":"0x42"}', 'below'])
    expect(chat.log.of('error')).toEqual([])
  })
})
