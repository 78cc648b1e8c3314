import { PermissionFlagsBits } from 'discord-api-types/v10'
import { expect } from 'vitest'
import { type AlertHarness, eventually, type Subscriber } from './alert-harness.ts'
import { type ChatUser, DiscordUser, TelegramUser } from './users.ts'

/** Where alerts are told. */
export const places = [
  'a channel on Telegram',
  'a private chat on Telegram',
  'a channel on Discord',
] as const

/** Chats that nobody has used yet, in which alerts are followed by words and buttons. */
export class AlertChats {
  readonly #alerts: AlertHarness
  #opened = 0

  constructor(alerts: AlertHarness) {
    this.#alerts = alerts
  }

  /** With somebody of its own who may change what is followed: of one person the bot takes so much at once. */
  open(place: (typeof places)[number]): AlertChat {
    this.#opened += 1
    if (place === 'a channel on Discord') return this.#onDiscord()
    return this.#onTelegram(place === 'a private chat on Telegram')
  }

  #onDiscord(): AlertChat {
    const { harness } = this.#alerts
    const { world } = harness.discord
    const { id } = world.addChannel(`news-${this.#opened}`).channel
    const person = world.join(`editor${this.#opened}`)
    world.allow(id, PermissionFlagsBits.ManageWebhooks, person)
    const editor = new DiscordUser(harness, person, id)
    return new AlertChat(this.#alerts, { platform: 'discord', kind: 'chat', id }, editor)
  }

  #onTelegram(isPrivate: boolean): AlertChat {
    const { harness } = this.#alerts
    const { circumstances } = harness.telegram
    const [person = 0] = circumstances.crowd(1, 3_000_000 + this.#opened)
    const [channel = 0] = isPrivate
      ? [person]
      : circumstances.channels(1, person, -1_000_002_000_000 - this.#opened)
    const editor = new TelegramUser(harness, person, channel)
    const kind = isPrivate ? 'person' : 'chat'
    return new AlertChat(this.#alerts, { platform: 'telegram', kind, id: String(channel) }, editor)
  }
}

/** A chat, and what is told there. */
export class AlertChat {
  readonly #alerts: AlertHarness
  readonly #subscriber: Subscriber
  readonly #user: ChatUser
  #before = 0

  constructor(alerts: AlertHarness, subscriber: Subscriber, user: ChatUser) {
    this.#alerts = alerts
    this.#subscriber = subscriber
    this.#user = user
  }

  /** Types `/alerts add` with each of these rules. */
  async follows(...rules: string[]): Promise<void> {
    for (const rule of rules) await this.says(`/alerts add ${rule}`, 'added')
  }

  /** Types a line that is answered with these texts. */
  async says(line: string, ...answer: string[]): Promise<void> {
    await this.#user.says(line)
    await this.#answered(answer)
  }

  /** Presses a button of the last answer, which is answered with these texts. */
  async presses(label: string, ...answer: string[]): Promise<void> {
    await this.#user.presses(label)
    await this.#answered(answer)
  }

  /** Fails unless nothing was told since the last answer, also of what the bot has still to look at. */
  async expectSilence(): Promise<void> {
    await this.#alerts.polled()
    await this.#expectNews([])
  }

  /**
   * Waits for these alerts since the last answer, as they stand now, oldest first: of each message some texts. Fails
   * where there are others, or some on their way.
   */
  async expectHeard(...messages: [string[], ...string[][]]): Promise<void> {
    await this.#expectNews(messages)
  }

  async #expectNews(messages: readonly string[][]): Promise<void> {
    await eventually(async () => {
      expect(await this.#alerts.waitingFor(this.#subscriber)).toBe(0)
      const news = this.#news()
      const has = (text: string, index: number) =>
        messages[index]?.every((part) => text.includes(part))
      expect(news.map((text, index) => (has(text, index) ? messages[index] : text))).toEqual(
        messages,
      )
    })
  }

  /** What the bot wrote since the last answer. */
  #news(): string[] {
    return this.#alerts.written(this.#subscriber).slice(this.#before)
  }

  async #answered(answer: readonly string[]): Promise<void> {
    await this.#user.sees(...answer)
    this.#before = this.#alerts.written(this.#subscriber).length
  }
}
