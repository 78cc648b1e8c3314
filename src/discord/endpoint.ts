import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DiscordAPIError,
  InteractionResponseType,
  InteractionType,
  type REST,
  Routes,
} from 'discord.js'
import { z } from 'zod'
import { PlatformError, untilReachable, webhookPathOf } from '../core/adapter.ts'
import { PollingLoop, type Task } from '../core/task.ts'
import { bodyOf, hostOf, webhookConflict } from '../core/webhook.ts'
import type { Logger } from '../log.ts'
import { isFinal } from './errors.ts'
import { type Interaction, readInteraction } from './incoming.ts'
import { isGateway } from './shards.ts'

/** Where Discord calls the bot's server. */
export const callPath = webhookPathOf('discord')

const applicationSchema = z.object({
  id: z.string(),
  verify_key: z.string(),
  interactions_endpoint_url: z.string().nullish(),
})
type Application = z.output<typeof applicationSchema>

/**
 * Where a replica becomes ready, those that spread calls over replicas take some time to see it, and Discord tries an
 * address when it is set. Milliseconds before each further try.
 */
export const defaultWaits: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000]

type SetEndpoint = (url: string | null) => Promise<void>

/** Has Discord call this address. @throws PlatformError where Discord does not take it */
async function takeCalls(
  url: string,
  set: SetEndpoint,
  waits: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const wait of [...waits, undefined]) {
    try {
      return await set(url)
    } catch (cause) {
      if (!isUnverified(cause)) throw cause
      if (wait === undefined) throw notTaken(url, cause)
      await delay(wait, undefined, { signal })
    }
  }
}

/**
 * Has Discord call no address of ours any more; where it calls another one, the gateway would hear nothing.
 * @throws PlatformError
 */
async function leaveCalls(
  { interactions_endpoint_url: known }: Application,
  ours: string | undefined,
  set: SetEndpoint,
): Promise<void> {
  if (!known) return
  if (known === ours) return set(null)
  throw notToGateway(known)
}

/** Why the gateway hears nothing. */
function notToGateway(known: string): PlatformError {
  return new PlatformError(
    `Discord sends what people do to ${hostOf(known)}, and nothing to the gateway. Clear the Interactions Endpoint URL in the developer portal, or set DISCORD_INTERACTIONS=http.`,
  )
}

/** Discord's refusal of a form; nothing else stands in ours. */
function isUnverified(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 400
}

function notTaken(url: string, cause: unknown): PlatformError {
  return new PlatformError(
    `Discord could not verify ${url}. PUBLIC_URL must lead to this bot, from anywhere and with a certificate that Discord trusts.`,
    { cause },
  )
}

/** Of the one who sees that Discord calls. */
export const endpointRole = 'discord calls'

const noRoles = async (): Promise<readonly string[]> => []

interface EndpointKeeperParts {
  rest: REST
  /** Where Discord reaches the bot's server, if it can. */
  ours: string | undefined
  log: Logger
  onFatal: (error: unknown) => void
  /** Milliseconds before each further try of an address that Discord can't verify. */
  waits: readonly number[]
  /** Milliseconds between two looks. */
  every: number
  /** Of the stop. */
  signal: AbortSignal
}

/** Where Discord sends what people do: to the bot's server, or over the gateway. Another process can change it. */
export class EndpointKeeper {
  readonly #parts: EndpointKeeperParts
  /** The address is being set, and is not to be missed meanwhile. */
  #isTaking = false

  constructor(parts: EndpointKeeperParts) {
    this.#parts = parts
  }

  async read(signal?: AbortSignal): Promise<Application> {
    const { rest } = this.#parts
    const options = signal && { signal }
    return applicationSchema.parse(await rest.get(Routes.currentApplication(), options))
  }

  /**
   * Sees that Discord calls nobody else whom replicas here have it call; those that are setting our address have the time
   * to do so. Returns the application as it is then. @throws PlatformError
   */
  async agree(application: Application, rolesHeld = noRoles): Promise<Application> {
    const { log, ours = '', signal, waits } = this.#parts
    let latest = application
    for (const wait of [...waits, undefined]) {
      const known = latest.interactions_endpoint_url
      if (!known || known === ours || !(await rolesHeld()).includes(endpointRole)) break
      if (wait === undefined) throw webhookConflict('Discord', known, ours)
      const found = hostOf(known)
      log.info({ found }, 'discord calls replicas of this database elsewhere; looking again')
      await delay(wait, undefined, { signal })
      latest = await this.#untilReached(() => this.read(signal))
    }
    return latest
  }

