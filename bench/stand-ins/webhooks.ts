import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { TelegramServer } from '../../sandbox/telegram/server.ts'
import { webhookPath } from '../../src/telegram/webhook.ts'

const connections = 128

/** Timeout in milliseconds; the same as for an answer. */
const patienceMs = 30_000
const retryMs = 100

/**
 * Posts every update to these servers in turn, like Telegram through a load balancer; retries one that is not accepted.
 */
export function callInTurn(
  { api: { queue, webhook } }: TelegramServer,
  targets: readonly string[],
): () => Promise<void> {
  const pools = targets.map((target) => new Pool(target, { connections }))
  const headers = {
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': webhook.settings?.secret ?? '',
  }
  let context = 0
  queue.onEvents = () => {
    const updates = queue.pending
    queue.drop()
    for (const update of updates) {
      const pool = pools[context++ % pools.length]
      if (pool) void post(pool, headers, JSON.stringify(update))
    }
  }
  return async () => {
    await Promise.all(pools.map((pool) => pool.close()))
  }
}

async function post(pool: Pool, headers: Record<string, string>, body: string): Promise<void> {
  const end = performance.now() + patienceMs
  let status = 0
  while (performance.now() < end) {
    try {
      const answer = await pool.request({ path: webhookPath, method: 'POST', headers, body })
      await answer.body.dump()
      if (answer.statusCode === 200) return
      status = answer.statusCode
    } catch (error) {
      // The run has ended.
      if (pool.closed) return
      process.stderr.write(`an update could not be brought: ${String(error)}\n`)
    }
    await delay(retryMs)
  }
  process.stderr.write(`an update was never taken: ${status}\n`)
}
