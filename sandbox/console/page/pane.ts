import { html, nothing, render, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import { Composer } from './composer.ts'
import { avatar, hueOf, icon } from './icons.ts'
import { openDialog } from './modal.ts'
import type { Chat, Message, Part, View } from './model.ts'
import { dots, type PartActions, showPart } from './parts.ts'

/** What the two platforms draw another way. */
type Skin = 'telegram' | 'discord'

const titles: Readonly<Record<Skin, string>> = { telegram: 'Telegram', discord: 'Discord' }
/** What Tab would come to in a message. */
const pressable = 'a[href], button, summary, [role=button]'
const toastMs = 3_000
/** To wait for the click after the release: a finger's comes a moment later. */
const clickWithinMs = 50
/** Longer is no click any more, and some menus swallow the end of it. */
const mostHeldMs = 2_000
const dayMs = 86_400_000
/** How near the end, in pixels, still counts as reading the newest. */
const nearEnd = 80

/** A chat with the bot: who looks at which place, its messages, and the box to write in. */
export class Pane {
  readonly composer: Composer
  /** Where dialogs belong. */
  readonly element = document.createElement('div')
  readonly #skin: Skin
  readonly #chat: Chat
  /** Controls that wait for the bot; an edit of their message must not stop the sign of it. */
  readonly #busy = new Set<string>()
  #shownPlace = ''
  /** The message that Tab comes to; the newest one while the focus is elsewhere. */
  #current = ''
  #read = 0
  #toast = ''
  #toastTimer: number | undefined
  /** A control is held down, at most until then (milliseconds). */
  #heldUntil = 0

  constructor(panel: HTMLElement, skin: Skin, chat: Chat) {
    this.element.className = `pane ${skin}`
    panel.replaceChildren(this.element)
    this.#skin = skin
    this.#chat = chat
    this.composer = new Composer(this.element, chat, () => this.update())
    this.element.addEventListener('pointerdown', this.#hold)
    this.element.addEventListener('click', () => (this.#heldUntil = 0), { capture: true })
    this.element.addEventListener('click', this.#follow)
    // Relative times go on.
    window.setInterval(() => this.update(), 1_000)
  }

  /** Draws what is there now. */
  update(): void {
    const { view } = this.#chat
    // A control that is drawn anew between the press and the release gets no click.
    if (!view || performance.now() < this.#heldUntil) return
    const shown = `${view.person} ${view.place} ${view.topic}`
    const isOther = shown !== this.#shownPlace
    this.#shownPlace = shown
    if (isOther) this.#current = ''
    const wasAtEnd = isOther || this.#isAtEnd
    const last = view.messages.at(-1)
    const isNew = view.messages.length > this.#read
    if (wasAtEnd || (isNew && last?.isOwn)) this.#read = view.messages.length
    const focused = this.#focused
    render(this.#template(view), this.element)
    this.#rove()
    this.#focusAgain(focused)
    if (isOther || (isNew && last?.isOwn)) this.#toEnd('instant')
  }

  /** A line that goes by itself. */
  toast(words: string): void {
    window.clearTimeout(this.#toastTimer)
    this.#toast = words
    this.#toastTimer = window.setTimeout(() => this.toast(''), toastMs)
    this.update()
  }

  /** A box that the person closes. */
  alert(words: string, url = ''): void {
    const link = /^https?:/u.test(url)
      ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${url}</a>`
      : nothing
    openDialog(this.element, (dialog) => html`<p>${words}</p>${link}${closer(dialog, 'OK')}`)
  }

  /** Lets the person pick one of some things; where there is none, `empty` says why. */
  pick<Item extends { id: string; name: string; sign: string }>(
    { title, about, empty }: { title: string; about?: string; empty: string },
    items: readonly Item[],
  ): Promise<Item | undefined> {
    const { promise, resolve } = Promise.withResolvers<Item | undefined>()
    const dialog = openDialog(this.element, (box) => {
      const pick = (item: Item) => {
        resolve(item)
        box.close()
      }
      const lines = items.map(
        (item) =>
          html`<button type="button" class="choice" @click=${() => pick(item)}>${face(item)}${item.name}</button>`,
      )
      const words = lines.length > 0 ? about : empty
      return html`<h2>${title}</h2>${words ? html`<p>${words}</p>` : nothing}${lines}${closer(box, lines.length > 0 ? 'Cancel' : 'OK')}`
    })
    dialog.addEventListener('close', () => resolve(undefined))
    return promise
  }

  async copy(text: string): Promise<void> {
    const words = await navigator.clipboard.writeText(text).then(
      () => 'Copied to clipboard',
      () => 'The browser did not allow copying',
    )
    this.toast(words)
  }

  #template(view: View): TemplateResult {
    const { intro, messages, pending, topics } = view
    const unread = messages.length - this.#read
    return html`
      <h2 class="unseen">${titles[this.#skin]}</h2>
      <nav class="places" aria-label="${titles[this.#skin]}: places">${view.places.map(
        (
          place,
        ) => html`<button type="button" class="place ${place.isUnread ? 'unread' : ''}" title=${place.about} aria-current=${place.id === view.place}
          aria-label=${place.name} @click=${() => this.#go(view.person, place.id)}>${this.#skin === 'discord' ? html`<span>${place.sign === 'bot' ? '@' : '#'}</span>` : face(place)}<span
          class="place-name">${place.name}</span></button>`,
      )}</nav>
      <header class="top">${this.#title(view)}
        <div class="people" role="group" aria-label="Person">${view.people.map(
          (
            person,
          ) => html`<button type="button" title="Look as ${person.name}" aria-label=${person.name} aria-pressed=${person.id === view.person}
            @click=${() => this.#go(person.id, view.place)}>${avatar(person)}<span>${person.name}</span></button>`,
        )}</div></header>
      ${
        topics.length > 0
          ? html`<div class="topics" role="group" aria-label="Topic">${topics.map(
              ({ id, name }) =>
                html`<button type="button" aria-pressed=${id === view.topic} @click=${() => this.#go(view.person, view.place, id)}>${name}</button>`,
            )}</div>`
          : nothing
      }
      <div class="chat">
        <div class="scroller" role="log" aria-label="Messages" @scroll=${() => this.update()} @keydown=${this.#walk}
          @focusin=${this.#enter} @focusout=${this.#leave}><div class="messages ${view.isGroup ? 'group' : ''}">
          ${intro ? html`<div class="intro">${this.#skin === 'discord' ? face({ id: '0', name: '#', sign: view.places.find(({ id }) => id === view.place)?.sign ?? '' }) : nothing}<h3>${intro.title}</h3><p>${intro.about}</p>${intro.hint ? html`<p>${intro.hint}</p>` : nothing}</div>` : nothing}
          ${this.#messages(view)}
          ${pending.map((words) => html`<div class="thinking">${dots}${words}</div>`)}
        </div></div>
        <button type="button" class="jump" aria-label="To the newest message" ?hidden=${this.#isAtEnd} @click=${() => this.#toEnd('smooth')}>${icon('down')}${
          unread > 0 ? html`<span>${unread}</span>` : nothing
        }</button>
      </div>
      ${this.composer.template(view)}
      ${this.#toast ? html`<div class="toast" role="status">${this.#toast}</div>` : nothing}`
  }

  get #articles(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('article')]
  }

  /** Of all messages one is a tab stop, with what is in it; the arrow keys go to the others. */
  #rove(): void {
    const articles = this.#articles
    const current =
      articles.find(({ dataset }) => dataset.message === this.#current) ?? articles.at(-1)
    for (const article of articles) {
      const index = article === current ? 0 : -1
      for (const each of [article, ...article.querySelectorAll<HTMLElement>(pressable)])
        if (each.tabIndex !== index) each.tabIndex = index
    }
  }

  readonly #walk = (event: KeyboardEvent) => {
    const { key, target } = event
    if (event.defaultPrevented || !(target instanceof Element) || target.closest('details[open]'))
      return
    const articles = this.#articles
    const at = articles.findIndex((article) => article.contains(target))
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: articles.length - 1 }[key]
    const next = to === undefined ? undefined : articles[to]
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  readonly #enter = ({ target }: FocusEvent) => {
    const article = target instanceof Element ? target.closest<HTMLElement>('article') : null
    this.#current = article?.dataset.message ?? ''
    this.#rove()
  }

  readonly #leave = ({ relatedTarget }: FocusEvent) => {
    // An element that is drawn anew loses the focus to nothing.
    if (!(relatedTarget instanceof Node) || this.#list?.contains(relatedTarget)) return
    this.#current = ''
    this.#rove()
  }

  /** The message and, of its controls, the one that has the focus. */
  get #focused(): { message: string; control: string | undefined } | undefined {
    const { activeElement: element } = document
    if (!(element instanceof HTMLElement) || !this.#list?.contains(element)) return undefined
    const message = element.closest<HTMLElement>('article')?.dataset.message
    return message === undefined ? undefined : { message, control: element.dataset.control }
  }

  /** A message that was edited is drawn anew: whoever was in it stays there. */
  #focusAgain(focused: { message: string; control: string | undefined } | undefined): void {
    if (!focused || document.activeElement !== document.body) return
    const article = this.#articles.find(({ dataset }) => dataset.message === focused.message)
    const controls = [...(article?.querySelectorAll<HTMLElement>('[data-control]') ?? [])]
    const same = controls.find(({ dataset }) => dataset.control === focused.control)
    const target = same ?? article
    target?.focus({ preventScroll: true })
  }

  readonly #hold = ({ target, button, pointerId }: PointerEvent) => {
    if (button !== 0 || !(target instanceof Element && target.closest(pressable))) return
    const until = performance.now() + mostHeldMs
    this.#heldUntil = until
    const end = new AbortController()
    const release = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      end.abort()
      window.setTimeout(() => {
        // Another press may have begun since.
        if (this.#heldUntil === until) this.#heldUntil = 0
        this.update()
      }, clickWithinMs)
    }
    for (const event of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(event, release, { signal: end.signal })
  }

  /** Some links lead to another place of the same app. */
  readonly #follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link && this.#chat.follow(link.href)) event.preventDefault()
  }

  // The list is laid out from its end, so it stays there by itself as it grows; whoever scrolls up stays where they are.
  get #list(): Element | null {
    return this.element.querySelector('.scroller')
  }

  get #isAtEnd(): boolean {
    return (this.#list?.scrollTop ?? 0) > -nearEnd
  }

  #toEnd(behavior: 'smooth' | 'instant'): void {
    this.#list?.scrollTo({ top: 0, behavior })
  }

  #title({ title, places, place }: View): TemplateResult | typeof nothing {
    if (!title) return nothing
    const here = places.find(({ id }) => id === place)
    return html`${here ? face(here) : nothing}<div class="two-lines title"><b>${title.name}</b><span class=${title.isTyping ? 'typing' : ''}>${
      title.isTyping ? 'typing…' : title.about
    }</span></div>${
      title.block
        ? html`<button type="button" class="block" title="Block the bot" aria-label="Block the bot"
      @click=${title.block}>${icon('block')}</button>`
        : nothing
    }`
  }

  #messages({ messages, isGroup }: View) {
    const skin = this.#skin
    const shown = messages.map((message, index) => {
      const next = messages[index + 1]
      const place = {
        skin,
        isGroup,
        isJoined: isJoined(message, messages[index - 1], skin),
        isContinued: next !== undefined && isJoined(next, message, skin),
      }
      return { message, place, day: this.#dayBefore(messages, index) }
    })
    // What changed is drawn anew as a whole: selects and spoilers hold a state of their own.
    const key = (entry: (typeof shown)[number]) => JSON.stringify(entry)
    return repeat(shown, key, ({ message, place, day }) => [
      day ? html`<div class="service"><span>${day}</span></div>` : nothing,
      showMessage(message, place, this.#actions),
    ])
  }

  /** "Today", "Yesterday" or a date, where a message is the first of its day. */
  #dayBefore(messages: readonly Message[], index: number): string {
    const [before, message] = [messages[index - 1], messages[index]]
    if (this.#skin === 'discord' || !message) return ''
    const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0)
    const day = midnight(message.at)
    if (before && midnight(before.at) === day) return ''
    const ago = Math.round((midnight(Date.now()) - day) / dayMs)
    const format = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })
    return ['Today', 'Yesterday'][ago] ?? format.format(day)
  }

  readonly #actions: MessageActions = {
    tap: (does, value) => (does === 'copy' ? void this.copy(value) : this.#chat.tap(does, value)),
    press: (message, control) => this.#wait(message, control, this.#chat.press(message, control)),
    choose: (message, control, values) =>
      this.#wait(message, control, this.#chat.choose(message, control, values)),
    isBusy: ({ id }, control) => this.#busy.has(`${id} ${control}`),
    reply: (message) => this.composer.answer(message),
    show: (id) => {
      const message = this.element.querySelector(`[data-message="${id}"]`)
      message?.scrollIntoView({ block: 'center', behavior: 'smooth' })
      message?.animate([{ background: 'var(--light)' }, { background: 'transparent' }], 1_500)
    },
    dismiss: (id) => this.#chat.dismiss(id),
  }

  #wait({ id }: Message, control: string, answer: Promise<unknown>): void {
    const key = `${id} ${control}`
    this.#busy.add(key)
    this.update()
    void answer.finally(() => {
      this.#busy.delete(key)
      this.update()
    })
  }

  #go(person: string, place: string, topic = ''): void {
    this.composer.clear()
    this.#chat.goTo(person, place, topic)
  }
}

const face = ({ id, name, sign }: { id: string; name: string; sign: string }) =>
  avatar({ id, name, isBot: sign === 'bot' }, sign)

const closer = (dialog: HTMLDialogElement, words: string) =>
  html`<button type="button" class="close" @click=${() => dialog.close()}>${words}</button>`

interface MessageActions extends Omit<PartActions, 'press' | 'choose' | 'isBusy'> {
  press(message: Message, control: string): void
  choose(message: Message, control: string, values: string[]): void
  isBusy(message: Message, control: string): boolean
  reply(message: Message): void
  show(id: string): void
  dismiss(id: string): void
}

/** Where a message stands: how it is drawn depends on the ones beside it. */
interface MessagePlace {
  skin: Skin
  isGroup: boolean
  /** It goes on where the same author's one before ended. */
  isJoined: boolean
  /** The same author's next one follows. */
  isContinued: boolean
}

const joinedWithin = 7 * 60_000

/** Whether a message is drawn as going on with the one before. */
function isJoined(message: Message, before: Message | undefined, skin: Skin): boolean {
  if (!before || before.service !== undefined || message.service !== undefined) return false
  if (before.author.id !== message.author.id) return false
  if (skin === 'telegram') return true
  const isApart = before.isPrivate || message.isPrivate || message.used || message.answers
  return !isApart && message.at - before.at < joinedWithin
}

/** One message, with all around it. */
function showMessage(message: Message, place: MessagePlace, actions: MessageActions) {
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
  return html`<article class="message ${names.join(' ')}" data-message=${id} tabindex="-1" aria-label=${`${author.name}, ${clock.format(message.at)}`}>
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
