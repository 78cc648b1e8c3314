import { html, render, type TemplateResult } from 'lit-html'
import type { Flow } from './flow.ts'
import { coins, type Panel, panelOf } from './panel.ts'
import { isOver, type Step } from './state.ts'
import { summaryView } from './summary.ts'

/** Draws the page, and preserves the person's focus. */
export class Page {
  readonly #main = byId('page')
  /** The control of the panel that last had the focus. */
  #lastAction: string | undefined
  #key = ''

  constructor() {
    this.#main.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement && target.closest('#steps')) {
        this.#lastAction = target.dataset.action ?? ''
      }
    })
  }

  /** Shows an open link. */
  showFlow(flow: Flow): void {
    const { step, state } = flow
    const { value, chain } = state.request
    const isCounting = !isOver(step) && state.sent === undefined
    render(isCounting ? countdown(flow.secondsLeft) : '', byId('expiry'))
    render(`Value: ${value === '0' ? '0' : coins(value, chain)}.`, byId('value'))
    this.show(`${step} ${state.busy ?? ''}`, panelOf(flow), flow)
  }

  /** Shows a panel. Its key changes when the person has something else to do. */
  show(key: string, panel: Panel, flow?: Flow): void {
    render(pageView(panel, flow), this.#main)
    if (key !== this.#key) this.#keepFocus()
    this.#key = key
  }

  /**
   * Restores the focus after the panel changed, or a wallet's popup took it: on the same button if it still exists, else
   * on the title.
   */
  #keepFocus(): void {
    const { activeElement } = document
    const isFocusLost = activeElement === null || activeElement === document.body
    if (this.#lastAction === undefined || !isFocusLost) return
    const controls = [...this.#main.querySelectorAll<HTMLElement>('#steps [data-action]')]
    const same = controls.find(({ dataset }) => dataset.action === this.#lastAction)
    ;(same ?? byId('panel-title')).focus({ preventScroll: true })
  }
}

function pageView({ title, tone, body }: Panel, flow: Flow | undefined): TemplateResult {
  const notice = flow?.state.notice
  const lead =
    flow &&
    html`<div class="lead">
      <p class="way" id="way"><strong>${flow.step === 'no wallet' ? 'No wallet here' : title}</strong>
        <a href="#panel-title" @click=${goToPanel}>${wayWords(flow.step)} ↓</a></p>
      <section class="card summary" id="summary" aria-labelledby="summary-title">
        ${summaryView(flow.state, flow.link.picture)}
      </section>
    </div>`
  return html`${lead}
    <section class="card panel" id="panel" aria-labelledby="panel-title" data-tone=${tone ?? 'plain'}>
      <h2 id="panel-title" tabindex="-1">${title}</h2>
      <p class="notice" id="notice" role="status" data-tone=${notice?.tone ?? 'note'}
        ?hidden=${!notice}>${notice?.text}</p>
      <div class="steps" id="steps">${body}</div>
      <p class="unseen" id="said" role="status">${title}</p>
    </section>`
}

/** Names the link from the line above the summary on narrow screens down to the panel. */
function wayWords(step: Step): string {
  if (step === 'no wallet') return 'See what to do'
  if (isOver(step) || step === 'blocked' || step === 'failing') return 'See more'
  return step === 'pending' ? 'See the transaction' : 'Go to signing'
}

function goToPanel(event: Event): void {
  event.preventDefault()
  byId('panel-title').focus({ preventScroll: true })
  byId('panel').scrollIntoView({ block: 'start' })
}

/** Shows the link's remaining time as minutes and seconds, or hours and minutes. */
function countdown(seconds: number): TemplateResult {
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const left =
    minutes >= 60
      ? `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
      : `${minutes}:${twoDigits(seconds % 60)}`
  return html`<span class=${seconds < 300 ? 'soon' : ''}>Link expires in ${left}</span>`
}

/** @throws Error if there is no element with this id */
function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}
