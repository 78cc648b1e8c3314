import type { ConsolePlace, ConsoleState } from '../../telegram/shown.ts'
import { avatar, button, el, type Icon, icon } from './telegram-dom.ts'

export interface HeaderActions {
  person(id: number): void
  place(chatId: number): void
  thread(thread: number | undefined): void
  block(blocked: boolean): void
}

const signs: Record<ConsolePlace['kind'], Icon | undefined> = {
  private: undefined,
  group: 'group',
  supergroup: 'topics',
  channel: 'megaphone',
}

const pictureOf = (place: ConsolePlace, { bot }: ConsoleState): HTMLElement =>
  avatar(place.kind === 'private' ? bot.id : place.chatId, place.title, signs[place.kind])

/** Telegram shows that somebody types for this long after it was told, in milliseconds. */
const typingFor = 5_000

/** The list of chats at the side, and above the chat its name, the person who looks at it and its topics. */
export class Header {
  readonly element: HTMLElement
  readonly rail: HTMLElement
  readonly #actions: HeaderActions
  readonly #title = el('b', { class: 'tg-title' })
  readonly #about = el('span', { class: 'tg-about' })
  readonly #picture = el('span', { class: 'tg-head-picture' })
  readonly #people = el('div', { class: 'tg-people', role: 'group', 'aria-label': 'Person' })
  readonly #topics = el('div', { class: 'tg-topics', role: 'group', 'aria-label': 'Topic' })
  readonly #block: HTMLButtonElement
  readonly #unread = new Set<number>()
  #typing: number | undefined
  #place: ConsolePlace | undefined

  constructor(actions: HeaderActions) {
    this.#actions = actions
    this.rail = el('nav', { class: 'tg-rail', 'aria-label': 'Place' })
    this.#block = button(
      { class: 'tg-block', title: 'Block the bot', 'aria-label': 'Block the bot' },
      () => actions.block(true),
      icon('block'),
    )
    this.element = el(
      'header',
      { class: 'tg-head' },
      el(
        'div',
        { class: 'tg-head-row' },
        this.#picture,
        el('div', { class: 'tg-head-text' }, this.#title, this.#about),
        this.#block,
        this.#people,
      ),
      this.#topics,
    )
  }

  show(state: ConsoleState, person: number, place: ConsolePlace, thread: number | undefined): void {
    if (this.#place?.chatId !== place.chatId) this.typed()
    this.#place = place
    this.#unread.delete(place.chatId)
    this.#title.textContent = place.title
    if (this.#typing === undefined) this.#about.textContent = place.about
    this.#picture.replaceChildren(pictureOf(place, state))
    this.#block.hidden = place.kind !== 'private' || !place.started || place.blocked
    this.#people.replaceChildren(...state.people.map((one) => this.#personButton(one, person)))
    const places = state.people.find(({ id }) => id === person)?.places ?? []
    this.rail.replaceChildren(...places.map((one) => this.#placeButton(one, place, state)))
    this.#showTopics(place, thread)
  }

  /** The bot says that it is typing. */
  typing(): void {
    window.clearTimeout(this.#typing)
    this.#about.textContent = 'typing…'
    this.#about.classList.add('tg-typing')
    this.#typing = window.setTimeout(() => this.typed(), typingFor)
  }

  /** It has stopped, or sent what it typed. */
  typed(): void {
    window.clearTimeout(this.#typing)
    this.#typing = undefined
    this.#about.classList.remove('tg-typing')
    this.#about.textContent = this.#place?.about ?? ''
  }

  /** Marks a place where something came that nobody looked at. */
  unread(chatId: number): void {
    this.#unread.add(chatId)
    this.rail.querySelector(`[data-chat="${chatId}"]`)?.classList.add('tg-unread')
  }

  #personButton(one: ConsoleState['people'][number], person: number): HTMLElement {
    return button(
      {
        class: 'tg-person',
        'aria-pressed': String(one.id === person),
        title: `Look as ${one.name}`,
      },
      () => this.#actions.person(one.id),
      avatar(one.id, one.name),
      el('span', {}, one.name),
    )
  }

  #placeButton(one: ConsolePlace, place: ConsolePlace, state: ConsoleState): HTMLElement {
    return button(
      {
        class: `tg-place${this.#unread.has(one.chatId) ? ' tg-unread' : ''}`,
        'aria-current': String(one.chatId === place.chatId),
        'data-chat': String(one.chatId),
        title: one.title,
      },
      () => this.#actions.place(one.chatId),
      pictureOf(one, state),
      el('span', { class: 'tg-place-name' }, one.title),
    )
  }

  #showTopics(place: ConsolePlace, thread: number | undefined): void {
    const all = [{ id: undefined, title: 'General' }, ...place.topics]
    this.#topics.hidden = place.topics.length === 0
    this.#topics.replaceChildren(
      ...all.map(({ id, title }) =>
        button(
          { class: 'tg-topic', 'aria-pressed': String(id === thread) },
          () => this.#actions.thread(id),
          title,
        ),
      ),
    )
  }
}
