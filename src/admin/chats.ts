import {
  type ChatSearch,
  countChats,
  findChats,
  pauseForOperator,
  resumeForOperator,
} from '../alerts/known-chats.ts'
import { losses } from '../core/adapter.ts'
import {
  type Action,
  type AdminContext,
  AdminError,
  chatText,
  type Id,
  idText,
  mutedText,
  readChat,
  type Step,
  sinceText,
  wordsOf,
} from './action.ts'
import { forgetting } from './forget.ts'

const maxListed = 50

/** Chats that have alerts. */
export const chats: Action = {
  name: 'chats',
  uses: [
    ['chats', 'how many chats have alerts, and how many of them are paused, by reason'],
    [
      `chats PART|paused|muted|${losses.join('|')}`,
      `the ${maxListed} chats with the most alerts that have PART in their id, or are in this state`,
    ],
    [
      'chats telegram:-100123456',
      'one chat with its topics; chat:204 is the chat with that number in the log',
    ],
    [
      'chats pause telegram:-100123456',
      'sends it no alerts until you resume it, whatever its people do',
    ],
    ['chats resume telegram:-100123456', 'sends it alerts again, whatever it was paused for'],
    ['chats forget telegram:-100123456', 'removes everything stored about it'],
  ],
  read: async (words, context) => {
    const [word, target, ...more] = wordsOf(words)
    if (more.length > 0) throw new AdminError('One chat at a time.')
    if (word === undefined) return overview(context)
    if (word === 'forget') return forgetting('chat', await readChat(target, context.store), context)
    if (word === 'pause' || word === 'resume')
      return change(word, await readChat(target, context.store), context)
    if (target !== undefined) throw new AdminError(`There is no chats ${word}.`)
    return found(await searchOf(word, context), context)
  },
}

async function overview({ store }: AdminContext): Promise<string[]> {
  const counts = await countChats(store)
  if (counts.length === 0) return ['No chat has alerts.']
  return counts.map(({ platform, kind, paused, count }) => {
    const what = kind === 'person' ? 'private chats' : 'groups and channels'
    return `${platform}, ${what}${paused === null ? '' : `, paused (${paused})`}: ${count}`
  })
}

async function searchOf(word: string, { store, now }: AdminContext): Promise<ChatSearch> {
  if (word === 'paused') return { paused: 'any' }
  if (word === 'muted') return { mutedAt: now() }
  const loss = losses.find((each) => each === word)
  if (loss !== undefined) return { paused: loss }
  if (/^-?\d{1,25}$/u.test(word)) return { part: word }
  if (word.includes(':')) return searchFor(await readChat(word, store))
  throw new AdminError(
    'Chats are found by a part of their id, which only has digits: titles are not stored.',
  )
}

function searchFor({ platform, id }: Id): ChatSearch {
  return { platform, chat: id }
}

async function found(search: ChatSearch, { store, now }: AdminContext): Promise<string[]> {
  const rows = await findChats(store, search, maxListed)
  if (rows.length === 0) return ['No chat matches. “chats” counts all that have alerts.']
  return rows.map(({ kind, paused, muted_until_s, alerts, waiting, created_at_s, ...chat }) =>
    [
      chatText(chat),
      kind === 'person' ? 'private' : 'group or channel',
      `${alerts} alerts`,
      ...(waiting > 0 ? [`${waiting} deliveries waiting`] : []),
      ...(paused === null ? [] : [`paused (${paused})`]),
      ...(muted_until_s > now() ? [mutedText(muted_until_s)] : []),
      `since ${sinceText(created_at_s, now())}`,
    ].join(', '),
  )
}

async function change(
  verb: 'pause' | 'resume',
  chat: Id,
  { store, now }: AdminContext,
): Promise<Step> {
  const { platform, id } = chat
  const name = idText(chat)
  if ((await findChats(store, searchFor(chat), 1)).length === 0)
    throw new AdminError(`${name} has no alerts.`)
  const pause = async () => {
    const { dropped } = await pauseForOperator(store, platform, id, now() * 1000)
    return [`Paused ${name}. Waiting deliveries that were dropped: ${dropped}.`]
  }
  const resume = async () => {
    const rows = await resumeForOperator(store, platform, id)
    return [rows > 0 ? `Resumed ${name}.` : `${name} was not paused.`]
  }
  return { what: `chats ${verb} ${name}`, run: verb === 'pause' ? pause : resume }
}
