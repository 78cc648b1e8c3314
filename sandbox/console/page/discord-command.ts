import type {
  APIApplicationCommandBasicOption,
  APIApplicationCommandOptionChoice,
} from 'discord-api-types/v10'
import type { DiscordClient } from './discord-client.ts'
import { el, icon, icons } from './discord-dom.ts'
import type { Usable } from './discord-line.ts'
import type { Entry, Popover } from './discord-popover.ts'
import type { Roster } from './discord-select.ts'
import type { Names } from './discord-text.ts'

/** What a command that is being filled in needs of the composer. */
export interface CommandHost {
  client: DiscordClient
  popover: Popover
  names: Names
  roster: Roster
  run: (command: Usable, values: Record<string, string>) => void
  leave: () => void
}

interface Chip {
  option: APIApplicationCommandBasicOption
  input: HTMLInputElement
  element: HTMLElement
  /** What goes to the bot where it differs from what is shown: a choice's value, an id. */
  value: string | undefined
}

const completeAfterMs = 150

/** A chosen command with its options as chips, each with its description, choices or autocomplete. */
export class CommandForm {
  readonly element: HTMLElement
  readonly #command: Usable
  readonly #host: CommandHost
  readonly #chips: Chip[] = []
  readonly #tail = el('input', { class: 'dc-command-tail', 'aria-label': 'More options' })
  #asked = 0
  #timer: number | undefined

  constructor(command: Usable, host: CommandHost) {
    this.#command = command
    this.#host = host
    this.element = el(
      'div',
      { class: 'dc-command' },
      el('span', { class: 'dc-command-name' }, icon(icons.slash), command.name),
      this.#tail,
    )
    this.#tail.addEventListener('focus', () => this.#offerMore())
    this.#tail.addEventListener('input', () => this.#typedInTail())
    this.element.addEventListener('keydown', (event) => this.#key(event))
    for (const option of command.options) if (option.required === true) this.#add(option)
    this.#showTail()
  }

  /** Puts the cursor where the person goes on. */
  focus(): void {
    const empty = this.#chips.find(({ input }) => input.value === '')
    const target = empty?.input ?? (this.#tail.hidden ? this.#chips.at(-1)?.input : this.#tail)
    target?.focus()
  }

  /** Stops asking for choices. */
  close(): void {
    window.clearTimeout(this.#timer)
    this.#asked++
    this.#host.popover.hide()
  }

  /** Marks options as wrong whose name the message mentions. */
  blame(message: string): void {
    for (const { option, element } of this.#chips)
      element.classList.toggle('wrong', new RegExp(`\\b${option.name}\\b`).test(message))
  }

  get #remaining(): APIApplicationCommandBasicOption[] {
    return this.#command.options.filter((o) => !this.#chips.some(({ option }) => option === o))
  }

  #values(): Record<string, string> {
    const filled = this.#chips.filter(({ input }) => input.value !== '')
    return Object.fromEntries(
      filled.map((chip) => [chip.option.name, chip.value ?? chip.input.value]),
    )
  }

  #add(option: APIApplicationCommandBasicOption, text = ''): Chip {
    const input = el('input', {
      class: 'dc-chip-input',
      'aria-label': option.name,
      autocomplete: 'off',
    })
    input.value = text
    const element = el(
      'label',
      { class: 'dc-chip' },
      el('span', { class: 'dc-chip-name' }, option.name),
      input,
    )
    const chip: Chip = { option, input, element, value: undefined }
    input.addEventListener('input', () => this.#typed(chip))
    input.addEventListener('focus', () => this.#offer(chip))
    input.addEventListener('blur', () => this.#host.popover.hide())
    this.#chips.push(chip)
    this.#tail.before(element)
    widen(input)
    return chip
  }

  #remove(chip: Chip): void {
    this.#chips.splice(this.#chips.indexOf(chip), 1)
    chip.element.remove()
    this.#showTail()
    this.focus()
  }

  #showTail(): void {
    this.#tail.hidden = this.#remaining.length === 0
    const count = this.#remaining.length
    this.#tail.placeholder = this.#chips.length === 0 ? 'options…' : `+${count} optional`
  }

  #typed(chip: Chip): void {
    chip.value = undefined
    chip.element.classList.remove('wrong')
    const named = /^(.*?)\s*([^\s:]+):$/.exec(chip.input.value)
    const other = this.#remaining.find((option) => option.name === named?.[2])
    if (named !== null && other !== undefined) {
      chip.input.value = named[1] ?? ''
      widen(chip.input)
      this.#open(other)
      return
    }
    widen(chip.input)
    this.#offer(chip)
  }

  #open(option: APIApplicationCommandBasicOption, text = ''): Chip {
    const chip = this.#add(option, text)
    this.#showTail()
    chip.input.focus()
    return chip
  }

  #typedInTail(): void {
    const name = /^([^\s:]+):$/.exec(this.#tail.value)?.[1]
    const option = this.#remaining.find((each) => each.name === name)
    if (option === undefined) {
      this.#offerMore()
      return
    }
    this.#tail.value = ''
    this.#open(option)
  }

