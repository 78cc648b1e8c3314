import { platforms } from '../stand-ins/protocol.ts'
import { constants } from './constants.ts'
import { type Load, sharding, storage, telling } from './model.ts'

const day = 86_400

/** What a chat is like: guesses, all of them, to be replaced by an operator's own. */
export const usual = {
  newsADay: 10,
  commandsADay: 2,
  /** The busiest hour beside the average. */
  busiest: 3,
  rules: 3,
  /** Of all assets. */
  shareLive: 0.2,
}

/** Milliseconds to Discord and back: so much at least, and up to so much more. */
export const way = { least: 40, spread: 40 }

/** Half of the chats on each platform, each on a Discord server of its own. */
export function loadOf(platform: Load['platform'], chats: number): Load & { waySpread: number } {
  const half = chats / 2
  const commandsASecond = (half * usual.commandsADay) / day
  // From the quickest to the average.
  const waySpread = way.spread / 2_000
  return { platform, chats: half, newsADay: usual.newsADay, commandsASecond, waySpread }
}

/** All that the model says of so many chats. */
export function community(chats: number) {
  const [onTelegram, onDiscord] = platforms.map((platform) => telling(loadOf(platform, chats)))
  if (!onTelegram || !onDiscord) throw new Error('there are two platforms')
  const { commandsASecond } = loadOf('telegram', chats)
  const { telegramPermits, telegramPaid, starsEach } = constants
  return {
    telegram: onTelegram,
    discord: onDiscord,
    /** Answers in the busiest hour, as a share of what Telegram permits. */
    answersShare: (commandsASecond * usual.busiest) / telegramPermits.value,
    sharding: sharding(chats / 2),
    storage: storage(chats, usual.newsADay, usual.rules),
    paid: {
      lastSeconds: chats / 2 / telegramPaid.value,
      stars: (chats / 2) * starsEach.value,
    },
  }
}
