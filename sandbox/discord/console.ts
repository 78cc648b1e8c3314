import { PermissionFlagsBits } from 'discord-api-types/v10'
import { Hono } from 'hono'
import { z } from 'zod'
import { sendEvents } from '../http.ts'
import { ada, ben, club, gavel, news, otterClub } from './cast.ts'
import type { ConsoleView, Outcome } from './console-view.ts'
import { type Asked, ClientRefusal, NoAnswer, type ShownModal } from './people.ts'
import { Refusal } from './refusals.ts'
import type { DiscordServer } from './server.ts'

const persons = { ada: ada.id, ben: ben.id } as const
const where = z.object({
  person: z.enum(['ada', 'ben']),
  place: z.enum(['private', 'club', 'news']),
})
const values = z.record(z.string(), z.string())
const modalValues = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
const bodies = {
  say: where.extend({ text: z.string() }),
  slash: where.extend({ command: z.string(), options: values }),
  complete: where.extend({ command: z.string(), options: values, focused: z.string() }),
  press: where.extend({ message: z.string(), control: z.string() }),
  choose: where.extend({ message: z.string(), control: z.string(), values: z.array(z.string()) }),
  submit: where.extend({ modal: z.string(), values: modalValues }),
  dismiss: where.extend({ id: z.string() }),
  add: where.extend({ server: z.literal(otterClub.id) }),
  upload: where.extend({ name: z.string(), type: z.string(), base64: z.string() }),
}

const shownMessages = 60
const keptModals = 50
// Long enough to gather the events of one act, too short to see.
const gatherMs = 25

