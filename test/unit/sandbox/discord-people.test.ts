import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, gavel, news, otterClub } from '../../../sandbox/discord/cast.ts'
import { ClientRefusal } from '../../../sandbox/discord/people/refused.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import {
  call,
  callback,
  commands,
  interactionOf,
  Line,
  nextInteraction,
  say,
  token,
} from './discord-bot.ts'

let server: DiscordServer
let line: Line

beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
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

describe('the app lets nobody', () => {
  const find = (options: Record<string, string | number>) => () =>
    server.people.slash(ben.id, club.id, 'find', options)

  test.each<[string, () => unknown]>([
    ['use an unknown command', () => server.people.slash(ben.id, club.id, 'nothing')],
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
    ['use a command that has subcommands', () => server.people.slash(ben.id, club.id, 'alerts')],
    ['write in the news', () => server.people.text(ben.id, news.id, 'hello')],
  ])('%s', (_, act) => {
    expect(act).toThrow(ClientRefusal)
    expect(line.frames.length).toBe(from)
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

describe('options reach the bot', () => {
  test('as values of their type, choices by value and people resolved', async () => {
    const options = { term: 'abc', limit: '3', status: 'Live', who: ada.id }
    server.people.slash(ben.id, club.id, 'find', options)
    const interaction = await nextInteraction(line, from)
    expect(interaction.data).toMatchObject({
      options: [
        { name: 'term', type: 3, value: 'abc' },
        { name: 'limit', type: 4, value: 3 },
        { name: 'status', type: 3, value: 'live' },
        { name: 'who', type: 6, value: ada.id },
      ],
      resolved: { users: { [ada.id]: { username: 'ada' } }, members: { [ada.id]: {} } },
    })
    await callback(server, interaction, say('x'))
  })

  test('inside their subcommand', async () => {
    server.people.slash(ben.id, club.id, 'alerts add', { asset: 'OTTER' })
    const interaction = await nextInteraction(line, from)
    expect(interaction.data).toMatchObject({
      name: 'alerts',
      options: [{ name: 'add', type: 1, options: [{ name: 'asset', value: 'OTTER' }] }],
    })
    await callback(server, interaction, say('x'))
  })
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

  test('who left the server is a member no more, and still a user', async () => {
    const dana = server.people.join('Dana')
    const path = `GET /guilds/${otterClub.id}/members/${dana}`
    expect((await call(server, path)).status).toBe(200)
    server.people.leave(dana)
    expect(await call(server, path)).toMatchObject({ status: 404, code: 10_007 })
    expect((await call(server, `GET /users/${dana}`)).status).toBe(200)
  })

  test('who is denied a channel does not see it, and the bot still does', () => {
    const dana = server.people.join('Dana')
    const sees = (id: string) => (server.world.permissions(id, news.id) & P.ViewChannel) !== 0n
    server.world.deny(news.id, P.ViewChannel, dana)
    expect([sees(dana), sees(gavel.id)]).toEqual([false, true])
    server.world.deny(news.id, 0n, dana)
    expect(sees(dana)).toBe(true)
  })
})

describe('silence', () => {
  test('is shown to the person as Discord does', async () => {
    const { asked } = await ask(ben.id)
    await expect(asked.answer).rejects.toThrow('The application did not respond')
    expect(server.people.notices(club.id, ben.id)).toMatchObject([{ about: { name: 'ask' } }])
    expect(server.people.notices(club.id, ada.id)).toEqual([])
  })
})

describe('a burst', () => {
  test('resolves when every interaction has its visible answer', async () => {
    const count = 200
    const seen = new Set<string>()
    const answerNew = async () => {
      const events = line.frames.slice(from).filter((frame) => frame.t === 'INTERACTION_CREATE')
      const fresh = events.map((frame) => interactionOf(frame)).filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      await Promise.all(fresh.map((each) => callback(server, each, say('x'))))
    }
    const answer = async () => {
      while (seen.size < count) {
        await answerNew()
        await new Promise(setImmediate)
      }
    }
    const members = [ada.id, server.people.join('Cleo')]
    const [result] = await Promise.all([
      server.burst({
        count,
        userId: (index) => members[index % 2] ?? ada.id,
        channelId: club.id,
        name: 'find',
        options: (index) => ({ term: `t${index % 10}` }),
      }),
      answer(),
    ])
    expect(result.answered).toBe(count)
    expect(result.latencies).toHaveLength(count)
  })
})
