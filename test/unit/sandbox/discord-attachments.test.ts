import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { club } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, token } from './discord-bot.ts'

let server: DiscordServer
beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
})
afterAll(() => server.stop())

const message = z.object({
  id: z.string(),
  attachments: z.array(z.object({ id: z.string(), filename: z.string() })),
})
const path = `/channels/${club.id}/messages`
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
  const { id, attachments } = message.parse(reply.json)
  edit = `PATCH ${path}/${id}`
  known = attachments[0]?.id ?? ''
})

const names = (reply: { json: unknown }) =>
  message.parse(reply.json).attachments.map(({ filename }) => filename)

describe('an edit', () => {
  test('keeps the files where it says nothing of them', async () => {
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
