import {
  type APIApplicationCommand,
  type APIApplicationCommandOptionChoice,
  type APIAttachment,
  type APIMessage,
  type APIModalInteractionResponseCallbackData,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import type { Draft } from '../check/message.ts'
import {
  type Acknowledgement,
  type Act,
  answerMs,
  type Interaction,
  type Interactions,
  type Watcher,
} from '../interactions.ts'
import type { Messages } from '../messages.ts'
import type { Held, NewFile, World } from '../world.ts'
import { type ModalValues, modalData, pressData, selectData } from './controls.ts'
import { commandData, findCommand, type OptionValues } from './options.ts'
import { ClientRefusal, NoAnswer } from './refused.ts'

/** The people of the sandbox: does what they would do in Discord's app, and sees what they would see. */
export class People {
  readonly #world: World
  readonly #messages: Messages
  readonly #interactions: Interactions
  readonly #pending = new Set<Asked>()
  #notices: Notice[] = []

  constructor(world: World, messages: Messages, interactions: Interactions) {
    this.#world = world
    this.#messages = messages
    this.#interactions = interactions
  }

  /** Uses a slash command; `name` is in full, such as `alerts add`. Throws ClientRefusal. */
  slash(userId: string, channelId: string, name: string, options: OptionValues = {}): Asked {
    const found = findCommand(this.commands(userId, channelId), name)
    const data = commandData(this.#world, channelId, found, options)
    return this.#ask({
      type: InteractionType.ApplicationCommand,
      userId,
      channelId,
      data,
      command: name,
    })
  }

  /** Types into an option with autocomplete; resolves with the bot's choices. */
  async complete(
    userId: string,
    channelId: string,
    name: string,
    options: OptionValues,
    focused: string,
  ): Promise<APIApplicationCommandOptionChoice[]> {
    const found = findCommand(this.commands(userId, channelId), name)
    const option = found.options.find((each) => each.name === focused)
    if (option === undefined || !('autocomplete' in option) || option.autocomplete !== true)
      throw new ClientRefusal(`The option ${focused} has no autocomplete.`)
    const data = commandData(this.#world, channelId, found, options, focused)
    const type = InteractionType.ApplicationCommandAutocomplete
    const asked = this.#ask({ type, userId, channelId, data, optionType: option.type })
    const answer = await asked.answer
    return answer.kind === 'choices' ? answer.choices : []
  }

  /** Presses a button of a message that this person sees. */
  click(userId: string, channelId: string, messageId: string, customId: string): Asked {
    const source = this.#visible(userId, channelId, messageId)
    const data = pressData(source.message, customId)
    return this.#ask({ type: InteractionType.MessageComponent, userId, channelId, data, source })
  }

  /** Chooses values in a select of a message. */
  select(
    userId: string,
    channelId: string,
    messageId: string,
    customId: string,
    values: readonly string[],
  ): Asked {
    const source = this.#visible(userId, channelId, messageId)
    const data = selectData(this.#world, source.message, customId, values)
    return this.#ask({ type: InteractionType.MessageComponent, userId, channelId, data, source })
  }

  /** Sends an open modal. */
  submit(shown: ShownModal, values: ModalValues): Asked {
    const { userId, channelId, modal, source } = shown
    const data = modalData(this.#world, channelId, modal, values)
    return this.#ask({ type: InteractionType.ModalSubmit, userId, channelId, data, source })
  }

  /** Uploads a file; its id is then the value of an attachment option or of a modal's file upload. */
  upload(channelId: string, file: NewFile): APIAttachment {
    return this.#world.files.add(channelId, file)
  }

  /** Writes a message, in a private chat or where this person may write in the server; with files it needs no words. */
  text(userId: string, channelId: string, content: string, files: NewFile[] = []): APIMessage {
    const author = this.#world.users.get(userId)
    const may = this.#world.permissions(userId, channelId) & PermissionFlagsBits.SendMessages
    if (author === undefined || may === 0n)
      throw new ClientRefusal('You do not have permission to send messages in this channel.')
    if (content.trim() === '' && files.length === 0)
      throw new ClientRefusal('The message is empty.')
    if (content.length > 2000)
      throw new ClientRefusal('The message is longer than 2000 characters.')
    const draft: Draft = {
      content: content.trim(),
      allowed: undefined,
      enforceNonce: false,
      files: files.map(({ name, contentType, bytes }, index) => ({
        index,
        name,
        contentType,
        bytes: Buffer.from(bytes),
      })),
    }
    return this.#messages.create(this.#world.room(channelId), author, draft).message
  }

  /** The messages that a person sees in a channel, oldest first; ephemeral ones only if they are theirs. */
  messages(channelId: string, viewerId: string): APIMessage[] {
    const held = [...this.#world.room(channelId).messages.values()]
    return held
      .filter(({ viewer }) => viewer === undefined || viewer === viewerId)
      .map(({ message }) => message)
  }

  /** Interactions of this person that the bot left without an answer. */
  notices(channelId: string, viewerId: string): Notice[] {
    return this.#notices.filter((each) => each.channelId === channelId && each.viewer === viewerId)
  }

  /** Removes an ephemeral message or a notice from this person's view. */
  dismiss(userId: string, channelId: string, id: string): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id)
    const held = this.#world.room(channelId).messages.get(id)
    if (held?.viewer === userId) this.#world.room(channelId).messages.delete(id)
    this.#world.events.emit('change', channelId)
  }

  /** The slash commands that the app offers to a person in a place. */
  commands(userId: string, channelId: string): APIApplicationCommand[] {
    const { guildId } = this.#world.room(channelId)
    if (guildId !== undefined && !this.#world.hasBot) return []
    const permissions = this.#world.permissions(userId, channelId)
    if ((permissions & PermissionFlagsBits.UseApplicationCommands) === 0n) return []
    const global = this.#world.commands.get('global') ?? []
    const local = guildId === undefined ? [] : (this.#world.commands.get(guildId) ?? [])
    const shadowed = new Set(local.map((command) => command.name))
    const context = guildId === undefined ? 1 : 0
    return [...local, ...global.filter((command) => !shadowed.has(command.name))].filter(
      ({ default_member_permissions: needed, contexts }) => {
        const allowed = needed === null || (permissions & BigInt(needed)) === BigInt(needed)
        return allowed && (contexts?.includes(context) ?? true)
      },
    )
  }

  /** The id of a person's private chat with the bot. */
  dm(userId: string): string {
    return this.#world.dm(userId).channel.id
  }

  /** Adds a member to the server; returns the new person's id. */
  join(name: string): string {
    return this.#world.join(name)
  }

  /** Takes a member out of the server. */
  leave(userId: string): void {
    this.#world.leave(userId)
  }

  /** Whether this person takes private messages from the bot; refused ones get 50007. */
  takeDms(userId: string, takes: boolean): void {
    if (takes) this.#world.closed.delete(userId)
    else this.#world.closed.add(userId)
  }

  /** Calls back whenever something to see changed in a channel; returns how to stop. */
  on(event: 'change', listener: (channelId: string) => void): () => void {
    this.#world.events.on(event, listener)
    return () => this.#world.events.off(event, listener)
  }

  /** Waits until a person's view of a channel matches; rejects after `timeoutMs`. */
  until<T>(
    channelId: string,
    viewerId: string,
    match: (messages: APIMessage[]) => T | undefined,
    timeoutMs = 10_000,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const look = (changed: string) => {
      const found = changed === channelId ? match(this.messages(channelId, viewerId)) : undefined
      if (found !== undefined) resolve(found)
    }
    const off = this.on('change', look)
    const timer = setTimeout(() => reject(new Error('the chat never showed it')), timeoutMs)
    look(channelId)
    return promise.finally(() => {
      off()
      clearTimeout(timer)
    })
  }

  /** Ends all waiting. */
  stop(): void {
    for (const asked of this.#pending) asked.fail('the sandbox stopped')
  }

  #ask(act: Act): Asked {
    const used = act.source?.message.id
    // A new try takes the note of the failed one away.
    this.#notices = this.#notices.filter(
      ({ about, viewer }) =>
        about.kind === 'command' || about.messageId !== used || viewer !== act.userId,
    )
    const asked = new Asked((failed) => this.#gaveUp(failed, act))
    this.#pending.add(asked)
    asked.answer.finally(() => this.#pending.delete(asked)).catch(() => {})
    asked.follow(this.#interactions.open({ ...act, watcher: asked }))
    return asked
  }

  #gaveUp(asked: Asked, act: Act): void {
    const id = asked.interaction?.id
    const { userId: viewer, channelId, command, source } = act
    if (id === undefined || act.type === InteractionType.ApplicationCommandAutocomplete) return
    const about: Notice['about'] =
      source === undefined
        ? { kind: 'command', name: command ?? '' }
        : { kind: 'component', messageId: source.message.id }
    this.#notices = [...this.#notices.slice(-49), { id, channelId, viewer, about }]
    this.#world.events.emit('change', channelId)
  }

  #visible(userId: string, channelId: string, messageId: string): Held {
    const held = this.#world.room(channelId).messages.get(messageId)
    if (held === undefined || (held.viewer !== undefined && held.viewer !== userId))
      throw new ClientRefusal('This person sees no such message.')
    return held
  }
}

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
type Answer =
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

/** A line that only Discord's app shows: the bot kept silent. */
export interface Notice {
  id: string
  channelId: string
  viewer: string
  /** `command` stands in the chat by itself, `component` under the message that was used. */
  about: { kind: 'command'; name: string } | { kind: 'component'; messageId: string }
}