  /** Not as part of the start: where calls are spread over replicas, they come to those that are ready. */
  async take(url: string): Promise<void> {
    const { log, onFatal, signal, waits } = this.#parts
    this.#isTaking = true
    try {
      await takeCalls(url, (each) => this.#reachAndSet(each), waits, signal)
      log.info({ url }, 'discord: calls come to PUBLIC_URL')
    } catch (error) {
      if (!signal.aborted) onFatal(error)
    } finally {
      this.#isTaking = false
    }
  }

  /** @throws PlatformError where Discord calls somebody else */
  async leave(application: Application): Promise<void> {
    const { log, ours } = this.#parts
    await leaveCalls(application, ours, (url) => this.#reachAndSet(url))
    if (application.interactions_endpoint_url)
      log.warn('discord called PUBLIC_URL; from now on this bot hears it over the gateway')
  }

  /** Sees that Discord goes on calling this address. */
  keep(url: string): Task {
    const { log } = this.#parts
    return this.#looking(async (signal) => {
      if (this.#isTaking) return
      const { interactions_endpoint_url: known } = await this.read(signal)
      if (known === url) return
      const found = known ? hostOf(known) : 'none'
      log.warn(
        { found },
        'discord: somebody changed the Interactions Endpoint URL; it is set again. Stop what else uses DISCORD_TOKEN, or has another PUBLIC_URL.',
      )
      await this.#set(url, signal)
    })
  }

  /** Sees that Discord goes on calling nobody, since the gateway would hear nothing. */
  keepNone(): Task {
    return this.#looking(async (signal) => {
      const { interactions_endpoint_url: known } = await this.read(signal)
      if (known) this.#parts.onFatal(notToGateway(known))
    })
  }

  #looking(look: (signal: AbortSignal) => Promise<void>): Task {
    const { every, log } = this.#parts
    const onFault = (err: unknown) =>
      log.warn({ err }, 'discord: where calls go can’t be seen or set')
    return new PollingLoop({ look, every, onFault })
  }

  #reachAndSet(url: string | null): Promise<void> {
    return this.#untilReached(() => this.#set(url, this.#parts.signal))
  }

  #untilReached<T>(work: () => Promise<T>): Promise<T> {
    const { log, signal } = this.#parts
    const reach = untilReachable(isFinal, (err) =>
      log.warn({ err }, 'discord can’t be reached; trying again'),
    )
    return reach.execute(work, signal)
  }

  async #set(url: string | null, signal: AbortSignal): Promise<void> {
    const body = { interactions_endpoint_url: url }
    await this.#parts.rest.patch(Routes.currentApplication(), { body, signal })
  }
}

/**
 * Sees that replicas on one database hear Discord in one way: the address that some are called at silences the gateway
 * of the others. `held` are the roles that replicas have. @throws PlatformError
 */
export function checkMode(ours: 'gateway' | 'http', held: readonly string[]): void {
  const theirs = ours === 'gateway' ? 'http' : 'gateway'
  if (!held.some((name) => (theirs === 'http' ? name === endpointRole : isGateway(name)))) return
  throw new PlatformError(
    `Another replica on this database has DISCORD_INTERACTIONS=${theirs}, and this one ${ours}. Set it alike, or stop all replicas before it is changed; after a kill, wait ten seconds.`,
  )
}

/** More than Discord sends: a form of five texts and the message that it stands in, all filled to their limits. */
const maxBytes = 128 * 1024
/** By so many seconds may the bot's clock be wrong; what was recorded can't be sent again after that. */
const maxAgo = 300
const ping = z.object({ type: z.literal(InteractionType.Ping) })

/** What DER puts before the 32 bytes of an Ed25519 key (RFC 8410). */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** An application's key, from the hexadecimal digits of its 32 bytes. @throws Error where it is none */
export function verifyKey(hex: string): KeyObject {
  const der = Buffer.concat([keyPrefix, Buffer.from(hex, 'hex')])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

interface EndpointParts {
  key: KeyObject
  /** Unix seconds. */
  now: () => number
  /** It answers over the REST interface; who calls does not wait for it. */
  onInteraction: (interaction: Interaction) => void
}

/**
 * Takes Discord's calls. Each is answered at once, with no content: the answer that people see goes over the REST
 * interface as it does with the gateway, which Discord allows ("respond with a 202, then make an API call").
 */
export async function answerEndpoint(
  { key, now, onInteraction }: EndpointParts,
  request: Request,
): Promise<Response> {
  const timestamp = request.headers.get('x-signature-timestamp') ?? ''
  const signature = request.headers.get('x-signature-ed25519') ?? ''
  // Discord looks from time to time whether what is not its own is refused, with this status. Of what can't be its own
  // nothing is read.
  if (!maySign(timestamp, signature)) return refused('not Discord', 401)
  if (Math.abs(now() - Number(timestamp)) > maxAgo) return refused('not from now', 401)
  const body = await bodyOf(request, maxBytes)
  if (body === undefined) return refused('too large', 413)
  if (!isSigned(key, timestamp, signature, body)) return refused('not Discord', 401)
  const payload = parsed(body)
  if (ping.safeParse(payload).success) return Response.json({ type: InteractionResponseType.Pong })
  const interaction = readInteraction(payload)
  if (!interaction) return refused('nothing known', 400)
  onInteraction(interaction)
  return new Response(null, { status: 202 })
}

function maySign(timestamp: string, signature: string): boolean {
  return /^\d{1,12}$/u.test(timestamp) && /^[\da-f]{128}$/iu.test(signature)
}

/** Over the bytes as they are: what is signed is not what they mean. */
function isSigned(key: KeyObject, timestamp: string, signature: string, body: Buffer): boolean {
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  return verify(null, signed, key, Buffer.from(signature, 'hex'))
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function refused(error: string, status: number): Response {
  return Response.json({ error }, { status })
}
