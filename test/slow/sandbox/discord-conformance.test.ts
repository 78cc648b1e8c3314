import { GatewayIntentBits } from 'discord-api-types/v10'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, club, gavel, otterClub } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, callback, Line, nextInteraction, token } from './discord-bot.ts'

// Bodies that Discord refuses, by its OpenAPI document and beyond it.

let server: DiscordServer
let line: Line

beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  line = new Line(server)
  await line.identify({ intents: GatewayIntentBits.Guilds })
  await line.when('GUILD_CREATE')
})

afterAll(async () => {
  await line.close()
  await server.stop()
})

const v2 = (...components: unknown[]) => ({ flags: 1 << 15, components })
const text = (content: unknown) => ({ type: 10, content })
const row = (...components: unknown[]) => ({ type: 1, components })
const button = (more: object = {}) => ({
  type: 2,
  style: 1,
  label: 'Go',
  custom_id: 'go',
  ...more,
})
const link = (url: string, more: object = {}) => ({
  type: 2,
  style: 5,
  label: 'Go',
  url,
  ...more,
})
const option = (value: string, label = value) => ({ label, value })
const select = (more: object = {}) => ({
  type: 3,
  custom_id: 's',
  options: [option('a')],
  ...more,
})
const thumbnail = (url: string) => ({ type: 11, media: { url } })
const section = (more: object) => ({ type: 9, components: [text('x')], ...more })
const long = (length: number) => 'x'.repeat(length)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const path = `/channels/${club.id}/messages`
const post = (body: unknown) => call(server, `POST ${path}`, body)

test.each<[string, number, number]>([
  ['GET /nothing', 404, 0],
  ['POST /users/@me', 405, 0],
  ['GET /channels/1', 404, 10003],
  ['GET /guilds/1', 404, 10004],
  [`GET /guilds/${otterClub.id}/members/1`, 404, 10007],
  [`PATCH /channels/${club.id}/messages/1`, 404, 10008],
  ['GET /users/1', 404, 0],
])('%s is refused with %i %i', async (route, status, code) => {
  expect(await call(server, route)).toMatchObject({ status, code })
})

