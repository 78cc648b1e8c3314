import { findAssets, lastDeliveries, optionsText, rulesOfChat } from '../alerts/chat-report.ts'
import { findChats, type KnownChat, maxTopics } from '../alerts/known-chats.ts'
import { type Loss, losses } from '../core/adapter.ts'
import type { Store } from '../db/schema.ts'
import {
  type Action,
  type AdminContext,
  AdminError,
  chatText,
  type Id,
  idText,
  mutedText,
  readChat,
  sinceText,
  timeText,
  wordsOf,
} from './action.ts'

const maxListed = 20

/** Shows a chat's state, its rules and its last deliveries, as they are stored. */
export const explain: Action = {
  name: 'explain',
  uses: [
    [
      'explain telegram:-100123456',
      `whether it gets alerts, its rules, and its last ${maxListed} deliveries with the outcome of each`,
    ],
    [
      'explain telegram:-100123456 OTTER',
      'the same about one token, by its symbol, name or address',
    ],
    ['explain chat:204', 'the same for a chat in the log, by its number there'],
  ],
  read: async (words, context) => {
    // As the word that stands before a person's id elsewhere.
    const [first, ...rest] = wordsOf(words.replace(/^chat\s/u, ''))
    const id = await readChat(first, context.store)
    const chats = await findChats(context.store, { platform: id.platform, chat: id.id }, maxTopics)
    if (chats.length === 0) return withoutAlerts(id)
    const token = rest.join(' ').replace(/^\$/u, '')
    const assets = token === '' ? undefined : await assetsOf(token, context.store)
    return [
      ...(await chatLines(id, chats, assets, context)),
      ...(await deliveryLines(chats, assets, context)),
    ]
  },
}

function withoutAlerts(id: Id): string[] {
  return [
    `${idText(id)} has no alerts, and had none lately: it never set any up, or removed them all.`,
    ...(/^-(?!100\d{9,}$)/u.test(id.id)
      ? ['A Telegram group that has become a supergroup has another id, which begins with -100.']
      : []),
  ]
}

/** The addresses of a token. @throws AdminError if the bot knows none of that name */
async function assetsOf(token: string, store: Store): Promise<string[]> {
  if (/^0x[0-9a-f]{40}$/iu.test(token)) return [token.toLowerCase()]
  const found = await findAssets(store, token)
  if (found.length > 0) return found
  throw new AdminError(`The bot doesn’t know a token ${token}. Give its symbol, name or address.`)
}

/** The state of a chat and of its topics, each with its rules. With `assets`, rules about other tokens are left out. */
async function chatLines(
  id: Id,
  chats: readonly KnownChat[],
  assets: readonly string[] | undefined,
  { store, now }: AdminContext,
): Promise<string[]> {
  const settings = await settingsText(id, store)
  const lines: string[] = []
  for (const chat of chats) {
    const rules = (await rulesOfChat(store, chat.id)).filter(
      ({ rule: { scope } }) => scope.asset === undefined || (assets?.includes(scope.asset) ?? true),
    )
    lines.push(
      `${chatText(chat)}: ${stateText(chat, now())}; ${settings}`,
      ...(rules.length === 0 ? [`- no rules${assets ? ' about this token' : ''}`] : []),
      ...rules.map(({ rule, since }) => `- ${optionsText(rule)}, since ${timeText(since)}`),
    )
  }
  return lines
}

async function settingsText({ platform, id }: Id, store: Store): Promise<string> {
  const row = await store
    .selectFrom('chat_settings')
    .select(['language', 'seen_language', 'quiet_from', 'quiet_to', 'zone'])
    .where('platform', '=', platform)
    .where('chat', '=', id)
    .executeTakeFirst()
  const quiet =
    row === undefined || row.quiet_from === null || row.quiet_to === null
      ? 'no quiet hours'
      : `quiet hours from ${row.quiet_from} to ${row.quiet_to} (${row.zone ?? 'UTC'})`
  if (row?.language) return `${quiet}; language ${row.language}`
  const seen = row?.seen_language ? `, last seen ${row.seen_language}` : ''
  return `${quiet}; no language chosen${seen}`
}

const lossTexts: Readonly<Record<Loss, string>> = {
  blocked: 'the person has blocked the bot',
  removed: 'the bot was removed from it',
  gone: 'it no longer exists',
  'topic-closed': 'its topic is closed or gone',
  forbidden: 'the bot may not post there',
  refused: 'the platform refused several messages in a row; the log says why',
  operator: 'an administrator of the bot has paused or blocked it',
}

/** Whether a chat gets alerts now. */
function stateText({ paused, muted_until_s: until }: KnownChat, now: number): string {
  const loss = losses.find((each) => each === paused)
  const states = [
    ...(paused === null ? [] : [`paused (${paused})${loss ? `: ${lossTexts[loss]}` : ''}`]),
    ...(until <= now ? [] : [mutedText(until)]),
  ]
  return states.join('; ') || 'it gets alerts'
}

/** The last deliveries with their state and reason, as they are stored. */
async function deliveryLines(
  chats: readonly KnownChat[],
  assets: readonly string[] | undefined,
  { store, now }: AdminContext,
): Promise<string[]> {
  const topics = new Map(chats.map(({ id, thread }) => [id, thread && `, topic ${thread}`]))
  const found = await lastDeliveries(store, [...topics.keys()], assets, maxListed)
  if (found.length === 0) {
    return [
      `No deliveries${assets ? ' about this token' : ''} are stored. They are deleted some time after they stop being useful: KEEP_SENT_ALERTS sets when.`,
    ]
  }
  const lines = found.map(({ event, chat, kind, asset, symbol, chain, foundAt, ...delivery }) => {
    const { state, attempts, reason, runAt, at } = delivery
    const about = [
      `- ${timeText(foundAt)}, ${kind}`,
      asset && ` of ${asset}`,
      symbol && ` ($${symbol})`,
      chain === 0 ? '' : ` on chain ${chain}`,
      `, event ${event}${topics.get(chat) ?? ''}`,
    ].join('')
    const outcome = [
      state === 'waiting' ? `waiting, due ${sinceText(runAt, now())}` : `${state} ${timeText(at)}`,
      ...(attempts > 1 ? [`tries: ${attempts}`] : []),
      ...(reason === null ? [] : [reason]),
    ].join(', ')
    return `${about}: ${outcome}`
  })
  const first = found.length < maxListed ? 'Deliveries' : `The last ${maxListed} deliveries`
  return [`${first}, the newest event first:`, ...lines]
}
