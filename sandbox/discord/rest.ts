import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  ApplicationFormPartialSchema,
  CreatePrivateChannelRequestSchema,
  MessageCreateRequestSchema,
  MessageEditRequestPartialSchema,
} from 'discord-api-spec/zod'
import {
  type APIApplicationCommand,
  ApplicationCommandType,
  MessageFlags,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { Faults } from '../faults.ts'
import { readForm } from '../http.ts'
import { Recent, type Tally } from '../traffic.ts'
import { gavel } from './cast.ts'
import { checkCommands, checkMessage, type Draft, type Upload } from './checks.ts'
import type { Gateway } from './gateway.ts'
import { isThread } from './guild.ts'
import type { Answers, Interaction, Interactions } from './interactions.ts'
import type { RateLimits, Verdict } from './limits.ts'
import type { Messages } from './messages.ts'
import {
  cannotSendToUser,
  invalidApiVersion,
  invalidForm,
  invalidJson,
  methodNotAllowed,
  notFound,
  notTheAuthor,
  notYourApplication,
  Refusal,
  threadArchived,
  threadLocked,
  tooLarge,
  unauthorized,
  unknownGuild,
  unknownMember,
  unknownMessage,
} from './refusals.ts'
import { conform } from './schemas.ts'
import type { Chat, FileStore, Held, World } from './world.ts'

/** A REST call as it came in and was answered. */
export interface Call {
  method: string
  /** The route's pattern, such as `/channels/:id/messages`. */
  route: string
  path: string
  body: unknown
  /** 0 while the call is under way. */
  status: number
  /** What went wrong inside the stand-in, for a 500 that no rule gave. */
  fault?: unknown
}

interface RestOptions {
  /** The bot's token; undefined if it was revoked. */
  token: () => string | undefined
  routes: Routes
  files: FileStore
  limits: RateLimits | undefined
  tally: Tally<string>
}

/** The HTTP side: authorisation, rate limits, routing and the log of calls. */
export class RestServer {
  readonly #options: RestOptions
  readonly #routes: Route[]
  /** How Discord goes wrong at the moment. */
  readonly faults = new Faults<Fault>()
  readonly calls = new Recent<Call>(1_000)

  constructor(options: RestOptions) {
    this.#options = options
    this.#routes = Object.entries(options.routes).map(([name, handle]) => {
      const [method = '', pattern = ''] = name.split(' ')
      const path = pattern.replaceAll(/:\w+/g, '([^/]+)')
      return { name, method, pattern, path: new RegExp(`^${path}$`), handle }
    })
  }

  readonly listen = (request: IncomingMessage, response: ServerResponse): void => {
    const [path = '/'] = (request.url ?? '/').split('?', 1)
    if (path.startsWith('/attachments/')) this.#sendFile(path, response)
    else void this.#serve(request, response, path)
  }

  stop(): void {
    this.#options.limits?.stop()
  }

  async #serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const call: Call = {
      method: request.method ?? 'GET',
      route: path,
      path,
      body: undefined,
      status: 0,
    }
    let answer: RestAnswer
    let fault: Fault | undefined
    try {
      // Logged before it has any effect, so that whoever sees an effect finds its call here.
      const body = await readBody(request).finally(() => this.calls.add(call))
      call.body = body.body
      const match = this.#match(call)
      call.route = match.route.pattern
      fault = this.faults.take(match.route.name)
      // Its connection stays open without an answer, until either side has enough.
      if (fault?.kind === 'silent') return
      answer =
        (fault && faultAnswer(fault)) ??
        (await this.#answer(request.headers.authorization, match, body))
    } catch (cause) {
      answer = this.#refusal(cause, call)
    }
    call.status = answer.status
    if (fault?.kind === 'reset') request.socket.destroy()
    if (fault?.kind === 'reset' || fault?.kind === 'mute') return
    send(response, answer)
  }

  async #answer(
    authorization: string | undefined,
    { route, params }: Match,
    body: Body,
  ): Promise<RestAnswer> {
    // These carry a token of their own in the path.
    const isOpen = /^\/(?:interactions|webhooks)\//.test(route.pattern)
    if (!isOpen && authorization !== `Bot ${this.#options.token()}`) throw unauthorized()
    const { headers = {}, retryAfter, global = false } = this.#limit(route, params, isOpen) ?? {}
    if (retryAfter !== undefined) {
      this.#options.tally.refused += 1
      return { status: 429, headers, body: tooMany(retryAfter, global) }
    }
    const [first = '', second = '', third = ''] = params
    const result = await route.handle({ params: [first, second, third], ...body })
    return { status: result === undefined ? 204 : 200, headers, body: result }
  }

  #match(call: Call): Match {
    const version = /^\/api\/v(\d+)(?=\/)/.exec(call.path)
    if (version === null) throw notFound()
    if (version[1] !== '10') throw invalidApiVersion()
    const path = decoded(call.path.slice(version[0].length))
    const known = this.#routes.filter((route) => route.path.test(path))
    const route = known.find(({ method }) => method === call.method)
    if (route === undefined) throw known.length > 0 ? methodNotAllowed() : notFound()
    return { route, params: route.path.exec(path)?.slice(1) ?? [] }
  }

  /** Counts a call in the bucket of its route and of the channel, guild or webhook that it is about. */
  #limit({ name, pattern }: Route, params: string[], isOpen: boolean): Verdict | undefined {
    if (pattern.endsWith('/callback')) return undefined
    const major = isOpen ? 2 : pattern.startsWith('/users') ? 0 : 1
    return this.#options.limits?.take(name, params.slice(0, major).join(':'), !isOpen)
  }

  #refusal(cause: unknown, call: Call): RestAnswer {
    if (cause instanceof Refusal) return { status: cause.status, body: cause.body() }
    call.fault = cause
    return { status: 500, body: { message: '500: Internal Server Error', code: 0 } }
  }

  #sendFile(path: string, response: ServerResponse): void {
    const file = this.#options.files.get(path.split('/')[3] ?? '')
    if (file === undefined) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'Content-Type': file.contentType,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
    response.end(file.bytes)
  }
}

