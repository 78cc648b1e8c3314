import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club, gavel } from '../../../sandbox/discord/cast.ts'
import { discordConsole } from '../../../sandbox/discord/console.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, callback, commands, Line, nextInteraction, say, token } from './discord-bot.ts'

let server: DiscordServer
let line: Line
let app: ReturnType<typeof discordConsole>

beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  app = discordConsole(server)
  line = new Line(server)
  await line.identify()
  await line.when('GUILD_CREATE')
  await call(server, `PUT /applications/${gavel.id}/commands`, commands)
})

afterAll(async () => {
  await line.close()
  await server.stop()
})

const json = { 'content-type': 'application/json' }
const at = { person: 'ben', place: 'club' }

async function act(path: string, body: object, headers: Record<string, string> = json) {
  const response = await app.request(path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...at, ...body }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

const view = z.object({
  self: z.string(),
  mayWrite: z.boolean(),
  messages: z.array(
    z.object({ id: z.string(), content: z.string(), flags: z.number().optional() }).loose(),
  ),
  commands: z.array(z.object({ name: z.string() })),
  channel: z.object({ kind: z.string(), name: z.string() }),
})

async function look(person: string, place: string) {
  const response = await app.request(`/state?person=${person}&place=${place}`)
  return view.parse(await response.json())
}

describe('acts', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { ...json, origin: 'https://evil.example', host: '127.0.0.1:1' }],
    ['an opaque origin', { ...json, origin: 'null', host: '127.0.0.1:1' }],
    ['a plain form', { 'content-type': 'text/plain' }],
    ['no content type', {}],
  ])('are refused from %s', async (_, headers) => {
    expect((await act('/say', { text: 'x' }, headers)).status).toBe(403)
    expect((await look('ben', 'club')).messages).toEqual([])
  })

  test('are taken from the page itself', async () => {
    const headers = { ...json, origin: 'http://127.0.0.1:1', host: '127.0.0.1:1' }
    expect(await act('/say', { text: 'hello' }, headers)).toEqual({
      status: 200,
      answer: { kind: 'done' },
    })
    expect((await look('ada', 'club')).messages.at(-1)?.content).toBe('hello')
  })

  test('that make no sense are refused', async () => {
    expect((await act('/say', { text: 1 })).status).toBe(400)
    expect((await act('/say', { person: 'eve', text: 'x' })).status).toBe(400)
  })

  test('that Discord’s app would not allow say why', async () => {
    const refused = await act('/slash', { command: 'find', options: {} })
    expect(refused.answer).toEqual({ kind: 'refused', message: 'The option term is required.' })
    const closed = await act('/say', { place: 'news', text: 'x' })
    expect(closed.answer).toMatchObject({ kind: 'refused' })
  })

  test('lead from a command through a button and a modal to an answer', async () => {
    let from = line.frames.length
    const asked = act('/slash', { command: 'ask', options: {} })
    const button = { type: 2, style: 1, label: 'Go', custom_id: 'go' }
    const components = [{ type: 1, components: [button] }]
    await callback(
      server,
      await nextInteraction(line, from),
      say('press', { components, flags: 64 }),
    )
    expect((await asked).answer).toEqual({ kind: 'done' })
    const message = (await look('ben', 'club')).messages.at(-1)
    expect(message?.content).toBe('press')
    expect((await look('ada', 'club')).messages.map(({ id }) => id)).not.toContain(message?.id)

    from = line.frames.length
    const pressed = act('/press', { message: message?.id, control: 'go' })
    const input = { type: 4, custom_id: 'i', style: 1 }
    await callback(server, await nextInteraction(line, from), {
      type: 9,
      data: {
        custom_id: 'm',
        title: 'T',
        components: [{ type: 18, label: 'L', component: input }],
      },
    })
    const modal = z
      .object({ kind: z.literal('modal'), id: z.string(), modal: z.object({ title: z.string() }) })
      .parse((await pressed).answer)
    expect(modal.modal.title).toBe('T')

    const empty = await act('/submit', { modal: modal.id, values: {} })
    expect(empty.answer).toEqual({ kind: 'refused', message: 'i is required.' })
    from = line.frames.length
    const sent = act('/submit', { modal: modal.id, values: { i: 'x' } })
    await callback(server, await nextInteraction(line, from), say('thanks', { flags: 64 }))
    expect((await sent).answer).toEqual({ kind: 'done' })
    const thanks = (await look('ben', 'club')).messages.at(-1)
    expect(thanks?.content).toBe('thanks')
    await act('/dismiss', { id: thanks?.id })
    expect((await look('ben', 'club')).messages.map(({ id }) => id)).not.toContain(thanks?.id)
  })
})

describe('the view', () => {
  test('knows what each person may do in each place', async () => {
    expect(await look('ben', 'news')).toMatchObject({ self: ben.id, mayWrite: false, commands: [] })
    expect(await look('ada', 'news')).toMatchObject({ self: ada.id, mayWrite: true })
    const names = async (person: string, place: string) =>
      (await look(person, place)).commands.map(({ name }) => name)
    expect(await names('ada', 'club')).toContain('guarded')
    expect(await names('ben', 'club')).not.toContain('guarded')
    expect(await names('ben', 'private')).not.toContain('here')
    expect((await look('ben', 'private')).channel).toMatchObject({ kind: 'private', name: 'Gavel' })
  })

  test('is pushed whenever something changes', async () => {
    const response = await app.request('/events?person=ben&place=club')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const next = async (): Promise<string> => String((await reader?.read())?.value)
    expect(await next()).toContain('data: {')
    await call(server, `POST /channels/${club.id}/messages`, { content: 'breaking news' })
    expect(await next()).toContain('breaking news')
    await reader?.cancel()
  })

  test('serves what was uploaded, harmlessly', async () => {
    const base64 = Buffer.from('<svg/>').toString('base64')
    const uploaded = await act('/upload', { name: 'a.svg', type: 'image/svg+xml', base64 })
    const { url } = z.object({ url: z.string() }).parse(uploaded.answer)
    const response = await app.request(new URL(url).pathname)
    expect(await response.text()).toBe('<svg/>')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })
})