/** Discord's half of the console: the state, a stream of it, and what a person can do, for the page. */
export function discordConsole(server: DiscordServer): Hono {
  const { people } = server
  const modals = new Map<string, ShownModal>()
  const app = new Hono()

  const outcome = async (asked: Asked): Promise<Outcome> => {
    if ((await asked.taken) !== 'modal') return { kind: 'done' }
    const shown = await asked.modal()
    modals.set(shown.interactionId, shown)
    const oldest = modals.size > keptModals ? modals.keys().next().value : undefined
    if (oldest !== undefined) modals.delete(oldest)
    return { kind: 'modal', id: shown.interactionId, modal: shown.modal }
  }

  app.get('/state', (c) => {
    const asked = where.safeParse(c.req.query())
    return asked.success
      ? c.json(viewOf(server, asked.data))
      : c.json({ message: 'Unknown view.' }, 400)
  })

  app.get('/events', (c) => {
    const asked = where.safeParse(c.req.query())
    if (!asked.success) return c.json({ message: 'Unknown view.' }, 400)
    const heard = placesOf(server, asked.data.person)
    return sendEvents(c, (send: (view: ConsoleView) => void) => {
      let waiting: NodeJS.Timeout | undefined
      const off = people.on('change', (changed) => {
        if (!heard.includes(changed)) return
        waiting ??= setTimeout(() => {
          waiting = undefined
          send(viewOf(server, asked.data))
        }, gatherMs)
      })
      send(viewOf(server, asked.data))
      return () => {
        off()
        clearTimeout(waiting)
      }
    })
  })

  app.get('/attachments/:channel/:id/:name', (c) => {
    const file = server.world.files.get(c.req.param('id'))
    if (file === undefined) return c.notFound()
    return c.body(new Uint8Array(file.bytes), 200, {
      'Content-Type': file.contentType,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
  })

  act(app, '/say', bodies.say, (body) => {
    people.text(persons[body.person], channelOf(server, body), body.text)
    return { kind: 'done' }
  })
  act(app, '/slash', bodies.slash, (body) =>
    outcome(
      people.slash(persons[body.person], channelOf(server, body), body.command, body.options),
    ),
  )
  act(app, '/complete', bodies.complete, async (body) => ({
    choices: await people.complete(
      persons[body.person],
      channelOf(server, body),
      body.command,
      body.options,
      body.focused,
    ),
  }))
  act(app, '/press', bodies.press, (body) =>
    outcome(
      people.click(persons[body.person], channelOf(server, body), body.message, body.control),
    ),
  )
  act(app, '/choose', bodies.choose, (body) => {
    const channelId = channelOf(server, body)
    const { person, message, control } = body
    return outcome(people.select(persons[person], channelId, message, control, body.values))
  })
  act(app, '/submit', bodies.submit, (body) => {
    const shown = modals.get(body.modal)
    if (shown === undefined) throw new ClientRefusal('This form is gone.')
    return outcome(people.submit(shown, body.values))
  })
  act(app, '/dismiss', bodies.dismiss, (body) => {
    people.dismiss(persons[body.person], channelOf(server, body), body.id)
    return { kind: 'done' }
  })
  act(app, '/add', bodies.add, (body) => {
    const { world } = server
    if (!manages(server, persons[body.person])) throw new ClientRefusal('You can’t add apps there.')
    // The sandbox's server has the bot from the start: it leaves first, to come as to a new one.
    if (world.hasBot) world.removeBot()
    world.addBot()
    return { kind: 'done' }
  })
  act(app, '/upload', bodies.upload, (body) => {
    const bytes = Buffer.from(body.base64, 'base64')
    const { name, type: contentType } = body
    return people.upload(channelOf(server, body), { name, contentType, bytes })
  })
  return app
}

function act<S extends z.ZodType>(
  app: Hono,
  path: string,
  schema: S,
  run: (body: z.output<S>) => unknown,
): void {
  app.post(path, async (c) => {
    const body = schema.safeParse(await c.req.json().catch(() => undefined))
    if (!body.success) return c.json({ kind: 'refused', message: 'Malformed request.' }, 400)
    try {
      return c.json(await run(body.data))
    } catch (cause) {
      return c.json(refusedBy(cause))
    }
  })
}

function refusedBy(cause: unknown): Outcome {
  if (cause instanceof NoAnswer) return { kind: 'silent' }
  if (cause instanceof ClientRefusal || cause instanceof Refusal)
    return { kind: 'refused', message: cause.message }
  throw cause
}

function channelOf(server: DiscordServer, { person, place }: z.output<typeof where>): string {
  if (place === 'private') return server.people.dm(persons[person])
  return place === 'club' ? club.id : news.id
}

function placesOf(server: DiscordServer, person: keyof typeof persons): string[] {
  return where.shape.place.options.map((place) => channelOf(server, { person, place }))
}

function viewOf(server: DiscordServer, at: z.output<typeof where>): ConsoleView {
  const { people, world } = server
  const self = persons[at.person]
  const id = channelOf(server, at)
  const chat = world.chat(id)
  const name = at.place === 'private' ? gavel.name : (chat.channel.name ?? '')
  return {
    self,
    channel: {
      id,
      name,
      kind: at.place === 'private' ? 'private' : 'text',
      server: at.place === 'private' ? undefined : otterClub.name,
    },
    servers: manages(server, self) ? [otterClub] : [],
    mayWrite: (world.permissions(self, id) & PermissionFlagsBits.SendMessages) !== 0n,
    names: {
      user: Object.fromEntries(
        [...world.users].map(([userId, user]) => [
          userId,
          userId === gavel.id ? gavel.name : (user.global_name ?? user.username),
        ]),
      ),
      role: Object.fromEntries(world.roles.map((role) => [role.id, role.name.replace(/^@/, '')])),
      channel: Object.fromEntries(world.guildChannels().map((each) => [each.id, each.name])),
    },
    bot: { id: gavel.id, name: gavel.name },
    messages: people.messages(id, self).slice(-shownMessages),
    notices: people.notices(id, self),
    commands: people.commands(self, id),
    latest: {
      private: newestIn(server, people.dm(self), self),
      club: newestIn(server, club.id, self),
      news: newestIn(server, news.id, self),
    },
  }
}

function manages({ world }: DiscordServer, self: string): boolean {
  return (world.permissions(self, club.id) & PermissionFlagsBits.ManageGuild) !== 0n
}

function newestIn({ people }: DiscordServer, channelId: string, self: string): string {
  return people.messages(channelId, self).at(-1)?.id ?? ''
}
