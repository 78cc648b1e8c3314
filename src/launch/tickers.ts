import { LRUCache } from 'lru-cache'
import { isFree, reservesTickers, tickerCall, tickerPattern } from '../chain/airlock/tickers.ts'
import type { ChainNode } from '../chain/node.ts'
import { withTimeout } from '../core/task.ts'
import type { Answers } from './draft.ts'
import type { LaunchSettings } from './settings.ts'

interface TickersParts {
  /** By chain id; without a node nothing is asked. */
  nodes: ReadonlyMap<number, Pick<ChainNode, 'call'>>
  settings: Pick<LaunchSettings, 'launchers'>
  /** Monotonic clock in milliseconds. */
  now?: () => number
}

/** Milliseconds for which an answer is believed; a failure counts as one. */
const freshMs = 60_000
/** Milliseconds that a review waits for an answer that is under way. */
const patienceMs = 1_000
const maxCached = 1_000

/** Asks the launch contracts that keep a register of symbols whether a symbol is taken, while the person goes on. */
export class Tickers {
  readonly #parts: TickersParts
  readonly #answers: LRUCache<string, { taken: boolean }>

  constructor(parts: TickersParts) {
    this.#parts = parts
    this.#answers = new LRUCache({
      max: maxCached,
      ttl: freshMs,
      ttlResolution: 0,
      perf: { now: parts.now ?? (() => performance.now()) },
      fetchMethod: async (key) => {
        const [chain, symbol = ''] = key.split(' ')
        return { taken: await this.#ask(Number(chain), symbol) }
      },
      ignoreFetchAbort: true,
    })
  }

  /**
   * Whether the symbol is known to be taken. Begins to ask at once; only `wait` waits for the answer, for a second at most. Never
   * rejects.
   */
  async isTaken({ chain, symbol }: Answers, { wait }: { wait: boolean }): Promise<boolean> {
    if (chain === undefined || symbol === undefined || !tickerPattern.test(symbol)) return false
    if (!this.#parts.nodes.has(chain) || !reservesTickers(this.#parts.settings.launchers[chain])) {
      return false
    }
    const key = `${chain} ${symbol.toUpperCase()}`
    const asked = this.#answers.forceFetch(key)
    const answer = wait ? await withTimeout(asked, patienceMs) : this.#answers.get(key)
    return answer?.taken ?? false
  }

  async #ask(chain: number, symbol: string): Promise<boolean> {
    const { nodes, settings } = this.#parts
    const launcher = settings.launchers[chain]
    const node = nodes.get(chain)
    if (launcher === undefined || node === undefined) return false
    try {
      const { ok, data } = await node.call(tickerCall(launcher.to, symbol))
      return ok && isFree(data) === false
    } catch {
      return false
    }
  }
}
