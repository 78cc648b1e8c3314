import {
  countChats,
  findChats,
  type KnownChat,
  maxTopics,
  pauseForOperator,
  resumeForOperator,
} from '../alerts/known-chats.ts'
import { untilUnmuted } from '../alerts/subscriptions.ts'
import { losses } from '../core/adapter.ts'
import {
  type Action,
  type Admin,
  AdminError,
  type Id,
  idText,
  type Plan,
  readChat,
  sinceText,
  timeText,
  wordsOf,
} from './action.ts'
import { planForgetting } from './forget.ts'

const maxListed = 50

/** Chats that have alerts. */
export const chats: Action = {
  name: 'chats',
  uses: [
    ['chats', 'how many chats have alerts, and how many of them are paused, by why'],
    [
      `chats PART|paused|muted|${losses.join('|')}`,
      `the ${maxListed} with most alerts that have this in their id or are so`,
    ],
    [
      'chats telegram:-100123456',
      'one chat with its topics; chat:204 is the one with that number in the log',
    ],
    [
      'chats pause telegram:-100123456',
      'sends it no alerts until you resume it, whatever its people do',
    ],
    ['chats resume telegram:-100123456', 'sends it alerts again, whyever it was paused'],
    ['chats forget telegram:-100123456', 'removes all that is kept of it'],
  ],
  plan: async (words, office) => {
    const [word, target, ...more] = wordsOf(words)
    if (more.length > 0) throw new AdminError('One chat at a time.')
    if (word === undefined) return overview(office)
    if (word === 'pause') return pause(await readChat(target, office.store), office)
    if (word === 'resume') return resume(await readChat(target, office.store), office)
    if (word === 'forget')
      return planForgetting('chat', await readChat(target, office.store), office)
    if (target !== undefined) throw new AdminError(`There is no chats ${word}.`)
    return found(word, office)
  },
}

async function overview({ store }: Admin): Promise<Plan> {
  const counts = await countChats(store)
  if (counts.length === 0) return { lines: ['No chat has alerts.'] }
  return {
    lines: counts.map(({ platform, kind, paused, count }) => {
      const what = kind === 'person' ? 'private chats' : 'groups and channels'
      return `${platform}, ${what}${paused === null ? '' : `, paused (${paused})`}: ${count}`
    }),
  }
}

async function found(word: string, { store, now }: Admin): Promise<Plan> {
  const loss = losses.find((each) => each === word)
  const search =
    word === 'paused'
      ? { paused: 'any' as const }
      : word === 'muted'
        ? { mutedAt: now() }
        : loss !== undefined
          ? { paused: loss }
          : word.includes(':')
            ? chatOf(await readChat(word, store))
            : { part: partOf(word) }
  const rows = await findChats(store, search, maxListed)
  if (rows.length === 0)
    return { lines: ['No chat is like that. “chats” counts all that have alerts.'] }
  return { lines: rows.map((row) => chatLine(row, now())) }
}

function chatOf({ platform, id }: Id) {
  return { platform, chat: id }
}

function partOf(word: string): string {
  if (/^-?\d{1,25}$/u.test(word)) return word
  throw new AdminError(
    'Chats are found by a part of their id, which has digits alone: titles are not kept.',
  )
}

function chatLine(row: KnownChat, now: number): string {
  const { platform, chat, thread, kind, paused, muted_until_s, alerts, waiting, created_at_s } = row
  const muted = muted_until_s >= untilUnmuted ? 'muted' : `muted until ${timeText(muted_until_s)}`
  return [
    `${idText({ platform, id: chat })}${thread === '' ? '' : ` topic ${thread}`}`,
    kind === 'person' ? 'private' : 'group or channel',
    `${alerts} alerts`,
    ...(waiting > 0 ? [`${waiting} deliveries wait`] : []),
    ...(paused === null ? [] : [`paused (${paused})`]),
    ...(muted_until_s > now ? [muted] : []),
    `since ${sinceText(created_at_s, now)}`,
  ].join(', ')
}

async function pause(id: Id, { store, now }: Admin): Promise<Plan> {
  await requireChat(id, store)
  return {
    lines: [],
    change: {
      what: `chats pause ${idText(id)}`,
      apply: async () => {
        const { dropped } = await pauseForOperator(store, id.platform, id.id, now() * 1000)
        return [`Paused ${idText(id)}. Deliveries that waited and were dropped: ${dropped}.`]
      },
    },
  }
}

async function resume(id: Id, { store }: Admin): Promise<Plan> {
  await requireChat(id, store)
  return {
    lines: [],
    change: {
      what: `chats resume ${idText(id)}`,
      apply: async () => {
        const rows = await resumeForOperator(store, id.platform, id.id)
        return [rows > 0 ? `Resumed ${idText(id)}.` : `${idText(id)} was not paused.`]
      },
    },
  }
}

async function requireChat(id: Id, store: Admin['store']): Promise<void> {
  const rows = await findChats(store, chatOf(id), maxTopics)
  if (rows.length === 0) throw new AdminError(`${idText(id)} has no alerts.`)
}
