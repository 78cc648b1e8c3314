import type { KeyboardButtonRequestChat } from 'grammy/types'
import type { Change, ConsolePlace, ConsoleState, SeenMessage } from '../../telegram/shown.ts'
import { ChatView } from './telegram-chat.ts'
import { TelegramClient } from './telegram-client.ts'
import { Composer } from './telegram-composer.ts'
import { avatar, el } from './telegram-dom.ts'
import { Footer } from './telegram-footer.ts'
import { Header } from './telegram-header.ts'
import { Notices } from './telegram-notice.ts'
import { pressed } from './telegram-press.ts'
import { shareable } from './telegram-share.ts'
import { refreshTimes } from './telegram-time.ts'
import { uploadOf } from './telegram-upload.ts'

/** Fills the element with the Telegram panel; `base` is where the console's server has its Telegram routes. */
export function mountTelegram(root: HTMLElement, base: string): void {
  new TelegramPanel(root, new TelegramClient(base)).start()
}

class TelegramPanel {
  readonly #client: TelegramClient
  readonly #root: HTMLElement
  readonly #header: Header
  readonly #chat: ChatView
  readonly #composer: Composer
  readonly #footer: Footer
  readonly #notices: Notices
  #state: ConsoleState | undefined
  #person = 0
  #chatId: number | undefined
  #thread: number | undefined
  /** How often something happened in the place that is shown. */
  #changes = 0