/** Clients may escape parts of a path, such as the @ of `@me`. */
function decoded(path: string): string {
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    throw notFound()
  }
}

const tooMany = (retryAfter: number, global: boolean) => ({
  message: 'You are being rate limited.',
  retry_after: retryAfter,
  global,
})

function send(response: ServerResponse, { status, headers, body }: RestAnswer): void {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' }
  response.writeHead(status, { ...headers, ...type }).end(json)
}

/** A parsed REST call as a handler gets it. */
interface RestRequest extends Body {
  /** The values of the path's `:` parts, in order; '' for those that it lacks. */
  params: [string, string, string]
}

interface RestAnswer {
  status: number
  headers?: Record<string, string>
  /** Sent as JSON; left out for 204. */
  body?: unknown
}

/** What each route answers, by method and path; undefined for 204. The names also stand in the log and the buckets. */
type Routes = Readonly<Record<string, (request: RestRequest) => unknown>>

interface Route {
  name: string
  method: string
  pattern: string
  path: RegExp
  handle: Routes[string]
}

interface Match {
  route: Route
  params: string[]
}

/** A request's JSON and the files beside it. */
interface Body {
  body: unknown
  files: Upload[]
}

const maxBytes = 25 * 1024 * 1024
const maxFileBytes = 10 * 1024 * 1024

/** Reads a whole request as Discord takes it: JSON, or multipart with `payload_json` and `files[n]`. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const type = request.headers['content-type'] ?? ''
  const bytes = await buffer(request)
  if (bytes.length > maxBytes) throw tooLarge()
  if (type.startsWith('multipart/form-data')) return readMultipart(bytes, type)
  if (bytes.length === 0) return { body: undefined, files: [] }
  if (!type.startsWith('application/json')) {
    const message = `Expected "Content-Type" header to be one of {'application/json'}.`
    throw invalidForm([{ path: '', code: 'CONTENT_TYPE_INVALID', message }])
  }
  return { body: parse(String(bytes)), files: [] }
}

async function readMultipart(bytes: Buffer<ArrayBuffer>, type: string): Promise<Body> {
  const form = await readForm(bytes, type)
  if (form.files.some((file) => file.bytes.length > maxFileBytes)) throw tooLarge()
  const { payload_json: payload } = form.fields
  return {
    body: payload === undefined ? undefined : parse(payload),
    files: form.files.map(({ field, name, type: contentType, bytes: content }, index) => ({
      index: Number(/^files\[(\d+)\]$/.exec(field)?.[1] ?? index),
      name,
      contentType,
      bytes: content,
    })),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

/**
 * A way in which Discord goes wrong: `status` answers with one (500 unless said otherwise) and does nothing, `limited`
 * with 429, `silent` neither does nor answers anything, `mute` does it and never answers, `reset` does it and breaks
 * the connection.
 */
