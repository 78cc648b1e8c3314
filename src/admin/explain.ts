import { tooLate } from '../alerts/alert-builder.ts'
import { announcement } from '../alerts/announcements.ts'
import { dropReasons } from '../alerts/chats.ts'
import { digest } from '../alerts/kinds/digest.ts'
import { kindNamed, kinds } from '../alerts/kinds/list.ts'
import { findChats, type KnownChat, maxTopics } from '../alerts/known-chats.ts'
import { ownMessage, quietHours, unreadable } from '../alerts/outbox.ts'
import { untilUnmuted } from '../alerts/subscriptions.ts'
import {
  type EventSearch,
  findAssets,
  findEvents,
  type Mismatch,
  maxAhead,
  optionsText,
  symbolOf,
  type TracedDelivery,
  type TracedEvent,
  type TracedRule,
  traceDelivery,
  traceQueue,
  traceRules,
  wasLate,
} from '../alerts/traces.ts'
import { type Loss, losses } from '../core/adapter.ts'
import type { Store } from '../db/schema.ts'
import {
  type Action,
  type Admin,
  AdminError,
  durationText,
  idText,
  readChat,
  sinceText,
  timeText,
  wordsOf,
} from './action.ts'

const maxListed = 20
/** A chat of more topics is told of several events without what came of each. */
const maxTopicsListed = 5

/** Why a chat was told of an event, or why not. */
export const explain: Action = {
  name: 'explain',
  uses: [
    [
      'explain telegram:-100123456 EVENT',
      'why a chat got this alert, when, or why not; EVENT is the number in the log, or the kind, the token or both: live OTTER, live 0xabc… 8453',
    ],
    ['explain telegram:-100123456', 'its rules, and whether it gets alerts'],
    ['explain chat:204', 'the same for a chat of the log, by its number there'],
    ['explain DELIVERY', 'the same for a delivery of the log, such as 17.204'],
  ],
  plan: async (words, office) => {
    // As the word that stands before a person's id elsewhere.
    const typed = wordsOf(words).filter((word, index) => index > 0 || word !== 'chat')
    const [first = '', ...rest] = typed
    const { event, chat } = /^(?<event>\d{1,15})\.(?<chat>\d{1,15})$/u.exec(first)?.groups ?? {}
    if (event !== undefined && chat !== undefined) {
      const rows = await findChats(office.store, { row: Number(chat) }, 1)
      if (rows.length === 0) throw new AdminError('The chat of this delivery is forgotten.')
      return { lines: await explained(rows, { id: Number(event) }, office) }
    }
    const id = await readChat(first, office.store)
    const found = await findChats(office.store, { platform: id.platform, chat: id.id }, maxTopics)
    if (found.length === 0) {
      return {
        lines: [
          `${idText(id)} has no alerts, and had none lately: it never set any up, or removed them all.`,
          ...(/^-(?!100\d{9,}$)/u.test(id.id)
            ? [
                'A Telegram group that has become a supergroup has another id, which begins with -100.',
              ]
            : []),
        ],
      }
    }
    const search = await searchOf(rest, office.store)
    return { lines: await (search ? explained(found, search, office) : described(found, office)) }
  },
}

/** Which events are asked about, and which token by its name. */
type Search = EventSearch & { name?: string | undefined }

/** @throws AdminError if the words name no event; undefined if there are none */
async function searchOf(typed: readonly string[], store: Store): Promise<Search | undefined> {
  const [first, ...rest] = typed
  if (first === undefined) return undefined
  if (/^\d{1,15}$/u.test(first) && rest.length === 0) return { id: Number(first) }
  const words = typed.filter((word) => word.toLowerCase() !== 'on')
  const address = words.find((word) => /^0x[0-9a-f]{40}$/iu.test(word))
  const chain = words.find((word) => /^\d{1,15}$/u.test(word))
  const names = words.filter((word) => word !== address && word !== chain)
  const kind = kindNamed(names[0] ?? '')
  const name = names
    .slice(kind === undefined ? 0 : 1)
    .join(' ')
    .replace(/^\$/u, '')
  const of = { ...(kind && { kind }), ...(chain !== undefined && { chain: Number(chain) }) }
  if (name === '') {
    return address === undefined ? of : { ...of, assets: [address.toLowerCase()] }
  }
  const found = address === undefined ? await findAssets(store, name) : []
  if (found.length === 0) {
    throw new AdminError(
      `The bot knows no token ${name}. Name the event by its number in the log, or by kind and token: live OTTER, or live 0xabc… (and the number of the chain).`,
    )
  }
  return { ...of, name, assets: found }
}