  constructor(root: HTMLElement, client: TelegramClient) {
    this.#client = client
    this.#root = el('div', { class: 'tg' })
    root.dataset.panel = 'telegram'
    this.#notices = new Notices(this.#root)
    this.#header = new Header({
      person: (id) => this.#go(id, undefined),
      place: (chatId) => this.#go(this.#person, chatId),
      thread: (thread) => {
        this.#thread = thread
        this.#show()
        void this.#load()
      },
      block: (blocked) => this.#try(client.do('block', { person: this.#person, blocked })),
    })
    this.#chat = new ChatView(this.#frame, {
      press: (message, row, column) => void this.#press(message, row, column),
      reply: (message) => this.#composer.reply(message),
      show: (id) => this.#chat.show(id),
      copy: (text) => void this.#copy(text),
      command: (text) => this.#send(text, undefined),
      start: (parameter) => this.#start(parameter),
    })
    this.#composer = new Composer({
      send: (text, replyTo) => this.#send(text, replyTo),
      attach: (file) => this.#try(this.#attach(file)),
      inline: (query, offset) => client.do('inline', { ...this.#where, query, offset }),
      choose: (answer, result) =>
        this.#try(client.do('choose', { ...this.#where, answer, result })),
      start: (parameter) => this.#start(parameter),
      failed: (error) => this.#failed(error),
    })
    this.#footer = new Footer(this.#composer, {
      start: () => this.#send('/start', undefined),
      restart: () => this.#try(this.#restart()),
      send: (text) => this.#send(text, undefined),
      share: (request) => void this.#share(request),
    })
    this.#root.append(
      this.#header.rail,
      el(
        'div',
        { class: 'tg-main' },
        this.#header.element,
        this.#chat.element,
        this.#footer.element,
      ),
    )
    root.replaceChildren(this.#root)
  }

  start(): void {
    window.setInterval(() => refreshTimes(this.#root), 1_000)
    this.#client.follow(
      () => void this.#refresh().then(() => this.#load()),
      (change) => this.#changed(change),
    )
  }

  get #where(): { person: number; chat: number } {
    return { person: this.#person, chat: this.#place?.chatId ?? this.#person }
  }

  get #frame() {
    const kind = this.#place?.kind
    return {
      person: this.#person,
      isGroup: kind === 'group' || kind === 'supergroup',
      base: this.#client.base,
    }
  }

  get #places(): ConsolePlace[] {
    return this.#state?.people.find(({ id }) => id === this.#person)?.places ?? []
  }

  get #place(): ConsolePlace | undefined {
    return this.#places.find(({ chatId }) => chatId === this.#chatId) ?? this.#places[0]
  }

  /** Changes person or place; going to another person keeps the place, or their own private chat. */
  #go(person: number, chatId: number | undefined): void {
    const wasPrivate = this.#place?.kind === 'private'
    const kept = wasPrivate ? person : this.#chatId
    this.#person = person
    this.#chatId = chatId ?? kept
    this.#thread = undefined
    this.#show()
    void this.#load()
  }

  async #refresh(): Promise<void> {
    try {
      const isFirst = this.#state === undefined
      this.#state = await this.#client.state()
      this.#person ||= this.#state.people[0]?.id ?? 0
      this.#show()
      if (isFirst) this.#markUnread()
    } catch (error) {
      this.#failed(error)
    }
  }

  #show(): void {
    const state = this.#state
    const place = this.#place
    if (!state || !place) return
    this.#header.show(state, this.#person, place, this.#thread)
    // The box is measured, so it has to be there first.
    this.#footer.show(place)
    this.#composer.place(place)
  }

  /** What was written before the page was opened is as unread as what comes later. */
  #markUnread(): void {
    const others = this.#places.filter(({ chatId }) => chatId !== this.#place?.chatId)
    for (const { chatId, hasMessages } of others) if (hasMessages) this.#header.unread(chatId)
  }

  async #load(): Promise<void> {
    const place = this.#place
    if (!place) return
    const before = this.#changes
    try {
      const messages = await this.#client.messages(place.chatId)
      if (place.chatId !== this.#place?.chatId) return
      // It may have been asked before the newest was there.
      if (before !== this.#changes) return await this.#load()
      const shown = messages.filter((message) => this.#isHere(message))
      this.#chat.reset(this.#frame, shown, this.#emptySign(place))
      this.#footer.keyboard(shown)
    } catch (error) {
      this.#failed(error)
    }
  }

  #isHere(message: SeenMessage): boolean {
    return (this.#place?.topics.length ?? 0) === 0 || message.thread === this.#thread
  }

  #emptySign(place: ConsolePlace): HTMLElement {
    const bot = this.#state?.bot
    const about =
      place.kind === 'private'
        ? bot?.description || `Press Start to talk to ${bot?.name ?? 'the bot'}.`
        : 'No messages here yet.'
    const head = place.kind === 'private' ? [el('b', {}, 'What can this bot do?')] : []
    return el('div', { class: 'tg-empty' }, ...head, el('p', {}, about))
  }

  #changed(change: Change): void {
    if (change.kind === 'commands' || change.kind === 'place') {
      void this.#refresh()
      return
    }
    const place = this.#place
    if (change.chatId !== place?.chatId) {
      if (change.kind === 'message') this.#header.unread(change.chatId)
      return
    }
    if (change.kind === 'typing') {
      this.#header.typing()
      return
    }
    this.#changes++
    if (change.kind === 'deleted') this.#chat.remove(change.messageId)
    else if (this.#isHere(change.message)) this.#took(change.message, place)
  }

  #took(message: SeenMessage, place: ConsolePlace): void {
    this.#header.typed()
    this.#chat.put(message)
    this.#footer.took(message)
    const force = message.keyboard?.kind === 'force' ? message.keyboard : undefined
    if (force) {
      this.#composer.reply(message)
      if (force.placeholder !== '') this.#composer.placeholder(force.placeholder)
    }
    if (!place.started) void this.#refresh()
  }

  #send(text: string, replyTo: number | undefined): void {
    const body = {
      ...this.#where,
      text,
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(this.#thread === undefined ? {} : { thread: this.#thread }),
    }
    this.#try(this.#client.do('text', body))
  }

  async #restart(): Promise<void> {
    await this.#client.do('block', { person: this.#person, blocked: false })
    this.#send('/start', undefined)
  }

  #start(parameter: string): void {
    this.#go(this.#person, this.#person)
    this.#send(`/start ${parameter}`, undefined)
  }

  async #press(message: SeenMessage, row: number, column: number): Promise<void> {
    this.#chat.wait(message.id, row, column, true)
    try {
      const body = { ...this.#where, message: message.id, row, column }
      const result = await this.#client.do('press', body)
      await pressed(result, {
        notices: this.#notices,
        copy: (text) => this.#copy(text),
        start: (parameter) => this.#start(parameter),
        switchInline: (query, here) => this.#switchInline(query, here),
      })
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#chat.wait(message.id, row, column, false)
    }
  }

  async #switchInline(query: string, here: boolean): Promise<void> {
    const words = { title: 'Choose a chat', empty: 'There is no chat yet.' }
    const place = here ? this.#place : await this.#pickPlace(words, this.#places)
    if (!place) return
    if (!here) this.#go(this.#person, place.chatId)
    this.#composer.fill(`@${this.#state?.bot.username ?? ''} ${query}`)
  }

  async #share(asked: KeyboardButtonRequestChat): Promise<void> {
    const { places, ...words } = shareable(asked, this.#places, this.#state?.people ?? [])
    const place = await this.#pickPlace(words, places)
    const request = asked.request_id
    if (place) this.#try(this.#client.do('share', { ...this.#where, chat: place.chatId, request }))
  }

  #pickPlace(
    words: { title: string; empty: string },
    places: ConsolePlace[],
  ): Promise<ConsolePlace | undefined> {
    return this.#notices.choose(words, places, (place) => {
      const bot = this.#state?.bot.id ?? 0
      const id = place.kind === 'private' ? bot : place.chatId
      return el('span', { class: 'tg-choice-place' }, avatar(id, place.title), place.title)
    })
  }

  async #attach(file: File): Promise<void> {
    await this.#client.do('upload', { ...this.#where, ...(await uploadOf(file)) })
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      this.#notices.toast('Copied to clipboard')
    } catch {
      this.#notices.toast('The browser did not allow copying')
    }
  }

  #try(done: Promise<unknown>): void {
    done.catch((error: unknown) => this.#failed(error))
  }

  #failed(error: unknown): void {
    this.#notices.toast(error instanceof Error ? error.message : String(error))
  }
}
