import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import { startFrontedChat } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

const manages = (place: number, person: number | string) =>
  chat.platform.manages(String(place), String(person))

describe('who may decide what the bot writes', () => {
  test.each([
    ['creator', club.id, true],
    ['administrator', club.id, true],
    ['administrator', lodge.id, true],
    ['administrator', news.id, true],
    ['member', lodge.id, false],
    ['member', news.id, false],
    ['left', club.id, false],
    ['kicked', lodge.id, false],
  ] as const)('%s of %i', async (role, place, may) => {
    chat.server.circumstances.role(ben.id, place, role)
    expect(await manages(place, ben.id)).toBe(may)
  })

  test('is an anonymous administrator too', async () => {
    chat.server.circumstances.role(ben.id, lodge.id, 'administrator')
    chat.server.circumstances.stands(ben.id, lodge.id, { anonymous: true })
    expect(await manages(lodge.id, ben.id)).toBe(true)
  })

  test('is no administrator of a channel who may not post there', async () => {
    chat.server.circumstances.role(ben.id, news.id, 'administrator')
    chat.server.circumstances.stands(ben.id, news.id, { silent: true })
    expect(await manages(news.id, ben.id)).toBe(false)
  })

  test.each(['77', 'ben', ''])('is not the invalid id %j', async (person) => {
    expect(await manages(club.id, person)).toBe(false)
  })

  test('is requested each time', async () => {
    expect(await manages(club.id, ben.id)).toBe(false)
    chat.server.circumstances.role(ben.id, club.id, 'administrator')
    expect(await manages(club.id, ben.id)).toBe(true)
    chat.server.circumstances.role(ben.id, club.id, 'member')
    expect(await manages(club.id, ben.id)).toBe(false)
  })

  test('is requested of the supergroup that a group became', async () => {
    chat.server.people.migrate(club.id)
    expect(await manages(club.id, ada.id)).toBe(true)
    expect(await manages(club.id, ben.id)).toBe(false)
  })

  test('fails if the bot is not there, or Telegram does not answer', async () => {
    chat.server.people.kick(club.id)
    const error = { name: 'SendError' }
    await expect(manages(club.id, ada.id)).rejects.toMatchObject({ ...error, loss: 'removed' })
    await expect(manages(-77, ada.id)).rejects.toMatchObject({ ...error, loss: 'gone' })
    chat.front.mishap = () => 'reset'
    await expect(manages(lodge.id, ada.id)).rejects.toMatchObject({ ...error, loss: undefined })
  })
})

test('a chat is named by its title, if Telegram gives it', async () => {
  expect(await chat.platform.title(String(news.id))).toBe(news.title)
  expect(await chat.platform.title('-77')).toBeUndefined()
})
