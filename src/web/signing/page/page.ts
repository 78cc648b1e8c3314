import { html, render, type TemplateResult } from 'lit-html'
import { shortDigest } from '../../../chain/airlock/calldata.ts'
import { type Message, type Span, t } from '../../../core/view.ts'
import type { SigningRequest } from '../../../launch/signing-wire.ts'
import {
  isDeviation,
  markOf,
  marksWords,
  type Row,
  type Section,
  sectionsOf,
} from '../../../launch/table.ts'
import { firstDoubts } from '../../../launch/verdict.ts'
import { addressView, type Content, clean, labelled } from './elements.ts'
import type { Flow } from './flow.ts'
import type { Inspection } from './inspect.ts'
import { coins, type Panel, panelOf, reasonOf } from './panel.ts'
import { isOver, type State, type Step } from './state.ts'
import { clock, say, spansOf } from './texts.ts'

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
    const amount = value === '0' ? '0' : coins(value, chain)
    render(say(t('sign-value', { amount })), byId('value'))
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
  const here = say(flow?.step === 'no wallet' ? t('sign-no-wallet-here') : title)
  const lead =
    flow &&
    html`<div class="lead">
      <p class="way" id="way" data-tone=${tone ?? 'plain'}><strong>${here}</strong>
        <a href="#panel-title" @click=${goToPanel}>${say(wayWords(flow.step))}</a></p>
      <section class="card summary" id="summary" aria-labelledby="summary-title">
        ${summaryView(flow.state, flow.link.picture)}
      </section>
    </div>`
  return html`${lead}
    <section class="card panel" id="panel" aria-labelledby="panel-title" data-tone=${tone ?? 'plain'}>
      <h2 id="panel-title" tabindex="-1">${say(title)}</h2>
      <p class="notice" id="notice" role="status" data-tone=${notice?.tone ?? 'note'}
        ?hidden=${!notice}>${notice && say(notice.text)}</p>
      <div class="steps" id="steps">${body}</div>
      <p class="unseen" id="said" role="status">${say(title)}</p>
    </section>`
}

/** Steps at which the panel neither signs nor leads to signing. */
const explaining: readonly Step[] = ['blocked', 'failing', 'missing', 'reverted', 'empty']

