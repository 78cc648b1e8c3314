import { Api, GrammyError, InputFile } from 'grammy'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, club, lodge } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram, token } from './telegram-call.ts'

let server: TelegramServer
let api: Api
let now = 1_700_000_000_000
beforeEach(async () => {
  server = await startTelegram({ now: () => now })
  server.people.text(ada.id, ada.id, '/start')
  api = new Api(token, { apiRoot: server.root })
})
afterEach(() => server.stop())

async function png(background: string): Promise<InputFile> {
  const drawn = sharp({ create: { width: 40, height: 20, channels: 3, background } })
  return new InputFile(await drawn.png().toBuffer(), 'card.png')
}

const described = (error: unknown) =>
  error instanceof GrammyError ? error.description : `no refusal: ${String(error)}`
const last = () => server.people.messages(ada.id).at(-1)

describe('editMessageMedia', () => {
  test('gives a text message a picture, whose caption replaces its text', async () => {
    const { message_id } = await api.sendMessage(ada.id, '<b>words</b>', { parse_mode: 'HTML' })
    const edited = await api.editMessageMedia(
      ada.id,
      message_id,
      { type: 'photo', media: await png('red'), caption: '<i>sold</i>', parse_mode: 'HTML' },
      { reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] } },
    )
    expect(edited).toMatchObject({
      message_id,
      caption: 'sold',
      photo: [{ width: 40, height: 20 }],
    })
    expect(last()).toMatchObject({ id: message_id, text: 'sold', photo: { width: 40 } })
    expect(last()?.entities).toMatchObject([{ type: 'italic' }])
    expect(last()?.buttons).toHaveLength(1)
  })

  test('changes a picture by its id, and takes the caption away that is left out', async () => {
    const red = await api.sendPhoto(ada.id, await png('red'), { caption: 'red' })
    const blue = await api.sendPhoto(ada.id, await png('blue'))
    const media = blue.photo[0]?.file_id ?? ''
    await api.editMessageMedia(ada.id, red.message_id, { type: 'photo', media })
    const [, seen] = server.people.messages(ada.id)
    expect(seen).toMatchObject({ id: red.message_id, text: '', photo: { fileId: media } })
  })

  test('refuses what the Bot API refuses', async () => {
    const { message_id, photo } = await api.sendPhoto(ada.id, await png('red'), { caption: 'x' })
    const same = photo[0]?.file_id ?? ''
    const { document } = await api.sendDocument(ada.id, new InputFile(Buffer.from('{}'), 'a.json'))
    const edit = (media: object) =>
      call(server, 'editMessageMedia', { chat_id: ada.id, message_id, media }).then(
        ({ description }) => description,
      )
    expect(await edit({ type: 'photo', media: same, caption: 'x' })).toContain('is not modified')
    expect(await edit({ type: 'photo', media: 'AgACunknown' })).toContain('file identifier')
    expect(await edit({ type: 'photo', media: document.file_id })).toContain("can't use file")
    expect(await edit({ type: 'photo', media: same, caption: 'x'.repeat(1_025) })).toContain(
      'caption is too long',
    )
    expect(
      await edit({ type: 'photo', media: same, caption: '<b>', parse_mode: 'HTML' }),
    ).toContain("can't parse entities")
    expect(await edit({ type: 'video', media: same })).toContain('photos only')
    expect(last()?.text).toBe('')
  })
})

test('a photo has no text to edit, and a text no caption', async () => {
  const photo = await api.sendPhoto(ada.id, await png('red'))
  const text = await api.sendMessage(ada.id, 'x')
  expect(await api.editMessageText(ada.id, photo.message_id, 'y').catch(described)).toContain(
    'there is no text in the message to edit',
  )
  expect(
    await api.editMessageCaption(ada.id, text.message_id, { caption: 'y' }).catch(described),
  ).toContain('there is no caption in the message to edit')
})

test('a bot takes back what it wrote within two days, and later only as an administrator', async () => {
  const { message_id } = await api.sendMessage(club.id, 'x')
  now += 48 * 3_600_000
  expect(await api.deleteMessage(club.id, message_id).catch(described)).toContain(
    "can't be deleted",
  )
  server.people.invite(club.id, 'administrator')
  expect(await api.deleteMessage(club.id, message_id)).toBe(true)
})

describe('rights', () => {
  test('a closed topic, a deleted one and a muted bot are refused as such', async () => {
    const { circumstances } = server
    const inTopic = (message_thread_id: number) =>
      api.sendMessage(lodge.id, 'x', { message_thread_id }).then(() => 'sent', described)
    circumstances.closeTopic(lodge.id, 2)
    circumstances.deleteTopic(lodge.id, 3)
    expect(await inTopic(2)).toBe('Bad Request: TOPIC_CLOSED')
    expect(await inTopic(3)).toBe('Bad Request: message thread not found')
    server.people.invite(lodge.id, 'administrator')
    expect(await inTopic(2)).toBe('sent')
    circumstances.openTopic(lodge.id, 2)
    server.people.invite(lodge.id, 'member')
    expect(await inTopic(2)).toBe('sent')
    circumstances.botMay(lodge.id, 'texts')
    expect(await api.sendPhoto(lodge.id, await png('red')).catch(described)).toBe(
      'Bad Request: not enough rights to send photos to the chat',
    )
    expect(await inTopic(2)).toBe('sent')
    circumstances.botMay(lodge.id, 'nothing')
    expect(await inTopic(2)).toBe(
      'Bad Request: not enough rights to send text messages to the chat',
    )
  })

  test('accounts and groups that are deleted are gone', async () => {
    for (const { id } of [ada, club]) server.circumstances.deleteChat(id)
    expect(await api.sendMessage(ada.id, 'x').catch(described)).toBe(
      'Forbidden: user is deactivated',
    )
    expect(await api.sendMessage(club.id, 'x').catch(described)).toBe(
      'Forbidden: the group chat was deleted',
    )
  })

  test('getChatMember tells of anonymous administrators and of what each may in a channel', async () => {
    const { circumstances } = server
    const [channel = 0] = circumstances.channels(1, ada.id)
    circumstances.stands(ada.id, lodge.id, { anonymous: true })
    expect(await api.getChatMember(lodge.id, ada.id)).toMatchObject({
      status: 'creator',
      is_anonymous: true,
    })
    circumstances.role(ada.id, channel, 'administrator')
    circumstances.stands(ada.id, channel, { silent: true })
    expect(await api.getChatMember(channel, ada.id)).toMatchObject({
      status: 'administrator',
      can_post_messages: false,
    })
    circumstances.role(ada.id, lodge.id, 'administrator')
    expect(await api.getChatMember(lodge.id, ada.id)).not.toHaveProperty('can_post_messages')
  })
})
