import { html, nothing, type TemplateResult } from 'lit-html'
import { icon } from './icons.ts'
import type { Button, Part, Picture, Select, TapKind, TimeShown } from './model.ts'

/** What the controls of a message do. */
export interface PartActions {
  tap(does: TapKind, value: string): void
  press(control: string): void
  choose(control: string, values: string[]): void
  /** The bot has not answered this control yet. */
  isBusy(control: string): boolean
}

type Shown = TemplateResult | string | typeof nothing

export const dots = html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`

const safe = /^(?:https?|mailto|tg):/iu

/** A part with all that is in it. Text goes in as text: nothing of it becomes markup. */
export function showPart(part: Part, actions: PartActions): Shown {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'code':
      return html`<code class="code">${part.text}</code>`
    case 'pre':
      return showPre(part, actions)
    case 'time':
      return showTime(part.unix, part.shown)
    case 'list':
      return showList(part, actions)
    case 'pictures':
      return html`<div class="pictures ${part.items.length > 1 ? 'several' : ''}">${part.items.map(showPicture)}</div>`
    case 'thumbnail':
      return html`<div class="thumbnail">${showPicture(part.item)}</div>`
    case 'file':
      return showFile(part)
    case 'preview':
      return showPreview(part)
    case 'button':
      return showButton(part, actions)
    case 'select':
      return showSelect(part, actions.isBusy(part.id), (values) => actions.choose(part.id, values))
    default:
      return showHolder(part, actions)
  }
}

type Holder = Extract<Exclude<Part, string>, { inside: readonly Part[] }>

function showHolder(part: Holder, actions: PartActions): Shown {
  const inside = part.inside.map((each) => showPart(each, actions))
  switch (part.kind) {
    case 'bold':
      return html`<strong>${inside}</strong>`
    case 'italic':
      return html`<em>${inside}</em>`
    case 'underline':
      return html`<u>${inside}</u>`
    case 'strike':
      return html`<s>${inside}</s>`
    case 'spoiler':
      return html`<span class="spoiler" role="button" tabindex="0" aria-label="Spoiler, tap to show"
        @click=${reveal} @keydown=${reveal}><span>${inside}</span></span>`
    case 'heading':
      return html`<div class="heading level-${part.level}">${inside}</div>`
    case 'quote':
      return html`<blockquote class="quote ${part.isFolded ? 'folded' : ''}" @click=${unfold}>${inside}</blockquote>`
    case 'mention':
      return html`<span class="mention">${inside}</span>`
    case 'link':
      if (!safe.test(part.url)) return html`<span>${inside}</span>`
      return html`<a href=${part.url} title=${part.url} target="_blank" rel="noopener noreferrer">${inside}</a>`
    case 'tap': {
      const tap = (event: Event) => isPress(event) && actions.tap(part.does, part.value)
      // A button would not break across lines as its sentence does.
      return html`<span class="tap" role="button" tabindex="0" title=${part.does === 'copy' ? 'Copy' : part.value}
        @click=${tap} @keydown=${tap}>${inside}</span>`
    }
    case 'card': {
      const colour = part.colour?.toString(16).padStart(6, '0')
      return html`<div class="card ${colour ? 'accented' : ''}" .style=${colour ? `--accent: #${colour}` : ''}>${inside}</div>`
    }
    case 'section':
      return html`<div class="section"><div class="section-text">${inside}</div>
        <div class="section-side">${showPart(part.side, actions)}</div></div>`
    case 'text':
      return html`<span class="text">${inside}</span>`
    default:
      return html`<div class=${part.kind}>${inside}</div>`
  }
}

function showList({ start, items }: Extract<Part, { kind: 'list' }>, actions: PartActions): Shown {
  const lines = items.map(
    ({ depth, inside }) =>
      html`<li .style=${`--depth: ${depth}`}>${inside.map((part) => showPart(part, actions))}</li>`,
  )
  return start === undefined
    ? html`<ul class="list">${lines}</ul>`
    : html`<ol class="list" start=${start}>${lines}</ol>`
}

/** Whether a click or key presses what is no button of the browser's. */
const isPress = (event: Event) =>
  !(event instanceof KeyboardEvent) || event.key === 'Enter' || event.key === ' '

function reveal(event: Event): void {
  if (!isPress(event)) return
  const { currentTarget: spoiler } = event
  if (!(spoiler instanceof Element) || spoiler.classList.contains('shown')) return
  // A spoiler may stand inside a link.
  event.preventDefault()
  spoiler.classList.add('shown')
  for (const name of ['role', 'tabindex', 'aria-label']) spoiler.removeAttribute(name)
}

const unfold = ({ currentTarget: quote }: Event) =>
  quote instanceof Element && quote.classList.toggle('unfolded')

function showPre(
  { text, language = 'code' }: Extract<Part, { kind: 'pre' }>,
  { tap }: PartActions,
) {
  return html`<div class="pre">
    <span class="pre-head">${language}<button type="button" title="Copy" aria-label="Copy code"
      @click=${() => tap('copy', text)}>${icon('copy')}</button></span>
    <pre>${text}</pre></div>`
}

function showPicture({ url, alt, size }: Picture) {
  return html`<div><img src=${url} alt=${alt} loading="lazy"
    referrerpolicy="no-referrer" .style=${size ? `aspect-ratio: ${size.width} / ${size.height}` : ''}></div>`
}

function showFile({ name, size, url }: Extract<Part, { kind: 'file' }>) {
  const words = size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`
  return html`<a class="file" href=${url} download=${name}><span class="file-sign">${icon('file')}</span>
    <span class="two-lines"><b>${name}</b><span>${words}</span></span></a>`
}

