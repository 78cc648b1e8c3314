import { findAssets, lastDeliveries, optionsText, rulesOfChat } from '../alerts/chat-report.ts'
import { findChats, type KnownChat, maxTopics } from '../alerts/known-chats.ts'
import { untilUnmuted } from '../alerts/subscriptions.ts'
import { type Loss, losses } from '../core/adapter.ts'
import type { Store } from '../db/schema.ts'
import {
  type Action,
  type Admin,
  AdminError,
  type Id,
  idText,
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
      `whether it gets alerts, its rules, and its last ${maxListed} deliveries with what became of each`,
    ],
    [
      'explain telegram:-100123456 OTTER',
      'the same about one token, by its symbol, name or address',
    ],
    ['explain chat:204', 'the same for a chat of the log, by its number there'],
  ],
  plan: async (words, { store, now }) => {
    // As the word that stands before a person's id elsewhere.
    const typed = wordsOf(words).filter((word, index) => index > 0 || word !== 'chat')
    const [first, ...rest] = typed
    const id = await readChat(first, store)
    const found = await findChats(store, { platform: id.platform, chat: id.id }, maxTopics)
    if (found.length === 0) return { lines: withoutAlerts(id) }
    const token = rest.join(' ').replace(/^\$/u, '')
    const assets = token === '' ? undefined : await assetsOf(token, store)
    const lines = [
      ...(await chatLines(id, found, assets, { store, now })),
      ...(await deliveryLines(found, assets, { store, now })),
    ]
    return { lines }
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
  throw new AdminError(`The bot knows no token ${token}. Its symbol, name or address is needed.`)
}

type Parts = Pick<Admin, 'store' | 'now'>

/** The state of a chat and of its topics, each with its rules. With `assets`, rules about other tokens are left out. */
async function chatLines(
  { platform, id }: Id,
  chats: readonly KnownChat[],
  assets: readonly string[] | undefined,
  { store, now }: Parts,
): Promise<string[]> {
  const settings = await store
    .selectFrom('chat_settings')
    .select(['language', 'seen_language', 'quiet_from', 'quiet_to', 'zone'])
    .where('platform', '=', platform)
    .where('chat', '=', id)
    .executeTakeFirst()
  const { quiet_from: from = null, quiet_to: to = null, zone } = settings ?? {}
  const { language, seen_language: seen } = settings ?? {}
  const set = [
    from === null || to === null
      ? 'no quiet hours'
      : `quiet hours from ${from} to ${to} (${zone ?? 'UTC'})`,
    language ? `language ${language}` : `no language chosen${seen ? `, last seen ${seen}` : ''}`,
  ].join('; ')
  const lines: string[] = []
  for (const chat of chats) {
    const rules = (await rulesOfChat(store, chat.id)).filter(
      ({ rule: { scope } }) => scope.asset === undefined || (assets?.includes(scope.asset) ?? true),
    )
    lines.push(`${chatText(chat)}: ${stateText(chat, now())}; ${set}`)
    if (rules.length === 0) lines.push(`- no rules${assets ? ' about this token' : ''}`)
    lines.push(
      ...rules.map(({ rule, since }) => `- ${optionsText(rule)}, since ${timeText(since)}`),
    )
  }
  return lines
}

function chatText({ platform, chat, thread }: KnownChat): string {
  return `${idText({ platform, id: chat })}${thread === '' ? '' : ` topic ${thread}`}`
}

const lossTexts: Readonly<Record<Loss, string>> = {
  blocked: 'the person has blocked the bot',
  removed: 'the bot was removed from it',
  gone: 'it does not exist any more',
  'topic-closed': 'its topic is closed or gone',
  forbidden: 'the bot has no right to write there',
  refused: 'the platform refused one message after the other, the log says why',
  operator: 'an administrator of the bot has paused or blocked it',
}

/** Whether a chat gets alerts now. */
function stateText({ paused, muted_until_s: until }: KnownChat, now: number): string {
  const loss = losses.find((each) => each === paused)
  const states = [
    ...(paused === null ? [] : [`paused (${paused})${loss ? `: ${lossTexts[loss]}` : ''}`]),
    ...(until <= now
      ? []
      : [
          until >= untilUnmuted
            ? 'muted until somebody there unmutes it'
            : `muted until ${timeText(until)}`,
        ]),
  ]
  return states.length > 0 ? states.join('; ') : 'it gets alerts'
}

async function deliveryLines(
  chats: readonly KnownChat[],
  assets: readonly string[] | undefined,
  { store, now }: Parts,
): Promise<string[]> {
  const rows = chats.map(({ id }) => id)
  const found = await lastDeliveries(store, rows, assets, maxListed)
  if (found.length === 0) {
    return [
      `No deliveries${assets ? ' about this token' : ''} are stored. They are deleted some time after they were of use: KEEP_SENT_ALERTS says when.`,
    ]
  }
  const topicOf = new Map(
    chats.map(({ id, thread }) => [id, thread === '' ? '' : `, topic ${thread}`]),
  )
  return [
    found.length < maxListed
      ? 'Deliveries, the newest event first:'
      : `The last ${maxListed} deliveries, the newest event first:`,
    ...found.map(({ event, chat, kind, asset, symbol, chain, foundAt, ...delivery }) =>
      [
        `- ${timeText(foundAt)}, ${kind}`,
        asset === '' ? '' : ` of ${asset}`,
        symbol === '' ? '' : ` ($${symbol})`,
        chain === 0 ? '' : ` on chain ${chain}`,
        `, event ${event}${topicOf.get(chat) ?? ''}: ${outcomeText(delivery, now())}`,
      ].join(''),
    ),
  ]
}

type Found = Awaited<ReturnType<typeof lastDeliveries>>[number]

/** The state of a delivery and its reason, as they are stored. */
function outcomeText(
  {
    state,
    attempts,
    reason,
    runAt,
    at,
  }: Pick<Found, 'state' | 'attempts' | 'reason' | 'runAt' | 'at'>,
  now: number,
): string {
  return [
    state === 'waiting' ? `waiting, due ${sinceText(runAt, now)}` : `${state} ${timeText(at)}`,
    ...(attempts > 1 ? [`tries: ${attempts}`] : []),
    ...(reason === null ? [] : [reason]),
  ].join(', ')
}
