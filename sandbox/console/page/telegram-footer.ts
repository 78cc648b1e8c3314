import type { KeyboardButtonRequestChat } from 'grammy/types'
import type { ConsolePlace, SeenMessage } from '../../telegram/shown.ts'
import type { Composer } from './telegram-composer.ts'
import { button, el, icon } from './telegram-dom.ts'

export interface FooterActions {
  start(): void
  /** Lets the bot write again, and greets it. */
  restart(): void
  send(text: string): void
  share(request: KeyboardButtonRequestChat): void
}

/** What stands under the chat: the message box and the bot's keyboard, or a bar that says why there is none. */
export class Footer {
  readonly element: HTMLElement
  readonly #bar: HTMLElement
  readonly #keys: HTMLElement
  /** Brings the keyboard back that was put away, and puts it away. */
  readonly #toggle: HTMLButtonElement
  readonly #composer: Composer
  readonly #actions: FooterActions

  constructor(composer: Composer, actions: FooterActions) {
    this.#composer = composer
    this.#actions = actions
    this.#bar = el('div', { class: 'tg-bar', hidden: '' })
    this.#keys = el('div', { class: 'tg-reply-keyboard', hidden: '' })
    const name = 'Bot keyboard'
    this.#toggle = button(
      { class: 'tg-keys-toggle', 'aria-label': name, title: name, hidden: '' },
      () => this.#open(this.#keys.hidden !== false),
      icon('keyboard'),
    )
    composer.take(this.#toggle)
    this.element = el('div', { class: 'tg-footer' }, composer.element, this.#bar, this.#keys)
  }

  show(place: ConsolePlace): void {
    const bar = this.#barFor(place)
    this.#bar.replaceChildren(...(bar ? [bar] : []))
    this.#bar.hidden = !bar
    this.#composer.element.hidden = bar !== undefined
  }

  /** The keyboard that the latest of these messages left behind. */
  keyboard(messages: readonly SeenMessage[]): void {
    this.#setKeys(messages.findLast(({ keyboard }) => keyboard && keyboard.kind !== 'force'))
  }

  took(message: SeenMessage): void {
    if (message.keyboard && message.keyboard.kind !== 'force') this.#setKeys(message)
  }

  #barFor(place: ConsolePlace): HTMLElement | undefined {
    if (place.blocked)
      return button({ class: 'tg-bar-button' }, () => this.#actions.restart(), 'Restart bot')
    if (!place.started)
      return button({ class: 'tg-bar-button' }, () => this.#actions.start(), 'Start')
    return place.canWrite ? undefined : el('p', {}, 'Only administrators can post here')
  }

  #setKeys(message: SeenMessage | undefined): void {
    const keyboard = message?.keyboard?.kind === 'keyboard' ? message.keyboard : undefined
    this.#toggle.hidden = !keyboard
    this.#open(keyboard !== undefined)
    this.#keys.replaceChildren()
    for (const row of keyboard?.rows ?? []) {
      const line = el('div', { class: 'tg-keyboard-row' })
      for (const { text, style, requestChat } of row)
        line.append(
          button(
            { class: `tg-reply-key${style ? ` tg-key-${style}` : ''}` },
            () => {
              if (requestChat) this.#actions.share(requestChat)
              else this.#actions.send(text)
              if (keyboard?.oneTime) this.#open(false)
            },
            text,
          ),
        )
      this.#keys.append(line)
    }
  }

  #open(isOpen: boolean): void {
    this.#keys.hidden = !isOpen
    this.#toggle.setAttribute('aria-expanded', String(isOpen))
  }
}
