import { MessageFlags, PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, gavel, news, otterClub } from '../../../sandbox/discord/cast.ts'
import { ClientRefusal } from '../../../sandbox/discord/people.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import {
  call,
  callback,
  commands,
  filing,
  hook,
  Line,
  nextInteraction,
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
  await call(server, `PUT /applications/${gavel.id}/commands`, [...commands, filing])
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
  test('carries what a bot needs to know of the person and the channel', async () => {
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

  test('in a private chat has a user and no member', async () => {
    server.people.slash(ben.id, server.people.dm(ben.id), 'ask')
    const interaction = await nextInteraction(line, from)
    expect(interaction).toMatchObject({ user: { id: ben.id }, context: 1, channel: { type: 1 } })
    expect(interaction.member).toBeUndefined()
    expect(interaction.guild_id).toBeUndefined()
    await callback(server, interaction, say('x'))
  })

  test('accepts one answer', async () => {
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
    const escaped = `${hook(interaction)}/messages/%40original`
    expect((await call(server, `PATCH ${escaped}`, { content: 'z' })).status).toBe(200)
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
})

describe('a deferred answer', () => {
  test('shows "thinking" until it is filled, and is then not marked as edited', async () => {
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
  test('is seen by the asker alone, and can be edited by its token, not by its channel', async () => {
    const { asked, interaction } = await ask(ben.id)
    await callback(server, interaction, say('secret', { flags: 64 }))
    const { id } = await asked.message()
    expect(ids(ben.id)).toContain(id)
    expect(ids(ada.id)).not.toContain(id)
    expect(await call(server, `PATCH /channels/${club.id}/messages/${id}`)).toMatchObject({
      code: 10008,
    })
    const edited = await call(server, `PATCH ${hook(interaction)}/messages/@original`, {
      content: 'y',
    })
    expect(edited.json).toMatchObject({ content: 'y', flags: 64 })
    server.people.dismiss(ben.id, club.id, id)
    expect(ids(ben.id)).not.toContain(id)
  })

  test('has ephemeral follow-ups only if they are marked so', async () => {
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
    expect((await line.when('MESSAGE_DELETE', from)).d).toMatchObject({ id, channel_id: club.id })
    expect(await call(server, `PATCH ${hook(interaction)}/messages/@original`)).toMatchObject({
      code: 10008,
    })
  })
})

describe('the app does not let people', () => {
  const find = (options: Record<string, string | number>) => () =>
    server.people.slash(ben.id, club.id, 'find', options)

  test.each<[string, () => unknown]>([
    ['use an unknown command', () => server.people.slash(ben.id, club.id, 'nothing')],
    ['use a command without its subcommand', () => server.people.slash(ben.id, club.id, 'file')],
    ['use an unknown subcommand', () => server.people.slash(ben.id, club.id, 'file drop')],
    [
      'give a subcommand the option of another',
      () => server.people.slash(ben.id, club.id, 'file list', { name: 'x' }),
    ],
    ['leave out a required option', find({})],
    ['use an unknown option', find({ term: 'abc', colour: 'red' })],
    ['fall short of a length', find({ term: 'a' })],
    ['exceed a length', find({ term: 'abcdef' })],
    ['exceed a number', find({ term: 'abc', limit: 11 })],
    ['give words for a number', find({ term: 'abc', limit: 'ten' })],
    ['choose what is no choice', find({ term: 'abc', status: 'dead' })],
    [
      'use a command above their permissions',
      () => server.people.slash(ben.id, club.id, 'guarded'),
    ],
    [
      'use a server command in private',
      () => server.people.slash(ben.id, server.people.dm(ben.id), 'here'),
    ],
    ['use commands where they may not', () => server.people.slash(ben.id, news.id, 'ask')],
    ['write in the news', () => server.people.text(ben.id, news.id, 'hello')],
  ])('%s', (_, act) => {
    expect(act).toThrow(ClientRefusal)
    expect(line.frames.length).toBe(from)
  })

  test('choose what is no choice, and are told which there are', () => {
    const act = find({ term: 'abc', status: 'dead' })
    expect(act).toThrow('dead is none of the choices: Live.')
  })

  test('press what is disabled, hidden or not there', async () => {
    const { asked, interaction } = await ask(ben.id)
    const button = (id: string, more: object = {}) => ({
      type: 2,
      style: 1,
      label: id,
      custom_id: id,
      ...more,
    })
    const select = { type: 3, custom_id: 's', options: [{ label: 'A', value: 'a' }] }
    const rows = [
      { type: 1, components: [button('on'), button('off', { disabled: true })] },
      { type: 1, components: [select] },
    ]
    await callback(server, interaction, say('x', { flags: 64, components: rows }))
    const { id } = await asked.message()
    const { people } = server
    expect(() => people.click(ben.id, club.id, id, 'off')).toThrow(ClientRefusal)
    expect(() => people.click(ben.id, club.id, id, 'none')).toThrow(ClientRefusal)
    expect(() => people.click(ada.id, club.id, id, 'on')).toThrow(ClientRefusal)
    expect(() => people.select(ben.id, club.id, id, 's', ['b'])).toThrow(ClientRefusal)
    expect(() => people.select(ben.id, club.id, id, 's', [])).toThrow(ClientRefusal)
  })
})

test('a subcommand is the only option of its command, and has its own in it', async () => {
  const options = () => nextInteraction(line, from)
  server.people.slash(ada.id, club.id, 'file add', { name: 'x', count: '3' })
  expect((await options()).data).toMatchObject({
    name: 'file',
    options: [
      {
        type: 1,
        name: 'add',
        options: [
          { type: 3, name: 'name', value: 'x' },
          { type: 4, name: 'count', value: 3 },
        ],
      },
    ],
  })
  from = line.frames.length
  server.people.slash(ada.id, club.id, 'file list')
  expect((await options()).data).toMatchObject({ options: [{ type: 1, name: 'list' }] })
  from = line.frames.length
  const choices = server.people.complete(ada.id, club.id, 'file add', { name: 'x' }, 'name')
  const typing = await options()
  expect(typing.data).toMatchObject({
    options: [{ name: 'add', options: [{ name: 'name', value: 'x', focused: true }] }],
  })
  await callback(server, typing, { type: 8, data: { choices: [{ name: 'X', value: 'x' }] } })
  expect(await choices).toEqual([{ name: 'X', value: 'x' }])
})

test('options reach the bot as values of their type, choices by value', async () => {
  server.people.slash(ben.id, club.id, 'find', { term: 'abc', limit: '3', status: 'Live' })
  const interaction = await nextInteraction(line, from)
  expect(interaction.data).toMatchObject({
    options: [
      { name: 'term', type: 3, value: 'abc' },
      { name: 'limit', type: 4, value: 3 },
      { name: 'status', type: 3, value: 'live' },
    ],
  })
  await callback(server, interaction, say('x'))
})

describe('a select and a modal', () => {
  test('send what was chosen, entered and uploaded', async () => {
    const { asked, interaction } = await ask(ben.id)
    const options = ['a', 'b'].map((value) => ({ label: value, value }))
    const select = { type: 3, custom_id: 's', options, max_values: 2 }
    await callback(
      server,
      interaction,
      say('x', { components: [{ type: 1, components: [select] }] }),
    )
    const { id } = await asked.message()
    from = line.frames.length
    const chosen = server.people.select(ben.id, club.id, id, 's', ['a', 'b'])
    const second = await nextInteraction(line, from)
    expect(second).toMatchObject({
      type: 3,
      message: { id },
      data: { component_type: 3, custom_id: 's', values: ['a', 'b'] },
    })
    await callback(server, second, {
      type: 9,
      data: {
        custom_id: 'm',
        title: 'Launch',
        components: [
          { type: 10, content: 'Tell us' },
          {
            type: 18,
            label: 'Name',
            component: { type: 4, custom_id: 'name', style: 1, min_length: 2 },
          },
          { type: 18, label: 'Picture', component: { type: 19, custom_id: 'picture' } },
        ],
      },
    })
    const shown = await chosen.modal()
    const { people } = server
    const file = people.upload(club.id, {
      name: 'otter.png',
      contentType: 'image/png',
      bytes: Buffer.from('png'),
    })
    expect(() => people.submit(shown, { name: 'x', picture: [file.id] })).toThrow(ClientRefusal)
    expect(() => people.submit(shown, { name: 'Otter' })).toThrow(ClientRefusal)
    from = line.frames.length
    const sent = people.submit(shown, { name: 'Otter', picture: [file.id] })
    const third = await nextInteraction(line, from)
    expect(third).toMatchObject({
      type: 5,
      message: { id },
      data: {
        custom_id: 'm',
        components: [
          { type: 10 },
          { type: 18, component: { type: 4, custom_id: 'name', value: 'Otter' } },
          { type: 18, component: { type: 19, custom_id: 'picture', values: [file.id] } },
        ],
        resolved: {
          attachments: { [file.id]: { filename: 'otter.png', content_type: 'image/png' } },
        },
      },
    })
    expect(await (await fetch(file.url)).text()).toBe('png')
    await callback(server, third, { type: 7, data: { content: 'launched', components: [] } })
    expect(await sent.message()).toMatchObject({ id, content: 'launched' })
  })
})

describe('a person', () => {
  test('writes with files, for which no words are needed', async () => {
    const dm = server.people.dm(ben.id)
    const file = { name: 'otter.png', contentType: 'image/png', bytes: Buffer.from('png') }
    server.people.text(ben.id, dm, '', [file])
    const { d } = await line.when('MESSAGE_CREATE', from)
    expect(d).toMatchObject({
      content: '',
      attachments: [{ filename: 'otter.png', size: 3, content_type: 'image/png' }],
    })
    expect(() => server.people.text(ben.id, dm, ' ')).toThrow(ClientRefusal)
  })

  test('a person who left the server is no longer a member', async () => {
    const dana = server.world.join('Dana')
    const path = `GET /guilds/${otterClub.id}/members/${dana}`
    expect((await call(server, path)).status).toBe(200)
    server.world.leave(dana)
    expect(await call(server, path)).toMatchObject({ status: 404, code: 10_007 })
  })

  test('a person who is denied a channel does not see it, and the bot still does', () => {
    const dana = server.world.join('Dana')
    const sees = (id: string) => (server.world.permissions(id, news.id) & P.ViewChannel) !== 0n
    server.world.deny(news.id, P.ViewChannel, dana)
    expect([sees(dana), sees(gavel.id)]).toEqual([false, true])
    server.world.deny(news.id, 0n, dana)
    expect(sees(dana)).toBe(true)
  })
})

describe('silence', () => {
  test('is shown to the person as on Discord', async () => {
    const { asked } = await ask(ben.id)
    await expect(asked.answer).rejects.toThrow('The application did not respond')
    expect(server.people.notices(club.id, ben.id)).toMatchObject([{ about: { name: 'ask' } }])
    const others = server.people.notices(club.id, ada.id)
    expect(others).not.toContainEqual(expect.objectContaining({ viewer: ben.id }))
  })
})
