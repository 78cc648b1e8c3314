import { randomBytes } from 'node:crypto'
import { type APIMessage, ComponentType, PermissionFlagsBits } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import type { Attachment, Button } from '../../../src/core/view.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, controlOf, startChat, textOf, toClub } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const file = (name: string, content: string, type = 'application/json'): Attachment => ({
  name,
  type,
  bytes: Buffer.from(content),
})
const webp = 'RIFF\0\0\0\0WEBPVP8 '
const picture = file('otter.webp', webp, 'image/webp')
const next: Button<string> = { label: 'Next', line: 'ask next' }

function shows(words: string, files: Attachment[]): Answer {
  return { view: { ...viewOf(words, [next]), files }, outcome: 'answered' }
}

const ask = () => chat.server.people.slash(ada.id, club.id, 'ask', { term: 'moon' }).message()
const press = (message: APIMessage) =>
  chat.server.people
    .click(ada.id, message.channel_id, message.id, controlOf(message, 'Next'))
    .message()
const names = ({ attachments }: APIMessage) => attachments.map(({ filename }) => filename)
const kinds = ({ components = [] }: APIMessage) =>
  components.flatMap((part) =>
    'components' in part ? part.components.map(({ type }) => type) : [],
  )
const contents = ({ attachments }: APIMessage) =>
  Promise.all(attachments.map(async ({ url }) => (await fetch(url)).text()))

describe('files of an answer', () => {
  test('are shown as a picture or a download', async () => {
    chat.bot.on('ask moon', shows('Sign this.', [file('payload.json', '{}'), picture]))
    const message = await ask()
    expect(names(message)).toEqual(['payload.json', 'otter.webp'])
    expect(kinds(message)).toEqual([10, 12, 13, 1])
    expect(await contents(message)).toEqual(['{}', webp])
    expect(message.attachments.map((each) => each.content_type)).toEqual([
      'application/json',
      'image/webp',
    ])
  })

  test('arrive as they are, also by a call that Discord made the bot repeat', async () => {
    const bytes = randomBytes(100_000)
    const hostile = '--gavel-1\r\nContent-Disposition: form-data; name="x"\r\n\r\n\0--gavel-1--\r\n'
    const files = [{ ...picture, bytes }, file('payload.json', hostile), file('empty.json', '')]
    chat.bot.on('ask moon', shows('“Ünïcode” 🦦', files))
    chat.server.faults.set({ kind: 'status', match: 'PATCH', status: 503, times: 1 })
    const message = await ask()
    expect(textOf(message)).toBe('“Ünïcode” 🦦')
    const [arrived, ...others] = await Promise.all(
      message.attachments.map(async ({ url }) => Buffer.from(await (await fetch(url)).bytes())),
    )
    const edits = chat.server.calls.filter(({ route }) => route.endsWith('/messages/:id'))
    expect(edits).toHaveLength(2)
    expect(arrived).toEqual(bytes)
    expect(others.map(String)).toEqual([hostile, ''])
  })

  test('are removed when the message changes, and replaced by others', async () => {
    chat.bot.on('ask moon', shows('one', [picture]))
    chat.bot.on('ask next', shows('two', [file('otter.webp', 'other', 'image/webp')]))
    const second = await press(await ask())
    expect([names(second), await contents(second)]).toEqual([['otter.webp'], ['other']])
    chat.bot.on('ask next', says('three'))
    const third = await press(second)
    expect([third.id, textOf(third), names(third), kinds(third)]).toEqual([
      second.id,
      'three',
      [],
      [10],
    ])
  })

  test('replace those of a progress step in a late answer', async () => {
    const answer = Promise.withResolvers<Answer>()
    chat.bot.on('ask moon', async (_, __, show) => {
      await show(shows('step', [picture]).view)
      return answer.promise
    })
    const asked = chat.server.people.slash(ada.id, club.id, 'ask', { term: 'moon' })
    expect(names(await asked.message())).toEqual(['otter.webp'])
    answer.resolve(shows('done', [file('payload.json', '{}')]))
    const done = await chat.server.people.until(club.id, ben.id, (messages) =>
      messages.find((message) => textOf(message) === 'done'),
    )
    expect(names(done)).toEqual(['payload.json'])
  })

  test('have names of their own that Discord takes, whatever they were called', async () => {
    const hostile = ['../../x y.json', 'ä', '', 'otter.webp', 'otter.webp', 'x'.repeat(300)]
    chat.bot.on(
      'ask moon',
      shows(
        'x',
        hostile.map((name) => file(name, name)),
      ),
    )
    const message = await ask()
    expect(names(message)).toEqual([
      '.._.._x_y.json',
      '_',
      'file',
      'otter.webp',
      '2-otter.webp',
      'x'.repeat(100),
    ])
    expect(await contents(message)).toEqual(hostile)
  })

  test.each<[string, Attachment[], string]>([
    ['more', Array.from({ length: 11 }, (_, index) => file(`${index}.json`, '{}')), '11 files'],
    ['larger', [{ ...picture, bytes: new Uint8Array(10 * 1024 * 1024 + 1) }], '10485761 bytes'],
  ])('that are %s than Discord takes are explained instead', async (_, files, message) => {
    chat.bot.on('ask moon', shows('x', files))
    expect(textOf(await ask())).toBe('explained')
    expect(chat.bot.explained.map(({ error }) => String(error))).toEqual([
      expect.stringContaining(message),
    ])
  })
})

