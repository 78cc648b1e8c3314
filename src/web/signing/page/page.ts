import { html, render, type TemplateResult } from 'lit-html'
import { shortDigest } from '../../../chain/airlock/calldata.ts'
import type { SigningRequest } from '../../../launch/signing-wire.ts'
import type { RowText } from '../../../launch/table/value.ts'
import { isDeviation, markOf, marksWords, type Row, sectionsOf } from '../../../launch/table.ts'
import { firstDoubts } from '../../../launch/verdict.ts'
import { addressView, type Content, clean, labelled } from './elements.ts'
import type { Flow } from './flow.ts'
import type { Inspection } from './inspect.ts'
import { coins, type Panel, panelOf } from './panel.ts'
import { isOver, type State, type Step } from './state.ts'

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

/** Shows what will be created, for whom and by which contract; nothing of it comes from the wallet or the URL. */
function summaryView({ request, inspection }: State, picture: string): TemplateResult {
  const rows = inspection.result?.rows ?? []
  const { explorer } = request.chain
  const terms = html`<p class="quiet legend">${legend(request.simulation, rows)}</p>
    ${sectionsOf(rows).map(({ title, rows: inSection }) =>
      section(
        title,
        inSection.map((row) => fact(row, explorer)),
      ),
    )}`
  return html`${heading(request, inspection, picture)}
    ${inspection.verified ? undefined : notVerified(inspection)}
    ${rows.length > 0 ? terms : undefined}
    ${section('Who and where', whoAndWhere(request, inspection))}
    ${calldataDetails(request, inspection)}`
}

function heading(request: SigningRequest, { result }: Inspection, picture: string): TemplateResult {
  // As the calldata have them if they can be decoded, else as the bot said.
  const { name = request.name, symbol = request.symbol } = result?.effects ?? {}
  const hasInvisible = [name, symbol].some((each) => clean(each, 10_000) !== each)
  return html`<header class="token">
      ${
        request.picture
          ? html`<img src=${picture} alt="The picture of the token" class="picture" width="72" height="72">`
          : undefined
      }
      <div>
        <p class="quiet">Token launch on ${request.chain.name}</p>
        <h1 id="summary-title"><bdi>${clean(name, 200)}</bdi></h1>
        <p class="symbol"><bdi>${clean(symbol, 60)}</bdi></p>
      </div>
    </header>
    ${
      hasInvisible
        ? html`<p class="warning">Name or symbol hold characters that are not seen; they are left out here.</p>`
        : undefined
    }`
}

function notVerified({ result, doubts }: Inspection): TemplateResult {
  return html`<div class="warning">
    <p><strong>Not verified:</strong></p>
    <ul>${firstDoubts(doubts).map((each) => html`<li>${each}</li>`)}</ul>
    <p>${
      result?.effects
        ? 'Sign only if you know what it does.'
        : 'Sign only if you know what it does: name and symbol are only what was typed in the chat.'
    }</p>
  </div>`
}

/** Explains the marks, and what was checked on the chain. */
function legend({ kind }: SigningRequest['simulation'], rows: readonly Row[]): string {
  const isRehearsed = rows.some(({ rehearsed }) => rehearsed)
  return `${marksWords(rows)}${isRehearsed ? afterMarks[kind] : `. ${withoutMarks[kind]}`}`
}

const withoutMarks = {
  passed: 'The chain would take it now.',
  failed: 'The chain would not take it now.',
  none: 'Not rehearsed on the chain.',
} as const

const afterMarks = {
  passed: '.',
  failed: ' when it was built; it would not take it now.',
  none: ' when it was built, but not again now.',
} as const

function section(title: string, facts: Content): TemplateResult {
  const isFirst = title === 'Look at this first'
  return html`<section class=${isFirst ? 'terms first' : 'terms'}>
    <h2>${title}</h2>
    <dl class="facts">${facts}</dl>
  </section>`
}

/** Shows a row in the chat's words. */
function fact(row: Row, explorer: string | undefined): TemplateResult {
  const does = line(row.does ?? [], explorer)
  if (!isDeviation(row)) {
    return html`<dt>${row.label}</dt><dd>${does}${markView(markOf(row))}</dd>`
  }
  const { asked, why } = row
  const compared =
    asked &&
    html`<div class="beside">
      <p><span class="whose">What it does</span>${does}</p>
      <p><span class="whose">What was asked</span>${line(asked, explorer)}</p>
    </div>`
  const reason = why === undefined ? undefined : html`<p class="why">${why}</p>`
  return html`<dt>⚠️ ${row.label}</dt><dd>${compared ?? does}${reason}</dd>`
}

function markView(mark: string): Content {
  return mark === '' ? undefined : html`<span class="tick">${mark}</span>`
}

function line(words: RowText, explorer: string | undefined): TemplateResult {
  const shown = words.map((word) => {
    if (typeof word === 'string') return word
    return 'account' in word
      ? addressView(word.account, explorer)
      : clock.format(new Date(word.time * 1000))
  })
  return html`<span class="words">${shown}</span>`
}

/** In the browser's time zone. */
const clock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

function whoAndWhere(request: SigningRequest, { digest, result }: Inspection): Content {
  const { chain, wallet, to, token, simulation } = request
  const you = result?.effects && html`<span class="quiet">“you” in this table</span>`
  const rehearsal =
    simulation.kind === 'failed' &&
    html`<dt>Rehearsal</dt><dd>failed: ${clean(simulation.reason, 200)}</dd>`
  return html`<dt>Wallet</dt><dd>${addressView(wallet, chain.explorer)}${you}</dd>
    <dt>Chain</dt><dd>${chain.name} (chain id ${chain.id})</dd>
    <dt>Token address</dt><dd>${token ? addressView(token) : 'not known before the launch'}</dd>
    <dt>Contract</dt><dd>${addressView(to, chain.explorer)}</dd>
    ${rehearsal || undefined}
    <dt>Calldata digest</dt><dd><code class="digest">${shortDigest(digest)}</code></dd>`
}

function calldataDetails({ data, uri }: SigningRequest, { digest }: Inspection): TemplateResult {
  const size = ((data.length - 2) / 2).toLocaleString('en')
  return html`<details class="more">
    <summary>Whole digest and calldata</summary>
    <p>The chat shows the same characters of the digest; compare them.</p>
    ${labelled('Calldata digest', html`<code class="hex">${digest}</code>`)}
    ${labelled('Metadata', html`<code class="hex">${clean(uri, 300)}</code>`)}
    ${labelled(`Calldata, ${size} bytes`, html`<code class="hex tall" tabindex="0">${data}</code>`)}
  </details>`
}
