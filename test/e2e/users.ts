import { type APIMessage, ComponentType } from 'discord-api-types/v10'
import type { Message } from 'grammy/types'
import * as discordCast from '../../sandbox/discord/cast.ts'
import type { ShownModal } from '../../sandbox/discord/people.ts'
import type { NewFile } from '../../sandbox/discord/world.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import type { SeenMessage } from '../../sandbox/telegram/shown.ts'
import { formatLine, parseLine } from '../../src/core/command.ts'
import { buttonsOf, discordText, formOf, selectOf } from './discord-message.ts'
import type { Harness } from './harness.ts'

/** A person on a platform; one script of these runs on both. Everything waits for the bot, and rejects in the end. */
export interface ChatUser {
  platform: 'telegram' | 'discord'
  /** Types a command line, or plain text into the private chat. */
  says(text: string): Promise<void>
  /** Waits for a message, a change of one, or a notice that has all these texts; it is then the one to press. */
  sees(...texts: string[]): Promise<string>
  /** Waits for what the bot writes into the private chat by itself; it is then the message to press. */
  hears(...texts: string[]): Promise<string>
  /** Presses the button with this label on the message last seen. */
  presses(label: string): Promise<void>
  /** Sends a file into the conversation: a picture as a picture where the platform tells them apart. */
  sends(upload: { name: string; bytes: Uint8Array; type: string }): Promise<void>
  /** The bytes of the file of that name on the message last seen. */
  downloads(name: string): Uint8Array
  /** Opens an item of the list last seen, by the number shown before it. */
  opens(number: number): Promise<void>
  /** Labels and links of the buttons on the message last seen, without those that open the items of a list. */
  controls(): string[]
}

/** What the bot adds unseen to keep Telegram from making links. */
export const unseen = /\u2060/gu

/** A message as people read it, to whom a no-break space is a space. */
function readable(text: string): string {
  return text.replace(unseen, '').replaceAll('\u00a0', ' ')
}

/** Milliseconds for which news is waited for: the bot looks at the chain every 10 s. */
const patience = 25_000

export class TelegramUser implements ChatUser {
  readonly platform = 'telegram'
  readonly #harness: Harness
  readonly #user: number
  #chat: number
  #after = 0
  #seen: SeenMessage | undefined
  /** The pressed message as it stood, another object after each edit: the bot may answer a press first and edit later. */
  #pressed: Message | undefined
  #notice = ''
  #link = ''

  constructor(harness: Harness, user = telegramCast.ada.id, chat: number = user) {
    this.#harness = harness
    this.#user = user
    this.#chat = chat
  }

  async says(text: string): Promise<void> {
    this.#notice = ''
    this.#after = this.#harness.telegram.people.text(this.#user, this.#chat, text).message_id
  }

