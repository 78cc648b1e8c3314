import { byId } from './dom.ts'
import type { Notice } from './speech.ts'

/** The panel's contents. */
export interface PanelContent {
  /** While the key stays the same, the focused element keeps the focus. */
  key: string
  title: string
  tone?: 'good' | 'warn' | undefined
  notice?: Notice | undefined
  nodes: readonly (Node | undefined)[]
}

/** The interactive part of the page; it preserves the person's focus across updates. */
export class Panel {
  readonly #panel = byId('panel')
  readonly #title = byId('panel-title')
  readonly #notice = byId('notice')
  readonly #steps = byId('steps')
  readonly #announcement = byId('said')
  #key = ''
  /** The control in the panel that last had the focus. */
  #lastAction: string | undefined

  constructor() {
    this.#steps.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) this.#lastAction = target.dataset.action ?? ''
    })
  }

  show({ key, title, tone, notice, nodes }: PanelContent): void {
    const newNodes = nodes.filter((node) => node !== undefined)
    const isNewStep = key !== this.#key
    this.#key = key
    this.#panel.dataset.tone = tone ?? 'plain'
    this.#title.textContent = title
    this.#showNotice(notice)
    if (isNewStep) this.#announcement.textContent = title
    // Unchanged content stays in the DOM, which preserves open details, selection and focus.
    if (!isNewStep && sameNodes([...this.#steps.childNodes], newNodes)) return
    this.#steps.replaceChildren(...newNodes)
    this.#keepFocus()
  }

  #showNotice(notice: Notice | undefined): void {
    this.#notice.hidden = notice === undefined
    this.#notice.dataset.tone = notice?.tone ?? 'note'
    this.#notice.textContent = notice?.text ?? ''
  }

  /**
   * Restores the focus after an update, or after a wallet's popup took it: on the same button if it still exists, else
   * on the title.
   */
  #keepFocus(): void {
    const { activeElement } = document
    const isFocusLost = activeElement === null || activeElement === document.body
    if (this.#lastAction === undefined || !isFocusLost) return
    const controls = [...this.#steps.querySelectorAll<HTMLElement>('[data-action]')]
    const same = controls.find(({ dataset }) => dataset.action === this.#lastAction)
    ;(same ?? this.#title).focus({ preventScroll: true })
  }
}

function sameNodes(shown: readonly Node[], next: readonly Node[]): boolean {
  return shown.length === next.length && shown.every((node, at) => next[at]?.isEqualNode(node))
}
