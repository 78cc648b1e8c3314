import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { gavel } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'

export const token = 'raw.bot.token'

const frame = z.object({
  op: z.number(),
  t: z.string().nullish(),
  s: z.number().nullish(),
  d: z.unknown(),
})
export type Frame = z.infer<typeof frame>

const refusal = z.object({
  code: z.number(),
  message: z.string(),
  errors: z.unknown().optional(),
  retry_after: z.number().optional(),
  global: z.boolean().optional(),
})

/** An answer of the REST API, with Discord's error code and the first wrong field where it refused. */
export interface Reply {
  status: number
  headers: Headers
  json: unknown
  code: number | undefined
  /** Such as `components.0.label BASE_TYPE_MAX_LENGTH`, one for each wrong field. */
  faults: string[]
}

/** Calls the REST API as a bot would without a library. */
export async function call(
  server: DiscordServer,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const [method = 'GET', path = ''] = route.split(' ')
  const form = body instanceof FormData
  const response = await fetch(`${server.root}/v10${path}`, {
    method,
    headers: {
      Authorization: `Bot ${token}`,
      ...(body === undefined || form ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  const refused = response.ok ? undefined : refusal.safeParse(json).data
  return {
    status: response.status,
    headers: response.headers,
    json,
    code: refused?.code,
    faults: faultsOf(refused?.errors, []),
  }
}

function faultsOf(tree: unknown, path: string[]): string[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    if (key !== '_errors') return faultsOf(value, [...path, key])
    const errors = z.array(z.object({ code: z.string() })).parse(value)
    return errors.map((error) => `${path.join('.')} ${error.code}`)
  })
}

/** A gateway client without a library: keeps each frame and lets a test wait for one. */
export class Line {
  readonly frames: Frame[] = []
  readonly socket: WebSocket
  readonly closed: Promise<number>
  readonly #waiting = new Set<() => void>()

  constructor(server: DiscordServer) {
    const url = server.root.replace('http', 'ws').replace('/api', '')
    this.socket = new WebSocket(`${url}/?v=10&encoding=json`)
    this.socket.on('message', (data) => {
      this.frames.push(frame.parse(JSON.parse(String(data))))
      for (const look of this.#waiting) look()
    })
    this.closed = new Promise((resolve) => this.socket.on('close', resolve))
  }

  send(op: GatewayOpcodes, d: unknown): void {
    this.socket.send(JSON.stringify({ op, d }))
  }

  /** Waits for a frame, by event name or opcode, at or after an index. */
  when(what: string | number, from = 0): Promise<Frame> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.frames.slice(from).find((each) => each.t === what || each.op === what)
        if (found === undefined) return
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }

  async identify(more: object = {}): Promise<void> {
    await this.when(GatewayOpcodes.Hello)
    this.send(GatewayOpcodes.Identify, {
      token,
      intents:
        GatewayIntentBits.Guilds |
        GatewayIntentBits.GuildMessages |
        GatewayIntentBits.DirectMessages,
      properties: { os: 'test', browser: 'test', device: 'test' },
      ...more,
    })
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}

const interaction = z.object({ id: z.string(), token: z.string(), data: z.unknown() }).loose()
export type RawInteraction = z.infer<typeof interaction>

/** The next interaction that reaches a line, from a frame index on. */
export async function nextInteraction(
  line: Line,
  from = line.frames.length,
): Promise<RawInteraction> {
  return interactionOf(await line.when('INTERACTION_CREATE', from))
}

function interactionOf(event: Frame): RawInteraction {
  return interaction.parse(event.d)
}

/** Answers an interaction by its callback. */
export function callback(server: DiscordServer, to: RawInteraction, body: unknown): Promise<Reply> {
  return call(server, `POST /interactions/${to.id}/${to.token}/callback`, body)
}

/** The path of an interaction's webhook. */
export function hook(to: RawInteraction): string {
  return `/webhooks/${gavel.id}/${to.token}`
}

/** Commands with every rule that the tests of people and interactions need. */
export const commands = [
  { name: 'ask', description: 'Ask' },
  { name: 'guarded', description: 'For managers', default_member_permissions: '32' },
  { name: 'here', description: 'Server only', contexts: [0] },
  {
    name: 'find',
    description: 'Find',
    options: [
      {
        type: 3,
        name: 'term',
        description: 'Term',
        required: true,
        min_length: 2,
        max_length: 5,
      },
      { type: 4, name: 'limit', description: 'Limit', min_value: 1, max_value: 10 },
      { type: 3, name: 'status', description: 'S', choices: [{ name: 'Live', value: 'live' }] },
    ],
  },
]

/** A command with subcommands. */
export const filing = {
  name: 'file',
  description: 'File',
  options: [
    {
      type: 1,
      name: 'add',
      description: 'Add',
      options: [
        { type: 3, name: 'name', description: 'Name', autocomplete: true },
        { type: 4, name: 'count', description: 'Count' },
      ],
    },
    { type: 1, name: 'list', description: 'List' },
  ],
}

/** A callback body that says something. */
export const say = (content: string, more: object = {}) => ({ type: 4, data: { content, ...more } })