/** Beside it rules are only listed. */
const none = {
  kind: '',
  chain: 0,
  asset: '',
  rule: undefined,
  reached: undefined,
  body: undefined,
}

async function described(chats: readonly KnownChat[], office: Admin): Promise<string[]> {
  const lines: string[] = []
  for (const chat of chats) {
    const rules = await traceRules(office.store, none, chat.id)
    lines.push(`${chatText(chat)}: ${stateText(chat, office.now())}`)
    lines.push(
      ...rules.map(({ rule, since }) => `- ${optionsText(rule)}, since ${timeText(since)}`),
    )
  }
  return lines
}

async function explained(
  chats: readonly KnownChat[],
  search: Search,
  office: Admin,
): Promise<string[]> {
  const rows = chats.map(({ id }) => id)
  const events = await findEvents(office.store, search, rows, maxListed)
  const [event, ...others] = events
  if (event === undefined) return notFound(chats, search, office)
  const digests = search.kind === digest.id ? await digestLines(chats, office) : []
  if (others.length === 0) return [...(await ofEvent(event, chats, office)), ...digests]
  const lines = [
    events.length < maxListed
      ? `There are ${events.length}, the newest first; add the number of one to see more:`
      : `The newest ${maxListed}; add the number of one to see more, or name the token:`,
  ]
  for (const each of events) {
    lines.push(eventText(each, office.now()))
    if (chats.length > maxTopicsListed) continue
    for (const chat of chats) lines.push(`- ${(await verdict(each, chat, office))[0]}`)
  }
  return [...lines, ...digests]
}

async function ofEvent(
  event: TracedEvent,
  chats: readonly KnownChat[],
  office: Admin,
): Promise<string[]> {
  const { usefulUntil } = event
  const lines = [`${eventText(event, office.now())}, of use until ${timeText(usefulUntil)}`]
  for (const chat of chats) lines.push(...(await verdict(event, chat, office)))
  return lines
}

function eventText({ id, kind, chain, asset, foundAt, body }: TracedEvent, now: number) {
  const symbol = body?.asset ? symbolOf(body.asset) : ''
  return [
    `event ${id}: ${kind}${asset === '' ? '' : ` of ${asset}`}${symbol === '' ? '' : ` ($${symbol})`}${chain === 0 ? '' : ` on chain ${chain}`}`,
    `found ${sinceText(foundAt, now)}`,
  ].join(', ')
}

/** Why a day may have no summary: there is no event of one that was left out. */
async function digestLines(chats: readonly KnownChat[], office: Admin): Promise<string[]> {
  const lines: string[] = []
  for (const chat of chats) {
    const rules = await traceRules(office.store, none, chat.id)
    const own = rules.filter(({ rule }) => rule.kind === digest.id)
    lines.push(
      ...own.map(
        ({ rule, since, doneDate }) =>
          `${chatText(chat)}: ${optionsText(rule)}, since ${timeText(since)}; ${doneDate === undefined ? 'none was due yet' : `done up to ${doneDate}`}`,
      ),
    )
  }
  if (lines.length === 0) return []
  return [
    ...lines,
    'A day that is done and has no event was left out: the bot was away, or all chats with that summary were muted or paused, for six hours from its hour on. The first comes at the first hour after it was added.',
  ]
}

