import type { User } from 'grammy/types'
import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { type ZodType, z } from 'zod'
import { sendEvents } from '../http.ts'
import type { Api } from './api.ts'
import type { InlineAnswer, InlineResult } from './callbacks.ts'
import { ada, ben, club, lodge, news } from './cast.ts'
import { PeopleError } from './circumstances.ts'
import { Refusal } from './params.ts'
import type { TelegramServer } from './server.ts'
import type { Change, ConsolePlace, ConsoleState, InlineList } from './shown.ts'
import { isManager, type Place, type Role } from './world.ts'

const where = { person: z.int(), chat: z.int(), thread: z.int().optional() }
const textBody = z.object({
  ...where,
  text: z.string().min(1).max(4096),
  replyTo: z.int().optional(),
})
const pressBody = z.object({ ...where, message: z.int(), row: z.int(), column: z.int() })
const inlineBody = z.object({ ...where, query: z.string().max(256), offset: z.string().max(64) })
const chooseBody = z.object({ ...where, answer: z.string(), result: z.string() })
const addBody = z.object({ ...where, url: z.string() })
const shareBody = z.object({ ...where, request: z.int() })
const blockBody = z.object({ person: z.int(), blocked: z.boolean() })
const uploadBody = z.object({
  ...where,
  name: z.string().min(1).max(255),
  type: z.string().max(100),
  data: z.base64(),
  asPhoto: z.boolean(),
  caption: z.string().max(1024),
})

const shownTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
])

/** The console's side of the stand-in: what the page shows, does and hears, for this machine's own page only. */
export function telegramConsole(server: TelegramServer): Hono {
  const { people, api } = server
  const answers = new LRUCache<string, { query: string; answer: InlineAnswer }>({ max: 200 })
  let asked = 0
  const app = new Hono()
  app.onError((error, context) => {
    const message = error.message
    if (error instanceof PeopleError || error instanceof Refusal)
      return context.json({ message }, 409)
    if (error instanceof z.ZodError) return context.json({ message: z.prettifyError(error) }, 400)
    if (error instanceof SyntaxError) return context.json({ message: 'not JSON' }, 400)
    throw error
  })
  /** A POST action whose body was checked. */
  const action = <Body>(
    path: string,
    schema: ZodType<Body>,
    run: (body: Body) => unknown,
  ): void => {
    app.post(path, async (context) => {
      const result = await run(schema.parse(await context.req.json()))
      return context.json(result === undefined ? {} : JSON.parse(JSON.stringify(result)))
    })
  }

  const places = [club.id, news.id, lodge.id]
  app.get('/state', (context) => {
    const state: ConsoleState = consoleState(api, [ada.id, ben.id], places)
    return context.json(state)
  })
  app.get('/messages', (context) =>
    context.json(people.messages(Number(context.req.query('chat') ?? Number.NaN))),
  )
  app.get('/events', (context) =>
    sendEvents(context, (send: (change: Change) => void) => people.on('change', send)),
  )
  app.get('/file/:id', (context) => {
    const file = api.files.get(context.req.param('id'))
    if (!file) return context.notFound()
    const isShown = shownTypes.has(file.type)
    return context.body(new Uint8Array(file.bytes), 200, {
      'content-type': isShown ? file.type : 'application/octet-stream',
      'content-disposition': isShown ? 'inline' : 'attachment',
      'x-content-type-options': 'nosniff',
    })
  })

  action('/text', textBody, ({ person, chat, text, replyTo, thread }) => {
    people.text(person, chat, text, { replyTo, thread })
  })
  action('/press', pressBody, ({ person, chat, message, row, column }) =>
    people.press(person, chat, message, { row, column }),
  )
  action('/inline', inlineBody, async ({ person, chat, query, offset }) => {
    const answer = await people.inline(person, query, offset, { chatId: chat })
    if (!answer) return { results: [], nextOffset: '', answer: '' }
    const id = String(++asked)
    answers.set(id, { query, answer })
    const { results, nextOffset, button } = answer
    const list: InlineList = { answer: id, results: results.map(listed), nextOffset, button }
    return list
  })
  action('/choose', chooseBody, ({ person, chat, thread, answer, result }) => {
    const known = answers.get(answer)
    const chosen = known?.answer.results.find(({ id }) => id === result)
    if (!known || !chosen) throw new PeopleError('these results are gone')
    people.choose(person, chat, { query: known.query, result: chosen, thread })
  })
  action('/share', shareBody, ({ person, chat, request }) => {
    people.share(person, request, chat)
  })
  action('/add', addBody, ({ person, chat, url }) => {
    // Every chat of the sandbox has the bot from the start: it leaves first, to come as to a new one.
    people.kick(chat)
    people.add(person, chat, url)
  })
  action('/block', blockBody, ({ person, blocked }) => {
    if (blocked) people.block(person)
    else people.unblock(person)
  })
  action('/upload', uploadBody, async ({ person, chat, thread, caption, ...file }) => {
    const upload = { name: file.name, type: file.type, bytes: Buffer.from(file.data, 'base64') }
    const options = { thread, ...(caption !== '' && { caption }) }
    if (file.asPhoto) await people.photo(person, chat, upload, options)
    else people.document(person, chat, upload, options)
  })
  return app
}

const listed = ({
  id,
  title,
  description,
  thumbnail,
}: InlineResult): InlineList['results'][number] => ({
  id,
  title,
  description,
  thumbnail,
})

/** What the page needs to know beside the messages: who is there, where, and what they may do. */
function consoleState(
  api: Api,
  people: readonly number[],
  shared: readonly number[],
): ConsoleState {
  const { world } = api
  const { bot } = world
  return {
    bot: {
      id: bot.id,
      name: bot.first_name,
      username: bot.username,
      about: world.profile.descriptions.get('') ?? '',
    },
    people: people.flatMap((id) => {
      const user = world.users.get(id)
      if (!user) return []
      const places = [id, ...shared].flatMap((chatId) => {
        const place = world.places.get(chatId)
        return place ? [placeOf(api, place, user)] : []
      })
      return [{ id, name: user.first_name, places }]
    }),
  }
}

function placeOf({ world }: Api, place: Place, user: User): ConsolePlace {
  const { chat } = place
  const role = place.roles.get(user.id) ?? 'left'
  const isPrivate = chat.type === 'private'
  return {
    chatId: chat.id,
    kind: chat.type,
    title: isPrivate ? world.bot.first_name : chat.title,
    about: isPrivate ? `@${world.bot.username}` : about(place, role),
    manages: isManager(role),
    canWrite: chat.type !== 'channel' || role !== 'member',
    started: place.started,
    blocked: isPrivate && world.botRole(place) === 'kicked',
    topics: [...place.topics].map(([id, title]) => ({ id, title })),
    hasMessages: place.messages.size > 0,
    commands: world.profile.commandsFor(chat.type, isManager(role), user.language_code),
  }
}

function about(place: Place, role: Role): string {
  const people = [...place.roles.values()].filter((held) => held !== 'left' && held !== 'kicked')
  const kind = place.chat.type === 'channel' ? 'subscribers' : 'members'
  return `${people.length} ${kind}${isManager(role) ? ', you manage it' : ''}`
}
