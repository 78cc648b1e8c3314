import {
  type APIApplicationCommand,
  type APIApplicationCommandIntegerOption,
  type APIApplicationCommandOptionChoice,
  type APIApplicationCommandRoleOption,
  type APIApplicationCommandStringOption,
  type APIApplicationCommandSubcommandOption,
  type APIAttachment,
  type APIButtonComponent,
  type APIComponentInLabel,
  type APIMessage,
  type APIMessageComponent,
  type APIModalInteractionResponseCallbackData,
  type APIStringSelectComponent,
  type APITextInputComponent,
  ApplicationCommandOptionType,
  ComponentType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import type { Acknowledgement, Act, Interaction, Interactions, Watcher } from './interactions.ts'
import type { Messages } from './messages.ts'
import type { Held, NewFile, World } from './world.ts'

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

  /** Uses a slash command, by its name with that of the subcommand behind it. Throws ClientRefusal. */
  slash(userId: string, channelId: string, name: string, options: OptionValues = {}): Asked {
    const data = commandData(this.#world, this.#use(userId, channelId, name), options)
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
    const use = this.#use(userId, channelId, name)
    const option = use.options.find((each) => each.name === focused)
    if (!option || !('autocomplete' in option) || option.autocomplete !== true)
      throw new ClientRefusal(`The option ${focused} has no autocomplete.`)
    const data = commandData(this.#world, use, options, focused)
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
    const data = selectData(source.message, customId, values)
    return this.#ask({ type: InteractionType.MessageComponent, userId, channelId, data, source })
  }

  /** Sends an open modal. */
  submit(shown: ShownModal, values: ModalValues): Asked {
    const { userId, channelId, modal, source } = shown
    const data = modalData(this.#world, modal, values)
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
    const draft = {
      content: content.trim(),
      files: files.map(({ name, contentType, bytes }, index) => ({
        index,
        name,
        contentType,
        bytes: Buffer.from(bytes),
      })),
    }
    return this.#messages.create(this.#world.chat(channelId), author, draft).message
  }

  /** The messages that a person sees in a channel, oldest first; ephemeral ones only if they are theirs. */
  messages(channelId: string, viewerId: string): APIMessage[] {
    const held = [...this.#world.chat(channelId).messages.values()]
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
    const held = this.#world.chat(channelId).messages.get(id)
    if (held?.viewer === userId) this.#world.chat(channelId).messages.delete(id)
    this.#world.events.emit('change', channelId)
  }

  /** The slash commands that the app offers to a person in a place. */
  commands(userId: string, channelId: string): APIApplicationCommand[] {
    const owners = this.#world.owners(userId, channelId)
    const permissions = this.#world.permissions(userId, channelId)
    if ((permissions & PermissionFlagsBits.UseApplicationCommands) === 0n) return []
    const context = this.#world.contextOf(channelId)
    return this.#world.commands.filter((command) => {
      const { default_member_permissions: needed, contexts, integration_types: ways } = command
      const allowed = needed === null || (permissions & BigInt(needed)) === BigInt(needed)
      const isThere = ways?.some((way) => way in owners) ?? false
      return allowed && isThere && (contexts?.includes(context) ?? true)
    })
  }

  /** The id of a person's private chat with the bot. */
  dm(userId: string): string {
    return this.#world.dm(userId).channel.id
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

  /** Uses one command `count` times at once and resolves when each has its visible answer, for benchmarks. */
  burst(plan: BurstPlan): Promise<BurstResult> {
    const { count, channelId, name, options, timeoutMs = 30_000 } = plan
    const userOf = (index: number) =>
      typeof plan.userId === 'string' ? plan.userId : plan.userId(index)
    // The checks of the app are made once, not for each.
    const use = this.#use(userOf(0), channelId, name)
    const { promise, resolve, reject } = Promise.withResolvers<BurstResult>()
    const latencies = new Float64Array(count)
    let answered = 0
    const timer = setTimeout(
      () => reject(new Error(`only ${answered} of ${count} were answered`)),
      timeoutMs,
    )
    const done = (millis: number) => {
      latencies[answered++] = millis
      if (answered < count) return
      clearTimeout(timer)
      resolve({ answered, latencies })
    }
    for (let index = 0; index < count; index++)
      this.#interactions.open({
        type: InteractionType.ApplicationCommand,
        userId: userOf(index),
        channelId,
        data: commandData(
          this.#world,
          use,
          typeof options === 'function' ? options(index) : options,
        ),
        command: name,
        watcher: stopwatch(done),
      })
    return promise
  }

  #use(userId: string, channelId: string, line: string): Use {
    const [name, subname] = line.split(' ')
    const command = this.commands(userId, channelId).find((each) => each.name === name)
    const subcommands = (command?.options ?? []).filter(isSubcommand)
    const subcommand = subcommands.find((each) => each.name === subname)
    // A command with subcommands can't be used without one.
    if (!command || (subcommands.length > 0 || subname !== undefined ? !subcommand : false))
      throw new ClientRefusal(`There is no command /${line}.`)
    const options = (subcommand ?? command).options ?? []
    return { command, subcommand, options: options.filter(isValue) }
  }

  #ask(act: Act): Asked {
    const used = act.source?.message.id
    // A new try takes the note of the failed one away.
    this.#notices = this.#notices.filter(
      ({ about, viewer }) =>
        about.kind === 'command' || about.messageId !== used || viewer !== act.userId,
    )
    const asked = new Asked(this.#interactions.answerMs, (failed) => this.#gaveUp(failed, act))
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
    const held = this.#world.chat(channelId).messages.get(messageId)
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
  /** How the bot took it up; rejects with NoAnswer when it did not in time. */
  readonly taken: Promise<Acknowledgement['kind']>
  /** The message once it has content (after "is thinking…", or after the edit), or the modal. */
  readonly answer: Promise<Answer>
  readonly #taken = Promise.withResolvers<Acknowledgement['kind']>()
  readonly #answer = Promise.withResolvers<Answer>()
  readonly #onFailure: (asked: Asked) => void
  readonly #timer: NodeJS.Timeout
  #interaction: Interaction | undefined

  constructor(answerMs: number, onFailure: (asked: Asked) => void) {
    this.taken = this.#taken.promise
    this.answer = this.#answer.promise
    // Most callers wait for one of the two only; the other one's rejection is theirs to ignore.
    this.taken.catch(() => {})
    this.answer.catch(() => {})
    this.#onFailure = onFailure
    this.#timer = setTimeout(
      () => this.fail('The application did not respond'),
      Math.max(0, answerMs),
    )
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

/** Many uses of one command at once. */
interface BurstPlan {
  count: number
  userId: string | ((index: number) => string)
  channelId: string
  name: string
  options: OptionValues | ((index: number) => OptionValues)
  /** Gives up after this many milliseconds; 30,000 by default. */
  timeoutMs?: number
}

interface BurstResult {
  answered: number
  /** Milliseconds from the event to its visible answer, in order of answering. */
  latencies: Float64Array
}

/** Measures once how long an answer takes; a deferral counts only when it is filled. */
function stopwatch(done: (millis: number) => void): Watcher {
  const since = performance.now()
  let isStopped = false
  const shown = () => {
    if (!isStopped) done(performance.now() - since)
    isStopped = true
  }
  return { shown, acknowledged: ({ kind }) => kind === 'message' && shown() }
}

/** What a person typed into a command's options, by option name. */
type OptionValues = Readonly<Record<string, string | number | boolean>>

type Option =
  | APIApplicationCommandStringOption
  | APIApplicationCommandIntegerOption
  | APIApplicationCommandRoleOption

type AnyOption = NonNullable<APIApplicationCommand['options']>[number]

const isValue = (option: AnyOption): option is Option =>
  option.type === ApplicationCommandOptionType.String ||
  option.type === ApplicationCommandOptionType.Integer ||
  option.type === ApplicationCommandOptionType.Role

const isSubcommand = (option: AnyOption): option is APIApplicationCommandSubcommandOption =>
  option.type === ApplicationCommandOptionType.Subcommand

/** A command as it is used: itself, or one of its subcommands. */
interface Use {
  command: APIApplicationCommand
  subcommand: APIApplicationCommandSubcommandOption | undefined
  options: Option[]
}

/** JSON of an interaction's `data`, after the checks the Discord app makes before it sends a command. */
function commandData(
  world: World,
  { command, subcommand, options: known }: Use,
  values: OptionValues,
  focused?: string,
): string {
  const unknown = Object.keys(values).find((name) => !known.some((option) => option.name === name))
  if (unknown !== undefined) throw new ClientRefusal(`There is no option ${unknown}.`)
  const options = known.flatMap((option): object[] => {
    const { name, type, required } = option
    const value = values[name]
    if (name === focused) return [{ name, type, value: value ?? '', focused: true }]
    if (value !== undefined) return [{ name, type, value: typedIn(world, option, value) }]
    if (required && focused === undefined)
      throw new ClientRefusal(`The option ${name} is required.`)
    return []
  })
  const { id, name, type } = command
  const chosen = subcommand
    ? [{ name: subcommand.name, type: subcommand.type, ...given(options) }]
    : options
  const roles = world.roles.filter((role) =>
    known.some((each) => isRole(each) && roleOf(world, values[each.name])?.id === role.id),
  )
  const resolved = { roles: Object.fromEntries(roles.map((role) => [role.id, role])) }
  return JSON.stringify({
    id,
    name,
    type,
    ...given(chosen),
    ...(roles.length > 0 && { resolved }),
  })
}

const isRole = ({ type }: Option) => type === ApplicationCommandOptionType.Role

/** The role that a person chose or typed, by id or name. */
const roleOf = (world: World, value: string | number | boolean | undefined) =>
  world.roles.find(({ id, name }) => [id, name, `@${name}`].includes(String(value)))

function roleIn(world: World, value: string | number | boolean): string {
  const role = roleOf(world, value)
  if (role === undefined) throw new ClientRefusal(`There is no role ${value}.`)
  return role.id
}

/** Discord leaves out what is empty. */
const given = (options: object[]) => (options.length === 0 ? {} : { options })

function typedIn(world: World, option: Option, value: string | number | boolean): string | number {
  if (option.type === ApplicationCommandOptionType.Role) return roleIn(world, value)
  if (option.choices !== undefined && option.choices.length > 0) {
    const listed: readonly { name: string; value: string | number }[] = option.choices
    const choice = listed.find((each) => each.value === value || each.name === String(value))
    if (choice === undefined) {
      const names = listed.map(({ name }) => name).join(', ')
      throw new ClientRefusal(`${value} is none of the choices: ${names}.`)
    }
    return choice.value
  }
  if (option.type === ApplicationCommandOptionType.String) {
    const { name, min_length: min = 0, max_length: max = 6000 } = option
    const text = String(value)
    if (text === '') throw new ClientRefusal(`The option ${name} is empty.`)
    if (text.length < min || text.length > max)
      throw new ClientRefusal(`The option ${name} must have ${min} to ${max} characters.`)
    return text
  }
  const { name, min_value: min = -Infinity, max_value: max = Infinity } = option
  const number = Number(value)
  if (!Number.isInteger(number)) throw new ClientRefusal(`The option ${name} must be a number.`)
  if (number < min || number > max)
    throw new ClientRefusal(`The option ${name} must be from ${min} to ${max}.`)
  return number
}

/** All buttons and selects of a message, wherever they stand. */
function controlsOf(
  component: APIMessageComponent,
): (APIButtonComponent | APIStringSelectComponent)[] {
  switch (component.type) {
    case ComponentType.ActionRow:
    case ComponentType.Container:
      return component.components.flatMap(controlsOf)
    case ComponentType.Section:
      return controlsOf(component.accessory)
    case ComponentType.Button:
    case ComponentType.StringSelect:
      return [component]
    default:
      return []
  }
}

function controlOf(message: APIMessage, customId: string) {
  const found = (message.components ?? [])
    .flatMap(controlsOf)
    .find((control) => 'custom_id' in control && control.custom_id === customId)
  if (found === undefined) throw new ClientRefusal(`The message has no ${customId}.`)
  if (found.disabled) throw new ClientRefusal(`${customId} is disabled.`)
  return found
}

/** JSON of the interaction's `data` for a press of a button. */
function pressData(message: APIMessage, custom_id: string): string {
  const { type, id } = controlOf(message, custom_id)
  if (type !== ComponentType.Button) throw new ClientRefusal(`${custom_id} is no button.`)
  return JSON.stringify({ component_type: type, id, custom_id })
}

/** JSON of the interaction's `data` for choosing values in a select. */
function selectData(message: APIMessage, custom_id: string, values: readonly string[]): string {
  const select = controlOf(message, custom_id)
  if (select.type === ComponentType.Button) throw new ClientRefusal(`${custom_id} is no select.`)
  checkChosen(select, values)
  return JSON.stringify({ component_type: select.type, id: select.id, custom_id, values })
}

function checkChosen(
  { options, min_values = 1, max_values = 1 }: APIStringSelectComponent,
  values: readonly string[],
): void {
  checkCount(values.length, min_values, max_values)
  const stranger = values.find((value) => !options.some((option) => option.value === value))
  if (stranger !== undefined) throw new ClientRefusal(`${stranger} is none of the options.`)
}

function checkCount(count: number, min: number, max: number): void {
  if (count < min || count > max)
    throw new ClientRefusal(`Choose from ${min} to ${max}, not ${count}.`)
}

/** What a person entered, by custom id: text, chosen values, or ids of uploads. */
type ModalValues = Readonly<Record<string, string | readonly string[]>>

/** JSON of the interaction's `data` for sending a modal, after the checks of the Discord app. */
function modalData(
  world: World,
  modal: APIModalInteractionResponseCallbackData,
  values: ModalValues,
): string {
  let last = 0
  const attachments: Record<string, APIAttachment> = {}
  const components = modal.components.map((component) => {
    const { type, id = ++last } = component
    if (component.type !== ComponentType.Label) return { type, id }
    const child = component.component
    const given = values[child.custom_id]
    const entry =
      child.type === ComponentType.TextInput
        ? { value: entered(child, given) }
        : { values: chosen(child, given) }
    for (const value of entry.values ?? []) {
      const file = world.files.get(value)
      if (child.type === ComponentType.FileUpload && file) attachments[value] = file.attachment
    }
    const { type: childType, id: childId = ++last, custom_id } = child
    return { type, id, component: { type: childType, id: childId, custom_id, ...entry } }
  })
  const resolved = Object.keys(attachments).length === 0 ? {} : { resolved: { attachments } }
  return JSON.stringify({ custom_id: modal.custom_id, components, ...resolved })
}

function chosen(child: APIComponentInLabel, given: ModalValues[string] = []): readonly string[] {
  if (child.type !== ComponentType.StringSelect && child.type !== ComponentType.FileUpload)
    throw new TypeError('the sandbox knows texts, selects and uploads in forms')
  const values = typeof given === 'string' ? [given].filter(Boolean) : given
  const isOptional = child.required === false
  if (isOptional && values.length === 0) return values
  const { min_values = isOptional ? 0 : 1, max_values = 1 } = child
  if (child.type === ComponentType.StringSelect) checkChosen({ ...child, min_values }, values)
  else checkCount(values.length, min_values, max_values)
  return values
}

function entered(input: APITextInputComponent, given: ModalValues[string] | undefined): string {
  const { custom_id, required = true, min_length: min = 0, max_length: max = 4000 } = input
  const value = typeof given === 'string' ? given : (input.value ?? '')
  if (value === '' && required) throw new ClientRefusal(`${custom_id} is required.`)
  if (value !== '' && (value.length < min || value.length > max))
    throw new ClientRefusal(`${custom_id} must have ${min} to ${max} characters.`)
  return value
}

/** What the Discord app itself would not let a person do: nothing reaches the bot. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal'
}

/** The bot did not answer in 3 s; the message is what Discord shows. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}