function chatText({ platform, chat, thread }: KnownChat): string {
  return `${idText({ platform, id: chat })}${thread === '' ? '' : ` topic ${thread}`}`
}

/** Why the bot could say nothing of an event: it has not found any. */
async function notFound(
  chats: readonly KnownChat[],
  { id, kind, assets = [], chain, name }: Search,
  office: Admin,
): Promise<string[]> {
  if (id !== undefined) {
    return [
      `There is no event ${id}. Events of single rules are deleted some time after they were of use: KEEP_SENT_ALERTS says when.`,
    ]
  }
  const lines = [
    `Nobody was told: the bot has found no such event${kind === undefined ? '' : ` of the kind ${kind}`}.`,
    ...(assets.length > 0 ? await seenLines({ assets, chain, name }, office) : []),
  ]
  let isSilent = false
  let hasOwn = false
  for (const chat of chats) {
    const rules = await traceRules(office.store, none, chat.id)
    const own = rules.filter(({ rule }) => kind === undefined || rule.kind === kind)
    lines.push(`${chatText(chat)}: ${stateText(chat, office.now())}`)
    lines.push(...own.map(({ rule, since }) => `- ${optionsText(rule)}, since ${timeText(since)}`))
    if (own.length === 0) lines.push(kind === undefined ? '- no rules' : '- no rule of this kind')
    const isAskedFor = own.some(({ rule }) => kinds[rule.kind].detection.from !== 'asset')
    hasOwn ||= isAskedFor
    isSilent ||= isAskedFor && stateText(chat, office.now()) !== getsAlerts
  }
  if (kind === digest.id) return [...lines, ...(await digestLines(chats, office))]
  if (!hasOwn) return lines
  return [
    ...lines,
    isSilent
      ? 'Values, and the time before the end, are looked for only while some chat asks for them that is neither muted nor paused. While this one is, there may be none; it is told of what comes after that.'
      : 'It may not have come to the value, or all chats that asked for it were muted or paused at that time: then nobody looks for it, and it is not made up for.',
  ]
}

async function seenLines(
  { assets = [], chain, name }: Search,
  { store, now }: Admin,
): Promise<string[]> {
  const states = await store
    .selectFrom('watched_assets')
    .select(['asset', 'chain', 'phase', 'updated_at_s'])
    .where('asset', 'in', assets)
    .$if(chain !== undefined, (rest) => rest.where('chain', '=', chain ?? 0))
    .limit(maxListed)
    .execute()
  if (states.length === 0) {
    return [
      name === undefined
        ? 'The bot has never seen the token in the lists of the chains it watches.'
        : `The bot does not watch ${name}${chain === undefined ? ' any more' : ` on chain ${chain}`}.`,
    ]
  }
  const seen = states.map(
    (each) =>
      `The bot saw the token${assets.length > 1 ? ` ${each.asset}` : ''} ${each.phase} on chain ${each.chain}; its data changed last ${sinceText(each.updated_at_s, now())}.`,
  )
  const watched = await watchedLines(
    store,
    states.map((each) => each.chain),
  )
  return [...seen, ...watched]
}