function showPreview({ url, host, isPicture, isLarge }: Extract<Part, { kind: 'preview' }>) {
  if (!safe.test(url)) return nothing
  return html`<a class="preview ${isLarge ? 'large' : ''}" href=${url} target="_blank"
    rel="noopener noreferrer"><span class="two-lines"><b>${host}</b>${
      isPicture ? nothing : html`<span>${new URL(url).pathname}</span>`
    }</span>${isPicture ? html`<img src=${url} alt="" loading="lazy">` : nothing}</a>`
}

function showButton(part: Button, { press, isBusy }: PartActions) {
  const inside = html`<span class="label">${part.label}</span>${part.sign ? icon(part.sign) : nothing}`
  if (part.url !== undefined)
    return html`<a class="button link" href=${safe.test(part.url) ? part.url : nothing} title=${part.url}
      target="_blank" rel="noopener noreferrer" aria-disabled=${part.isDisabled || nothing}>${inside}</a>`
  const busy = isBusy(part.id)
  return html`<button type="button" class="button ${part.style} ${busy ? 'busy' : ''}" ?disabled=${part.isDisabled}
    data-control=${part.id} @click=${() => press(part.id)}>${inside}${busy ? dots : nothing}</button>`
}

const chosenIn = (list: Element) => [...list.querySelectorAll<HTMLElement>('[aria-selected=true]')]

/** The values of the select of a form or message. */
export const chosenValues = (select: Element) =>
  chosenIn(select).map(({ dataset }) => dataset.value ?? '')

