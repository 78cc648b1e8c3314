import type { Message } from 'grammy/types'
import type { Api } from '../api.ts'
import { toWire } from '../text/entity.ts'
import { formatText } from '../text/format.ts'
import type { Place, Stored } from '../world.ts'
import { messageNews } from './delivery.ts'

export interface FloodOptions {
  /** How many people write, each once in their own private chat. */
  count: number
  text: string | ((index: number) => string)
  /** Telegram id of the first; the others follow. Floods with the same ids use the same chats. */
  firstUserId?: number
  /** Gives up waiting after this long. */
  timeoutMs?: number
}

export interface FloodReport {
  /** From the first message to the last answer. */
  millis: number
  /** For each person in order, from their message to the first thing that the bot sent or edited there. */
  latencies: number[]
}

/** Lets many people write at once and resolves when the bot has answered every one; rejects on time-out. */
export function flood(api: Api, options: FloodOptions): Promise<FloodReport> {
  const first = options.firstUserId ?? 1_000_000
  const waiting = new Map<number, number>()
  const latencies = new Array<number>(options.count).fill(0)
  const { promise, resolve, reject } = Promise.withResolvers<FloodReport>()
  const start = performance.now()
  const answered = (place: Place, stored: Stored): void => {
    const sent = stored.byBot ? waiting.get(place.chat.id) : undefined
    if (sent === undefined) return
    const now = performance.now()
    waiting.delete(place.chat.id)
    latencies[place.chat.id - first] = now - sent
    if (waiting.size === 0) end(() => resolve({ millis: now - start, latencies }))
  }
  const end = (then: () => void): void => {
    clearTimeout(timer)
    api.world.events.off('stored', answered)
    api.world.events.off('edited', answered)
    then()
  }
  const timer = setTimeout(() => {
    const missing = waiting.size
    end(() => reject(new Error(`${missing} of ${options.count} people got no answer`)))
  }, options.timeoutMs ?? 60_000)
  api.world.events.on('stored', answered)
  api.world.events.on('edited', answered)
  for (let index = 0; index < options.count; index++) {
    waiting.set(first + index, performance.now())
    write(api, first + index, index, options.text)
  }
  return promise
}

function write(api: Api, userId: number, index: number, text: FloodOptions['text']): void {
  const { world } = api
  const user = world.users.get(userId) ?? {
    id: userId,
    is_bot: false,
    first_name: `Guest ${index}`,
  }
  const place = world.places.get(userId) ?? world.addPrivateChat(user)
  place.started = true
  const formatted = formatText({
    text: typeof text === 'string' ? text : text(index),
    entities: [],
  })
  const entities = toWire(formatted.entities, world.users)
  const message: Message = {
    message_id: world.nextId(place),
    from: user,
    chat: place.chat,
    date: world.date,
    text: formatted.text,
    ...(entities.length > 0 ? { entities } : {}),
  }
  world.store(place, { message, byBot: false })
  api.queue.push(messageNews(message))
}
