import type {
  APIApplicationCommandOptionChoice,
  APIMessage,
  APIModalInteractionResponseCallbackData,
} from 'discord-api-types/v10'
import { MessageFlags } from 'discord-api-types/v10'
import { type Acknowledgement, answerMs, type Interaction, type Watcher } from '../interactions.ts'
import type { Held } from '../world.ts'
import { NoAnswer } from './refused.ts'

/** A modal that a person has open. */
export interface ShownModal {
  interactionId: string
  userId: string
  channelId: string
  modal: APIModalInteractionResponseCallbackData
  /** The message whose component opened it. */
  source: Held | undefined
}

/** What a person finally sees of an interaction. */
export type Answer =
  | { kind: 'message'; message: APIMessage }
  | { kind: 'modal'; shown: ShownModal }
  | { kind: 'choices'; choices: APIApplicationCommandOptionChoice[] }

/** An interaction under way, as the person who started it experiences it. */
export class Asked implements Watcher {
  /** How the bot took it up; rejects with NoAnswer when it did not in 3 s. */
  readonly taken: Promise<Acknowledgement['kind']>
  /** The message once it has content (after "is thinking…", or after the edit), or the modal. */
  readonly answer: Promise<Answer>
  readonly #taken = Promise.withResolvers<Acknowledgement['kind']>()
  readonly #answer = Promise.withResolvers<Answer>()
  readonly #onFailure: (asked: Asked) => void
  readonly #timer: NodeJS.Timeout
  #interaction: Interaction | undefined

  constructor(onFailure: (asked: Asked) => void) {
    this.taken = this.#taken.promise
    this.answer = this.#answer.promise
    // Most callers wait for one of the two only; the other one's rejection is theirs to ignore.
    this.taken.catch(() => {})
    this.answer.catch(() => {})
    this.#onFailure = onFailure
    this.#timer = setTimeout(() => this.fail('The application did not respond'), answerMs)
  }

  get interaction(): Interaction | undefined {
    return this.#interaction
  }

  /** Names the interaction that this is about; called once, right after it was opened. */
  follow(interaction: Interaction): void {
    this.#interaction = interaction
  }

  /** The message that answers; throws if a modal did. */
  async message(): Promise<APIMessage> {
    const answer = await this.answer
    if (answer.kind !== 'message')
      throw new TypeError(`answered with ${answer.kind}, not a message`)
    return answer.message
  }

  /** The modal that answers; throws if a message did. */
  async modal(): Promise<ShownModal> {
    const answer = await this.answer
    if (answer.kind !== 'modal') throw new TypeError(`answered with a ${answer.kind}, not a modal`)
    return answer.shown
  }

  acknowledged(how: Acknowledgement, interaction: Interaction): void {
    clearTimeout(this.#timer)
    this.#taken.resolve(how.kind)
    if (how.kind === 'message' || how.kind === 'update') this.shown(how.held)
    if (how.kind === 'choices') this.#answer.resolve({ kind: 'choices', choices: how.choices })
    if (how.kind !== 'modal') return
    const { id, userId, channelId, source } = interaction
    const shown = { interactionId: id, userId, channelId, modal: how.modal, source }
    this.#answer.resolve({ kind: 'modal', shown })
  }

  shown(held: Held): void {
    if (((held.message.flags ?? 0) & MessageFlags.Loading) !== 0) return
    this.#answer.resolve({ kind: 'message', message: held.message })
  }

  /** Gives up: the bot said nothing, or the server stops. */
  fail(reason: string): void {
    clearTimeout(this.#timer)
    this.#taken.reject(new NoAnswer(reason))
    this.#answer.reject(new NoAnswer(reason))
    this.#onFailure(this)
  }
}
