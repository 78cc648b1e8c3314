import type { KeyboardButtonRequestChat } from 'grammy/types'
import { botLink } from '../../telegram/links.ts'
import type {
  Change,
  ConsolePlace,
  ConsoleState,
  InlineList,
  PressResult,
  SeenMessage,
} from '../../telegram/shown.ts'
import type { Chat, Entry, Message, Place, TapKind, View } from './model.ts'
import { Pane } from './pane.ts'
import { fetchJson, fileText } from './request.ts'
import { telegramMessage } from './telegram-message.ts'

/** What each action of the console takes and gives; the server checks it again. */
interface Actions {
  text: [{ text: string; replyTo?: number }, unknown]
  press: [{ message: number; row: number; column: number }, PressResult]
  inline: [{ query: string; offset: string }, InlineList]
  choose: [{ answer: string; result: string }, unknown]
  share: [{ chat: number; request: number }, unknown]
  add: [{ chat: number; url: string }, unknown]
  block: [{ blocked: boolean }, unknown]
  upload: [{ name: string; type: string; data: string; asPhoto: boolean; caption: string }, unknown]
}

/** Telegram shows that somebody types for this long after it was told, in milliseconds. */
const typingMs = 5_000
/** Telegram waits this long after the last key before it asks the bot, in milliseconds. */
const inlinePauseMs = 300

/** Fills the element with the Telegram panel; `base` is where the console's server has its Telegram routes. */
export function mountTelegram(root: HTMLElement, base: string): void {
  new TelegramChat(root, base).start()
}

class TelegramChat implements Chat {
  readonly #pane: Pane
  readonly #base: string
  #state: ConsoleState | undefined
  #person = 0
  #placeId: number | undefined
  #thread: number | undefined
  readonly #messages = new Map<number, SeenMessage>()
  readonly #unread = new Set<number>()
  #typing: number | undefined
  #inline: string | undefined
  #inlineTimer: number | undefined
  /** How often something happened in the place that is shown. */
  #changes = 0

  constructor(root: HTMLElement, base: string) {
    this.#base = base
    this.#pane = new Pane(root, 'telegram', this)
  }

