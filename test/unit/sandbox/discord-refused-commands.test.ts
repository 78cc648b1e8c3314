import { GatewayIntentBits } from 'discord-api-types/v10'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ada, club, gavel } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, callback, Line, nextInteraction, token } from './discord-bot.ts'
import { button, long, select, times } from './discord-parts.ts'

let server: DiscordServer
let line: Line

beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  line = new Line(server)
  await line.identify({ intents: GatewayIntentBits.Guilds })
  await line.when('GUILD_CREATE')
  await call(server, `PUT /applications/${gavel.id}/commands`, [
    { name: 'ask', description: 'Ask' },
    {
      name: 'find',
      description: 'Find',
      options: [{ type: 3, name: 'term', description: 'Term', autocomplete: true }],
    },
  ])
})

afterAll(async () => {
  await line.close()
  await server.stop()
})

describe('commands are refused for', () => {
  const put = (commands: unknown) =>
    call(server, `PUT /applications/${gavel.id}/guilds/1300000000000000200/commands`, commands)
  const command = (more: object = {}) => ({ name: 'test', description: 'Test', ...more })
  const opt = (more: object = {}) => ({ type: 3, name: 'o', description: 'O', ...more })
  const withOption = (more: object) => [command({ options: [opt(more)] })]

  test.each<[string, unknown, string]>([
    ['a capital letter', [command({ name: 'Test' })], '0.name APPLICATION_COMMAND_INVALID_NAME'],
    ['a blank in the name', [command({ name: 'a b' })], '0.name APPLICATION_COMMAND_INVALID_NAME'],
    ['a long name', [command({ name: long(33) })], '0.name BASE_TYPE_BAD_LENGTH'],
    ['no description', [command({ description: '' })], '0.description BASE_TYPE_REQUIRED'],
    [
      'a long description',
      [command({ description: long(101) })],
      '0.description BASE_TYPE_BAD_LENGTH',
    ],
    ['a name twice', [command(), command()], '1 APPLICATION_COMMANDS_DUPLICATE_NAME'],
    [
      '26 options',
      [command({ options: times(26, (i) => opt({ name: `o${i}` })) })],
      '0.options BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a required option after an optional one',
      [command({ options: [opt(), opt({ name: 'p', required: true })] })],
      '0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    ],
    [
      'an option twice',
      [command({ options: [opt(), opt()] })],
      '0.options.1 APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
    ],
    ['an unknown option type', withOption({ type: 12 }), '0.options.0.type BASE_TYPE_CHOICES'],
    [
      '26 choices',
      withOption({ choices: times(26, (i) => ({ name: `${i}`, value: `${i}` })) }),
      '0.options.0.choices BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a choice of the wrong type',
      withOption({ choices: [{ name: 'x', value: 1 }] }),
      '0.options.0.choices.0.value STRING_TYPE_CONVERT',
    ],
    [
      'choices and autocomplete together',
      withOption({ autocomplete: true, choices: [{ name: 'x', value: 'x' }] }),
      '0.options.0.autocomplete APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES',
    ],
    [
      'an impossible length',
      withOption({ max_length: 6001 }),
      '0.options.0.max_length NUMBER_TYPE_MAX',
    ],
    ['an unknown context', [command({ contexts: [3] })], '0.contexts.0 BASE_TYPE_CHOICES'],
    [
      'permissions in words',
      [command({ default_member_permissions: 'admin' })],
      '0.default_member_permissions NUMBER_TYPE_COERCE',
    ],
  ])('%s', async (_, body, fault) => {
    const reply = await put(body)
    expect(reply).toMatchObject({ status: 400, code: 50035 })
    expect(reply.faults).toContain(fault)
  })

  test('being more than a hundred', async () => {
    expect(await put(times(101, (i) => command({ name: `c${i}` })))).toMatchObject({ code: 30032 })
  })

  test('another application', async () => {
    expect(await call(server, 'GET /applications/1/commands')).toMatchObject({
      status: 403,
      code: 20012,
    })
  })

  test('nothing when they are fine, and they come back with ids that stay', async () => {
    const commands = [
      command({ contexts: [0], integration_types: [0], options: [opt({ required: true })] }),
    ]
    const first = await put(commands)
    const second = await put(commands)
    expect(first.status).toBe(200)
    const ids = [first.json, second.json].map(
      (json) => JSON.stringify(json).match(/"id":"(\d+)"/)?.[1],
    )
    expect(ids[0]).toBe(ids[1])
  })
})

describe('the answer to an interaction is refused for', () => {
  const label = (component: object, more: object = {}) => ({
    type: 18,
    label: 'L',
    component,
    ...more,
  })
  const input = (more: object = {}) => ({ type: 4, custom_id: 'i', style: 1, ...more })
  const modal = (...components: unknown[]) => ({
    type: 9,
    data: { custom_id: 'm', title: 'T', components },
  })

  test.each<[string, unknown, string]>([
    ['an unknown type', { type: 99 }, 'type BASE_TYPE_CHOICES'],
    [
      'choices outside an autocomplete',
      { type: 8, data: { choices: [] } },
      'type BASE_TYPE_CHOICES',
    ],
    [
      'an update outside a component',
      { type: 7, data: { content: 'x' } },
      'type BASE_TYPE_CHOICES',
    ],
    [
      'a wrong message, with its place',
      { type: 4, data: { content: long(2001) } },
      'data.content BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a long modal title',
      { type: 9, data: { custom_id: 'm', title: long(46), components: [label(input())] } },
      'data.title BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a modal without custom id',
      { type: 9, data: { title: 'T', components: [label(input())] } },
      'data.custom_id BASE_TYPE_REQUIRED',
    ],
    ['a modal without components', modal(), 'data.components BASE_TYPE_BAD_LENGTH'],
    [
      'six components in a modal',
      modal(...times(6, (i) => label(input({ custom_id: `${i}` })))),
      'data.components BASE_TYPE_BAD_LENGTH',
    ],
    ['a bare input', modal(input()), 'data.components.0 UNION_TYPE_CHOICES'],
    [
      'a button in a modal',
      modal(label(button())),
      'data.components.0.component UNION_TYPE_CHOICES',
    ],
    [
      'a long label',
      modal(label(input(), { label: long(46) })),
      'data.components.0.label BASE_TYPE_BAD_LENGTH',
    ],
    [
      'the same custom id twice',
      modal(label(input()), label(input())),
      'data.components.1.component.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      'an input without style',
      modal(label(input({ style: 3 }))),
      'data.components.0.component.style BASE_TYPE_CHOICES',
    ],
    [
      'a prefilled text longer than allowed',
      modal(label(input({ max_length: 2, value: 'abc' }))),
      'data.components.0.component.value BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a disabled select in a modal',
      modal(label(select({ disabled: true }))),
      'data.components.0.component.disabled COMPONENT_DISABLED_IN_MODAL',
    ],
  ])('%s', async (_, body, fault) => {
    const from = line.frames.length
    const asked = server.people.slash(ada.id, club.id, 'ask')
    const interaction = await nextInteraction(line, from)
    const reply = await callback(server, interaction, body)
    expect(reply).toMatchObject({ status: 400, code: 50035 })
    expect(reply.faults).toContain(fault)
    expect(
      (await callback(server, interaction, { type: 4, data: { content: 'so?' } })).status,
    ).toBe(204)
    expect((await asked.message()).content).toBe('so?')
  })

  test.each<[string, unknown, string]>([
    ['a message', { type: 4, data: { content: 'x' } }, 'type BASE_TYPE_CHOICES'],
    [
      '26 choices',
      { type: 8, data: { choices: times(26, (i) => ({ name: `${i}`, value: `${i}` })) } },
      'data.choices BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a long name',
      { type: 8, data: { choices: [{ name: long(101), value: 'x' }] } },
      'data.choices.0.name BASE_TYPE_BAD_LENGTH',
    ],
    [
      'an empty name',
      { type: 8, data: { choices: [{ name: '', value: 'x' }] } },
      'data.choices.0.name BASE_TYPE_REQUIRED',
    ],
    [
      'a long value',
      { type: 8, data: { choices: [{ name: 'x', value: long(101) }] } },
      'data.choices.0.value BASE_TYPE_BAD_LENGTH',
    ],
  ])('autocomplete: %s', async (_, body, fault) => {
    const from = line.frames.length
    const choices = server.people.complete(ada.id, club.id, 'find', { term: 'x' }, 'term')
    const interaction = await nextInteraction(line, from)
    const reply = await callback(server, interaction, body)
    expect(reply).toMatchObject({ status: 400, code: 50035 })
    expect(reply.faults).toContain(fault)
    await callback(server, interaction, { type: 8, data: { choices: [{ name: 'X', value: 'x' }] } })
    expect(await choices).toEqual([{ name: 'X', value: 'x' }])
  })
})
