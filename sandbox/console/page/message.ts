import { html, nothing } from 'lit-html'
import { avatar, hueOf, icon } from './icons.ts'
import type { Message, Part } from './model.ts'
import { dots, type PartActions, showPart } from './parts.ts'

/** What the two platforms draw another way. */
export type Skin = 'telegram' | 'discord'

export interface MessageActions extends Omit<PartActions, 'press' | 'choose' | 'isBusy'> {
  press(message: Message, control: string): void
  choose(message: Message, control: string, values: string[]): void
  isBusy(message: Message, control: string): boolean
  reply(message: Message): void
  show(id: string): void
  dismiss(id: string): void
}

/** Where a message stands: how it is drawn depends on the ones beside it. */
export interface MessagePlace {
  skin: Skin
  isGroup: boolean
  /** It goes on where the same author's one before ended. */
  isJoined: boolean
  /** The same author's next one follows. */
  isContinued: boolean
}

const joinedWithin = 7 * 60_000

/** Whether a message is drawn as going on with the one before. */
export function isJoined(message: Message, before: Message | undefined, skin: Skin): boolean {
  if (!before || before.service !== undefined || message.service !== undefined) return false
  if (before.author.id !== message.author.id) return false
  if (skin === 'telegram') return true
  const isApart = before.isPrivate || message.isPrivate || message.used || message.answers
  return !isApart && message.at - before.at < joinedWithin
}

/** One message, with all around it. */
export function showMessage(message: Message, place: MessagePlace, actions: MessageActions) {
  const { id, author, isOwn, service } = message
  if (service !== undefined)
    return html`<div class="service" data-message=${id}><span>${service}</span></div>`
  const parts: PartActions = {
    tap: actions.tap,
    press: (control) => actions.press(message, control),
    choose: (control, values) => actions.choose(message, control, values),
    isBusy: (control) => actions.isBusy(message, control),
  }
  const show = (all: readonly Part[]) => all.map((part) => showPart(part, parts))
  const isBubble = place.skin === 'telegram'
  const marks = {
    own: isOwn,
    other: !isOwn,
    joined: place.isJoined,
    continued: place.isContinued,
    private: message.isPrivate,
    ping: message.isPing,
  }
  const names = Object.entries(marks).flatMap(([name, is]) => (is ? [name] : []))
  const hasFace = isBubble ? place.isGroup && !isOwn : !place.isJoined
  const pictured = message.body.every(
    (part) => typeof part === 'object' && part.kind === 'pictures',
  )
  return html`<article class="message ${names.join(' ')}" data-message=${id}>
    ${isBubble ? nothing : above(message)}
    ${hasFace ? avatar(author) : nothing}
    <div class="main">
      <div class="bubble ${pictured ? 'pictured' : ''}">
        ${head(message, place)}
        ${isBubble ? quote(message, actions) : nothing}
        ${message.isThinking ? html`<div class="thinking">${dots}${author.name} is thinking…</div>` : show(message.body)}
        ${meta(message, isBubble)}
      </div>
      ${message.controls?.length ? html`<div class="controls">${show(message.controls)}</div>` : nothing}
      ${message.failure ? html`<p class="failure">${message.failure}</p>` : nothing}
      ${message.isPrivate ? note(() => actions.dismiss(id)) : nothing}
    </div>
    ${isBubble ? html`<button type="button" class="reply" aria-label="Reply" title="Reply" @click=${() => actions.reply(message)}>${icon('reply')}</button>` : nothing}
  </article>`
}

function head({ author, at, via, isOwn }: Message, { skin, isGroup, isJoined }: MessagePlace) {
  if (skin === 'discord')
    return isJoined
      ? nothing
      : html`<header class="head"><span class="name">${author.name}</span>${author.isBot ? html`<span class="badge">APP</span>` : nothing}<time
          class="when" datetime=${new Date(at).toISOString()}>${when(at)}</time></header>`
  const isNamed = isGroup && !isOwn && !isJoined
  if (!isNamed && via === undefined) return nothing
  return html`<header class="head"><span class="name" .style=${hueOf(author.id)}>${isNamed ? author.name : ''}</span>${
    via === undefined ? nothing : html`<span class="via"> via @${via}</span>`
  }</header>`
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const dated = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })

const when = (at: number): string =>
  (new Date(at).toDateString() === new Date().toDateString() ? clock : dated).format(at)

function meta({ at, isEdited, isOwn }: Message, isBubble: boolean) {
  if (!isBubble) return isEdited ? html`<span class="edited">(edited)</span>` : nothing
  const edited = isEdited ? html`<i>edited</i>` : nothing
  return html`<span class="meta">${edited}<span>${clock.format(at)}</span>${isOwn ? icon('ticks') : nothing}</span>`
}

function quote({ answers }: Message, { show }: MessageActions) {
  if (!answers) return nothing
  return html`<button type="button" class="answered" @click=${() => show(answers.id)}><b>${answers.author.name}</b>
    <span>${answers.words}</span></button>`
}

function above({ used, answers }: Message) {
  if (used)
    return html`<div class="above">${avatar(used.by)}<b>${used.by.name}</b> used <span
      class="used">${icon('slash')}${used.command}</span></div>`
  if (!answers) return nothing
  return html`<div class="above">${avatar(answers.author)}<b>${answers.author.name}</b><span
    class="above-text">${answers.words}</span></div>`
}

const note = (dismiss: () => void) =>
  html`<div class="note">${icon('eye')}Only you can see this · <button type="button" class="tap"
    @click=${dismiss}>Dismiss message</button></div>`
