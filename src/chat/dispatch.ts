import { randomBytes } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Choice, type Command, type InlineHit, nearest, type Turn } from './command.ts'
import { formatLine, parseLine } from './line.ts'
import { plainSpans, plainView, type View } from './view.ts'

/** What an answer is: the command's own, a refusal of what was typed, a fault of ours or of what we depend on. */
export type Outcome = 'answered' | 'refused' | 'failed'

export interface Answer {
  view: View
  outcome: Outcome
  /** The person sends too much and was told so already: a platform that pays for each message stays silent. */
  repeated?: boolean
}

export interface MenuOption {
  name: string
  about: string
  example: string
  required: boolean
  whole?: { min: number; max: number }
  choices?: readonly Choice[]
  completes: boolean
}

export interface MenuEntry {
  name: string
  about: string
  options: MenuOption[]
}

/** All that a platform asks of the bot. Nothing here rejects: every fault is an answer already. */
export interface Bot {
  menu: readonly MenuEntry[]
  answer(line: string, turn: Turn): Promise<Answer>
  complete(command: string, option: string, typed: string): Promise<readonly Choice[]>
  inline(term: string): Promise<InlineHit[]>
  /** Logs a fault in showing an answer, and says what to show instead. */
  explain(error: unknown, line: string): Answer
}

export interface DispatchParts<S> {
  commands: readonly Command<S>[]
  services: S
  /** What a person reads when a command threw; `reference` stands in the log beside the cause. */
  explain: (error: unknown, line: string, reference: string) => View
  log: Logger
  /** Commands a person may send within ten seconds. */
  perTenSeconds?: number
}

/** Discord forgets an autocomplete after 3 s; an answer later than this is of no use. */
const completionDeadline = 2_000

/** Finds the command of a line, runs it, and turns whatever it throws into something to read. */
export class Dispatch<S> implements Bot {
  readonly menu: readonly MenuEntry[]
  readonly #parts: DispatchParts<S>
  readonly #floods: RateLimiterMemory

  constructor(parts: DispatchParts<S>) {
    this.#parts = parts
    this.#floods = new RateLimiterMemory({ points: parts.perTenSeconds ?? 30, duration: 10 })
    this.menu = parts.commands.map((command) => menuEntry(command, parts.services))
  }

  async answer(line: string, turn: Turn): Promise<Answer> {
    const flood = await this.#flood(turn)
    if (flood) return flood
    try {
      const parsed = parseLine(line)
      const command = this.#command(parsed.name)
      return { view: await command.run(parsed, this.#parts.services, turn), outcome: 'answered' }
    } catch (error) {
      return this.explain(error, line)
    }
  }

  async complete(command: string, option: string, typed: string): Promise<readonly Choice[]> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<readonly Choice[]>((resolve) => {
      timer = setTimeout(resolve, completionDeadline, [])
    })
    try {
      const param = this.#command(command).params[option]
      return await Promise.race([param?.complete?.(typed, this.#parts.services) ?? [], late])
    } catch (error) {
      this.#parts.log.debug({ err: error, command, option }, 'completion failed')
      return []
    } finally {
      clearTimeout(timer)
    }
  }

  async inline(term: string): Promise<InlineHit[]> {
    const command = this.#parts.commands.find(({ inline }) => inline !== undefined)
    try {
      return (await command?.inline?.(term, this.#parts.services)) ?? []
    } catch (error) {
      const { view } = this.explain(error, formatLine(command?.name ?? '', term))
      const title = plainSpans(view.title) || 'No answer'
      return [{ id: 'error', title, about: plainView({ ...view, title: [] }), view }]
    }
  }

  #command(name: string): Command<S> {
    const found = this.#parts.commands.find((command) => command.name === name)
    if (found) return found
    const near = nearest(
      name,
      this.#parts.commands.map((command) => command.name),
    )
    throw new UserError(
      `There is no command /${name}.${near ? ` Did you mean /${near}?` : ''} /help lists them all.`,
    )
  }

  async #flood(turn: Turn): Promise<Answer | undefined> {
    try {
      await this.#floods.consume(`${turn.platform}:${turn.person}`)
      return undefined
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit
      const seconds = Math.ceil(limit.msBeforeNext / 1000)
      const error = new UserError(`That is a lot at once. Wait ${seconds} s, then send it again.`)
      const view = this.#parts.explain(error, '', '')
      return {
        view,
        outcome: 'refused',
        repeated: limit.consumedPoints > this.#floods.points + 1,
      }
    }
  }

  explain(error: unknown, line: string): Answer {
    const reference = randomBytes(4).toString('hex')
    const view = this.#parts.explain(error, line, reference)
    if (error instanceof UserError) return { view, outcome: 'refused' }
    this.#parts.log.error({ err: error, reference }, 'command failed')
    return { view, outcome: 'failed' }
  }
}

function menuEntry<S>(command: Command<S>, services: S): MenuEntry {
  const options = Object.entries(command.params).map(([name, param]) => ({
    name,
    about: param.about,
    example: param.example,
    required: param.required,
    completes: param.complete !== undefined,
    ...(param.whole && { whole: param.whole }),
    ...(param.choices && { choices: param.choices(services) }),
  }))
  return { name: command.name, about: command.about, options }
}
