import type { ConsoleView, Outcome } from '../../discord/console-view.ts'
import type { DiscordClient } from './discord-client.ts'
import { CommandForm } from './discord-command.ts'
import { el } from './discord-dom.ts'
import { readLine, type Usable, usables } from './discord-line.ts'
import { avatar } from './discord-message.ts'
import { Popover } from './discord-popover.ts'
import type { Roster } from './discord-select.ts'
import type { Names } from './discord-text.ts'

/** What the composer needs of the panel. */
export interface ComposerHost {
  client: DiscordClient
  names: Names
  roster: Roster
  /** Follows an act to its outcome: shows that it is under way, opens modals. */
  follow: (command: string, act: Promise<Outcome>) => Promise<Outcome>
}

/** The message box: plain messages, and slash commands from the first `/` to their options. */
export class Composer {
  readonly element: HTMLElement
  readonly #host: ComposerHost
  readonly #popover = new Popover()
  readonly #error = el('p', { class: 'dc-composer-error', role: 'alert', hidden: true })
  readonly #box = el('textarea', { 'aria-label': 'Message', rows: '1', maxlength: '2000' })
  readonly #field = el('div', { class: 'dc-field' }, this.#box)
  #form: CommandForm | undefined
  #commands: Usable[] = []
  #bot = { id: '', name: '' }

  constructor(host: ComposerHost) {
    this.#host = host
    this.element = el(
      'footer',
      { class: 'dc-composer' },
      this.#popover.element,
      this.#error,
      this.#field,
    )
    this.#box.addEventListener('input', (event) => this.#typed(event))
    this.#box.addEventListener('keydown', (event) => this.#key(event))
    this.#box.addEventListener('blur', () => this.#popover.hide())
    this.#box.addEventListener('focus', () => this.#offer())
  }

  /** Fits the box to the place: its name, whether one may write, the commands there are. */
  show({ channel, mayWrite, commands, bot }: ConsoleView): void {
    this.#commands = usables(commands)
    this.#bot = bot
    const name = channel.kind === 'private' ? `@${channel.name}` : `#${channel.name}`
    this.#box.disabled = !mayWrite
    this.#box.placeholder = mayWrite
      ? `Message ${name}`
      : 'You do not have permission to send messages in this channel.'
    this.#field.classList.toggle('closed', !mayWrite)
  }

  /** Empties everything, as when the person or the place changes. */
  reset(): void {
    this.#leave(false)
    this.#box.value = ''
    this.#grow()
    this.#popover.hide()
  }

  #typed(event: Event): void {
    this.#grow()
    this.#complain('')
    const typed = event instanceof InputEvent && event.inputType === 'insertText'
    const exact = /^\/(.+) $/.exec(this.#box.value)?.[1]
    const command = this.#commands.find(({ name }) => name === exact)
    if (typed && command !== undefined && command.options.length > 0) this.#choose(command)
    else this.#offer()
  }

  #grow(): void {
    this.#box.style.height = 'auto'
    this.#box.style.height = `${this.#box.scrollHeight}px`
  }

  #offer(): void {
    const typed = /^\/([^\n]*)$/.exec(this.#box.value)?.[1]
    const fitting = this.#commands.filter(({ name }) => name.startsWith(typed ?? ' '))
    if (typed === undefined || fitting.length === 0) {
      this.#popover.hide()
      return
    }
    const entries = fitting.map((command) => ({
      label: `/${command.name}`,
      about: command.about,
      mark: avatar(this.#bot.id, this.#bot.name, true),
      pick: () => this.#choose(command),
    }))
    this.#popover.show(this.#bot.name, entries, true)
  }

  #key(event: KeyboardEvent): void {
    const line = readLine(this.#box.value, this.#commands)
    const whole = this.#box.value.startsWith('/') && line !== undefined
    const written =
      whole &&
      line.command.options.every(
        ({ name, required }) => required !== true || line.values[name] !== undefined,
      )
    if (event.key === 'Enter' && written && !event.shiftKey) {
      event.preventDefault()
      void this.#run(line.command, line.values)
    } else if (this.#popover.key(event)) event.preventDefault()
    else if (event.key === 'Escape') this.#popover.hide()
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (whole) void this.#run(line.command, line.values)
      else void this.#say()
    }
  }

  #choose(command: Usable): void {
    this.#popover.hide()
    if (command.options.length === 0) {
      this.#box.value = ''
      void this.#run(command, {})
      return
    }
    const { client, names, roster } = this.#host
    this.#form = new CommandForm(command, {
      client,
      names,
      roster,
      popover: this.#popover,
      run: (chosen, values) => void this.#run(chosen, values),
      leave: () => this.#leave(true),
    })
    this.#box.hidden = true
    this.#field.append(this.#form.element)
    this.#form.focus()
  }

  #leave(focus: boolean): void {
    this.#form?.close()
    this.#form?.element.remove()
    this.#form = undefined
    this.#complain('')
    this.#box.hidden = false
    this.#box.value = ''
    if (focus) this.#box.focus()
  }

  async #run(command: Usable, values: Record<string, string>): Promise<void> {
    this.#popover.hide()
    const act = this.#host.client.slash(command.name, values)
    const kept = this.#box.value
    const form = this.#form
    if (form === undefined) this.#box.value = ''
    const outcome = await this.#host.follow(command.name, act)
    if (outcome.kind === 'refused') {
      if (form === undefined) this.#box.value = kept
      this.#complain(outcome.message)
      form?.blame(outcome.message)
      form?.focus()
    } else if (form !== undefined && form === this.#form) this.#leave(true)
    this.#grow()
  }

  async #say(): Promise<void> {
    const text = this.#box.value
    if (text.trim() === '') return
    this.#box.value = ''
    this.#grow()
    const outcome = await this.#host.client.say(text)
    if (outcome.kind !== 'refused') return
    this.#box.value = text
    this.#complain(outcome.message)
  }

  #complain(message: string): void {
    this.#error.textContent = message
    this.#error.hidden = message === ''
  }
}
