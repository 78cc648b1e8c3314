import type { PlatformName } from '../stand-ins/protocol.ts'
import { constants } from './constants.ts'

const day = 86_400

/** The load of an installation. */
export interface Load {
  platform: PlatformName
  /** Subscribed chats on this platform. */
  chats: number
  /** Events per day for each chat; the same for all, so each event goes to every chat. */
  newsADay: number
  /** Commands per second of all users. */
  commandsASecond: number
  /** Average seconds by which a round trip to Discord exceeds the fastest. */
  waySpread?: number
}

export interface Telling {
  /** Alerts per second that remain besides answers. */
  rate: number
  /** Seconds from storing one event to its last chat, if nothing else waits. */
  lastSeconds: number
  /** Alerts per message once there is a queue. */
  together: number
  messagesADay: number
  /** Utilization of the platform's limit for alerts, with ten in a message; above 1 the backlog grows. */
  used: number
  /** Growth of the backlog in alerts per second. */
  backlogGrowth: number
  /** Seconds until each message about a live auction was edited once, if each chat has one and nothing else is sent. */
  upkeepSeconds: number
}

/** Returns the max messages per second on a platform. */
export function paceOf(platform: PlatformName, waySpread = 0): number {
  if (platform === 'telegram') return constants.telegramPace.value
  return constants.discordPermits.value / (constants.discordSecond.value + waySpread)
}

/** Predicts sending alerts to all chats. Answers go first, and on Telegram count towards the same limit. */
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
  // A waiting chat gets all events that came meanwhile in one message, up to ten.
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
  /** Seconds from an event to its storage, average and max. */
  foundSeconds: { mean: number; longest: number }
  /** Memory for the open auctions during a poll. */
  snapshotBytes: number
  /** Auctions beyond the watch limit. */
  beyond: number
}

/** Predicts the duration of polling a chain: the live auctions page by page, and the first pages of the other lists. */
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

/** One page of the upcoming, one of the graduated, and one more of these alternately. */
const otherPages = 3

export interface Stored {
  /** Max rows of events and deliveries. */
  deliveries: number
  bytes: number
  /** Bytes on PostgreSQL just after its dead rows were reused. */
  postgresBytes: number
  /** Rows written per day. */
  writesADay: number
  /** Seconds of the transaction that stores one event for all chats. */
  newsSeconds: number
  postgresNewsSeconds: number
}

/** Predicts size and writes of the database: an alert is stored, made due, claimed (twice) and recorded (twice). */
export function storage(chats: number, newsADay: number, rulesEach: number): Stored {
  const { kept, deliveryBytes, followBytes, destinationBytes } = constants
  // Deliverable for a day at most, then retained.
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
  /** Seconds until all are connected, if they are started one after the other. */
  startSeconds: number
}

export function sharding(guilds: number): Sharding {
  const shards = Math.ceil(guilds / constants.guildsAShard.value)
  return { shards, startSeconds: shards * constants.shardStart.value }
}

export interface Drawing {
  /** Max pictures per second: one for each edit of a live message and each launch. */
  pictures: number
  /** Share of one core. */
  cores: number
}

/** Predicts drawing pictures, each of which is drawn once for all chats. */
export function drawing(launchesADay: number, live: number): Drawing {
  const { editsASecond, cardSeconds } = constants
  // An auction's picture is redrawn at most every two minutes, and no faster than messages are edited.
  const refreshed = Math.min(2 * editsASecond.value, live / 120)
  const pictures = launchesADay / day + refreshed
  return { pictures, cores: pictures * cardSeconds.value }
}
