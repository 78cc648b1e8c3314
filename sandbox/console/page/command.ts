import type {
  APIApplicationCommandBasicOption,
  APIApplicationCommandOptionChoice,
} from 'discord-api-types/v10'
import { html, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { Usable } from './command-line.ts'
import type { Composer } from './composer.ts'
import { icon } from './icons.ts'
import type { Choice, Entry } from './model.ts'

type Option = APIApplicationCommandBasicOption

/** What a command that is being filled in needs of its platform. */
export interface CommandHost {
  complete(
    values: Record<string, string>,
    focused: string,
  ): Promise<APIApplicationCommandOptionChoice[] | undefined>
  /** What an option for a role offers. */
  roles(): Choice[]
  run(values: Record<string, string>): void
}

interface Chip {
  option: Option
  text: string
  /** What goes to the bot where it differs from what is shown: a choice's value, an id. */
  value?: string | undefined
}

const completeAfterMs = 150
const maxChoices = 25

/** A chosen command with its options as chips, each with its description, choices or autocomplete. */
export class CommandForm {
  readonly #command: Usable
  readonly #composer: Composer
  readonly #host: CommandHost
  #chips: Chip[]
  #tail = ''
  #wrong = ''
  #asked = 0
  /** Suggestions for what was typed are on their way; Enter may wait for them. */
  #waiting: 'suggestions' | 'first suggestion' | undefined
  #timer: number | undefined

  constructor(command: Usable, composer: Composer, host: CommandHost) {
    this.#command = command
    this.#composer = composer
    this.#host = host
    this.#chips = command.options
      .filter(({ required }) => required === true)
      .map((option) => ({ option, text: '' }))
  }

  template(): TemplateResult {
    const rest = this.#remaining.length
    return html`<div class="form" @keydown=${this.#key}>
      <span class="form-name">${icon('slash')}${this.#command.name}</span>
      ${this.#chips.map(
        (
          chip,
        ) => html`<label class="chip ${new RegExp(`\\b${chip.option.name}\\b`).test(this.#wrong) ? 'wrong' : ''}">
          <span>${chip.option.name}</span><input aria-label=${chip.option.name} autocomplete="off" size=${Math.max(3, chip.text.length + 1)}
          .value=${live(chip.text)} @focus=${() => this.#offer(chip)} @input=${(event: InputEvent) => this.#typed(chip, event)}></label>`,
      )}
      <input class="form-tail" aria-label="More options" placeholder=${this.#chips.length === 0 ? 'options…' : `+${rest} optional`}
        ?hidden=${rest === 0} .value=${live(this.#tail)} @focus=${() => this.#offerMore()} @input=${this.#typedInTail}>
    </div>`
  }

  focus(): void {
    this.#composer.update()
    const empty = this.#chips.findIndex(({ text }) => text === '')
    const inputs = this.#composer.formInputs
    inputs.at(empty)?.focus()
  }

  close(): void {
    window.clearTimeout(this.#timer)
    this.#waiting = undefined
    this.#asked++
  }

  /** Marks options as wrong whose name the message mentions. */
  blame(message: string): void {
    this.#wrong = message
    this.focus()
  }

  get #remaining(): Option[] {
    return this.#command.options.filter((o) => !this.#chips.some(({ option }) => option === o))
  }

  #values(): Record<string, string> {
    const filled = this.#chips.filter(({ text }) => text !== '')
    return Object.fromEntries(filled.map(({ option, text, value }) => [option.name, value ?? text]))
  }

  #add(option: Option, text = ''): void {
    this.#chips.push({ option, text })
    this.#tail = ''
    this.focus()
  }

  #typed(chip: Chip, { currentTarget: input }: InputEvent): void {
    if (!(input instanceof HTMLInputElement)) return
    const named = /^(.*?)\s*([^\s:]+):$/.exec(input.value)
    const other = this.#remaining.find(({ name }) => name === named?.[2])
    chip.text = other ? (named?.[1] ?? '') : input.value
    chip.value = undefined
    this.#wrong = ''
    if (other) this.#add(other)
    else this.#offer(chip)
  }

  readonly #typedInTail = ({ currentTarget: input }: InputEvent) => {
    if (!(input instanceof HTMLInputElement)) return
    this.#tail = input.value
    const name = /^([^\s:]+):$/.exec(this.#tail)?.[1]
    const option = this.#remaining.find((each) => each.name === name)
    if (option) this.#add(option)
    else this.#offerMore()
  }

  #offerMore(): void {
    this.close()
    const entries = this.#remaining
      .filter(({ name }) => name.startsWith(this.#tail.toLowerCase()))
      .map((option) => ({
        label: option.name,
        about: option.description,
        pick: () => this.#add(option),
      }))
    const offer = { heading: 'Options', entries, isFirstPicked: this.#tail !== '' }
    this.#composer.offer(entries.length > 0 ? offer : undefined)
  }

  #offer(chip: Chip): void {
    this.close()
    const { option } = chip
    const heading = `${option.name}: ${option.description}${option.required ? '' : ' (optional)'}`
    if ('autocomplete' in option && option.autocomplete === true) this.#complete(chip, heading)
    else {
      const entries = this.#fitting(chip)
      this.#composer.offer({ heading, entries, isFirstPicked: isOpen(chip) })
    }
  }

  #known(option: Option): Choice[] {
    if ('choices' in option && option.choices) return option.choices.map(asChoice)
    return option.type === 8 ? this.#host.roles() : []
  }

  #fitting(chip: Chip): Entry[] {
    const typed = chip.value === undefined ? chip.text.toLowerCase() : ''
    const fitting = this.#known(chip.option).filter(({ label }) =>
      label.toLowerCase().includes(typed),
    )
    const [only] = fitting
    if (typed !== '' && fitting.length === 1 && only) chip.value = only.value
    return this.#entries(chip, fitting)
  }

  #entries(chip: Chip, choices: readonly Choice[]): Entry[] {
    return choices.slice(0, maxChoices).map(({ label, value }) => ({
      label,
      pick: () => {
        chip.text = label
        chip.value = value
        this.#composer.offer(undefined)
        this.focus()
      },
    }))
  }

  #complete(chip: Chip, heading: string): void {
    const asked = this.#asked
    // What is shown was suggested for what was typed before.
    this.#composer.unpick()
    this.#waiting = isOpen(chip) ? 'suggestions' : undefined
    this.#timer = window.setTimeout(async () => {
      const { name } = chip.option
      const choices = await this.#host.complete({ ...this.#values(), [name]: chip.text }, name)
      if (asked !== this.#asked) return
      const entries = this.#entries(chip, choices?.map(asChoice) ?? [])
      const [first] = entries
      const wasEntered = this.#waiting === 'first suggestion'
      this.#waiting = undefined
      if (wasEntered && first) first.pick()
      else if (wasEntered) this.#run()
      else if (first) this.#composer.offer({ heading, entries, isFirstPicked: isOpen(chip) })
      else
        this.#composer.offer({
          heading: choices ? 'No options match your search.' : 'Loading options failed',
          entries,
        })
    }, completeAfterMs)
  }

  readonly #key = (event: KeyboardEvent) => {
    if (this.#composer.key(event)) return
    if (event.key === 'Escape') this.#composer.leave()
    else if (event.key === 'Backspace') this.#erase(event)
    else if (event.key === 'Enter') {
      event.preventDefault()
      if (this.#waiting) this.#waiting = 'first suggestion'
      else this.#run()
    }
  }

  #run(): void {
    const [next] = this.#remaining
    const loose = this.#tail.trim()
    if (loose !== '' && next) this.#chips.push({ option: next, text: loose })
    this.#tail = ''
    this.close()
    this.#composer.offer(undefined)
    this.#host.run(this.#values())
  }

  /** Backspace in an empty field takes the option away, or else the whole command. */
  #erase(event: KeyboardEvent): void {
    const { target: input } = event
    if (!(input instanceof HTMLInputElement) || input.value !== '') return
    event.preventDefault()
    const chip = this.#chips.find(({ option }) => option.name === input.ariaLabel)
    if (chip ? chip.option.required === true : this.#chips.length === 0) this.#composer.leave()
    else {
      this.#chips = this.#chips.filter((each) => each !== chip)
      this.#composer.offer(undefined)
      this.focus()
    }
  }
}

/** Whether something was typed that is not yet one of the choices: then Enter takes the first, as on Discord. */
const isOpen = ({ text, value }: Chip) => text !== '' && value === undefined

const asChoice = ({ name, value }: APIApplicationCommandOptionChoice): Choice => ({
  label: name,
  value: String(value),
})
