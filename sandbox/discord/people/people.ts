import {
  type APIApplicationCommand,
  type APIApplicationCommandOptionChoice,
  type APIAttachment,
  type APIMessage,
  InteractionType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import type { Draft } from '../check/message.ts'
import type { NewFile } from '../files.ts'
import type { Act, Interactions } from '../interactions.ts'
import type { Messages } from '../messages.ts'
import type { Held, World } from '../world.ts'
import { Asked, type ShownModal } from './asked.ts'
import { pressData, selectData } from './controls.ts'
import { type ModalValues, modalData } from './modal.ts'
import type { Notice } from './notice.ts'
import { commandData, findCommand, type OptionValues } from './options.ts'
import { ClientRefusal } from './refused.ts'

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