  start(): void {
    const events = new EventSource(`${this.#base}/events`)
    // After each reconnection something may have been missed.
    events.addEventListener('open', () => this.#try(this.#refresh().then(() => this.#load())))
    events.addEventListener('message', ({ data }) => this.#changed(JSON.parse(data)))
  }

  get view(): View | undefined {
    const [state, place] = [this.#state, this.#place]
    if (!state || !place) return undefined
    const isPrivate = place.kind === 'private'
    const mayBlock = isPrivate && place.started && !place.blocked
    const messages = [...this.#messages.values()]
    return {
      people: state.people.map(({ id, name }) => ({ id: String(id), name, isBot: false })),
      person: String(this.#person),
      places: this.#places.map((each) => this.#placeView(each)),
      place: String(place.chatId),
      title: {
        name: place.title,
        about: place.about,
        isTyping: this.#typing !== undefined,
        block: mayBlock ? () => this.#try(this.#do('block', { blocked: true })) : undefined,
      },
      topics:
        place.topics.length === 0
          ? []
          : [
              { id: '', name: 'General' },
              ...place.topics.map(({ id, title }) => ({ id: String(id), name: title })),
            ],
      topic: String(this.#thread ?? ''),
      messages: messages.map((message) => telegramMessage(message, this.#person, this.#base)),
      isGroup: place.kind === 'group' || place.kind === 'supergroup',
      intro: messages.length > 0 ? undefined : introOf(place, state.bot),
      pending: [],
      placeholder: place.kind === 'channel' ? 'Broadcast' : 'Message',
      ...this.#bar(place),
      isReadOnly: false,
      maxLength: 4096,
      hasCommands: place.commands.length > 0,
      keyboard: this.#keyboard(messages),
    }
  }

  goTo(person: string, place: string, topic = ''): void {
    // Going to another person keeps the place, or leads to their own private chat.
    const isOwnChat = Number(place) === this.#person
    this.#thread = topic === '' ? undefined : Number(topic)
    this.#placeId = isOwnChat ? Number(person) : Number(place)
    this.#person = Number(person)
    this.#unread.delete(this.#placeId)
    this.#messages.clear()
    this.#stopTyping()
    this.#try(this.#load())
  }

  async press({ id }: Message, control: string): Promise<void> {
    const [row = 0, column = 0] = control.split(':').map(Number)
    const pressed = await this.#do('press', { message: Number(id), row, column }).catch(
      this.#failed,
    )
    if (pressed) await this.#follow(pressed)
  }

  async choose(): Promise<void> {}

  dismiss(): void {}

  follow(url: string): boolean {
    const link = botLink(url, this.#state?.bot.username ?? '')
    if (link?.opens === 'private') this.#start(link.parameter)
    else if (link) this.#try(this.#add(url, link.opens))
    return link !== undefined
  }

  tap(does: TapKind, value: string): void {
    if (does === 'command') this.submit(value, undefined)
  }

  typed(text: string): void {
    const query = this.#inlineQuery(text)
    if (query !== undefined && query === this.#inline) return
    this.#inline = query
    window.clearTimeout(this.#inlineTimer)
    if (query !== undefined)
      this.#inlineTimer = window.setTimeout(() => this.#try(this.#ask(query)), inlinePauseMs)
    else this.#offerCommands(/^\/([a-z0-9_]*)$/iu.exec(text)?.[1]?.toLowerCase())
  }

  isWhole(): boolean {
    return false
  }

  submit(text: string, answers: string | undefined): void {
    const replyTo = answers === undefined ? {} : { replyTo: Number(answers) }
    this.#try(this.#do('text', { text, ...replyTo }))
  }

  attach(file: File, caption: string): void {
    const asPhoto = /^image\/(?:png|jpeg|webp)$/u.test(file.type)
    const { name, type } = file
    this.#try(
      fileText(file).then((data) => this.#do('upload', { name, type, data, asPhoto, caption })),
    )
  }

  listCommands(): void {
    this.#offerCommands('')
  }

  get #places(): ConsolePlace[] {
    return this.#state?.people.find(({ id }) => id === this.#person)?.places ?? []
  }

  get #place(): ConsolePlace | undefined {
    return this.#places.find(({ chatId }) => chatId === this.#placeId) ?? this.#places[0]
  }

  #placeView({ chatId, kind, title, about }: ConsolePlace): Place {
    const sign = kind === 'private' ? 'bot' : kind
    return { id: String(chatId), name: title, about, sign, isUnread: this.#unread.has(chatId) }
  }

  #bar({ blocked, started, canWrite }: ConsolePlace): Pick<View, 'bar'> {
    if (blocked) return { bar: { words: 'Restart bot', run: () => this.#try(this.#restart()) } }
    if (!started) return { bar: { words: 'Start', run: () => this.submit('/start', undefined) } }
    return canWrite ? {} : { bar: { words: 'Only administrators can post here' } }
  }

  /** The keyboard that the latest of the messages left behind. */
  #keyboard(messages: readonly SeenMessage[]): View['keyboard'] {
    const last = messages.findLast(({ keyboard }) => keyboard && keyboard.kind !== 'force')
    const keyboard = last?.keyboard?.kind === 'keyboard' ? last.keyboard : undefined
    return keyboard?.rows.map((row) =>
      row.map(({ text, style = '', requestChat }) => ({
        label: text,
        style,
        run: () => {
          if (requestChat) this.#try(this.#share(requestChat))
          else this.submit(text, undefined)
          if (keyboard.oneTime) this.#pane.composer.openKeyboard(false)
        },
      })),
    )
  }

  async #refresh(): Promise<void> {
    const isFirst = this.#state === undefined
    this.#state = await fetchJson<ConsoleState>(`${this.#base}/state`)
    this.#person ||= this.#state.people[0]?.id ?? 0
    // What was written before the page was opened is as unread as what comes later.
    const others = this.#places.filter(({ chatId }) => chatId !== this.#place?.chatId)
    if (isFirst)
      for (const { chatId, hasMessages } of others) if (hasMessages) this.#unread.add(chatId)
    this.#pane.update()
  }

  async #load(): Promise<void> {
    const place = this.#place
    if (!place) return
    const before = this.#changes
    const messages = await fetchJson<SeenMessage[]>(`${this.#base}/messages?chat=${place.chatId}`)
    if (place.chatId !== this.#place?.chatId) return
    // It may have been asked before the newest was there.
    if (before !== this.#changes) return this.#load()
    this.#messages.clear()
    for (const message of messages)
      if (this.#isHere(message)) this.#messages.set(message.id, message)
    this.#pane.update()
  }

  #isHere(message: SeenMessage): boolean {
    return (this.#place?.topics.length ?? 0) === 0 || message.thread === this.#thread
  }

  #changed(change: Change): void {
    if (change.kind === 'profile' || change.kind === 'place') this.#try(this.#refresh())
    else if (change.chatId !== this.#place?.chatId) {
      if (change.kind === 'message') this.#unread.add(change.chatId)
    } else if (change.kind === 'typing') {
      this.#stopTyping()
      this.#typing = window.setTimeout(() => this.#stopTyping(), typingMs)
    } else {
      this.#changes++
      if (change.kind === 'deleted') this.#messages.delete(change.messageId)
      else if (this.#isHere(change.message)) this.#took(change.message)
    }
    this.#pane.update()
  }

  #took(message: SeenMessage): void {
    this.#stopTyping()
    this.#messages.set(message.id, message)
    const { keyboard } = message
    if (keyboard?.kind === 'keyboard') this.#pane.composer.openKeyboard(true)
    if (keyboard?.kind === 'force') {
      const shown = telegramMessage(message, this.#person, this.#base)
      this.#pane.composer.answer(shown, keyboard.placeholder)
    }
    if (this.#place?.started === false) this.#try(this.#refresh())
  }

  #stopTyping(): void {
    window.clearTimeout(this.#typing)
    this.#typing = undefined
    this.#pane.update()
  }

  /** What stands behind the bot's name in the message box. */
  #inlineQuery(text: string): string | undefined {
    const [, name = '', query] = /^@(\w+)\s+([\s\S]*)$/u.exec(text) ?? []
    return name.toLowerCase() === this.#state?.bot.username ? query?.trim() : undefined
  }

  #offerCommands(start: string | undefined): void {
    const all = start === undefined ? [] : (this.#place?.commands ?? [])
    const fitting = all.filter(({ command }) => command.startsWith(start ?? ''))
    const entries = fitting.map(({ command, description }) => ({
      label: `/${command}`,
      about: description,
      completes: `/${command} `,
      pick: () => {
        this.#pane.composer.clear()
        this.submit(`/${command}`, undefined)
      },
    }))
    this.#pane.composer.offer(entries.length > 0 ? { entries } : undefined)
  }

  async #ask(query: string): Promise<void> {
    const entries: Entry[] = []
    let offset: string | undefined = ''
    const more = async () => {
      if (offset === undefined) return
      const asked = offset
      offset = undefined
      const list = await this.#do('inline', { query, offset: asked })
      if (this.#inline !== query) return
      offset = list.nextOffset === '' ? undefined : list.nextOffset
      if (asked === '') entries.push(...this.#topButton(list))
      entries.push(...this.#results(list))
      const heading = entries.length === 0 ? 'No results' : undefined
      this.#pane.composer.offer({ heading, entries, more: () => this.#try(more()) })
    }
    await more()
  }

  #topButton({ button }: InlineList): Entry[] {
    if (!button?.startParameter) return []
    const pick = () => this.#start(button.startParameter)
    return [{ label: button.text, pick }]
  }

  #results({ answer, results }: InlineList): Entry[] {
    return results.map(({ id, title, description, thumbnail }) => ({
      label: title,
      about: description,
      thumbnail,
      pick: () => {
        this.#try(this.#do('choose', { answer, result: id }))
        this.#inline = undefined
        this.#pane.composer.clear()
      },
    }))
  }

  #start(parameter: string): void {
    this.#pane.composer.clear()
    this.goTo(String(this.#person), String(this.#person))
    if (parameter !== '') this.submit(`/start ${parameter}`, undefined)
  }

  async #restart(): Promise<void> {
    await this.#do('block', { blocked: false })
    this.submit('/start', undefined)
  }

  /** Does what Telegram does after a button was pressed. */
  async #follow(pressed: PressResult): Promise<void> {
    switch (pressed.kind) {
      case 'answer':
        if (this.follow(pressed.url)) return
        if (pressed.alert || pressed.url !== '') this.#pane.alert(pressed.text, pressed.url)
        else if (pressed.text !== '') this.#pane.toast(pressed.text)
        return
      case 'no answer':
        return this.#pane.toast('The bot did not answer')
      case 'copied':
        return this.#pane.copy(pressed.text)
      case 'inline':
        return this.#switchInline(pressed.query)
      case 'link':
        if (!this.follow(pressed.url)) window.open(pressed.url, '_blank', 'noopener,noreferrer')
    }
  }

  /** Lets the person choose a chat, and asks for cards there. */
  async #switchInline(query: string): Promise<void> {
    const words = { title: 'Choose a chat', empty: 'There is no chat to choose.' }
    const place = await this.#pick(words, ({ canWrite }) => canWrite)
    if (!place) return
    this.goTo(String(this.#person), place.id)
    this.#pane.composer.fill(`@${this.#state?.bot.username} ${query}`)
  }

  /** Adds the bot to a group or channel of the person's. */
  async #add(url: string, kind: 'group' | 'channel'): Promise<void> {
    const words = {
      title: `Add the bot to a ${kind}`,
      about: 'It is in each of these: it leaves first, and comes as to a new one.',
      empty: `You manage no ${kind} here.`,
    }
    const place = await this.#pick(
      words,
      (each) => each.manages && each.kind.replace('supergroup', 'group') === kind,
    )
    if (!place) return
    await this.#do('add', { chat: Number(place.id), url })
    this.goTo(String(this.#person), place.id)
  }

  /** Lets the person choose one of the channels or groups that they may share. */
  async #share(asked: KeyboardButtonRequestChat): Promise<void> {
    const what = asked.chat_is_channel ? 'channel' : 'group'
    const fits = ({ kind, canWrite, manages }: ConsolePlace) =>
      kind !== 'private' &&
      (kind === 'channel') === asked.chat_is_channel &&
      (asked.user_administrator_rights ? manages : canWrite)
    const other = this.#state?.people.find(({ places }) => places.some(fits))
    const able = other ? ` ${other.name} does: go on as ${other.name}, above the chat.` : ''
    const words = {
      title: `Choose a ${what}`,
      empty: `You manage no ${what} here, so there is none to choose.${able}`,
    }
    const place = await this.#pick(words, fits)
    if (place) await this.#do('share', { chat: Number(place.id), request: asked.request_id })
  }

  #pick(
    words: { title: string; about?: string; empty: string },
    fits: (place: ConsolePlace) => boolean,
  ): Promise<Place | undefined> {
    const places = this.#places.filter(fits).map((each) => this.#placeView(each))
    return this.#pane.pick(words, places)
  }

  #do<Name extends keyof Actions>(name: Name, body: Actions[Name][0]): Promise<Actions[Name][1]> {
    const chat = this.#place?.chatId ?? this.#person
    const where = { person: this.#person, chat, thread: this.#thread }
    return fetchJson(`${this.#base}/${name}`, { ...where, ...body })
  }

  #try(done: Promise<unknown>): void {
    done.catch(this.#failed)
  }

  readonly #failed = (error: unknown): undefined => {
    this.#pane.toast(error instanceof Error ? error.message : String(error))
  }
}

function introOf({ kind }: ConsolePlace, bot: ConsoleState['bot']): View['intro'] {
  if (kind !== 'private') return { title: '', about: 'No messages here yet.' }
  return { title: 'What can this bot do?', about: bot.about || 'Press Start to talk to it.' }
}
