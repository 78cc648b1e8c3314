import { html, nothing, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import { avatar, icon } from './icons.ts'
import type { Chat, Message, Offer, View } from './model.ts'
import { plainWords } from './parts.ts'

/** A command that is being filled in, in place of the box. */
export interface Form {
  template(): TemplateResult
  /** Puts the cursor where the person goes on. */
  focus(): void
  close(): void
}

const nearEnd = 100

/** The box in which a person writes, the list above it, and the message that they answer. */
export class Composer {
  readonly #root: HTMLElement
  readonly #chat: Chat
  /** Draws the pane anew. */
  readonly update: () => void
  #offer: Offer | undefined
  #active = -1
  #answers: Message | undefined
  #error = ''
  #form: Form | undefined
  #isKeyboardOpen = true
  #placeholder = ''

  constructor(root: HTMLElement, chat: Chat, update: () => void) {
    this.#root = root
    this.#chat = chat
    this.update = update
  }

  get text(): string {
    return this.#box?.value ?? ''
  }

  get hasOffer(): boolean {
    return this.#offer !== undefined
  }

  get form(): Form | undefined {
    return this.#form
  }

  /** The fields of the form that are shown. */
  get formInputs(): HTMLInputElement[] {
    return [...this.#root.querySelectorAll<HTMLInputElement>('.form input:not([hidden])')]
  }

  /** Puts text into the box and the cursor behind it. */
  fill(text: string): void {
    if (!this.#box) return
    this.#box.value = text
    this.#box.focus()
    this.#typed()
  }

  clear(): void {
    this.#form?.close()
    this.#form = undefined
    this.#answers = undefined
    this.#placeholder = ''
    if (this.#box) this.#box.value = ''
    this.complain('')
    this.offer(undefined)
    this.#grow()
  }

  /** Says what was wrong with what was sent. */
  complain(words: string): void {
    this.#error = words
    this.update()
  }

  offer(offer: Offer | undefined): void {
    this.#offer = offer
    this.#active = offer?.isFirstPicked && offer.entries.length > 0 ? 0 : -1
    this.update()
  }

  /** Leaves the list as it is, but has Enter take nothing of it. */
  unpick(): void {
    this.#active = -1
    this.update()
  }

  /** Answers a message; `placeholder` is what its sender asks for. */
  answer(message: Message | undefined, placeholder = ''): void {
    this.#answers = message
    this.#placeholder = placeholder
    this.update()
    if (message) this.#box?.focus()
  }

  fillIn(form: Form): void {
    this.#form = form
    this.offer(undefined)
    form.focus()
  }

  /** Goes from the form back to the box. */
  leave(): void {
    this.clear()
    this.fill('')
  }

  openKeyboard(isOpen: boolean): void {
    this.#isKeyboardOpen = isOpen
    this.update()
  }

  /** Takes an arrow key, Enter or Tab for the list; says whether it had a use for it. */
  key(event: KeyboardEvent): boolean {
    const entries = this.#offer?.entries ?? []
    if (entries.length === 0) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const entry = entries[event.key === 'Tab' ? Math.max(this.#active, 0) : this.#active]
    if (step !== undefined) {
      const from = this.#active === -1 && step === -1 ? 0 : this.#active
      this.#active = (from + step + entries.length) % entries.length
      this.update()
      this.#root.querySelector('.offer [aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Tab' && entry?.completes !== undefined) this.fill(entry.completes)
    else if (entry && (event.key === 'Enter' || event.key === 'Tab')) entry.pick()
    else return false
    event.preventDefault()
    return true
  }

  template(view: View): TemplateResult {
    const { bar, keyboard } = view
    if (bar)
      return html`<footer class="composer composer-bar">${bar.run ? html`<button type="button" @click=${bar.run}>${bar.words}</button>` : html`<p>${bar.words}</p>`}</footer>`
    return html`<footer class="composer">
      ${this.#list()}
      ${this.#error ? html`<p class="error" role="alert">${this.#error}</p>` : nothing}
      ${this.#answered()}
      <div class="box">
        ${this.#form?.template() ?? nothing}
        <label class="attach" title="Attach a file"><input type="file" aria-label="Attach a file" @change=${this.#attach}>${icon('attach')}</label>
        ${view.hasCommands ? html`<button type="button" class="commands" aria-label="Commands" title="Commands" aria-expanded=${this.hasOffer} @click=${() => this.#listCommands()}>/</button>` : nothing}
        <textarea aria-label="Message" rows="1" maxlength=${view.maxLength} ?hidden=${this.#form !== undefined} ?disabled=${view.isReadOnly}
          placeholder=${this.#placeholder || view.placeholder} @input=${() => this.#typed()} @keydown=${this.#key} @focus=${() => this.#chat.typed(this.text)}
          @blur=${() => this.offer(undefined)}></textarea>
        ${
          keyboard
            ? html`<button type="button" class="keyboard-toggle" aria-label="Bot keyboard" title="Bot keyboard" aria-expanded=${this.#isKeyboardOpen}
          @click=${() => this.openKeyboard(!this.#isKeyboardOpen)}>${icon('keyboard')}</button>`
            : nothing
        }
        <button type="button" class="send" aria-label="Send" title="Send" @click=${() => this.#submit()}>${icon('send')}</button>
      </div>
      ${keyboard && this.#isKeyboardOpen ? html`<div class="keyboard">${keyboard.map((row) => html`<div class="row">${row.map(({ label, style, run }) => html`<button type="button" class="button ${style}" @click=${run}>${label}</button>`)}</div>`)}</div>` : nothing}
    </footer>`
  }

  get #box(): HTMLTextAreaElement | null {
    return this.#root.querySelector<HTMLTextAreaElement>('textarea[aria-label=Message]')
  }

  #list(): TemplateResult | typeof nothing {
    const offer = this.#offer
    if (!offer) return nothing
    const scrolled = ({ currentTarget: list }: Event) => {
      if (!(list instanceof Element)) return
      if (list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd) offer.more?.()
    }
    // Pressing the pointer keeps the focus in the box, whose loss would close the list.
    return html`<div class="offer" @mousedown=${(event: Event) => event.preventDefault()} @scroll=${scrolled}>
      ${offer.heading ? html`<div class="offer-head">${offer.heading}</div>` : nothing}
      <div role="listbox">${repeat(
        offer.entries,
        (
          { label },
          index,
        ) => html`<button type="button" role="option" class="choice ${index === this.#active ? 'active' : ''}" tabindex="-1" aria-selected=${index === this.#active}
          @click=${() => offer.entries[index]?.pick()}>${thumbnail(offer, index)}<span class="two-lines"><b>${label}</b>${
            offer.entries[index]?.about ? html`<span>${offer.entries[index].about}</span>` : nothing
          }</span></button>`,
      )}</div></div>`
  }

  #answered(): TemplateResult | typeof nothing {
    const message = this.#answers
    if (!message) return nothing
    return html`<div class="answering">${icon('reply')}<span class="two-lines"><b>${message.author.name}</b>
      <span>${plainWords(message.body) || 'Media'}</span></span><button type="button" aria-label="Do not reply"
      @click=${() => this.answer(undefined)}>${icon('close')}</button></div>`
  }

  readonly #attach = ({ currentTarget: input }: Event) => {
    if (!(input instanceof HTMLInputElement)) return
    const file = input.files?.[0]
    if (file) {
      // What stands in the box goes with it, as its caption.
      const caption = this.text.trim()
      this.clear()
      this.#chat.attach(file, caption)
    }
    input.value = ''
  }

  #listCommands(): void {
    this.#box?.focus()
    if (this.hasOffer) this.offer(undefined)
    else this.#chat.listCommands()
  }

  #typed(): void {
    this.#error = ''
    this.#grow()
    this.#chat.typed(this.text)
    this.update()
  }

  #grow(): void {
    if (!this.#box) return
    this.#box.style.height = 'auto'
    this.#box.style.height = `${this.#box.scrollHeight}px`
  }

  readonly #key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.shiftKey || event.isComposing)) return
    if (event.key === 'Escape') {
      this.offer(undefined)
      this.answer(undefined)
    } else if (event.key === 'Enter' && this.#chat.isWhole(this.text)) {
      event.preventDefault()
      this.#submit()
    } else if (!this.key(event) && event.key === 'Enter') {
      event.preventDefault()
      this.#submit()
    }
  }

  #submit(): void {
    const text = this.text.trim()
    if (text === '') return
    const answers = this.#answers?.id
    this.clear()
    this.#chat.submit(text, answers)
  }
}

function thumbnail({ entries }: Offer, index: number) {
  const entry = entries[index]
  if (entry?.thumbnail === undefined) return nothing
  if (entry.thumbnail === 'bot') return avatar({ id: '0', name: '', isBot: true })
  return entry.thumbnail === ''
    ? html`<span class="thumb" aria-hidden="true">${[...entry.label][0] ?? '?'}</span>`
    : html`<img class="thumb" src=${entry.thumbnail} alt="" loading="lazy">`
}
