import { byId } from './dom.ts'
import type { Inspection } from './inspect.ts'
import { coins } from './pieces.ts'
import { summaryNodes } from './summary.ts'
import type { OpenRequest } from './wire.ts'

/** The parts of the page that show what will be created, and its terms. */
export class Summary {
  readonly #card = byId('summary')
  readonly #value = byId('value')
  readonly #picture: string
  #shown: OpenRequest | undefined

  constructor(picture: string) {
    this.#picture = picture
  }

  /** Shows the summary; renders it again only after a new simulation. */
  show(request: OpenRequest, inspection: Inspection): void {
    if (this.#shown?.simulation === request.simulation) return
    this.#shown = request
    const open = this.#card.querySelector('details')?.open ?? false
    this.#card.replaceChildren(...summaryNodes(request, inspection, this.#picture))
    this.#card.hidden = false
    const { value, chain } = request
    this.#value.textContent = `Value: ${value === '0' ? '0' : coins(value, chain)}.`
    this.#value.hidden = false
    const details = this.#card.querySelector('details')
    if (details) details.open = open
  }
}
