import { MessageFlags } from 'discord-api-types/v10'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, gavel } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import {
  call,
  callback,
  commands,
  hook,
  Line,
  nextInteraction,
  type RawInteraction,
  say,
  token,
} from './discord-bot.ts'

let server: DiscordServer
let line: Line
let clock = Date.now()

beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false, now: () => clock })
  line = new Line(server)
  await line.identify()
  await line.when('GUILD_CREATE')
  await call(server, `PUT /applications/${gavel.id}/commands`, commands)
})

afterAll(async () => {
  await line.close()
  await server.stop()
})

let from = 0
beforeEach(() => {
  from = line.frames.length
})

async function ask(user = ada.id) {
  const asked = server.people.slash(user, club.id, 'ask')
  return { asked, interaction: await nextInteraction(line, from) }
}

const ids = (viewer: string) => server.people.messages(club.id, viewer).map(({ id }) => id)

describe('an interaction', () => {
  test('carries what a bot needs to know of the person and the place', async () => {
    const { asked, interaction } = await ask(ben.id)
    expect(interaction).toMatchObject({
      type: 2,
      application_id: gavel.id,
      guild_id: '1300000000000000200',
      channel_id: club.id,
      channel: { id: club.id, type: 0 },
      member: { user: { id: ben.id, username: 'ben' }, roles: [] },
      context: 0,
      authorizing_integration_owners: { 0: '1300000000000000200' },
      entitlements: [],
      locale: 'en-US',
      version: 1,
      data: { name: 'ask', type: 1 },
    })
    await callback(server, interaction, say('x'))
    await asked.message()
  })

  test('shows an administrator and a plain member by their permissions', async () => {
    const permissions = (raw: RawInteraction) =>
      BigInt(JSON.parse(JSON.stringify(raw.member)).permissions)
    const first = await ask(ada.id)
    from = line.frames.length
    const second = await ask(ben.id)
    expect(permissions(first.interaction) & 8n).toBe(8n)
    expect(permissions(second.interaction) & 8n).toBe(0n)
    for (const each of [first, second]) await callback(server, each.interaction, say('x'))
  })

  test('in a private chat has a user and no member', async () => {
    server.people.slash(ben.id, server.people.dm(ben.id), 'ask')
    const interaction = await nextInteraction(line, from)
    expect(interaction).toMatchObject({ user: { id: ben.id }, context: 1, channel: { type: 1 } })
    expect(interaction.member).toBeUndefined()
    expect(interaction.guild_id).toBeUndefined()
    await callback(server, interaction, say('x'))
  })

  test('takes one answer', async () => {
    const { interaction } = await ask()
    expect((await callback(server, interaction, say('one'))).status).toBe(204)
    const second = await callback(server, interaction, say('two'))
    expect(second).toMatchObject({ status: 400, code: 40060 })
  })

  test('is unknown after 3 seconds without an answer', async () => {
    const { interaction } = await ask()
    clock += 3_001
    expect(await callback(server, interaction, say('late'))).toMatchObject({
      status: 404,
      code: 10062,
    })
  })

  test('is unknown with another token', async () => {
    const { interaction } = await ask()
    const forged = { ...interaction, token: 'guess' }
    expect(await callback(server, forged, say('x'))).toMatchObject({ status: 404, code: 10062 })
    await callback(server, interaction, say('x'))
  })

  test('can be edited and followed up for 15 minutes and no longer', async () => {
    const { interaction } = await ask()
    await callback(server, interaction, say('x'))
    const edit = () =>
      call(server, `PATCH ${hook(interaction)}/messages/@original`, { content: 'y' })
    clock += 15 * 60_000 - 1
    expect((await edit()).status).toBe(200)
    clock += 2
    expect(await edit()).toMatchObject({ status: 401, code: 50027 })
    expect(await call(server, `POST ${hook(interaction)}`, { content: 'z' })).toMatchObject({
      code: 50027,
    })
  })

  test('has no webhook before its first answer', async () => {
    const { interaction } = await ask()
    expect(await call(server, `POST ${hook(interaction)}`, { content: 'x' })).toMatchObject({
      status: 404,
      code: 10015,
    })
    await callback(server, interaction, say('x'))
  })

  test('returns its message with with_response', async () => {
    const { interaction } = await ask()
    const path = `POST /interactions/${interaction.id}/${interaction.token}/callback?with_response=true`
    const reply = await call(server, path, say('x', { flags: 64 }))
    expect(reply.json).toMatchObject({
      interaction: { id: interaction.id, response_message_ephemeral: true },
      resource: { type: 4, message: { content: 'x' } },
    })
  })

  test('without one of these answers 204 and no content type', async () => {
    const { interaction } = await ask()
    const reply = await callback(server, interaction, say('x'))
    expect(reply.status).toBe(204)
    expect(reply.headers.get('content-type')).toBeNull()
  })
})