describe('a message is refused for', () => {
  // Discord's OpenAPI document is the judge: one case for each way in which a fault is told in Discord's words.
  test.each<[unknown, string]>([
    [{ content: {} }, 'content STRING_TYPE_CONVERT'],
    [
      { content: 'x', allowed_mentions: { parse: ['all'] } },
      'allowed_mentions.parse.0 BASE_TYPE_CHOICES',
    ],
    [v2({ type: 99 }), 'components.0 UNION_TYPE_CHOICES'],
    [v2({}), 'components.0.type BASE_TYPE_REQUIRED'],
    [v2(text('')), 'components.0.content BASE_TYPE_REQUIRED'],
    [v2(row()), 'components.0.components BASE_TYPE_BAD_LENGTH'],
    [v2({ ...text('x'), id: -1 }), 'components.0.id NUMBER_TYPE_MIN'],
    [
      v2({ type: 17, components: [row(link('a.example'))] }),
      'components.0.components.0.components.0.url URL_TYPE_INVALID_URL',
    ],
  ])('what no schema takes, %j: %s', async (body, fault) => {
    const reply = await post(body)
    expect([reply.status, reply.code, reply.faults]).toEqual([400, 50035, [fault]])
  })

  // What the document does not say.
  test.each<[unknown, string]>([
    [{ content: long(2001) }, 'content BASE_TYPE_MAX_LENGTH'],
    [{ embeds: [{ title: 'x' }] }, 'embeds UNKNOWN'],
    [{ content: 'x', tts: true }, 'tts UNKNOWN'],
    [v2({ type: 14 }), 'components.0 UNKNOWN'],
    [v2(row({ type: 5, custom_id: 'u' })), 'components.0.components.0 UNKNOWN'],
    [v2({ type: 17, spoiler: true, components: [text('x')] }), 'components.0.spoiler UNKNOWN'],
    [{ components: [text('x')] }, 'components.0 UNION_TYPE_CHOICES'],
    [
      { components: times(6, (i) => row(button({ custom_id: `${i}` }))) },
      'components BASE_TYPE_MAX_LENGTH',
    ],
    [
      { ...v2(text('x')), content: 'x' },
      'content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
    [
      { ...v2(text('x')), embeds: [{ title: 'x' }] },
      'embeds MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
    [v2(text(' \n ')), 'components.0.content BASE_TYPE_REQUIRED'],
    [
      v2(text(long(2001)), { type: 17, components: [text(long(2000))] }),
      'components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
    ],
    [
      v2(...times(20, () => section({ accessory: thumbnail('https://a.example/x.png') }))),
      'components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
    ],
    [v2(row(button(), select())), 'components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED'],
    [
      v2(row(button()), row(button({ disabled: true }))),
      'components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      v2({ type: 12, items: [{ media: { url: 'ftp://a.example/x' } }] }),
      'components.0.items.0.media.url URL_TYPE_INVALID_SCHEME',
    ],
    [
      v2({ type: 13, file: { url: 'https://a.example/x' } }),
      'components.0.file.url URL_TYPE_INVALID_SCHEME',
    ],
    [
      v2(section({ accessory: thumbnail('attachment://card.png') })),
      'components.0.accessory.media.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
    ],
    [
      v2({ ...text('x'), id: 7 }, { ...text('y'), id: 7 }),
      'components.1.id COMPONENT_ID_DUPLICATED',
    ],
    [
      { content: 'x', allowed_mentions: { parse: ['users'], users: [ada.id] } },
      'allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    ],
  ])('%j: %s', async (body, fault) => {
    const reply = await post(body)
    expect(reply).toMatchObject({ status: 400, code: 50035 })
    expect(reply.faults).toContain(fault)
  })

  test.each<[unknown, string]>([
    [{ type: 2, style: 6, sku_id: '1' }, 'style UNKNOWN'],
    [button({ label: '' }), 'label BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED'],
    [button({ emoji: { name: 'otter' } }), 'emoji.name BUTTON_COMPONENT_INVALID_EMOJI'],
    [{ type: 2, style: 1, label: 'x' }, 'custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED'],
    [{ type: 2, style: 5, label: 'x' }, 'url BASE_TYPE_REQUIRED'],
    [
      link('https://a.example', { custom_id: 'x' }),
      'custom_id BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    ],
    [
      select({ options: [option('a'), option('a')] }),
      'options.1 SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    ],
    [select({ max_values: 2 }), 'max_values BASE_TYPE_BAD_LENGTH'],
    [select({ min_values: 2 }), 'min_values NUMBER_TYPE_MAX'],
    [link('javascript:alert(1)'), 'url URL_TYPE_INVALID_SCHEME'],
  ])('a control %j: %s', async (control, fault) => {
    const reply = await post(v2(row(control)))
    expect([reply.status, reply.code]).toEqual([400, 50035])
    expect(reply.faults).toContain(`components.0.components.0.${fault}`)
  })

  test.each([
    'https://llama_punkz.a.example/x.png',
    'https://-a.example',
    `https://${long(64)}.example`,
    'https://a.example/a b',
    'https://a.example/a|b',
    'https://a.example/100%',
    'https://300.1.1.1/',
  ])('the address %s, which is not well formed', async (url) => {
    for (const shown of [row(link(url)), section({ accessory: thumbnail(url) })]) {
      const { code, faults } = await post(v2(shown))
      expect([code, faults]).toEqual([50035, [expect.stringContaining('url URL_TYPE_INVALID_URL')]])
    }
  })

  test.each([
    "https://xn--bcher-kva.a-1.example:8443/%7C/a-b_c.~!$&'()*+,;=:@?a=/?#b?/",
    'http://127.0.0.1:4280/sign/x',
    'http://[::1]:4280/',
    'https://a.xn--p1ai',
    'HTTPS://A.EXAMPLE',
  ])('nothing in the address %s', async (url) => {
    const shown = [row(link(url)), section({ accessory: thumbnail(url) })]
    expect(await post(v2(...shown))).toMatchObject({ status: 200 })
  })

  test('nothing in ids that are numbers', async () => {
    expect(await post({ content: 'x', attachments: [{ id: 0 }] })).toMatchObject({ status: 200 })
  })

  test.each([{}, { content: '' }, { content: ' \n' }, v2(), { embeds: [], components: [] }])(
    'being empty: %j',
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, code: 50006 })
    },
  )

  test('more UTF-8 than Discord can store, though within 4000 characters', async () => {
    expect(await post(v2(text('水'.repeat(3386))))).toMatchObject({ status: 200 })
    expect(await post(v2(text('水'.repeat(3387))))).toMatchObject({ status: 500 })
  })

  test('nothing at exactly the limits', async () => {
    const full = v2(
      text(long(4000)),
      ...times(6, (r) =>
        row(...times(5, (b) => button({ custom_id: `${r}${b}${long(98)}`, label: long(80) }))),
      ),
      row(select({ options: times(25, (i) => option(`${i}`, long(100))), placeholder: long(150) })),
    )
    expect(await post(full)).toMatchObject({ status: 200 })
    expect(await post({ content: long(2000) })).toMatchObject({ status: 200 })
  })
})

describe('commands are refused for', () => {
  const put = (commands: unknown) =>
    call(server, `PUT /applications/${gavel.id}/commands`, commands)
  const command = (more: object = {}) => ({ name: 'test', description: 'Test', ...more })
  const opt = (more: object = {}) => ({ type: 3, name: 'o', description: 'O', ...more })
  const withOption = (more: object) => [command({ options: [opt(more)] })]

  test.each<[unknown, string]>([
    [[command({ name: 'Test' })], '0.name APPLICATION_COMMAND_INVALID_NAME'],
    [[command({ name: 'a b' })], '0.name APPLICATION_COMMAND_INVALID_NAME'],
    [[command({ description: '' })], '0.description BASE_TYPE_REQUIRED'],
    [[command(), command()], '1 APPLICATION_COMMANDS_DUPLICATE_NAME'],
    [
      [command({ options: [opt(), opt({ name: 'p', required: true })] })],
      '0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    ],
    [
      [command({ options: [opt(), opt()] })],
      '0.options.1 APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
    ],
    [
      [command({ options: [opt({ type: 1, name: 's' }), opt()] })],
      '0.options.1 APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
    ],
    [
      withOption({ type: 1, options: [opt(), opt({ name: 'p', required: true })] }),
      '0.options.0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    ],
    [
      [
        command({
          options: times(4, (s) =>
            opt({
              type: 1,
              name: `s${s}`,
              options: times(25, (i) => opt({ name: `o${i}`, description: long(100) })),
            }),
          ),
        }),
      ],
      '0 APPLICATION_COMMAND_TOO_LARGE',
    ],
    [withOption({ type: 12 }), '0.options.0 UNION_TYPE_CHOICES'],
    [withOption({ type: 5 }), '0.options.0.type BASE_TYPE_CHOICES'],
    [
      withOption({ choices: [{ name: 'x', value: long(101) }] }),
      '0.options.0.choices.0.value BASE_TYPE_MAX_LENGTH',
    ],
    [
      withOption({ autocomplete: true, choices: [{ name: 'x', value: 'x' }] }),
      '0.options.0.autocomplete APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES',
    ],
    [
      [command({ default_member_permissions: 'admin' })],
      '0.default_member_permissions NUMBER_TYPE_COERCE',
    ],
  ])('%j: %s', async (body, fault) => {
    const reply = await put(body)
    expect(reply).toMatchObject({ status: 400, code: 50035 })
    expect(reply.faults).toContain(fault)
  })

  test('being more than a hundred', async () => {
    expect(await put(times(101, (i) => command({ name: `c${i}` })))).toMatchObject({ code: 30032 })
  })

  test('another application', async () => {
    for (const method of ['GET', 'PUT'])
      expect(await call(server, `${method} /applications/1/commands`)).toMatchObject({
        status: 403,
        code: 20012,
      })
  })

  test('nothing if they are valid, and they are returned with stable ids', async () => {
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
  beforeAll(async () => {
    await call(server, `PUT /applications/${gavel.id}/commands`, [
      { name: 'ask', description: 'Ask' },
      {
        name: 'find',
        description: 'Find',
        options: [{ type: 3, name: 'term', description: 'Term', autocomplete: true }],
      },
    ])
  })

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

  test.each<[unknown, string]>([
    [{ type: 99 }, 'type BASE_TYPE_CHOICES'],
    [{ type: 8, data: { choices: [] } }, 'type BASE_TYPE_CHOICES'],
    [{ type: 7, data: { content: 'x' } }, 'type BASE_TYPE_CHOICES'],
    [{ type: 4, data: { content: long(2001) } }, 'data.content BASE_TYPE_MAX_LENGTH'],
    [
      modal(...times(6, (i) => label(input({ custom_id: `${i}` })))),
      'data.components BASE_TYPE_MAX_LENGTH',
    ],
    [modal(row(input())), 'data.components.0 UNKNOWN'],
    [modal(label({ type: 5, custom_id: 'u' })), 'data.components.0.component UNKNOWN'],
    [modal(label(input(), { label: '' })), 'data.components.0.label BASE_TYPE_REQUIRED'],
    [
      modal(label(input()), label(input())),
      'data.components.1.component.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      modal(label(input({ max_length: 2, value: 'abc' }))),
      'data.components.0.component.value BASE_TYPE_MAX_LENGTH',
    ],
    [
      modal(label(select({ disabled: true }))),
      'data.components.0.component.disabled COMPONENT_DISABLED_IN_MODAL',
    ],
  ])('%j: %s', async (body, fault) => {
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

  test.each<[unknown, string]>([
    [{ type: 4, data: { content: 'x' } }, 'type BASE_TYPE_CHOICES'],
    [
      { type: 8, data: { choices: [{ name: long(101), value: 'x' }] } },
      'data.choices.0.name BASE_TYPE_MAX_LENGTH',
    ],
    [
      { type: 8, data: { choices: [{ name: 'x', value: 1 }] } },
      'data.choices.0.value STRING_TYPE_CONVERT',
    ],
    [
      { type: 8, data: { choices: [{ name: 'x', value: long(101) }] } },
      'data.choices.0.value BASE_TYPE_MAX_LENGTH',
    ],
  ])('autocomplete %j: %s', async (body, fault) => {
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

describe('a body', () => {
  const raw = (body: string, type: string) =>
    fetch(`${server.root}/v10/channels/${club.id}/messages`, {
      method: 'POST',
      headers: { Authorization: `Bot ${token}`, 'Content-Type': type },
      body,
    })

  test('that is no JSON is 50109, of another type 50035', async () => {
    const broken = await raw('{"content":', 'application/json')
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 50109 }])
    const typed = await raw('content=x', 'application/x-www-form-urlencoded')
    expect([typed.status, await typed.json()]).toMatchObject([400, { code: 50035 }])
  })

  test('with files is multipart: components refer to them and they are served', async () => {
    const form = new FormData()
    const media = { media: { url: 'attachment://card.png' } }
    const components = [
      { type: 12, items: [media] },
      { type: 10, content: 'x' },
    ]
    const attachments = [{ id: 0, description: 'An otter' }]
    form.append('payload_json', JSON.stringify({ flags: 1 << 15, components, attachments }))
    form.append('files[0]', new Blob(['picture'], { type: 'image/png' }), 'card.png')
    const reply = await call(server, `POST /channels/${club.id}/messages`, form)
    const shape = z.object({
      attachments: z.tuple([
        z.object({ url: z.string(), filename: z.string(), description: z.string() }),
      ]),
      components: z.tuple([
        z.object({
          id: z.number(),
          items: z.tuple([z.object({ media: z.object({ url: z.string() }) })]),
        }),
        z.object({ id: z.number() }),
      ]),
    })
    const message = shape.parse(reply.json)
    const [attachment] = message.attachments
    expect(attachment).toMatchObject({ filename: 'card.png', description: 'An otter' })
    expect(message.components[0].items[0].media.url).toBe(attachment.url)
    expect(message.components.map((each) => each.id)).toEqual([1, 2])
    // The log has what came, and not what Discord made of it.
    expect(server.calls.at(-1)?.body).toEqual({ flags: 1 << 15, components, attachments })
    const file = await fetch(attachment.url)
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['image/png', 'picture'])
  })
})

const attached = z.object({
  id: z.string(),
  attachments: z.array(z.object({ id: z.string(), filename: z.string() })),
})
const file = (name: string) => ({ type: 13, file: { url: `attachment://${name}` } })

/** Sends or edits with files of these names. */
function send(route: string, body: object, names: string[]) {
  const form = new FormData()
  form.append('payload_json', JSON.stringify({ flags: 1 << 15, ...body }))
  for (const [index, name] of names.entries()) {
    form.append(`files[${index}]`, new Blob(['x'], { type: 'text/plain' }), name)
  }
  return call(server, route, form)
}

let edit: string
let known: string
beforeEach(async () => {
  const reply = await send(`POST ${path}`, { components: [file('a.txt')] }, ['a.txt'])
  const { id, attachments } = attached.parse(reply.json)
  edit = `PATCH ${path}/${id}`
  known = attachments[0]?.id ?? ''
})

const names = (reply: { json: unknown }) =>
  attached.parse(reply.json).attachments.map(({ filename }) => filename)

describe('an edit', () => {
  test('keeps the files if it does not mention them', async () => {
    expect(names(await call(server, edit, { components: [file('a.txt')] }))).toEqual(['a.txt'])
  })

  test('with a list keeps those on it', async () => {
    const text = [{ type: 10, content: 'x' }]
    const keeps = await call(server, edit, { components: text, attachments: [{ id: known }] })
    expect(names(keeps)).toEqual(['a.txt'])
    expect(names(await call(server, edit, { components: text, attachments: [] }))).toEqual([])
  })

  test('with new files and no list drops the old ones', async () => {
    expect(names(await send(edit, { components: [file('b.txt')] }, ['b.txt']))).toEqual(['b.txt'])
  })

  test('with a list takes the new files that are on it, beside the old ones', async () => {
    const attachments = [{ id: known }, { id: 0 }]
    const components = [file('a.txt'), file('b.txt')]
    const reply = await send(edit, { components, attachments }, ['b.txt'])
    expect(names(reply)).toEqual(['a.txt', 'b.txt'])
  })

  test.each<[string, object]>([
    ['a file that was dropped', { components: [file('a.txt')], attachments: [{ id: 0 }] }],
    ['a new file off the list', { components: [file('b.txt')], attachments: [] }],
  ])('can’t show %s', async (_, body) => {
    expect((await send(edit, body, ['b.txt'])).faults).toEqual([
      'components.0.file.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
    ])
  })
})