  async sees(...texts: string[]): Promise<string> {
    if (this.#notice !== '' && hasAll(this.#notice, texts)) return this.#notice
    return this.#waits(texts, 12_000)
  }

  hears(...texts: string[]): Promise<string> {
    return this.#waits(texts, patience)
  }

  async presses(label: string): Promise<void> {
    const { id, buttons } = this.#current()
    const row = buttons.findIndex((each) => each.some(({ text }) => text === label))
    const column = buttons[row]?.findIndex(({ text }) => text === label) ?? -1
    if (row < 0) throw new Error(`no button ${label}; there are ${this.controls().join(', ')}`)
    this.#after = id - 1
    const { people } = this.#harness.telegram
    const pressed = this.#stored(id)
    const result = await people.press(this.#user, this.#chat, id, { row, column }, 12_000)
    this.#notice = result.kind === 'answer' ? result.text : ''
    this.#link = result.kind === 'answer' ? result.url : ''
    // With a notice the press is over, and the message may have stayed as it was.
    this.#pressed = this.#notice === '' ? pressed : undefined
    if (result.kind === 'no answer') throw new Error(`nothing answers ${label}`)
  }

  /** @param caption stands below the file */
  async sends(
    { name, bytes, type }: { name: string; bytes: Uint8Array; type: string },
    caption = '',
  ) {
    const { people } = this.#harness.telegram
    const upload = { name, type, bytes: Buffer.from(bytes) }
    this.#notice = ''
    const isPhoto = /^image\/(?:jpeg|png|webp)$/u.test(type)
    const sent = isPhoto
      ? await people.photo(this.#user, this.#chat, upload, { caption })
      : people.document(this.#user, this.#chat, upload, { caption })
    this.#after = sent.message_id
  }

  /** Follows the link that a press just gave, or that the message last seen has, into the private chat. */
  async follows(): Promise<void> {
    const [url] =
      this.#seen?.buttons.flat().flatMap((each) => ('url' in each ? each.url : [])) ?? []
    const link = this.#link || url
    if (link === undefined) throw new Error('there is no link to follow')
    this.#chat = this.#user
    this.#link = ''
    this.#notice = ''
    this.#after = this.#harness.telegram.people.open(this.#user, link).message_id
  }

  /** The bytes of the latest document of that name in the chat. */
  downloads(name: string): Uint8Array {
    const { people, api } = this.#harness.telegram
    const found = people.messages(this.#chat).findLast(({ document }) => document?.name === name)
    const file = api.files.get(found?.document?.fileId ?? '')
    if (!file) throw new Error(`there is no document ${name}`)
    return file.bytes
  }

  opens(number: number): Promise<void> {
    return this.presses(String(number))
  }

  controls(): string[] {
    return this.#current()
      .buttons.flat()
      .filter(({ text }) => !/^\d+$/u.test(text))
      .map((button) => ('url' in button ? `${button.text} ${button.url}` : button.text))
  }

  #stored(id: number): Message | undefined {
    const { places } = this.#harness.telegram.api.world
    return places.get(this.#chat)?.messages.get(id)?.message
  }

  async #waits(texts: readonly string[], timeoutMs: number): Promise<string> {
    const fits = (message: SeenMessage) =>
      hasAll(readable(message.text), texts) &&
      (this.#pressed === undefined || this.#stored(message.id) !== this.#pressed)
    const options = { after: this.#after, timeoutMs }
    this.#seen = await this.#harness.telegram.people
      .waitFor(this.#chat, fits, options)
      .catch((cause: unknown) => {
        throw new Error(`no message with “${texts.join('” and “')}” came`, { cause })
      })
    return readable(this.#seen.text)
  }

  #current(): SeenMessage {
    if (!this.#seen) throw new Error('nothing was seen yet')
    return this.#seen
  }
}

/** A file to send. */
interface Upload {
  name: string
  bytes: Uint8Array
  type: string
}

export class DiscordUser implements ChatUser {
  readonly platform = 'discord'
  readonly #harness: Pick<Harness, 'discord'>
  readonly #user: string
  readonly #channel: string
  #message: APIMessage | undefined

  constructor(
    harness: Pick<Harness, 'discord'>,
    user: string = discordCast.ada.id,
    channel: string = discordCast.club.id,
  ) {
    this.#harness = harness
    this.#user = user
    this.#channel = channel
  }

  /** Writes a message into the private chat, as it stands. */
  async writes(text: string, uploads: Upload[] = []): Promise<void> {
    const { people } = this.#harness.discord
    const channel = people.dm(this.#user)
    const { id } = people.text(this.#user, channel, text, uploads.map(newFile))
    this.#message = await people.until(channel, this.#user, (messages) =>
      messages.find((message) => message.author.bot && BigInt(message.id) > BigInt(id)),
    )
  }

  async says(text: string): Promise<void> {
    if (!text.startsWith('/')) return this.writes(text)
    const { people } = this.#harness.discord
    const { name, bare, named } = parseLine(text.slice(1))
    const command = people.commands(this.#user, this.#channel).find((each) => each.name === name)
    const names = (command?.options ?? []).map((option) => option.name)
    const [first = ''] = names
    const options = Object.fromEntries([...named].filter(([each]) => names.includes(each)))
    // What has no option of its own is typed into the first one.
    const others = Object.fromEntries([...named].filter(([each]) => !names.includes(each)))
    const typed = formatLine(bare, undefined, others).trim()
    await this.#uses(name, typed === '' ? options : { ...options, [first]: typed })
  }

  async #uses(line: string, options: Record<string, string>): Promise<void> {
    const { people } = this.#harness.discord
    this.#message = await people.slash(this.#user, this.#channel, line, options).message()
  }

  /** Of the message last used and what came after it, what this person sees; waits for changes in place too. */
  async sees(...texts: string[]): Promise<string> {
    const { id, channel_id } = this.#current()
    const { people } = this.#harness.discord
    const match = (messages: APIMessage[]) =>
      messages.findLast(
        (message) =>
          message.author.bot &&
          BigInt(message.id) >= BigInt(id) &&
          hasAll(discordText(message), texts),
      )
    this.#message = await people.until(channel_id, this.#user, match, 12_000).catch((cause) => {
      const shown = discordText(this.#current())
      throw new Error(`expected ${texts.join(', ')} in:\n${shown}`, { cause })
    })
    return discordText(this.#message)
  }

  async hears(...texts: string[]): Promise<string> {
    const { people } = this.#harness.discord
    const match = (messages: APIMessage[]) =>
      messages.findLast((each) => each.author.bot && hasAll(discordText(each), texts))
    this.#message = await people.until(people.dm(this.#user), this.#user, match, patience)
    return discordText(this.#message)
  }

  async presses(label: string): Promise<void> {
    const { id, channel_id } = this.#current()
    const button = buttonsOf(this.#current()).find((each) => each.label === label)
    if (!button?.customId) throw new Error(`no button ${label}: ${this.controls().join(', ')}`)
    const { people } = this.#harness.discord
    this.#message = await people.click(this.#user, channel_id, id, button.customId).message()
  }

  /** Opens the form of the message last seen and sends it with these values, by the ids of its fields. */
  async fills(values: Readonly<Record<string, string | Upload>>): Promise<void> {
    const modal = await this.#openForm()
    const entered = Object.entries(values).map(([field, value]) => [
      field,
      typeof value === 'string' ? value : [this.#upload(value, modal.channelId)],
    ])
    const asked = this.#harness.discord.people.submit(modal, Object.fromEntries(entered))
    this.#message = await asked.message()
  }

  /** Through the form where the message last seen has one, else into the private chat. */
  async sends(upload: Upload): Promise<void> {
    if (!this.#message || !formOf(this.#message)) return this.writes('', [upload])
    const modal = await this.#openForm()
    const field = modal.modal.components
      .flatMap((each) => (each.type === ComponentType.Label ? [each.component] : []))
      .find(({ type }) => type === ComponentType.FileUpload)
    if (!field) throw new Error(`${modal.modal.title} takes no file`)
    const values = { [field.custom_id]: [this.#upload(upload, modal.channelId)] }
    this.#message = await this.#harness.discord.people.submit(modal, values).message()
  }

  downloads(name: string): Uint8Array {
    const { attachments } = this.#current()
    const found = attachments.find(({ filename }) => filename === name)
    const file = this.#harness.discord.world.files.get(found?.id ?? '')
    if (!file) throw new Error(`no file ${name}: ${attachments.map((each) => each.filename)}`)
    return file.bytes
  }

  async opens(number: number): Promise<void> {
    const { id, channel_id } = this.#current()
    const select = selectOf(this.#current())
    const first = Number(/^(\d+)\. /mu.exec(discordText(this.#current()))?.[1])
    const value = select?.values[number - first]
    if (!select || value === undefined) throw new Error(`no item ${number}`)
    const { people } = this.#harness.discord
    const asked = people.select(this.#user, channel_id, id, select.customId, [value])
    this.#message = await asked.message()
  }

  controls(): string[] {
    return buttonsOf(this.#current()).map(({ label, url }) => (url ? `${label} ${url}` : label))
  }

  async #openForm(): Promise<ShownModal> {
    const { id, channel_id } = this.#current()
    const button = formOf(this.#current())
    if (!button) throw new Error(`no form: ${this.controls().join(', ')}`)
    return this.#harness.discord.people.click(this.#user, channel_id, id, button).modal()
  }

  #upload(upload: Upload, channel: string): string {
    return this.#harness.discord.people.upload(channel, newFile(upload)).id
  }

  /** The message last seen, as it stands now. */
  #current(): APIMessage {
    const seen = this.#message
    if (!seen) throw new Error('nothing was seen yet')
    const now = this.#harness.discord.people.messages(seen.channel_id, this.#user)
    return now.find(({ id }) => id === seen.id) ?? seen
  }
}

function newFile({ name, bytes, type }: Upload): NewFile {
  return { name, bytes, contentType: type }
}

/** A command shows as one on each platform in its own way. */
function hasAll(text: string, parts: readonly string[]): boolean {
  const plain = text.replaceAll('`', '')
  return parts.every((part) => plain.includes(part))
}
