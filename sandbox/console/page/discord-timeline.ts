import type { APIMessage } from 'discord-api-types/v10'
import type { ConsoleView, Outcome } from '../../discord/console-view.ts'
import { el } from './discord-dom.ts'
import {
  avatar,
  badge,
  dots,
  ephemeralNote,
  type MessageDrawing,
  renderMessage,
  usedLine,
} from './discord-message.ts'
import { ListEnd } from './list-end.ts'

/** How drawing a message asks for an act: a press where `values` is absent. */
export type Act = (message: string, control: string, values?: string[]) => Promise<Outcome>

interface Drawn {
  key: string
  element: HTMLElement
}

/** The messages, oldest first: redraws only what changed and stays at the bottom when it was there. */
export class Timeline {
  readonly element: HTMLElement
  readonly #dismiss: (id: string) => void
  readonly #list = el('div', { class: 'dc-messages' })
  readonly #sending = el('div', { class: 'dc-sending' })
  readonly #end: ListEnd
  #drawn = new Map<string, Drawn>()

  constructor(dismiss: (id: string) => void) {
    this.#dismiss = dismiss
    this.element = el(
      'div',
      { class: 'dc-scroller', tabindex: '0', role: 'log', 'aria-label': 'Messages' },
      this.#list,
      this.#sending,
    )
    this.#end = new ListEnd(this.element, { content: this.#list })
  }

  reset(): void {
    this.#drawn.clear()
    this.#list.replaceChildren()
    this.#sending.replaceChildren()
    this.#end.hold()
  }

  show(view: ConsoleView, drawing: Omit<MessageDrawing, 'press' | 'choose'>, act: Act): void {
    const fresh = new Map<string, Drawn>()
    const entries = this.#silences(view)
    for (const [index, message] of view.messages.entries()) {
      const drawn = this.#draw(message, view.messages[index - 1], view, drawing, act)
      fresh.set(message.id, drawn)
      entries.push({ id: message.id, element: drawn.element })
    }
    this.#drawn = fresh
    // Ids grow with time; a note stands where its command was used.
    entries.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    const elements = [this.#intro(view), ...entries.map(({ element }) => element)]
    // Only what is new or moved is put in place, so that an open list or a focus survives.
    for (const [index, element] of elements.entries())
      if (this.#list.children[index] !== element)
        this.#list.insertBefore(element, this.#list.children[index] ?? null)
    while (this.#list.children.length > elements.length) this.#list.lastElementChild?.remove()
    if (this.#end.isHeld) this.#end.hold()
  }

  /** Shows that a command is on its way; returns what ends that. */
  sending(command: string): () => void {
    const line = el('div', { class: 'dc-thinking' }, dots(), `Sending /${command}…`)
    this.#sending.append(line)
    this.#end.hold()
    return () => line.remove()
  }

  #draw(
    message: APIMessage,
    previous: APIMessage | undefined,
    view: ConsoleView,
    drawing: Omit<MessageDrawing, 'press' | 'choose'>,
    act: Act,
  ): Drawn {
    const failed = view.notices.some(
      ({ about }) => about.kind === 'component' && about.messageId === message.id,
    )
    const key = JSON.stringify([message, previous?.id, view.self, failed])
    const known = this.#drawn.get(message.id)
    if (known?.key === key) return known
    const element = renderMessage(message, previous, {
      ...drawing,
      press: (control, pressed) => void busy(pressed, act(message.id, control)),
      choose: (control, values, chosen) => void busy(chosen, act(message.id, control, values)),
    })
    if (failed)
      element
        .querySelector('.dc-message-main')
        ?.append(el('p', { class: 'dc-failed' }, 'This interaction failed'))
    return { key, element }
  }

  #intro({ channel, commands, mayWrite }: ConsoleView): HTMLElement {
    const known = this.#list.querySelector<HTMLElement>('.dc-intro')
    const key = JSON.stringify([channel.id, commands.length, mayWrite])
    if (known?.dataset.key === key) return known
    const title = channel.kind === 'private' ? channel.name : `Welcome to #${channel.name}!`
    const about =
      channel.kind === 'private'
        ? `This is the beginning of your direct message history with ${channel.name}.`
        : `This is the start of the #${channel.name} channel of ${channel.server}.`
    const hint =
      commands.length > 0 && mayWrite ? el('p', {}, 'Type / to see what Gavel can do.') : undefined
    const element = el(
      'div',
      { class: 'dc-intro', 'data-key': key },
      channel.kind === 'private'
        ? avatar('0', channel.name, true)
        : el('span', { class: 'dc-hash' }, '#'),
      el('h2', {}, title),
      el('p', {}, about),
      hint,
    )
    known?.remove()
    return element
  }

  #silences({ notices, names, bot }: ConsoleView): { id: string; element: HTMLElement }[] {
    return notices.flatMap(({ id, about, viewer }) => {
      if (about.kind !== 'command') return []
      const element = el(
        'article',
        { class: 'dc-message ephemeral' },
        usedLine(viewer, names.user[viewer] ?? '', about.name),
        avatar(bot.id, bot.name, true),
        el(
          'div',
          { class: 'dc-message-main' },
          el('header', { class: 'dc-head' }, el('span', { class: 'dc-name' }, bot.name), badge()),
          el('p', { class: 'dc-failed' }, 'The application did not respond'),
          ephemeralNote(() => this.#dismiss(id)),
        ),
      )
      return [{ id, element }]
    })
  }
}

/** Shows on a control that its act is under way, until the outcome is known. */
async function busy(element: HTMLElement, act: Promise<Outcome>): Promise<void> {
  element.classList.add('busy')
  element.append(dots())
  await act
  element.classList.remove('busy')
  element.querySelector('.dc-dots')?.remove()
}
