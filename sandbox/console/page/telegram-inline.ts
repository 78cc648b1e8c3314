import type { InlineList } from '../../telegram/shown.ts'
import { inlineQuery } from './telegram-bot.ts'
import { button, el } from './telegram-dom.ts'

export interface InlineActions {
  inline(query: string, offset: string): Promise<InlineList>
  choose(answer: string, result: string): void
  /** The button over the results: to the private chat with a start parameter. */
  start(parameter: string): void
  failed(error: unknown): void
}

/** Telegram waits this long after the last key before it asks the bot, in milliseconds. */
const pause = 300

/** The list of results while someone types `@gavel_bot …`. */
export class InlineMode {
  readonly element: HTMLElement
  readonly #actions: InlineActions
  readonly #done: () => void
  #query: string | undefined
  #timer: number | undefined
  #more: { offset: string; isAsked: boolean } | undefined

  constructor(actions: InlineActions, done: () => void) {
    this.#actions = actions
    this.#done = done
    this.element = el('div', { class: 'tg-results', hidden: '', 'aria-label': 'Inline results' })
    this.element.addEventListener('scroll', () => this.#scrolled())
  }

  /** Takes the box's text; true where it is an inline query. */
  typed(text: string): boolean {
    const next = inlineQuery(text)
    if (next === this.#query) return next !== undefined
    this.#query = next
    window.clearTimeout(this.#timer)
    if (next === undefined) {
      this.element.hidden = true
      this.element.replaceChildren()
    } else this.#timer = window.setTimeout(() => void this.#ask(next), pause)
    return next !== undefined
  }

  async #ask(query: string): Promise<void> {
    this.element.classList.add('tg-busy')
    try {
      const list = await this.#actions.inline(query, '')
      if (this.#query === query) this.#show(list)
    } catch (error) {
      this.#actions.failed(error)
    } finally {
      this.element.classList.remove('tg-busy')
    }
  }

  #show(list: InlineList): void {
    const { button: top } = list
    const head =
      top && top.startParameter !== ''
        ? [
            button(
              { class: 'tg-results-button' },
              () => {
                this.#done()
                this.#actions.start(top.startParameter)
              },
              top.text,
            ),
          ]
        : []
    const none = list.results.length === 0 && head.length === 0
    this.element.replaceChildren(
      ...head,
      ...(none ? [el('p', { class: 'tg-no-results' }, 'No results')] : this.#items(list)),
    )
    this.element.hidden = false
    this.element.scrollTop = 0
    this.#more = list.nextOffset === '' ? undefined : { offset: list.nextOffset, isAsked: false }
  }

  #items(list: InlineList): HTMLElement[] {
    return list.results.map(({ id, title, description, thumbnail }) => {
      const picture =
        thumbnail === ''
          ? el('span', { class: 'tg-thumb', 'aria-hidden': 'true' }, [...title][0] ?? '?')
          : el('img', { class: 'tg-thumb', src: thumbnail, alt: '', loading: 'lazy' })
      return button(
        { class: 'tg-result' },
        () => {
          this.#actions.choose(list.answer, id)
          this.#done()
        },
        picture,
        el('span', { class: 'tg-result-text' }, el('b', {}, title), el('span', {}, description)),
      )
    })
  }

  #scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.element
    const query = this.#query
    const more = this.#more
    if (query === undefined || !more || more.isAsked) return
    if (scrollHeight - scrollTop - clientHeight > 100) return
    more.isAsked = true
    this.#actions.inline(query, more.offset).then(
      (list) => {
        if (this.#query !== query) return
        this.element.append(...this.#items(list))
        this.#more =
          list.nextOffset === '' ? undefined : { offset: list.nextOffset, isAsked: false }
      },
      (error: unknown) => this.#actions.failed(error),
    )
  }
}
