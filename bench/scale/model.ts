import type { PlatformName } from '../stand-ins/protocol.ts'
import { constants } from './constants.ts'

const day = 86_400

/** What an installation has to carry. */
export interface Load {
  platform: PlatformName
  /** Chats that follow, on this platform. */
  chats: number
  /** News a day that each of them hears, the same for all: so every piece of news goes to every chat. */
  newsADay: number
  /** Commands a second, from all people together. */
  commandsASecond: number
  /** Seconds by which a request's way to Discord takes longer than the quickest, on average. */
  waySpread?: number
}

export interface Telling {
  /** Alerts a second that are left beside what people wait for. */
  rate: number
  /** From storing one piece of news to its last chat, while no other waits. */
  lastSeconds: number
  /** Alerts in one message, once there is a queue. */
  together: number
  messagesADay: number
  /** What is used of what the platform lets alerts have, ten of them in a message; above 1 the backlog grows. */
  used: number
  /** Alerts by which the backlog grows in a second. */
  backlogGrowth: number
  /** Until each message about a live auction was edited once, if each chat has one and nothing else is to be told. */
  upkeepSeconds: number
}

/** Messages a second that go out on a platform at most. */
export function paceOf(platform: PlatformName, waySpread = 0): number {
  if (platform === 'telegram') return constants.telegramPace.value
  return constants.discordPermits.value / (constants.discordSecond.value + waySpread)
}

/** What it takes to tell a crowd. Commands go first, and on Telegram count within the same limit. */
export function telling({
  platform,
  chats,
  newsADay,
  commandsASecond,
  waySpread = 0,
}: Load): Telling {
  const commands = platform === 'telegram' ? commandsASecond : 0
  const rate = Math.max(0, paceOf(platform, waySpread) - commands)
  const round = chats / rate
  const needed = (chats * newsADay) / day
  // A chat that waits for its turn hears all that came meanwhile in one message, up to ten pieces of it.
  const gathered = Math.min(constants.together.value, Math.max(1, (round * newsADay) / day))
  const used = needed / (rate * constants.together.value)
  return {
    rate,
    lastSeconds: constants.gathering.value + round,
    together: gathered,
    messagesADay: Math.min(rate * day, (chats * newsADay) / gathered),
    used,
    backlogGrowth: Math.max(0, needed - rate * constants.together.value),
    upkeepSeconds: chats / constants.editsASecond.value,
  }
}

export interface PollingLoop {
  requests: number
  lookSeconds: number
  requestsASecond: number
  /** From something happening to its being stored, on average and at the longest. */
  foundSeconds: { mean: number; longest: number }
  /** What is known of the open auctions, in memory for as long as a look takes. */
  snapshotBytes: number
  /** Auctions that are not watched. */
  beyond: number
}

/** What a look at a chain takes: the live auctions page by page, one after the other, and the ends of the other lists. */
export function looking(
  live: number,
  answer: number = constants.interfaceAnswer.value,
): PollingLoop {
  const { page, maxOpen, pageWork, watchInterval, assetBytes, historyBytes, inMemory } = constants
  const watched = Math.min(live, maxOpen.value)
  const most = maxOpen.value / page.value
  const livePages = Math.min(most, Math.floor(watched / page.value) + 1)
  const requests = livePages + otherPages
  const lookSeconds = requests * (answer + pageWork.value)
  const cycle = watchInterval.value + lookSeconds
  return {
    requests,
    lookSeconds,
    requestsASecond: requests / cycle,
    foundSeconds: { mean: cycle / 2 + lookSeconds / 2, longest: cycle + lookSeconds },
    snapshotBytes: watched * (assetBytes.value + historyBytes.value) * inMemory.value,
    beyond: live - watched,
  }
}

/** One page of the announced, one of the graduated, and one more of these in turn. */
const otherPages = 3

export interface Stored {
  /** Rows of what was told, at their most. */
  deliveries: number
  bytes: number
  /** On PostgreSQL, just after its dead rows were reused. */
  postgresBytes: number
  /** Rows that are written a day. */
  writesADay: number
  /** The transaction that stores one piece of news for all chats. */
  newsSeconds: number
  postgresNewsSeconds: number
}

/** What the database holds and takes in: an alert is stored, made due, claimed (twice) and settled (twice). */
export function storage(chats: number, newsADay: number, rulesEach: number): Stored {
  const { kept, deliveryBytes, followBytes, destinationBytes } = constants
  // Of use for a day at most, then remembered.
  const deliveries = chats * newsADay * (kept.value + 1)
  const each = destinationBytes.value + rulesEach * followBytes.value
  const bytes = deliveries * deliveryBytes.value + chats * each
  return {
    deliveries,
    bytes,
    postgresBytes: bytes * constants.postgresBytes.value,
    writesADay: chats * newsADay * writesEach,
    newsSeconds: chats / constants.matched.value,
    postgresNewsSeconds: chats / constants.matchedPostgres.value,
  }
}

const writesEach = 6

export interface Sharding {
  shards: number
  /** Until all of them are connected, where they are started one after the other. */
  startSeconds: number
}

export function sharding(guilds: number): Sharding {
  const shards = Math.ceil(guilds / constants.guildsAShard.value)
  return { shards, startSeconds: shards * constants.shardStart.value }
}

export interface Drawing {
  /** Pictures a second at most: one for each edit of a live message and each launch. */
  pictures: number
  /** Of one core. */
  cores: number
}

/** Pictures are drawn once for what they show, however many chats see them. */
export function drawing(launchesADay: number, live: number): Drawing {
  const { editsASecond, cardSeconds } = constants
  // An auction's picture is drawn anew at most every two minutes, and no faster than messages are edited.
  const refreshed = Math.min(2 * editsASecond.value, live / 120)
  const pictures = launchesADay / day + refreshed
  return { pictures, cores: pictures * cardSeconds.value }
}