/** Names the link from the line above the summary on narrow screens down to the panel. */
function wayWords(step: Step): Message {
  if (step === 'no wallet') return t('sign-way-help')
  if (isOver(step) || explaining.includes(step)) return t('sign-way-more')
  return step === 'pending' ? t('sign-way-transaction') : t('sign-way-sign')
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
      ? t('sign-expires-hours', {
          hours: String(Math.floor(minutes / 60)),
          minutes: twoDigits(minutes % 60),
        })
      : t('sign-expires', { time: `${minutes}:${twoDigits(seconds % 60)}` })
  return html`<span class=${seconds < 300 ? 'soon' : ''}>${say(left)}</span>`
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
    ${sectionsOf(rows).map((section) => sectionView(section, explorer))}`
  return html`${heading(request, inspection, picture)}
    ${inspection.verified ? undefined : notVerified(inspection)}
    ${rows.length > 0 ? terms : undefined}
    ${termsView('terms', t('sign-who'), whoAndWhere(request, inspection))}
    ${calldataDetails(request, inspection)}`
}

function heading(request: SigningRequest, { result }: Inspection, picture: string): TemplateResult {
  // As the calldata have them if they can be decoded, else as the bot said.
  const { name = request.name, symbol = request.symbol } = result?.effects ?? {}
  const { name: chain, testnet } = request.chain
  const place = testnet ? t('sign-token-testnet', { chain }) : t('sign-token-on', { chain })
  const hasInvisible = [name, symbol].some((each) => clean(each, 10_000) !== each)
  return html`<header class="token">
      ${
        request.picture
          ? html`<img src=${picture} alt=${say(t('sign-picture'))} class="picture" width="72" height="72">`
          : undefined
      }
      <div>
        <p class="quiet">${say(place)}</p>
        <h1 id="summary-title"><bdi>${clean(name, 200)}</bdi></h1>
        <p class="symbol"><bdi>${clean(symbol, 60)}</bdi></p>
      </div>
    </header>
    ${hasInvisible ? html`<p class="warning">${say(t('sign-invisible'))}</p>` : undefined}`
}

function notVerified({ result, doubts }: Inspection): TemplateResult {
  return html`<div class="warning">
    <p><strong>${say(t('terms-not-verified'))}</strong></p>
    <ul>${firstDoubts(doubts).map((each) => html`<li>${say(each)}</li>`)}</ul>
    <p>${say(result?.effects ? t('sign-if-you-know') : t('sign-if-you-know-unread'))}</p>
  </div>`
}

/** Explains the marks, and what was checked on the chain. */
function legend({ kind }: SigningRequest['simulation'], rows: readonly Row[]): string {
  const isRehearsed = rows.some(({ rehearsed }) => rehearsed)
  const more = isRehearsed ? afterMarks[kind] : withoutMarks[kind]
  return [marksWords(rows), more].flatMap((each) => (each ? [say(each)] : [])).join(' ')
}

const withoutMarks = {
  passed: t('sign-passes'),
  failed: t('sign-fails'),
  none: t('sign-not-simulated'),
} as const

const afterMarks = {
  passed: undefined,
  failed: t('sign-simulated-before-fails'),
  none: t('sign-simulated-before'),
} as const

function sectionView(
  { group, title, rows }: Section,
  explorer: string | undefined,
): TemplateResult {
  const facts = rows.map((row) => fact(row, explorer))
  return termsView(group === 'first' ? 'terms first' : 'terms', title, facts)
}

function termsView(kind: string, title: Message, facts: Content): TemplateResult {
  return html`<section class=${kind}>
    <h2>${say(title)}</h2>
    <dl class="facts">${facts}</dl>
  </section>`
}

/** Shows a row in the chat's words. */
function fact(row: Row, explorer: string | undefined): TemplateResult {
  const does = line(row.does ?? '', explorer)
  if (!isDeviation(row)) {
    return html`<dt>${say(row.label)}</dt><dd>${does}${markView(row)}</dd>`
  }
  const { asked, why } = row
  const compared =
    asked &&
    html`<div class="beside">
      <p><span class="whose">${say(t('sign-does'))}</span>${does}</p>
      <p><span class="whose">${say(t('sign-asked'))}</span>${line(asked, explorer)}</p>
    </div>`
  const reason = why === undefined ? undefined : html`<p class="why">${say(why)}</p>`
  return html`<dt>${say(t('terms-alarm', { label: row.label }))}</dt><dd>${compared ?? does}${reason}</dd>`
}

/** Shows a mark behind its row: never alone in a line, but for below an address, which may fill its own. */
function markView(row: Row): Content {
  const mark = markOf(row)
  if (!mark) return undefined
  const space = isAddress(spansOf(row.does ?? '').at(-1)) ? ' ' : '\u00a0'
  return html`${space}<span class="tick">${say(mark)}</span>`
}

function isAddress(span: Span<string> | undefined): span is { code: string } {
  return typeof span === 'object' && 'code' in span
}

/** Punctuation that belongs to the word before it. */
const closing = /^[,.;:)、。，；：）]+/u

/** Shows the words of a row. A comma behind an address stays there: the address may fill its line. */
function line(words: Span, explorer: string | undefined): TemplateResult {
  const spans = spansOf(words)
  const shown = spans.map((span, index) => {
    if (!isAddress(span)) {
      return isAddress(spans[index - 1]) ? wordsOf(span).replace(closing, '') : wordsOf(span)
    }
    const [after = ''] = closing.exec(wordsOf(spans[index + 1] ?? '')) ?? []
    return html`<span class="whole">${addressView(span.code, explorer)}${after}</span>`
  })
  return html`<span class="words">${shown}</span>`
}

function wordsOf(span: Span<string>): string {
  if (typeof span === 'string') return span
  if ('own' in span) return span.own
  return 'time' in span ? clock.format(new Date(span.time * 1000)) : ''
}

function whoAndWhere(request: SigningRequest, { digest, result }: Inspection): Content {
  const { chain, wallet, to, token, simulation } = request
  const you = result?.effects && html`<span class="quiet">${say(t('sign-you'))}</span>`
  const rehearsal =
    simulation.kind === 'failed' &&
    row(t('sign-simulation'), say(t('sign-simulation-failed', { why: reasonOf(simulation) })))
  return html`${row(t('sign-wallet'), html`${addressView(wallet, chain.explorer)}${you}`)}
    ${row(t('terms-chain'), say(t('sign-chain-named', { chain: chain.name, id: String(chain.id) })))}
    ${row(t('terms-token'), token ? addressView(token) : say(t('terms-token-unknown')))}
    ${row(t('terms-contract-called'), addressView(to, chain.explorer))}
    ${rehearsal || undefined}
    ${row(t('terms-digest'), html`<code class="digest">${shortDigest(digest)}</code>`)}`
}

function row(label: Message, content: Content): TemplateResult {
  return html`<dt>${say(label)}</dt><dd>${content}</dd>`
}

function calldataDetails({ data, uri }: SigningRequest, { digest }: Inspection): TemplateResult {
  const calldata = t('sign-calldata', { bytes: (data.length - 2) / 2 })
  return html`<details class="more">
    <summary>${say(t('sign-whole'))}</summary>
    <p>${say(t('sign-compare'))}</p>
    ${labelled(say(t('terms-digest')), html`<code class="hex">${digest}</code>`)}
    ${labelled(say(t('sign-metadata')), html`<code class="hex">${clean(uri, 300)}</code>`)}
    ${labelled(say(calldata), html`<code class="hex tall" tabindex="0">${data}</code>`)}
  </details>`
}
