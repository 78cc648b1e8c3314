import { platforms } from '../stand-ins/protocol.ts'
import { constants } from './constants.ts'
import { type Load, sharding, storage, telling } from './model.ts'

const day = 86_400

/** Assumptions about a chat; an operator should replace them by their own. */
export const usual = {
  newsADay: 10,
  commandsADay: 2,
  /** The busiest hour as a multiple of the average. */
  busiest: 3,
  rules: 3,
  /** Share of all assets. */
  shareLive: 0.2,
}

/** Round trip to Discord in milliseconds: minimum, and max extra. */
export const way = { least: 40, spread: 40 }

/** The load of half the chats on each platform, each Discord channel on its own server. */
export function loadOf(platform: Load['platform'], chats: number): Load & { waySpread: number } {
  const half = chats / 2
  const commandsASecond = (half * usual.commandsADay) / day
  // From the fastest to the average.
  const waySpread = way.spread / 2_000
  return { platform, chats: half, newsADay: usual.newsADay, commandsASecond, waySpread }
}

/** Returns all predictions of the model for this many chats. */
export function community(chats: number) {
  const [onTelegram, onDiscord] = platforms.map((platform) => telling(loadOf(platform, chats)))
  if (!onTelegram || !onDiscord) throw new Error('there are two platforms')
  const { commandsASecond } = loadOf('telegram', chats)
  const { telegramPermits, telegramPaid, starsEach } = constants
  return {
    telegram: onTelegram,
    discord: onDiscord,
    /** Answers in the busiest hour, as a share of Telegram's limit. */
    answersShare: (commandsASecond * usual.busiest) / telegramPermits.value,
    sharding: sharding(chats / 2),
    storage: storage(chats, usual.newsADay, usual.rules),
    paid: {
      lastSeconds: chats / 2 / telegramPaid.value,
      stars: (chats / 2) * starsEach.value,
    },
  }
}