describe('a deferred answer', () => {
  test('thinks until it is filled, and is then not marked as edited', async () => {
    const { asked, interaction } = await ask()
    await callback(server, interaction, { type: 5 })
    expect(await asked.taken).toBe('thinking')
    const thinking = server.people.messages(club.id, ben.id).at(-1)
    expect(thinking?.flags).toBe(MessageFlags.Loading)
    const edited = { flags: 1 << 15, components: [{ type: 10, content: 'done' }] }
    await call(server, `PATCH ${hook(interaction)}/messages/@original`, edited)
    expect(await asked.message()).toMatchObject({
      id: thinking?.id,
      flags: 1 << 15,
      edited_timestamp: null,
    })
  })

  test('ignores the Components V2 flag, which the edit has to set', async () => {
    const { interaction } = await ask()
    await callback(server, interaction, { type: 5, data: { flags: 1 << 15 } })
    const components = [{ type: 10, content: 'x' }]
    const path = `PATCH ${hook(interaction)}/messages/@original`
    expect((await call(server, path, { components })).faults).toEqual([
      'components.0 UNION_TYPE_CHOICES',
    ])
    expect((await call(server, path, { components, flags: 1 << 15 })).status).toBe(200)
  })

  test('is filled by the first follow-up, whose own ephemeral flag is ignored', async () => {
    const { asked, interaction } = await ask()
    await callback(server, interaction, { type: 5 })
    const thinking = ids(ben.id).at(-1)
    await call(server, `POST ${hook(interaction)}`, { content: 'x', flags: 64 })
    expect((await asked.message()).id).toBe(thinking)
    expect(ids(ben.id)).toContain(thinking)
  })
})

describe('a Components V2 message', () => {
  test('never loses its flag, and reads legacy fields and flags: 0 as Discord does', async () => {
    const { interaction } = await ask()
    const components = [{ type: 10, content: 'x' }]
    await callback(server, interaction, { type: 4, data: { flags: 1 << 15, components } })
    const path = `PATCH ${hook(interaction)}/messages/@original`
    expect((await call(server, path, { content: 'y' })).faults).toEqual([
      'content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ])
    expect((await call(server, path, { components, flags: 0 })).faults).toEqual([
      'components.0 UNION_TYPE_CHOICES',
    ])
    const reply = await call(server, path, { components })
    expect(reply).toMatchObject({ status: 200, json: { flags: 1 << 15 } })
  })
})

describe('an ephemeral answer', () => {
  test('is seen by the asker alone, can be edited by its token, and not by the channel', async () => {
    const { asked, interaction } = await ask(ben.id)
    await callback(server, interaction, say('secret', { flags: 64 }))
    const { id } = await asked.message()
    expect(ids(ben.id)).toContain(id)
    expect(ids(ada.id)).not.toContain(id)
    expect(await call(server, `GET /channels/${club.id}/messages/${id}`)).toMatchObject({
      code: 10008,
    })
    const edited = await call(server, `PATCH ${hook(interaction)}/messages/@original`, {
      content: 'y',
    })
    expect(edited.json).toMatchObject({ content: 'y', flags: 64 })
    server.people.dismiss(ben.id, club.id, id)
    expect(ids(ben.id)).not.toContain(id)
  })

  test('has ephemeral follow-ups only where they say so', async () => {
    const { interaction } = await ask(ben.id)
    await callback(server, interaction, say('secret', { flags: 64 }))
    const open = await call(server, `POST ${hook(interaction)}`, { content: 'for all' })
    expect(ids(ada.id)).toContain(JSON.parse(JSON.stringify(open.json)).id)
  })

  test('is gone once the bot deletes it', async () => {
    const { asked, interaction } = await ask(ben.id)
    await callback(server, interaction, say('secret', { flags: 64 }))
    const { id } = await asked.message()
    expect((await call(server, `DELETE ${hook(interaction)}/messages/@original`)).status).toBe(204)
    expect(ids(ben.id)).not.toContain(id)
    expect(await call(server, `GET ${hook(interaction)}/messages/@original`)).toMatchObject({
      code: 10008,
    })
  })
})
