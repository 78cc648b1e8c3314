import { GatewayOpcodes } from 'discord-api-types/v10'
import type { WebSocket } from 'ws'
import { shardOf } from './snowflake.ts'
import type { Dispatch } from './world.ts'

const keptEvents = 1_000

/** What a client asked for when it identified. */
export interface Identity {
  intents: number
  shard: [id: number, count: number]
  /** Whether guild messages come with their content. */
  sees: boolean
}

/** One identified session: numbers its events and keeps the latest so that a resume can replay them. */
export class Session {
  readonly id: string
  readonly identity: Identity
  #socket: WebSocket | undefined
  #sequence = 0
  #kept: string[] = []

  constructor(id: string, identity: Identity, socket: WebSocket) {
    this.id = id
    this.identity = identity
    this.#socket = socket
  }

  get sequence(): number {
    return this.#sequence
  }

  get socket(): WebSocket | undefined {
    return this.#socket
  }

  wants(event: Dispatch): boolean {
    const { intents, shard } = this.identity
    if (event.intents !== 0 && (event.intents & intents) === 0) return false
    return shardOf(event.guildId, shard[1]) === shard[0]
  }

  /** Sends a dispatch, or keeps it for the resume while the client is away. */
  dispatch(name: string, json: string): void {
    this.#sequence++
    const frame = `{"t":"${name}","s":${this.#sequence},"op":${GatewayOpcodes.Dispatch},"d":${json}}`
    this.#kept.push(frame)
    if (this.#kept.length > 2 * keptEvents) this.#kept = this.#kept.slice(-keptEvents)
    this.#socket?.send(frame)
  }

  /** Whether all events after a sequence number are still here. */
  canReplay(after: number): boolean {
    return after <= this.#sequence && this.#sequence - after <= this.#kept.length
  }

  /** Continues on another socket: what was missed, then RESUMED. */
  resume(socket: WebSocket, after: number): void {
    this.#socket = socket
    const missed = this.#sequence - after
    if (missed > 0) for (const frame of this.#kept.slice(-missed)) socket.send(frame)
    this.dispatch('RESUMED', '{"_trace":["sandbox"]}')
  }

  /** The client has gone; events are kept until it comes back. */
  detach(socket: WebSocket): void {
    if (this.#socket === socket) this.#socket = undefined
  }
}