  #offerMore(): void {
    const typed = this.#tail.value.toLowerCase()
    const entries = this.#remaining
      .filter((option) => option.name.startsWith(typed))
      .map((option) => ({
        label: option.name,
        about: option.description,
        pick: () => {
          this.#tail.value = ''
          this.#open(option)
        },
      }))
    if (entries.length === 0) this.#host.popover.hide()
    else this.#host.popover.show('Options', entries, typed !== '')
  }

  #offer(chip: Chip): void {
    const { option } = chip
    const heading = el(
      'span',
      {},
      el('strong', {}, option.name),
      ` ${option.description}`,
      option.required === true ? undefined : el('em', {}, ' optional'),
    )
    if ('autocomplete' in option && option.autocomplete === true) this.#complete(chip, heading)
    else if (option.type === 11) this.#offerFile(chip, heading)
    else this.#host.popover.show(heading, this.#entries(chip, this.#known(option)), false)
  }

  #known(option: APIApplicationCommandBasicOption): APIApplicationCommandOptionChoice[] {
    if ('choices' in option && option.choices !== undefined) return option.choices
    if (option.type === 5)
      return [
        { name: 'True', value: 'true' },
        { name: 'False', value: 'false' },
      ]
    const { names, roster } = this.#host
    const { users, roles, channels } = roster()
    const named = (kind: 'user' | 'role' | 'channel', ids: string[]) =>
      ids.map((value) => ({ name: names(kind, value) ?? value, value }))
    return [
      ...(option.type === 6 || option.type === 9 ? named('user', users) : []),
      ...(option.type === 8 || option.type === 9 ? named('role', roles) : []),
      ...(option.type === 7 ? named('channel', channels) : []),
    ]
  }

  #entries(
    chip: Chip,
    choices: readonly APIApplicationCommandOptionChoice[],
    all = false,
  ): Entry[] {
    const typed = chip.value === undefined ? chip.input.value.toLowerCase() : ''
    const fitting = choices.filter(({ name }) => all || name.toLowerCase().includes(typed))
    const [only] = fitting
    if (!all && typed !== '' && fitting.length === 1 && only !== undefined)
      chip.value = String(only.value)
    return fitting.slice(0, 25).map(({ name, value }) => ({
      label: name,
      pick: () => {
        chip.input.value = name
        chip.value = String(value)
        widen(chip.input)
        this.#host.popover.hide()
        this.focus()
      },
    }))
  }

  #complete(chip: Chip, heading: HTMLElement): void {
    const asked = ++this.#asked
    window.clearTimeout(this.#timer)
    this.#timer = window.setTimeout(async () => {
      const values = { ...this.#values(), [chip.option.name]: chip.input.value }
      const { client, popover } = this.#host
      const choices = await client.complete(this.#command.name, values, chip.option.name)
      if (asked !== this.#asked || document.activeElement !== chip.input) return
      if (choices === undefined) popover.show('Loading options failed', [], false)
      else if (choices.length === 0) popover.show('No options match your search.', [], false)
      else popover.show(heading, this.#entries(chip, choices, true), false)
    }, completeAfterMs)
  }

  #offerFile(chip: Chip, heading: HTMLElement): void {
    const pick = () => {
      const chooser = el('input', { type: 'file' })
      chooser.addEventListener('change', async () => {
        const file = chooser.files?.[0]
        if (file === undefined) return
        chip.value = (await this.#host.client.upload(file)).id
        chip.input.value = file.name
        widen(chip.input)
      })
      chooser.click()
    }
    this.#host.popover.show(heading, [{ label: 'Choose a file', pick }], true)
  }

  #key(event: KeyboardEvent): void {
    const used = this.#host.popover.key(event)
    if (used) event.preventDefault()
    else if (event.key === 'Enter') {
      event.preventDefault()
      this.#run()
    } else if (event.key === 'Escape') this.#host.leave()
    else if (event.key === 'Backspace') this.#erase(event)
  }

  #run(): void {
    const loose = this.#tail.value.trim()
    const [next] = this.#remaining
    if (loose !== '' && next !== undefined) this.#add(next, loose)
    this.#tail.value = ''
    this.#showTail()
    this.close()
    this.#host.run(this.#command, this.#values())
  }

  #erase(event: KeyboardEvent): void {
    const chip = this.#chips.find(({ input }) => input === event.target)
    const field = chip?.input ?? this.#tail
    if (field.value !== '') return
    event.preventDefault()
    const last = this.#chips.at(-1)
    if (chip !== undefined && chip.option.required !== true) this.#remove(chip)
    else if (chip === undefined && last !== undefined) last.input.focus()
    else this.#host.leave()
  }
}

/** Makes a field as wide as what is in it. */
function widen(input: HTMLInputElement): void {
  input.style.width = `${Math.max(3, input.value.length + 1)}ch`
}
