import type { Tally } from '../traffic.ts'
import type { InlineAnswer, InlineCache, InlineQuestion, PendingQueries } from './callbacks.ts'
import type { Files } from './content.ts'
import type { FloodLimits } from './limits.ts'
import type { Params } from './params.ts'
import type { UpdateQueue, Webhook } from './updates.ts'
import type { World } from './world.ts'

/** What the bot answered to a pressed button. */
interface CallbackAnswer {
  text: string
  alert: boolean
  url: string
}

/** The parts that the methods of the Bot API work on. */
export interface Api {
  readonly world: World
  readonly queue: UpdateQueue
  readonly webhook: Webhook
  /** Absent where flood control is off. */
  readonly limits: FloodLimits | undefined
  readonly tally: Tally<number>
  readonly files: Files
  readonly callbacks: PendingQueries<undefined, CallbackAnswer>
  readonly inlineQueries: PendingQueries<InlineQuestion, InlineAnswer>
  readonly inlineCache: InlineCache
}

/** One method of the Bot API; what it returns is the answer's `result`, what it throws a Refusal. */
export type Method = (api: Api, params: Params, onHangUp: (callback: () => void) => void) => unknown