describe('the picture of a view', () => {
  const card = { ...file('card.webp', 'a card', 'image/webp'), key: 'card 1' }
  const image = 'https://images.example/otter.png'
  const galleries = ({ components: [top] = [] }: APIMessage) =>
    (top && 'components' in top ? top.components : []).flatMap((part) =>
      part.type === ComponentType.MediaGallery ? [part.items.map(({ media }) => media.url)] : [],
    )

  test('is shown large below the text, instead of the small one', async () => {
    chat.bot.on('ask moon', {
      view: { ...viewOf('Moon Otter', [next]), picture: card, image },
      outcome: 'answered',
    })
    const message = await ask()
    expect(kinds(message)).toEqual([
      ComponentType.TextDisplay,
      ComponentType.MediaGallery,
      ComponentType.ActionRow,
    ])
    const [[url = ''] = []] = galleries(message)
    expect(await (await fetch(url)).text()).toBe('a card')
  })

  test('is separate from the files of the view, even if one has its name', async () => {
    const files = [file('card.webp', 'another', 'image/webp'), file('payload.json', '{}')]
    chat.bot.on('ask moon', {
      view: { ...viewOf('Moon Otter'), picture: card, files },
      outcome: 'answered',
    })
    const message = await ask()
    expect(names(message)).toEqual(['card.webp', '2-card.webp', 'payload.json'])
    const shown = galleries(message).map(([url = '']) => fetch(url).then((each) => each.text()))
    expect(await Promise.all(shown)).toEqual(['a card', 'another'])
  })

  test('changes with the message that was sent', async () => {
    const { message } = await chat.platform.send(toClub, { ...viewOf('10%'), picture: card }, 'one')
    const later = { ...card, bytes: Buffer.from('a later card'), key: 'card 2' }
    await chat.platform.edit(toClub, message, { ...viewOf('20%'), picture: later })
    const seen = () => chat.server.people.messages(club.id, ben.id)
    expect(await Promise.all(seen().map(contents))).toEqual([['a later card']])
    await chat.platform.edit(toClub, message, viewOf('Ended'))
    expect(seen().map((each) => [textOf(each), names(each)])).toEqual([['Ended', []]])
  })

  test('is left out if the bot may attach no files, and is not tried there each time', async () => {
    const { server, platform } = chat
    server.world.deny(club.id, PermissionFlagsBits.AttachFiles)
    const { message } = await platform.send(
      toClub,
      { ...viewOf('one'), picture: card, image },
      'one',
    )
    await platform.send(toClub, { ...viewOf('two'), picture: card }, 'two')
    await platform.edit(toClub, message, { ...viewOf('three'), picture: card })
    expect(chat.reads(club.id, ben.id)).toHaveLength(2)
    expect(server.people.messages(club.id, ben.id).flatMap(names)).toEqual([])
    expect(server.calls.filter(({ status }) => status === 403)).toHaveLength(1)
  })

  test('changes nothing if the bot may not write at all', async () => {
    chat.server.world.deny(club.id, PermissionFlagsBits.SendMessages)
    const sending = chat.platform.send(toClub, { ...viewOf('one'), picture: card }, 'one')
    await expect(sending).rejects.toMatchObject({ final: true, loss: 'forbidden' })
  })
})