/** A box that opens a list; `choose` gets the values when it closes with others than before. */
export function showSelect(part: Select, isBusy: boolean, choose: (values: string[]) => void) {
  const toggled = ({ currentTarget: box }: Event) => {
    if (!(box instanceof HTMLDetailsElement)) return
    const values = chosenValues(box)
    if (box.open) {
      box.dataset.before = values.join()
      box.querySelector<HTMLElement>('[role=option]')?.focus()
    } else if (values.length >= part.min && values.join() !== box.dataset.before) choose(values)
  }
  const pick = ({ currentTarget: line }: Event) => {
    if (line instanceof Element) choosePart(part, line)
  }
  const presets = part.choices.filter(({ isChosen }) => isChosen).map(({ label }) => label)
  return html`<details class="select" data-select=${part.id} @toggle=${toggled} @focusout=${closeOnLeave} @keydown=${walk}>
    <summary role="button" aria-haspopup="listbox" aria-disabled=${part.isDisabled || nothing}
      @click=${(event: Event) => part.isDisabled && event.preventDefault()}><span class="select-label"
      .textContent=${presets.join(', ') || part.placeholder}></span>${isBusy ? dots : nothing}${icon('down')}</summary>
    <div class="select-list" role="listbox">${part.choices.map(
      ({
        value,
        label,
        about,
        isChosen,
      }) => html`<button type="button" role="option" class="choice" data-value=${value} data-label=${label}
        aria-selected=${String(isChosen === true)} @click=${pick}><span class="two-lines"><span>${label}</span>${
          about ? html`<span>${about}</span>` : nothing
        }</span>${icon('check')}</button>`,
    )}</div></details>`
}

/** Chooses a line of an open list, or takes it back where several may be chosen. */
function choosePart({ max, placeholder }: Select, line: Element): void {
  const box = line.closest('details')
  if (!box) return
  const was = line.getAttribute('aria-selected') === 'true'
  if (max === 1) for (const each of chosenIn(box)) each.setAttribute('aria-selected', 'false')
  if (was || chosenIn(box).length < max)
    line.setAttribute('aria-selected', String(max === 1 || !was))
  const label = box.querySelector('.select-label')
  const labels = chosenIn(box).map((each) => each.dataset.label)
  if (label) label.textContent = labels.join(', ') || placeholder
  if (max === 1) box.open = false
}

function closeOnLeave({ currentTarget: box, relatedTarget }: FocusEvent): void {
  const stays = relatedTarget instanceof Node && box instanceof Node && box.contains(relatedTarget)
  if (!stays && box instanceof HTMLDetailsElement) box.open = false
}

function walk(event: KeyboardEvent): void {
  const { currentTarget: box, key } = event
  if (!(box instanceof HTMLDetailsElement) || !box.open) return
  if (key === 'Escape') box.querySelector('summary')?.focus()
  if (key === 'Escape') box.open = false
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined) return
  event.preventDefault()
  const options = [...box.querySelectorAll<HTMLElement>('[role=option]')]
  const at = options.findIndex((option) => option.matches(':focus'))
  options[(at + step + options.length) % options.length]?.focus()
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

function showTime(unix: number, shown: TimeShown): Shown {
  const date = new Date(unix * 1000)
  if (Number.isNaN(date.getTime())) return 'Invalid Date'
  return html`<time class="time" title=${full.format(date)} datetime=${date.toISOString()}>${timeWords(unix, shown)}</time>`
}

function timeWords(unix: number, shown: TimeShown): string {
  if (shown === 'relative') return relative(unix)
  if ('words' in shown) return shown.words
  return new Intl.DateTimeFormat(undefined, shown).format(unix * 1000)
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })

/** Such as "3 minutes ago" or "in 2 days". */
function relative(unix: number): string {
  const seconds = unix - Date.now() / 1000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relativeFormat.format(Math.round(seconds / size), unit)
}

/** The words of parts, in one line. */
export function plainWords(parts: readonly Part[]): string {
  return parts.map(wordsOf).join('').replace(/\s+/gu, ' ').trim()
}

function wordsOf(part: Part): string {
  if (typeof part === 'string') return part
  if (part.kind === 'code' || part.kind === 'pre') return part.text
  if (part.kind === 'time') return timeWords(part.unix, part.shown)
  if (part.kind === 'list')
    return part.items.map(({ inside }) => ` ${inside.map(wordsOf).join('')} `).join('')
  if (!('inside' in part) || part.kind === 'row') return ''
  const isBlock = /^(?:paragraph|heading|subtext|quote|card|section)$/u.test(part.kind)
  const words = part.inside.map(wordsOf).join('')
  return isBlock ? ` ${words} ` : words
}
