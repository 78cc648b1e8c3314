import type { ConsolePlace, SeenMessage } from '../../telegram/shown.ts'
import { button, el, icon } from './telegram-dom.ts'
import { type InlineActions, InlineMode } from './telegram-inline.ts'

export interface ComposerActions extends InlineActions {
  send(text: string, replyTo: number | undefined): void
  attach(file: File): void
}

/** The box in which a person writes, with the bot's commands, inline results and the message replied to. */
export class Composer {
  readonly element: HTMLElement
  readonly #actions: ComposerActions
  readonly #box: HTMLTextAreaElement
  readonly #send: HTMLButtonElement
  readonly #menu: HTMLButtonElement
  readonly #line: HTMLElement
  readonly #popup: HTMLElement
  readonly #replied: HTMLElement
  readonly #inline: InlineMode
  #place: ConsolePlace | undefined
  #replyTo: SeenMessage | undefined
  #isMenuOpen = false
  #chosen = 0

  constructor(actions: ComposerActions) {
    this.#actions = actions
    this.#popup = el('div', { class: 'tg-popup', hidden: '' })
    this.#inline = new InlineMode(actions, () => this.clear())
    this.#replied = el('div', { class: 'tg-replying', hidden: '' })
    this.#menu = button(
      { class: 'tg-menu', 'aria-label': 'Commands', 'aria-expanded': 'false', title: 'Commands' },
      () => this.#toggleMenu(),
      '/',
    )
    this.#box = el('textarea', { 'aria-label': 'Message', placeholder: 'Message', rows: '1' })
    this.#send = button(
      { class: 'tg-send', 'aria-label': 'Send', title: 'Send' },
      () => this.#submit(),
      icon('send'),
    )
    this.#line = el(
      'div',
      { class: 'tg-box' },
      this.#fileInput(),
      this.#menu,
      this.#box,
      this.#send,
    )
    this.element = el(
      'div',
      { class: 'tg-composer' },
      this.#popup,
      this.#inline.element,
      this.#replied,
      this.#line,
    )
    this.#box.addEventListener('input', () => this.#typed())
    this.#box.addEventListener('keydown', (event) => this.#key(event))
    this.#typed()
  }

  /** Takes one more button into the box. */
  take(control: HTMLElement): void {
    this.#line.insertBefore(control, this.#send)
  }

  /** Moves to another chat, or learns of its new commands. */
  place(place: ConsolePlace): void {
    const isOther = this.#place?.chatId !== place.chatId
    this.#place = place
    this.#menu.hidden = place.commands.length === 0
    this.#box.placeholder = place.kind === 'channel' ? 'Broadcast' : 'Message'
    if (isOther) this.clear()
    else this.#typed()
  }

  /** Puts text into the box, as switching to inline mode does. */
  fill(text: string): void {
    this.#box.value = text
    this.#box.focus()
    this.#typed()
  }

  clear(): void {
    this.#box.value = ''
    this.reply(undefined)
    this.#typed()
  }

  reply(message: SeenMessage | undefined): void {
    this.#replyTo = message
    this.#replied.hidden = !message
    this.#replied.replaceChildren()
    if (!message) return
    this.#replied.append(
      icon('reply'),
      el(
        'span',
        { class: 'tg-replying-text' },
        el('b', {}, message.sender.name),
        el('span', {}, message.text || 'Media'),
      ),
      button({ 'aria-label': 'Do not reply' }, () => this.reply(undefined), icon('close')),
    )
    this.#box.focus()
  }

  /** What a ForceReply asks for. */
  placeholder(text: string): void {
    this.#box.placeholder = text
  }

  #fileInput(): HTMLElement {
    const input = el('input', {
      type: 'file',
      'aria-label': 'Attach a file',
      class: 'tg-file-input',
    })
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      if (file) this.#actions.attach(file)
      input.value = ''
    })
    return el('label', { class: 'tg-attach', title: 'Attach a file' }, input, icon('attach'))
  }

  #typed(): void {
    this.#isMenuOpen = false
    this.#box.style.height = 'auto'
    this.#box.style.height = `${Math.min(this.#box.scrollHeight, 140)}px`
    const text = this.#box.value
    this.#send.disabled = text.trim() === ''
    const isInline = this.#inline.typed(text)
    const command = /^\/([a-z0-9_]*)$/iu.exec(text)?.[1]
    this.#showCommands(!isInline && command !== undefined ? command.toLowerCase() : undefined)
  }

  #toggleMenu(): void {
    const open = !this.#isMenuOpen
    this.#showCommands(open ? '' : undefined)
    this.#isMenuOpen = open
    this.#menu.setAttribute('aria-expanded', String(open))
    this.#box.focus()
  }

  #showCommands(start: string | undefined): void {
    const all = this.#place?.commands ?? []
    const fitting =
      start === undefined ? [] : all.filter(({ command }) => command.startsWith(start))
    this.#popup.hidden = fitting.length === 0
    this.#menu.setAttribute('aria-expanded', String(fitting.length > 0))
    this.#chosen = 0
    this.#popup.replaceChildren(
      ...fitting.map(({ command, description }) =>
        button(
          { class: 'tg-command' },
          () => this.#sendCommand(command),
          el('b', {}, `/${command}`),
          el('span', {}, description),
        ),
      ),
    )
    this.#markChosen()
  }

  #markChosen(): void {
    const items = [...this.#popup.children]
    for (const [index, item] of items.entries())
      item.classList.toggle('tg-chosen', index === this.#chosen)
    items[this.#chosen]?.scrollIntoView({ block: 'nearest' })
  }

  #sendCommand(command: string): void {
    this.#actions.send(`/${command}`, undefined)
    this.clear()
  }

  #key(event: KeyboardEvent): void {
    const count = this.#popup.hidden ? 0 : this.#popup.children.length
    if (event.key === 'Escape') {
      this.#showCommands(undefined)
      this.reply(undefined)
    } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      this.#chosen = (this.#chosen + (event.key === 'ArrowDown' ? 1 : count - 1)) % count
      this.#markChosen()
    } else if (count > 0 && event.key === 'Tab') {
      event.preventDefault()
      this.fill(`${this.#popup.children[this.#chosen]?.firstElementChild?.textContent ?? ''} `)
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      this.#submit()
    }
  }

  #submit(): void {
    const text = this.#box.value.trim()
    if (text === '') return
    this.#actions.send(text, this.#replyTo?.id)
    this.clear()
  }
}
