import type { SeenMessage } from '../../telegram/shown.ts'
import { ListEnd } from './list-end.ts'
import { button, el, icon } from './telegram-dom.ts'
import { type MessageActions, type MessageFrame, messageRow } from './telegram-message.ts'
import { dayName } from './telegram-time.ts'

/** The scrolling list of a chat's messages, kept in step with what happens. */
export class ChatView {
  readonly element: HTMLElement
  readonly #list: HTMLElement
  readonly #jump: HTMLElement
  readonly #end: ListEnd
  readonly #actions: MessageActions
  #frame: MessageFrame
  #messages = new Map<number, SeenMessage>()
  #unread = 0
  /** Buttons that wait for the bot; an edit of their message must not stop the sign of it. */
  readonly #waiting = new Set<string>()

  constructor(frame: MessageFrame, actions: MessageActions) {
    this.#frame = frame
    this.#actions = actions
    this.#list = el('div', { class: 'tg-messages', role: 'log', 'aria-label': 'Messages' })
    this.#jump = button(
      { class: 'tg-jump', 'aria-label': 'To the newest message', hidden: '' },
      () => this.#end.hold('smooth'),
      icon('down'),
      el('span', { class: 'tg-badge', hidden: '' }),
    )
    this.element = el('div', { class: 'tg-chat' }, this.#list, this.#jump)
    this.#end = new ListEnd(this.#list, { moved: () => this.#showJump() })
  }

  /** Shows another chat, or the same one through other eyes. */
  reset(frame: MessageFrame, messages: readonly SeenMessage[], empty: Node | undefined): void {
    this.#frame = frame
    this.#messages = new Map(messages.map((message) => [message.id, message]))
    this.#list.replaceChildren()
    this.#list.classList.toggle('tg-group', frame.isGroup)
    if (messages.length === 0 && empty) this.#list.append(empty)
    for (const message of messages) this.#append(message)
    this.#end.hold()
    this.#showJump()
  }

  /** A new message or a new version of one. */
  put(message: SeenMessage): void {
    const known = this.#messages.has(message.id)
    const isRead = this.#end.isHeld
    this.#messages.set(message.id, message)
    if (known) {
      const row = messageRow(message, this.#frame, this.#actions)
      this.#row(message.id)?.replaceWith(row)
      for (const key of this.#waiting) this.#markWaiting(key, true)
      this.#joinRows()
    } else {
      this.#list.querySelector('.tg-empty')?.remove()
      this.#append(message)
      if (!isRead && message.sender.id !== this.#frame.person) this.#unread++
    }
    if (isRead || message.sender.id === this.#frame.person) this.#end.hold()
    this.#showJump()
  }

  remove(id: number): void {
    this.#messages.delete(id)
    this.#row(id)?.remove()
    this.#joinRows()
  }

  /** Shows on a button that the bot has not answered yet, or no longer. */
  wait(id: number, row: number, column: number, isWaiting: boolean): void {
    const key = `[data-message="${id}"] [data-key="${row}:${column}"]`
    if (isWaiting) this.#waiting.add(key)
    else this.#waiting.delete(key)
    this.#markWaiting(key, isWaiting)
  }

  /** Scrolls to a message and lights it up. */
  show(id: number): void {
    const row = this.#row(id)
    row?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    row?.animate([{ background: 'var(--tg-light)' }, { background: 'transparent' }], 1_500)
  }

  #markWaiting(key: string, isWaiting: boolean): void {
    this.#list.querySelector(key)?.classList.toggle('tg-busy', isWaiting)
  }

  #row(id: number): HTMLElement | null {
    return this.#list.querySelector(`[data-message="${id}"]`)
  }

  #append(message: SeenMessage): void {
    const day = dayName(message.date)
    const days = this.#list.querySelectorAll<HTMLElement>('.tg-day')
    if (days[days.length - 1]?.dataset.day !== day)
      this.#list.append(el('div', { class: 'tg-day', 'data-day': day }, el('span', {}, day)))
    const row = messageRow(message, this.#frame, this.#actions)
    this.#list.append(row)
    this.#joinPair(row)
  }

  #joinRows(): void {
    for (const row of this.#list.querySelectorAll<HTMLElement>('.tg-row')) this.#joinPair(row)
  }

  /** Consecutive messages of one sender stand closer, the last of them with the tail. */
  #joinPair(row: HTMLElement): void {
    const before = row.previousElementSibling
    const joined =
      before instanceof HTMLElement &&
      row.dataset.sender !== undefined &&
      before.dataset.sender === row.dataset.sender
    row.classList.toggle('tg-joined', joined)
    before?.classList.toggle('tg-continued', joined)
  }

  #showJump(): void {
    const { isHeld } = this.#end
    if (isHeld) this.#unread = 0
    this.#jump.hidden = isHeld
    const badge = this.#jump.querySelector<HTMLElement>('.tg-badge')
    if (!badge) return
    badge.hidden = this.#unread === 0
    badge.textContent = String(this.#unread)
  }
}
