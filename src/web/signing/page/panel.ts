import { byId } from './dom.ts'
import type { Notice } from './speech.ts'

/** What the panel shows. */
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
  readonly #said = byId('said')
  #key = ''
  /** The control in the panel that last had the focus. */
  #last: string | undefined

  constructor() {
    this.#steps.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) this.#last = target.dataset.action ?? ''
    })
  }

  show({ key, title, tone, notice, nodes }: PanelContent): void {
    const wanted = nodes.filter((node) => node !== undefined)
    const moved = key !== this.#key
    this.#key = key
    this.#panel.dataset.tone = tone ?? 'plain'
    this.#title.textContent = title
    this.#tell(notice)
    if (moved) this.#said.textContent = title
    // Unchanged content stays in the DOM, which preserves open details, selection and focus.
    if (!moved && sameNodes([...this.#steps.childNodes], wanted)) return
    this.#steps.replaceChildren(...wanted)
    this.#keepFocus()
  }

  #tell(notice: Notice | undefined): void {
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
    const lost = activeElement === null || activeElement === document.body
    if (this.#last === undefined || !lost) return
    const controls = [...this.#steps.querySelectorAll<HTMLElement>('[data-action]')]
    const same = controls.find(({ dataset }) => dataset.action === this.#last)
    ;(same ?? this.#title).focus({ preventScroll: true })
  }
}

function sameNodes(shown: readonly Node[], wanted: readonly Node[]): boolean {
  return shown.length === wanted.length && shown.every((node, at) => wanted[at]?.isEqualNode(node))
}
