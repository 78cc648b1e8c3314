import {
  type Command,
  type Context,
  commandDefiner,
  type InlineHit,
  integer,
  oneOf,
  optional,
  text,
} from '../../../src/core/command.ts'
import type { Conversation } from '../../../src/core/conversation.ts'
import type { Answered } from '../../../src/core/dispatch.ts'
import type { FloodLimits } from '../../../src/core/flood-control.ts'
import { CommandRunner } from '../../../src/core/runner.ts'
import type { View } from '../../../src/core/view.ts'
import { ApiError, UserError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { errorView } from '../../../src/views/error.ts'
import { AskedBot } from './asked.ts'

/** What the commands of these tests work with. */
export interface Pond {
  otters: string[]
  asked: string[]
  /** How often the inline mode looked for something. */
  looked: number
}

export const command = commandDefiner<Pond>()
export const context = {
  platform: telegram,
  user: 'ben',
  chat: 'ben',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const

export function said(words: string): View {
  return { title: [words], blocks: [] }
}

export const find = command({
  name: 'find',
  about: 'Find an otter',
  params: {
    name: {
      ...text<Pond>('Name of the otter', 'Ada', 20),
      complete: async (typed, pond) => {
        pond.asked.push(typed)
        return pond.otters.map((otter) => ({ value: otter, label: otter }))
      },
    },
    colour: optional(
      oneOf<'brown' | 'grey', Pond>('Only of this colour', [
        { value: 'brown', label: 'Brown' },
        { value: 'grey', label: 'Grey' },
      ]),
    ),
    limit: optional(integer<Pond>('How many', 1, 50)),
  },
  run: async ({ name, colour = 'any', limit = 10 }, pond) => {
    pond.asked.push(name)
    return said(`${name} ${colour} ${limit}`)
  },
  inline: async (term, pond): Promise<InlineHit[]> => {
    pond.looked += 1
    return pond.otters
      .filter((otter) => otter.includes(term))
      .map((otter) => ({ id: otter, title: otter, about: '', view: said(otter) }))
  },
})

/** A command that fails in each way in which it can be asked. */
export function failing(name: string, error: unknown): Command<Pond> {
  const fail = async () => {
    throw error
  }
  return command({
    name,
    about: 'Fails',
    params: { word: optional({ ...text<Pond>('A word', 'x'), complete: fail }) },
    run: fail,
    inline: fail,
  })
}

export const key = 'sk-live-0123456789'
const cause = new Error('ECONNRESET')
const broken = failing('broken', new Error(`socket hang up for key ${key}`, { cause }))
export const down = failing('down', new ApiError('unavailable', 'GET /assets/ 503 upstream-7'))

/** A conversation in which nobody is being asked anything. */
export const silence: Conversation<Pond> = {
  receive: async () => undefined,
  form: async () => {
    throw new UserError('This form is too old.')
  },
}

/** A bot over a fresh pond, with all that it writes into its log. */
export function makeBot(
  commands: readonly Command<Pond>[] = [find, broken, down],
  floodLimits: FloodLimits = { person: 1000, chat: 1000 },
  conversation: Conversation<Pond> = silence,
  onAnswered: (answered: Answered) => void = () => undefined,
  onInput: (from: Context) => Promise<void> = async () => undefined,
) {
  const pond: Pond = { otters: ['Ada', 'Ben'], asked: [], looked: 0 }
  const lines: string[] = []
  const bot = new AskedBot({
    runner: new CommandRunner({ commands, conversation, services: pond }),
    explain: errorView,
    log: createLogger('info', [key], { write: (line: string) => void lines.push(line) }),
    floodLimits,
    onAnswered,
    onInput,
  })
  return { bot, pond, lines }
}
