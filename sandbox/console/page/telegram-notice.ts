import { button, el } from './telegram-dom.ts'

const shownFor = 3_000

/** The short lines and boxes that Telegram lays over the chat. */
export class Notices {
  readonly #root: HTMLElement
  #toast: HTMLElement | undefined
  #timer: number | undefined

  constructor(root: HTMLElement) {
    this.#root = root
  }

  /** A line that goes by itself. */
  toast(text: string): void {
    this.#toast?.remove()
    window.clearTimeout(this.#timer)
    this.#toast = el('div', { class: 'tg-toast', role: 'status' }, text)
    this.#root.append(this.#toast)
    this.#timer = window.setTimeout(() => this.#toast?.remove(), shownFor)
  }

  /** A box that the person closes. */
  alert(text: string, url = ''): void {
    const content: Node[] = [el('p', {}, text)]
    if (/^https?:/u.test(url))
      content.push(el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url))
    this.#dialog(content, 'OK')
  }

  /**
   * Lets the person pick one of some things; resolves with undefined when they close it. Where there is nothing to
   * pick, `empty` says why.
   */
  choose<Item>(
    { title, empty }: { title: string; empty: string },
    items: readonly Item[],
    label: (item: Item) => Node,
  ): Promise<Item | undefined> {
    return new Promise((resolve) => {
      const list = el('div', { class: 'tg-choices' })
      const isEmpty = items.length === 0
      const shown = isEmpty ? el('p', {}, empty) : list
      const dialog = this.#dialog([el('h2', {}, title), shown], isEmpty ? 'OK' : 'Cancel')
      let picked: Item | undefined
      for (const item of items)
        list.append(
          button(
            { class: 'tg-choice' },
            () => {
              picked = item
              dialog.close()
            },
            label(item),
          ),
        )
      dialog.addEventListener('close', () => resolve(picked))
    })
  }

  #dialog(content: Node[], close: string): HTMLDialogElement {
    const dialog = el('dialog', { class: 'tg-dialog' }, ...content)
    dialog.append(button({ class: 'tg-dialog-close' }, () => dialog.close(), close))
    dialog.addEventListener('close', () => dialog.remove())
    this.#root.append(dialog)
    dialog.showModal()
    return dialog
  }
}
