import { setTimeout as delay } from 'node:timers/promises'
import { type REST, Routes } from 'discord.js'
import type { Duty } from '../chat/duty.ts'
import { calledElsewhere, hostOf } from '../chat/host.ts'
import { Looking } from '../chat/looking.ts'
import { PlatformError } from '../chat/platform.ts'
import { untilReachable } from '../chat/reach.ts'
import type { Logger } from '../log.ts'
import {
  type Application,
  applicationSchema,
  leaveCalls,
  notToGateway,
  takeCalls,
} from './endpoint.ts'
import { isFinal } from './refusals.ts'
import { isGateway } from './shards.ts'

/** Of the one who sees that Discord calls. */
export const callsRole = 'discord calls'

const noRoles = async (): Promise<readonly string[]> => []

interface CallsParts {
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
export class Calls {
  readonly #parts: CallsParts
  /** The address is being set, and is not to be missed meanwhile. */
  #isTaking = false

  constructor(parts: CallsParts) {
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
      if (!known || known === ours || !(await rolesHeld()).includes(callsRole)) break
      if (wait === undefined) throw calledElsewhere('Discord', known, ours)
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
  keep(url: string): Duty {
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
  keepNone(): Duty {
    return this.#looking(async (signal) => {
      const { interactions_endpoint_url: known } = await this.read(signal)
      if (known) this.#parts.onFatal(notToGateway(known))
    })
  }

  #looking(look: (signal: AbortSignal) => Promise<void>): Duty {
    const { every, log } = this.#parts
    const onFault = (err: unknown) =>
      log.warn({ err }, 'discord: where calls go can’t be seen or set')
    return new Looking({ look, every, onFault })
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
  if (!held.some((name) => (theirs === 'http' ? name === callsRole : isGateway(name)))) return
  throw new PlatformError(
    `Another replica on this database has DISCORD_INTERACTIONS=${theirs}, and this one ${ours}. Set it alike, or stop all replicas before it is changed; after a kill, wait ten seconds.`,
  )
}
