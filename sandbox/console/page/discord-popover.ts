import { el } from './discord-dom.ts'

/** One line of a popover. */
export interface Entry {
  label: string
  about?: string | undefined
  /** Something before the label: an emoji, a tick, an avatar. */
  mark?: Node | string | undefined
  pick: () => void
}

/** A list that one walks with the arrow keys and picks from; used for commands, choices and selects. */
export class Popover {
  readonly element = el('div', { class: 'dc-popover', hidden: true })
  #entries: Entry[] = []
  #active = -1

  get open(): boolean {
    return !this.element.hidden
  }

  /** Shows entries under a heading; `first` marks the first one as what Enter picks. */
  show(heading: Node | string | undefined, entries: Entry[], first: boolean): void {
    this.#entries = entries
    this.#active = first && entries.length > 0 ? 0 : -1
    const list = el('div', { class: 'dc-popover-list', role: 'listbox' }, ...entries.map(lineOf))
    const title =
      heading === undefined ? undefined : el('div', { class: 'dc-popover-head' }, heading)
    this.element.replaceChildren(...[title, list].filter((part) => part !== undefined))
    this.element.hidden = false
    this.#mark()
  }

  hide(): void {
    this.element.hidden = true
    this.#entries = []
    this.#active = -1
  }

  /** Takes an arrow key, Enter or Tab; says whether it had a use for it. */
  key(event: KeyboardEvent): boolean {
    if (!this.open || this.#entries.length === 0) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      const count = this.#entries.length
      this.#active =
        this.#active === -1 && step === -1 ? count - 1 : (this.#active + step + count) % count
      this.#mark()
      return true
    }
    const entry = this.#entries[this.#active]
    if (entry === undefined || (event.key !== 'Enter' && event.key !== 'Tab')) return false
    entry.pick()
    return true
  }

  #mark(): void {
    for (const [index, line] of this.element.querySelectorAll('[role=option]').entries()) {
      line.setAttribute('aria-selected', String(index === this.#active))
      if (index === this.#active) line.scrollIntoView({ block: 'nearest' })
    }
  }
}

function lineOf(entry: Entry): HTMLElement {
  const line = el(
    'div',
    { class: 'dc-popover-line', role: 'option' },
    entry.mark === undefined ? undefined : el('span', { class: 'dc-popover-mark' }, entry.mark),
    el(
      'span',
      { class: 'dc-popover-text' },
      el('span', { class: 'dc-popover-label' }, entry.label),
      entry.about ? el('span', { class: 'dc-popover-about' }, entry.about) : undefined,
    ),
  )
  // Before the focused field loses its focus, which would close the list.
  line.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    entry.pick()
  })
  return line
}