/** Since when the bot looks at the chains where it saw a token: it tells nothing of before. */
async function watchedLines(store: Store, chains: readonly number[]): Promise<string[]> {
  const rows = await store
    .selectFrom('watched_chains')
    .select(['chain', 'begun_at_s'])
    .where('chain', 'in', chains)
    .execute()
  return rows.map(
    (row) =>
      `It has watched chain ${row.chain} since ${timeText(row.begun_at_s)}: nobody is told of what began before.`,
  )
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

function lossOf(text: string | null): Loss | undefined {
  return losses.find((loss) => loss === text)
}

const getsAlerts = 'it gets alerts'

/** Whether a chat gets alerts now. */
function stateText({ paused, muted_until_s: until }: KnownChat, now: number): string {
  const loss = lossOf(paused)
  if (paused !== null) return `paused (${paused})${loss ? `: ${lossTexts[loss]}` : ''}`
  if (until <= now) return getsAlerts
  return until >= untilUnmuted
    ? 'muted until somebody there unmutes it'
    : `muted until ${timeText(until)}`
}

async function verdict(event: TracedEvent, chat: KnownChat, office: Admin): Promise<string[]> {
  const { store, now } = office
  const name = chatText(chat)
  const delivery = await traceDelivery(store, event, chat.id, now())
  if (delivery) {
    const [first = '', ...rest] = await deliveryLines(event, delivery, chat, office)
    return [`${name}: ${first}`, ...rest.map((line) => `- ${line}`)]
  }
  const rules = await traceRules(store, event, chat.id)
  const lines = undelivered(event, rules, chat, now())
  return [`${name}: ${lines[0] ?? ''}`, ...lines.slice(1).map((line) => `- ${line}`)]
}

async function deliveryLines(
  event: TracedEvent,
  delivery: TracedDelivery,
  chat: KnownChat,
  { store, now }: Admin,
): Promise<string[]> {
  const { state, attempts, reason, at, together, insteadOf } = delivery
  const why = reason ?? 'no reason is stored'
  const when = sinceText(at, now())
  switch (state) {
    case 'sent':
      return [
        `told ${when}, ${triesText(attempts)}, ${durationText(at - event.foundAt)} after it was found`,
        ...(together.length > 0
          ? [
              `in one message with ${together.map(({ id, kind }) => `event ${id} (${kind})`).join(', ')}`,
            ]
          : []),
        ...(insteadOf === undefined
          ? []
          : [`the message shows event ${insteadOf} of the same sale instead, which says more`]),
      ]
    case 'uncertain':
      return [
        `sent ${when}, and no answer came: it may have arrived, so it is not sent again`,
        `last error: ${why}`,
      ]
    case 'given-up':
      return [
        `not told: given up ${when}, ${triesText(attempts)}`,
        `last error: ${why}`,
        ...(event.usefulUntil > now()
          ? [`“stuck retry ${idText({ platform: chat.platform, id: chat.chat })}” tries it again`]
          : []),
      ]
    case 'dropped':
      return droppedLines(event, reason, chat, { when, now: now() })
    case 'waiting':
      return waitingLines(event, delivery, chat, { store, now: now() })
  }
}

function triesText(attempts: number): string {
  return attempts === 1 ? 'at the first try' : `tries: ${attempts}`
}

function droppedLines(
  { usefulUntil }: TracedEvent,
  reason: string | null,
  chat: KnownChat,
  { when, now }: { when: string; now: number },
): string[] {
  const state = `now: ${stateText(chat, now)}`
  const loss = lossOf(reason)
  if (loss) return [`not told: paused (${loss}), ${when}: ${lossTexts[loss]}`, state]
  switch (reason) {
    case dropReasons.muted:
      return [`not told: it was muted, ${when}`, state]
    case dropReasons.unsubscribed:
      return [`not told: its people removed its last rule before it was sent, ${when}`]
    case dropReasons.migrated:
      return ['told under the chat’s former id: the group became a supergroup']
    case tooLate:
      return [
        `not told: too late, ${when}; it waited until it was of no use any more`,
        `it was of use until ${timeText(usefulUntil)}`,
      ]
    default:
      return [`not told: dropped ${when}: ${reason ?? 'no reason is stored'}`]
  }
}

async function waitingLines(
  { usefulUntil }: TracedEvent,
  { isClaimed, attempts, reason, runAt }: TracedDelivery,
  chat: KnownChat,
  { store, now }: { store: Store; now: number },
): Promise<string[]> {
  if (isClaimed) return [`not told yet: it is being sent now, ${triesText(attempts)}`]
  if (reason === quietHours && runAt > now) {
    return [
      `not told yet: it waits for the end of the chat’s quiet hours, ${sinceText(runAt, now)}`,
      ...(usefulUntil <= runAt ? ['it is of no use any more by then, and is left out'] : []),
    ]
  }
  const { ahead } = await traceQueue(store, chat.id)
  const turn =
    ahead === 0
      ? `no other chat of ${chat.platform} is due before it`
      : `before it ${ahead >= maxAhead ? `${maxAhead} or more` : ahead} of ${chat.platform} are due, as its limits permit`
  if (reason === unreadable) {
    return [
      'not told yet: a newer version found it, and this one can’t read it; it is sent once a replica of that version runs',
    ]
  }
  const isRetry = attempts > 0 && reason !== null && reason !== quietHours && reason !== ownMessage
  if (isRetry && runAt > now) {
    return [
      `not told yet: it waits for its next try, ${sinceText(runAt, now)}; ${attempts} failed`,
      `last error: ${reason}`,
    ]
  }
  return [
    `not told yet: it waits for its turn, due ${sinceText(runAt, now)}; ${turn}`,
    ...(isRetry ? [`last error of ${attempts}: ${reason}`] : []),
    ...(chat.due_at_ms !== null && chat.due_at_ms > now * 1000
      ? [`the bot may write there again ${sinceText(Math.ceil(chat.due_at_ms / 1000), now)}`]
      : []),
  ]
}

/** Why there is no delivery. */
function undelivered(
  event: TracedEvent,
  rules: readonly TracedRule[],
  chat: KnownChat,
  now: number,
): string[] {
  const { body, foundAt, isComplete, usefulUntil } = event
  const matching = rules.filter(({ isMatching }) => isMatching)
  const [earliest] = matching
  if (event.kind === announcement.id) {
    return [
      'not told: an announcement goes to chats that were neither muted, paused nor blocked when it was sent, and of a group’s topics to one',
      `now: ${stateText(chat, now)}`,
    ]
  }
  if (body === undefined) {
    return [
      'not known: what is kept of an event is deleted some time after it was of use (KEEP_SENT_ALERTS)',
    ]
  }
  if (earliest === undefined) return ['not told: no rule of it matches', ...rulesText(event, rules)]
  if (wasLate(event)) {
    return [
      `not told: too late; the bot found it when it was of no use any more, and it was of use until ${timeText(usefulUntil)}`,
      ...(event.at < foundAt ? [`it happened ${sinceText(event.at, now)}`] : []),
      `its rule: ${optionsText(earliest.rule)}`,
    ]
  }
  if (!isComplete) return ['not told yet: the deliveries of the event are still being stored']
  const rule = `${optionsText(earliest.rule)}, since ${timeText(earliest.since)}`
  if (matching.every(({ since }) => since >= foundAt)) {
    return ['not told: no rule of it matched when the event was found; this one came later', rule]
  }
  return [
    'not told: no rule of it matched when the event was found; this one was changed since, or came with another id of the chat',
    rule,
    `now: ${stateText(chat, now)}`,
  ]
}

function rulesText(event: TracedEvent, rules: readonly TracedRule[]): string[] {
  if (rules.length === 0) return ['it has no rules']
  const same = rules.filter(({ rule }) => rule.kind === event.kind)
  const others = rules.filter(({ rule }) => rule.kind !== event.kind)
  return [
    ...same.map(({ rule, mismatches }) =>
      [optionsText(rule), ...mismatches.map(mismatchText)].join('; '),
    ),
    ...(same.length === 0 ? [`it has no rule of the kind ${event.kind}`] : []),
    ...(others.length === 0
      ? []
      : [`its other rules: ${others.map(({ rule }) => optionsText(rule)).join('; ')}`]),
  ]
}

function mismatchText({ option, wanted, was }: Mismatch): string {
  const had = was === '' ? 'unknown' : was
  switch (option) {
    case 'rule':
      return 'the event is about the value or hour of another rule'
    case 'value':
      return `its value was not crossed by this event: ${had}`
    case 'mcap':
    case 'raised':
      return `${option} of at least ${wanted} is asked for, it was ${had}`
    default:
      return `${option} ${wanted} is asked for, it was ${had}`
  }
}