interface Fault {
  kind: 'status' | 'limited' | 'silent' | 'mute' | 'reset'
  /** Only this route, as in `POST /channels/:id/messages`; else all. */
  match?: string
  /** How many calls go wrong; without it, all until `clear`. */
  times?: number
  status?: number
  /** Discord's own code in the body, with `status`. */
  code?: number
  /** Seconds, with `limited`. */
  retryAfter?: number
  /** Whether `limited` is the limit on all calls. */
  global?: boolean
}

/** The answer of a fault that gives one instead of doing what was asked. */
function faultAnswer(fault: Fault): RestAnswer | undefined {
  const { kind, status = 500, code = 0, retryAfter = 1, global = false } = fault
  if (kind === 'status')
    return { status, body: { message: `${status}: Something went wrong`, code } }
  if (kind !== 'limited') return undefined
  const headers = {
    'Retry-After': String(Math.ceil(retryAfter)),
    'X-RateLimit-Scope': global ? 'global' : 'shared',
    ...(global ? { 'X-RateLimit-Global': 'true' } : {}),
  }
  return { status: 429, headers, body: tooMany(retryAfter, global) }
}

/** Who and where: gateway, users, the application and its commands, the guild, its members, channels. */
export function infoRoutes(world: World, gateway: Gateway): Routes {
  const guild = (id: string) => {
    if (id !== world.guild.id || !world.hasBot) throw unknownGuild()
    return world.guild
  }
  // What the developer portal gives a new application.
  const profile: Profile = {
    description: '',
    integrationTypes: {
      0: { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } },
      1: { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } },
    },
  }
  const application = () => ({
    id: gavel.id,
    name: gavel.name,
    icon: null,
    description: profile.description,
    bot: world.bot,
    bot_public: true,
    bot_require_code_grant: false,
    type: null,
    flags: 0,
    flags_new: '0',
    summary: '',
    verify_key: '0'.repeat(64),
    interactions_endpoint_url: world.endpointUrl,
    team: null,
    owner: world.users.get(world.guild.owner_id),
    approximate_guild_count: 1,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: ['applications.commands', 'bot'],
    redirect_uris: [],
    role_connections_verification_url: null,
    integration_types_config: profile.integrationTypes,
  })
  return {
    'GET /gateway/bot': () => gateway.info(),
    'GET /users/@me': () => ({
      ...world.bot,
      verified: true,
      mfa_enabled: true,
      locale: 'en-US',
    }),
    'POST /users/@me/channels': ({ body }) => {
      conform(CreatePrivateChannelRequestSchema, body)
      const id = recipient.safeParse(body).data?.recipient_id ?? ''
      if (id === gavel.id || !world.users.has(id))
        throw new Refusal(400, 50033, 'Invalid Recipient(s)')
      return world.dm(id).channel
    },
    'GET /applications/@me': application,
    'PATCH /applications/@me': ({ body }) => {
      conform(applicationForm, body)
      conform(ApplicationFormPartialSchema, { ...Object(body), description: undefined })
      const form = applicationForm.parse(body)
      const { description, integration_types_config: config } = form
      if (form.interactions_endpoint_url === null) world.endpointUrl = null
      if (description !== undefined) profile.description = description ?? ''
      if (config !== undefined) profile.integrationTypes = config ?? {}
      return application()
    },
    'GET /applications/:id/commands': ({ params: [id] }) => {
      if (id !== gavel.id) throw notYourApplication()
      return world.commands
    },
    'PUT /applications/:id/commands': ({ params: [id], body }) => {
      if (id !== gavel.id) throw notYourApplication()
      return registerCommands(world, body)
    },
    'GET /guilds/:id': ({ params: [id] }) => ({ ...guild(id), home_header: null, nsfw: false }),
    'GET /guilds/:id/members/:id': ({ params: [id, member] }) => {
      guild(id)
      const found = world.members.get(member)
      if (!found) throw unknownMember()
      return found
    },
    'GET /channels/:id': ({ params: [id] }) => {
      const { channel } = world.chat(id)
      world.demand(id, 0n)
      return channel
    },
  }
}

/** By Discord's documentation the description is a text; its OpenAPI document has one for each language. */
const applicationForm = z.object({
  description: z.string().max(400).nullish(),
  interactions_endpoint_url: z.null().optional(),
  integration_types_config: z
    .record(
      z.string(),
      z
        .object({
          oauth2_install_params: z
            .object({ scopes: z.array(z.string()).nullish(), permissions: z.coerce.string() })
            .nullish(),
        })
        .nullable(),
    )
    .nullish(),
})

