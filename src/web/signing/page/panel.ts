import { byId } from './dom.ts'
import type { Notice } from './speech.ts'

/** What the panel shows. */
export interface PanelContent {
  /** While this stays, what has the focus keeps it. */
  key: string
  title: string
  tone?: 'good' | 'warn' | undefined
  notice?: Notice | undefined
  nodes: readonly (Node | undefined)[]
}

/** The part of the page in which something can be done; it keeps the focus where the person is. */
export class Panel {
  readonly #panel = byId('panel')
  readonly #title = byId('panel-title')
  readonly #notice = byId('notice')
  readonly #steps = byId('steps')
  readonly #said = byId('said')
  #key = ''
  /** The control here that had the focus last. */
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
    // What is the same stays in place: an open fold, a selection, the focus.
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
   * Whoever worked here goes on here, on the same button where there still is one, else on the title; also after a
   * wallet that opened over the page took the focus with it.
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
