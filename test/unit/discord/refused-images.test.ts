import { type APIMessage, ComponentType, PermissionFlagsBits } from 'discord-api-types/v10'
import { afterEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Chat, deferred, failure, isEphemeral, startChat, toClub } from './discord-chat.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const refusedImage = 'https://llama_otter.example/x.png'
const acceptedImage = 'https://otter.example/x.png'
const card = (image: string, words = 'Moon Otter') => ({ ...viewOf(words), image })
const answer = (image: string) => ({ view: card(image), outcome: 'answered' as const })

/** Texts and picture addresses of a message, in their order. */
function shown({ components = [] }: APIMessage): string[] {
  return components
    .flatMap((part) => (part.type === ComponentType.Container ? part.components : []))
    .flatMap((part) => (part.type === ComponentType.Section ? part.components : [part]))
    .flatMap((part) => ('content' in part ? [part.content] : []))
    .concat(JSON.stringify(components).match(/(?<="url":")https:[^"]*/gu) ?? [])
}

async function started(): Promise<Chat> {
  const chat = await startChat()
  stops.push(chat.stop)
  return chat
}

describe('a picture address that Discord refuses is left out', () => {
  const ask = ({ server }: Pick<Chat, 'server'>) =>
    server.people.slash(ada.id, club.id, 'ask', { term: 'moon' })

  test('of an answer, which all read as before', async () => {
    const chat = await started()
    chat.bot.on('ask moon', answer(refusedImage))
    const message = await ask(chat).message()
    expect([shown(message), isEphemeral(message)]).toEqual([['Moon Otter'], false])
    expect(chat.bot.explained).toEqual([])
  })

  test('of a late answer', async () => {
    const chat = await started()
    const come = deferred(chat, 'ask moon')
    const asked = ask(chat)
    expect(await asked.taken).toBe('thinking')
    come(answer(refusedImage))
    expect(shown(await asked.message())).toEqual(['Moon Otter'])
  })

  test('of an answer in a private chat', async () => {
    const chat = await started()
    chat.bot.on('ask moon', answer(refusedImage))
    const dm = chat.server.people.dm(ben.id)
    chat.server.people.text(ben.id, dm, '/ask moon')
    const message = await chat.server.people.until(dm, ben.id, (messages) =>
      messages.find(({ author }) => author.bot),
    )
    expect(shown(message)).toEqual(['Moon Otter'])
  })

  test('of an alert, and of its edit', async () => {
    const chat = await started()
    const { message } = await chat.platform.send(toClub, card(refusedImage), 'one')
    const read = () => chat.server.people.messages(club.id, ada.id).map(shown)
    expect(read()).toEqual([['Moon Otter']])
    await chat.platform.edit(toClub, message, card(refusedImage, 'Sun Otter'))
    expect(read()).toEqual([['Sun Otter']])
  })
})

test('a picture address that Discord takes is sent once', async () => {
  const chat = await started()
  await chat.platform.send(toClub, card(acceptedImage), 'one')
  expect(chat.server.people.messages(club.id, ada.id).map(shown)).toEqual([
    ['Moon Otter', acceptedImage],
  ])
  expect(chat.server.calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a message that is refused for another reason is not sent again without its picture', async () => {
  const chat = await started()
  chat.server.world.deny(club.id, PermissionFlagsBits.SendMessages)
  const sending = chat.platform.send(toClub, card(acceptedImage), 'one')
  expect(await failure(sending)).toMatchObject({ loss: 'forbidden' })
  expect(chat.server.calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('what Discord refuses without its picture, too, is given up', async () => {
  const chat = await started()
  const buttons = [[{ label: 'Go', url: 'https://llama_otter.example/' }]]
  const sending = chat.platform.send(toClub, { ...card(refusedImage), buttons }, 'one')
  expect(await failure(sending)).toMatchObject({ final: true, loss: undefined })
  expect(chat.server.calls.filter(({ method }) => method === 'POST')).toHaveLength(2)
})