/** The parts of the application that are set by PATCH and given back. */
interface Profile {
  description: string
  integrationTypes: object
}

const recipient = z.object({ recipient_id: z.coerce.string() })

const maxCommands = 100

/** Puts these commands in place of all others; those of a known name keep their ids. */
function registerCommands(world: World, body: unknown): APIApplicationCommand[] {
  const commands = checkCommands(body)
  if (commands.length > maxCommands)
    throw new Refusal(
      400,
      30032,
      `Maximum number of application commands reached (${maxCommands}).`,
    )
  world.commands = commands.map(({ name, description, options, ...more }) => ({
    id: world.commands.find((known) => known.name === name)?.id ?? world.ids.next(),
    application_id: gavel.id,
    version: world.ids.next(),
    type: ApplicationCommandType.ChatInput,
    name,
    description,
    default_member_permissions: more.default_member_permissions ?? null,
    nsfw: more.nsfw ?? false,
    integration_types: more.integration_types ?? [0],
    contexts: more.contexts ?? null,
    ...(options === undefined ? {} : { options }),
  }))
  for (const channelId of world.chats.keys()) world.events.emit('change', channelId)
  return world.commands
}

/** Messages of a channel, as the bot writes them without an interaction. */
export function messageRoutes(world: World, messages: Messages): Routes {
  const open = (id: string, needed: bigint): Chat => {
    const chat = world.chat(id)
    const inThread = isThread(chat.channel) && needed === P.SendMessages
    world.demand(id, inThread ? P.SendMessagesInThreads : needed)
    return chat
  }
  const demandFor = (chat: Chat, draft: Draft) => {
    if (draft.files.length > 0) world.demand(chat.channel.id, P.AttachFiles)
  }
  return {
    'POST /channels/:id/messages': ({ params: [id], body, files }) => {
      const chat = open(id, P.SendMessages)
      const draft = checkMessage(MessageCreateRequestSchema, body, files)
      demandFor(chat, draft)
      if (chat.person !== undefined && world.closed.has(chat.person)) throw cannotSendToUser()
      wake(world, chat)
      const flags = (draft.flags ?? 0) & ~MessageFlags.Ephemeral
      return messages.create(chat, world.bot, { ...draft, flags }).message
    },
    'PATCH /channels/:id/messages/:id': ({ params: [id, messageId], body, files }) => {
      const chat = open(id, 0n)
      const held = chat.messages.get(messageId)
      // Ephemeral messages exist only for the interaction that made them, not for the channel's routes.
      if (held === undefined || held.viewer !== undefined) throw unknownMessage()
      if (held.message.author.id !== gavel.id) throw notTheAuthor()
      if (isThread(chat.channel) && chat.channel.thread_metadata?.archived) throw threadArchived()
      const draft = checkMessage(MessageEditRequestPartialSchema, body, files, held.message)
      demandFor(chat, draft)
      return messages.edit(chat, held, draft).message
    },
    'POST /channels/:id/typing': ({ params: [id] }) => {
      open(id, P.SendMessages)
    },
  }
}

/** A message opens an archived thread again, but a locked one only for its moderators. */
function wake(world: World, { channel }: Chat): void {
  if (!isThread(channel)) return
  const { archived = false, locked = false } = channel.thread_metadata ?? {}
  const moderates = (world.permissions(gavel.id, channel.id) & P.ManageThreads) !== 0n
  if (locked && !moderates) throw archived ? threadArchived() : threadLocked()
  if (archived) world.setThread(channel.id, { archived: false, locked })
}

/** The first answer to an interaction, and its webhook: the answer's edits and the follow-ups. */
export function interactionRoutes(interactions: Interactions, answers: Answers): Routes {
  const of = ({ params: [id, token] }: RestRequest): Interaction => interactions.byToken(id, token)
  const shown = ({ message }: Held) => message
  return {
    'POST /interactions/:id/:token/callback': ({ params: [id, token], body, files }) =>
      answers.first(interactions.toAcknowledge(id, token), body, files),
    'POST /webhooks/:id/:token': (request) =>
      shown(answers.followUp(of(request), request.body, request.files)),
    'PATCH /webhooks/:id/:token/messages/:id': (request) =>
      shown(answers.edit(of(request), request.params[2], request.body, request.files)),
    'DELETE /webhooks/:id/:token/messages/:id': (request) =>
      answers.remove(of(request), request.params[2]),
  }
}
