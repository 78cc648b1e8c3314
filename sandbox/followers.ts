import { setTimeout as delay } from 'node:timers/promises'
import type { Supervisor } from './bot.ts'
import { ada as adaOnDiscord, news as newsOnDiscord } from './discord/cast.ts'
import type { DiscordServer } from './discord/server.ts'
import { premiere, type World } from './interface/world.ts'
import { ada, news } from './telegram/cast.ts'
import type { TelegramServer } from './telegram/server.ts'

const kinds = 'live incoming graduated progress'
const patienceMs = 10_000
const pollMs = 50

interface Parts {
  telegram: TelegramServer
  discord: DiscordServer
  world: World
  /** Where auctions go live at the start. */
  chain: number
  bot: Pick<Supervisor, 'status' | 'subscribe'>
}

/**
 * Once the bot is ready for the first time, Ada, an administrator, lets both news channels follow auctions as any
 * administrator would; then auctions go live, so that alerts arrive by themselves.
 */
export function openNews({ telegram, discord, world, chain, bot }: Parts): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  const opened = (async () => {
    await ready(bot, stopping.signal)
    if (stopping.signal.aborted) return
    telegram.people.text(ada.id, news.id, `/alerts add ${kinds}`)
    await untilFollowed(discord, stopping.signal)
    premiere(world, chain)
  })()
  return {
    stop: async () => {
      stopping.abort()
      await opened
    },
  }
}

/** Resolves when the bot is ready, or the signal is aborted. */
async function ready(bot: Parts['bot'], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (bot.status.state === 'ready' || signal.aborted) resolve()
  }
  const unsubscribe = bot.subscribe(look)
  signal.addEventListener('abort', look, { once: true })
  look()
  await promise
  unsubscribe()
}

async function untilFollowed(discord: DiscordServer, signal: AbortSignal): Promise<void> {
  const until = performance.now() + patienceMs
  while (performance.now() < until && !signal.aborted) {
    if (await followOnDiscord(discord)) return
    await delay(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/** False where the bot has not registered its commands yet, or did not answer in time. */
async function followOnDiscord({ people }: DiscordServer): Promise<boolean> {
  const at = [adaOnDiscord.id, newsOnDiscord.id] as const
  const command = people.commands(...at).find(({ name }) => name === 'alerts')
  const [first] = command?.options ?? []
  if (!first) return false
  const asked = people.slash(...at, 'alerts', { [first.name]: `add ${kinds}` })
  return asked.taken.then(
    () => true,
    () => false,
  )
}
