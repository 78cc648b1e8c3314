import { type APIMessage, ComponentType } from 'discord-api-types/v10'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import type { SeenMessage } from '../../sandbox/telegram/shown.ts'
import { parseLine } from '../../src/chat/line.ts'
import type { Town } from './town.ts'

/** A person on a platform; one script of these runs on both. Everything waits for the bot, and rejects in the end. */
export interface Visitor {
  platform: 'telegram' | 'discord'
  /** Types a command line, or plain text into the private chat. */
  says(text: string): Promise<void>
  /** Waits for a message, a change of one, or a notice that has all these texts; it is then the one to press. */
  sees(...texts: string[]): Promise<string>
  /** Presses the button with this label on the message last seen. */
  presses(label: string): Promise<void>
  /** Opens an item of the list last seen, by its number. */
  opens(number: number): Promise<void>
  /** Labels and links of the buttons on the message last seen, without those that open the items of a list. */
  controls(): string[]
}

/** What the bot adds unseen to keep Telegram from making links. */
const unseen = /\u2060/gu

export class TelegramVisitor implements Visitor {
  readonly platform = 'telegram'
  readonly #town: Town
  readonly #user: number
  readonly #chat: number
  #after = 0
  #seen: SeenMessage | undefined
  #notice = ''

  constructor(town: Town, user = telegramCast.ada.id, chat: number = user) {
    this.#town = town
    this.#user = user
    this.#chat = chat
  }

  async says(text: string): Promise<void> {
    this.#notice = ''
    this.#after = this.#town.telegram.people.text(this.#user, this.#chat, text).message_id
  }

  async sees(...texts: string[]): Promise<string> {
    if (this.#notice !== '' && hasAll(this.#notice, texts)) return this.#notice
    this.#seen = await this.#town.telegram.people.waitFor(
      this.#chat,
      ({ text }) => hasAll(text.replace(unseen, ''), texts),
      { after: this.#after, timeoutMs: 12_000 },
    )
    return this.#seen.text.replace(unseen, '')
  }

  async presses(label: string): Promise<void> {
    const { id, buttons } = this.#current()
    const row = buttons.findIndex((each) => each.some(({ text }) => text === label))
    const column = buttons[row]?.findIndex(({ text }) => text === label) ?? -1
    if (row < 0) throw new Error(`no button ${label}; there are ${this.controls().join(', ')}`)
    this.#after = id - 1
    const { people } = this.#town.telegram
    const result = await people.press(this.#user, this.#chat, id, { row, column }, 12_000)
    this.#notice = result.kind === 'answer' ? result.text : ''
    if (result.kind === 'no answer') throw new Error(`nothing answers ${label}`)
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

  #current(): SeenMessage {
    if (!this.#seen) throw new Error('nothing was seen yet')
    return this.#seen
  }
}

export class DiscordVisitor implements Visitor {
  readonly platform = 'discord'
  readonly #town: Town
  readonly #user: string
  readonly #channel: string
  #message: APIMessage | undefined

  constructor(
    town: Town,
    user: string = discordCast.ada.id,
    channel: string = discordCast.club.id,
  ) {
    this.#town = town
    this.#user = user
    this.#channel = channel
  }

  /** Writes a message into the private chat, as it stands. */
  async writes(text: string): Promise<void> {
    const { people } = this.#town.discord
    const channel = people.dm(this.#user)
    const { id } = people.text(this.#user, channel, text)
    this.#message = await people.until(channel, this.#user, (messages) =>
      messages.find((message) => message.author.bot && BigInt(message.id) > BigInt(id)),
    )
  }

  async says(text: string): Promise<void> {
    if (!text.startsWith('/')) return this.writes(text)
    const { people } = this.#town.discord
    const { name, bare, named } = parseLine(text.slice(1))
    const command = people.commands(this.#user, this.#channel).find((each) => each.name === name)
    const first = command?.options?.[0]?.name
    const options = Object.fromEntries(
      [...named, ...(first && bare ? [[first, bare] as const] : [])].map(([option, value]) => [
        option,
        command?.options?.find((each) => each.name === option)?.type === 4 ? Number(value) : value,
      ]),
    )
    this.#message = await people.slash(this.#user, this.#channel, name, options).message()
  }

  async sees(...texts: string[]): Promise<string> {
    const text = discordText(this.#current())
    if (!hasAll(text, texts)) throw new Error(`expected ${texts.join(', ')} in:\n${text}`)
    return text
  }

  async presses(label: string): Promise<void> {
    const { id, channel_id } = this.#current()
    const button = buttonsOf(this.#current()).find((each) => each.label === label)
    if (!button?.customId) throw new Error(`no button ${label}: ${this.controls().join(', ')}`)
    const { people } = this.#town.discord
    this.#message = await people.click(this.#user, channel_id, id, button.customId).message()
  }

  async opens(number: number): Promise<void> {
    const { id, channel_id } = this.#current()
    const select = selectOf(this.#current())
    const value = select?.values[number - 1]
    if (!select || value === undefined) throw new Error(`no item ${number}`)
    const { people } = this.#town.discord
    const asked = people.select(this.#user, channel_id, id, select.customId, [value])
    this.#message = await asked.message()
  }

  controls(): string[] {
    return buttonsOf(this.#current()).map(({ label, url }) => (url ? `${label} ${url}` : label))
  }

  #current(): APIMessage {
    if (!this.#message) throw new Error('nothing was seen yet')
    return this.#message
  }
}

function hasAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.includes(part))
}

type Part = NonNullable<APIMessage['components']>[number]

function partsOf(message: APIMessage): Part[] {
  return (message.components ?? []).flatMap((part) =>
    part.type === ComponentType.Container ? part.components : [part],
  )
}

/** What stands in the message, with markdown's escapes resolved. */
export function discordText(message: APIMessage): string {
  return partsOf(message)
    .flatMap((part) => {
      if (part.type === ComponentType.TextDisplay) return [part.content]
      return part.type === ComponentType.Section
        ? part.components.map(({ content }) => content)
        : []
    })
    .join('\n')
    .replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1')
}

function controlsOf(message: APIMessage) {
  return partsOf(message).flatMap((part) =>
    part.type === ComponentType.ActionRow ? part.components : [],
  )
}

function buttonsOf(message: APIMessage) {
  return controlsOf(message)
    .filter((control) => control.type === ComponentType.Button)
    .map((button) => ({
      label: 'label' in button ? (button.label ?? '') : '',
      customId: 'custom_id' in button ? button.custom_id : undefined,
      url: 'url' in button ? button.url : undefined,
    }))
}

function selectOf(message: APIMessage) {
  const select = controlsOf(message).find((control) => control.type === ComponentType.StringSelect)
  return select && { customId: select.custom_id, values: select.options.map(({ value }) => value) }
}
