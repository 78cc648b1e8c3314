import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  ada,
  adminRole,
  ben,
  botRole,
  club,
  gavel,
  launchesRole,
  otterClub,
} from '../../../sandbox/discord/cast.ts'
import { SendError } from '../../../src/core/adapter.ts'
import type { View } from '../../../src/core/view.ts'
import { type Chat, startChat, textOf, toClub } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const view: View = { title: ['Live now'], blocks: [{ kind: 'text', spans: ['@everyone <@&1>'] }] }

async function sent(mentions: string[]) {
  const { message } = await chat.platform.send(toClub, { ...view, mentions }, mentions.join())
  return chat.server.people.messages(club.id, ben.id).find(({ id }) => id === message)
}

const asked = () =>
  chat.server.calls.findLast(
    ({ method, route }) => `${method} ${route}` === 'POST /channels/:id/messages',
  )?.body

describe('a message', () => {
  test('notifies the role that it mentions, and nobody else', async () => {
    const message = await sent([launchesRole.id])
    expect(message).toMatchObject({ mention_roles: [launchesRole.id], mention_everyone: false })
    expect(message && textOf(message)).toContain(`<@&${launchesRole.id}>`)
    expect(asked()).toMatchObject({ allowed_mentions: { parse: [], roles: [launchesRole.id] } })
  })

  test('notifies everyone if it mentions them', async () => {
    expect(await sent(['everyone'])).toMatchObject({ mention_roles: [], mention_everyone: true })
  })

  test('notifies nobody without a mention, and once it is edited', async () => {
    expect(await sent([])).toMatchObject({ mention_roles: [], mention_everyone: false })
    const message = await sent([launchesRole.id])
    await chat.platform.edit(toClub, message?.id ?? '', view)
    const [edited] = chat.server.people.messages(club.id, ben.id).slice(-1)
    expect(edited).toMatchObject({ mention_roles: [], mention_everyone: false })
  })

  test('notifies no role that the bot may no longer mention', async () => {
    chat.server.world.deny(club.id, P.MentionEveryone)
    expect(await sent([adminRole.id])).toMatchObject({ mention_roles: [] })
    expect(await sent([launchesRole.id])).toMatchObject({ mention_roles: [launchesRole.id] })
  })

  test('is sent all the same if its role was deleted', async () => {
    expect(await sent(['1300000000000009999'])).toMatchObject({ mention_roles: [] })
  })
})

describe('a role', () => {
  const mention = (person: string, role: string) => chat.platform.mention(club.id, person, role)
  const refusal = (key: string) => ({ refusal: expect.objectContaining({ key }) })
  const found = { role: launchesRole.id, name: '@Launches' }
  const everyoneMay = (person: string, may: boolean) =>
    chat.server.world.deny(club.id, may ? 0n : P.MentionEveryone, person)

  test('that anyone may mention is anyone’s', async () => {
    everyoneMay(ben.id, false)
    everyoneMay(gavel.id, false)
    expect(await mention(ben.id, launchesRole.id)).toEqual(found)
  })

  test('of other kinds takes the permission to mention everyone, of the person and of the bot', async () => {
    expect(await mention(ben.id, adminRole.id)).toEqual({ role: adminRole.id, name: '@Admin' })
    expect(await mention(ben.id, otterClub.id)).toEqual({ role: 'everyone', name: '@everyone' })
    everyoneMay(ben.id, false)
    for (const role of [adminRole.id, botRole.id, otterClub.id])
      expect(await mention(ben.id, role)).toEqual(refusal('discord-role-not-yours'))
    expect(await mention(ada.id, adminRole.id)).toEqual({ role: adminRole.id, name: '@Admin' })
    everyoneMay(gavel.id, false)
    for (const role of [adminRole.id, otterClub.id])
      expect(await mention(ada.id, role)).toEqual(refusal('discord-role-not-mine'))
  })

  test('that is not there, or of no server, is none', async () => {
    expect(await mention(ada.id, '1300000000000009999')).toEqual(refusal('discord-role-unknown'))
    const dm = chat.server.people.dm(ada.id)
    expect(await chat.platform.mention(dm, ada.id, launchesRole.id)).toEqual(
      refusal('discord-role-unknown'),
    )
  })

  test('can’t be told while Discord fails', async () => {
    chat.server.faults.set({ kind: 'status', status: 500 })
    await expect(mention(ada.id, launchesRole.id)).rejects.toThrow(SendError)
  })
})
