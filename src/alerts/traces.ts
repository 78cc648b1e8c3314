import { z } from 'zod'
import { baseToken, baseTokens } from '../api/asset.ts'
import type { Asset } from '../api/schema.ts'
import type { DeliveriesTable, Store } from '../db/schema.ts'
import { hasText, rangesOf } from '../db/sql.ts'
import { type Reached, storedJson, trimmedAssetSchema } from './asset.ts'
import { dateOf } from './digest-scheduler.ts'
import { matchedBy, matchingRules, readBody } from './events.ts'
import { digest } from './kinds/digest.ts'
import { type EventBody, hasReached, isNamed, minimums } from './kinds/kind.ts'
import { isPerRule, kinds, kindsWhere, kindWord } from './kinds/list.ts'
import { chainsOfAny, type Rule, ruleOf } from './rule.ts'
import { chainsWithAssets } from './snapshot.ts'
import { withoutSuperseded } from './views/notification.ts'

// What is stored of an alert's way, for an operator who asks why a chat was told of an event or why not. Deliveries and the
// bodies of events are kept for some time after they were of use (`Outbox.prune`).

/** An event as it is stored. Times are unix seconds. */
export interface TracedEvent {
  id: number
  kind: string
  /** 0 if it is not about a single chain. */
  chain: number
  /** '' if it is not about a single asset. */
  asset: string
  /** When it happened, and when the bot found it. */
  at: number
  foundAt: number
  usefulUntil: number
  /** Whether all its deliveries are stored. */
  isComplete: boolean
  /** The one rule that it is about; undefined if rules are matched. */
  rule: number | undefined
  reached: { now: Reached; before?: Reached | undefined } | undefined
  /** Undefined if it was pruned, or if this version can't parse it. */
  body: EventBody | undefined
}

/** Which events: the one of an id, or those of a kind, of assets (lower case), of a chain. */
export interface EventSearch {
  id?: number
  kind?: string
  assets?: readonly string[]
  chain?: number | undefined
}

/**
 * Finds events, newest first. Of kinds whose events are about one rule each these are only those of rules that `chats` (ids of
 * rows) have, or that were to be sent there.
 */
export async function findEvents(
  store: Store,
  { id, kind, assets, chain }: EventSearch,
  chats: readonly number[],
  max: number,
): Promise<TracedEvent[]> {
  const perRule = kindsWhere(isPerRule)
  const own = await store
    .selectFrom('subscriptions')
    .innerJoin('rules', 'rules.id', 'subscriptions.rule_id')
    .select(['rules.id', 'rules.kind'])
    .distinct()
    .where('subscriptions.chat_id', 'in', chats)
    .where('rules.kind', 'in', perRule)
    .execute()
  const rows = await store
    .selectFrom('events')
    .selectAll()
    .$if(id !== undefined, (rest) => rest.where('id', '=', id ?? 0))
    .$if(kind !== undefined, (rest) => rest.where('kind', '=', kind ?? ''))
    .$if(assets !== undefined, (rest) => rest.where('asset', 'in', assets ?? []))
    .$if(chain !== undefined, (rest) => rest.where('chain', '=', chain ?? 0))
    .$if(id === undefined, (rest) =>
      rest.where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('kind', 'not in', perRule),
          exists(
            selectFrom('deliveries')
              .select('deliveries.event_id')
              .whereRef('deliveries.event_id', '=', 'events.id')
              .where('deliveries.chat_id', 'in', chats),
          ),
          // Those that were found too late have no deliveries. Their keys begin with the rule.
          ...own.map((rule) => eb('key', 'like', `${rule.kind}:${rule.id}:%`)),
        ]),
      ),
    )
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    chain: row.chain,
    asset: row.asset,
    at: row.happened_at_s,
    foundAt: row.found_at_s,
    usefulUntil: row.useful_until_s,
    isComplete: row.slices_after === null,
    rule: undefined,
    reached: undefined,
    ...matchedBy(row.body),
    body: readBody(row.kind, row.body),
  }))
}

/** More tokens of one name are not told apart. */
const maxNamed = 200

/**
 * Finds tokens by symbol or name, in any case: those that are watched, and those of events that are kept, newest first. Returns
 * addresses in lower case.
 */
export async function findAssets(store: Store, name: string): Promise<string[]> {
  const wanted = name.toLowerCase()
  const isNamedSo = hasText('body', JSON.stringify(name))
  const found = new Set<string>()
  for await (const rows of bodies(store, isNamedSo)) {
    for (const { asset, body } of rows) {
      const stored = namedSchema.safeParse(storedJson(body)).data?.asset
      if (stored === undefined) continue
      const names = baseTokens(stored).flatMap((each) => [each.token_symbol, each.token_name])
      if (names.some((each) => each?.toLowerCase() === wanted)) found.add(asset)
    }
    if (found.size >= maxNamed) break
  }
  return [...found].slice(0, maxNamed)
}

/** Reads the stored bodies that match, of tokens and then of events, a part at a time: SQLite blocks the process while it reads. */
async function* bodies(store: Store, isMatching: ReturnType<typeof hasText>) {
  for (const chain of await chainsWithAssets(store)) {
    const watched = store.selectFrom('watched_assets').where('chain', '=', chain)
    const ranges = rangesOf('', (from, size) =>
      watched
        .select('asset as end')
        .where('asset', '>', from)
        .orderBy('asset')
        .offset(size - 1)
        .limit(1)
        .executeTakeFirst(),
    )
    for await (const { from, to } of ranges) {
      yield await watched
        .select(['asset', 'body'])
        .where('asset', '>', from)
        .$if(to !== undefined, (rest) => rest.where('asset', '<=', to ?? ''))
        .where(isMatching)
        .execute()
    }
  }
  const events = store.selectFrom('events').orderBy('id', 'desc')
  const ranges = rangesOf(Number.MAX_SAFE_INTEGER, (from, size) =>
    events
      .select('id as end')
      .where('id', '<', from)
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst(),
  )
  for await (const { from, to = 0 } of ranges) {
    yield await events
      .select(['asset', 'body'])
      .where('id', '<', from)
      .where('id', '>=', to)
      .where('asset', '<>', '')
      .where(isMatching)
      .execute()
  }
}

const namedSchema = z.object({ asset: trimmedAssetSchema })

/** The symbol of an asset; '' if it has none. */
export function symbolOf(asset: Asset): string {
  return baseToken(asset)?.token_symbol ?? ''
}

/** Whether the event was of no use any more when it was found, so that nobody was notified. */
export function wasLate({ foundAt, usefulUntil }: TracedEvent): boolean {
  return usefulUntil <= foundAt
}

/** What keeps a rule from matching an event: what it asks for, and what the event has. */
export interface Mismatch {
  /** An option of the rule as people type it; `value` if what it asks for was not crossed, `rule` if the event is another's. */
  option: string
  wanted: string
  was: string
}

/** A rule of a chat, beside an event. */
export interface TracedRule {
  rule: Rule
  /** The date of the last daily summary that is done with; undefined for other kinds, and before the first. */
  doneDate: string | undefined
  /** Unix seconds at which the chat got it. */
  since: number
  isMatching: boolean
  /** Why not; empty if it matches, or is of another kind. */
  mismatches: readonly Mismatch[]
}

/** A chat's rules, each compared with an event. */
export async function traceRules(
  store: Store,
  event: Pick<TracedEvent, 'kind' | 'chain' | 'asset' | 'rule' | 'reached' | 'body'>,
  chat: number,
): Promise<TracedRule[]> {
  const watched = await store.selectFrom('watched_chains').select('chain').execute()
  const chains = watched.map(({ chain }) => chain)
  const { body } = event
  const matched = body ? await matchingRules(store, { ...event, body }, chains) : []
  const rows = await store
    .selectFrom('subscriptions')
    .innerJoin('rules', 'rules.id', 'subscriptions.rule_id')
    .selectAll('rules')
    .select('subscriptions.created_at_s')
    .where('subscriptions.chat_id', '=', chat)
    .orderBy('subscriptions.created_at_s')
    .execute()
  return rows.flatMap((row) => {
    const rule = ruleOf(row)
    if (rule === undefined) return []
    const isMatching = matched.includes(row.id)
    const isCompared = !isMatching && body !== undefined && rule.kind === event.kind
    const mismatches = isCompared
      ? mismatchesOf({ id: row.id, rule }, { ...event, body }, chainsOfAny(chains)(event.chain))
      : []
    const doneDate = rule.kind === digest.id ? dateOf(row.memory) : undefined
    return [{ rule, doneDate, since: row.created_at_s, isMatching, mismatches }]
  })
}

function mismatchesOf(
  { id, rule }: { id: number; rule: Rule },
  event: Pick<TracedEvent, 'chain' | 'asset' | 'rule' | 'reached'> & { body: EventBody },
  isAnyChain: boolean,
): Mismatch[] {
  if (event.rule !== undefined) {
    return [{ option: 'rule', wanted: String(id), was: String(event.rule) }]
  }
  const { asset } = event.body
  const { scope } = rule
  const found: Mismatch[] = []
  const compare = (
    option: string,
    wanted: string | undefined,
    ...values: (string | undefined)[]
  ) => {
    const isSame = values.some((each) => each?.toLowerCase() === wanted?.toLowerCase())
    if (wanted === undefined || isSame) return
    found.push({ option, wanted, was: values.join(', ') })
  }
  if (scope.chain !== undefined) compare('chain', String(scope.chain), String(event.chain))
  else if (!isAnyChain) {
    found.push({ option: 'chain', wanted: 'no testnet', was: String(event.chain) })
  }
  compare('asset', scope.asset, event.asset)
  compare('creator', scope.creator, asset && baseToken(asset)?.token_creator_address)
  compare('numeraire', scope.numeraire, asset?.asset_numeraire_address)
  compare('category', scope.category, ...(asset?.asset_categories ?? []))
  if (asset && !isNamed(scope, asset)) {
    const names = baseTokens(asset).flatMap((each) => [each.token_name, each.token_symbol])
    found.push({ option: 'name', wanted: scope.name ?? '', was: names.join(', ') })
  }
  return [...found, ...minimumMismatches(rule, event), ...valueMismatches(rule, event.body)]
}

function minimumMismatches(
  { scope }: Rule,
  { reached = { now: {} } }: Pick<TracedEvent, 'reached'>,
): Mismatch[] {
  return minimums.flatMap((option) => {
    const wanted = scope[option]
    if (wanted === undefined) return []
    if (!hasReached({ [option]: wanted }, reached.now)) {
      return [{ option, wanted, was: reached.now[option] ?? '' }]
    }
    // The event is for rules that were not satisfied before.
    const wasReached = reached.before && hasReached({ [option]: wanted }, reached.before)
    return wasReached
      ? [{ option: 'value', wanted, was: `${option}:${reached.before?.[option]}` }]
      : []
  })
}

function valueMismatches(rule: Rule, body: EventBody): Mismatch[] {
  const { detection } = kinds[rule.kind]
  if (detection.from !== 'asset-and-settings' || detection.matches(rule.setting, body)) return []
  return [{ option: 'value', wanted: optionsText(rule), was: bodyText(body) }]
}

/** What an event's body says beside its asset, such as `from:0.2 to:0.26`. */
function bodyText({ kind: _, asset: __, ...fields }: EventBody): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}:${JSON.stringify(value)}`.replaceAll('"', ''))
    .join(' ')
}

/** A rule as people type it: `progress percent:25,50 chain:8453`. */
export function optionsText({ kind, setting, scope }: Rule): string {
  const options = { ...kinds[kind].optionsFrom(setting), ...scope }
  const typed = Object.entries(options).map(([name, value]) => `${name}:${value}`)
  return [kindWord(kind), ...typed].join(' ')
}

/** The delivery of an event to a chat. Times are unix seconds. */
export interface TracedDelivery extends Pick<DeliveriesTable, 'state' | 'attempts' | 'reason'> {
  /** When it is due, if it waits. */
  runAt: number
  /** When it was last changed: sent, given up or dropped, if it is. */
  at: number
  /** A process has it, and sends it now. */
  isClaimed: boolean
  /** The other events of the message it was sent in. */
  together: readonly Pick<TracedEvent, 'id' | 'kind'>[]
  /** The event of the same sale that the message showed instead; undefined if it showed this one. */
  insteadOf: number | undefined
}

/** Seconds before and after an event in which those of the same message were found. */
const maxApart = 2 * 86_400

export async function traceDelivery(
  store: Store,
  event: Pick<TracedEvent, 'id' | 'at'>,
  chat: number,
  now: number,
): Promise<TracedDelivery | undefined> {
  const row = await store
    .selectFrom('deliveries')
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .selectAll('deliveries')
    .select(['chats.claims', 'chats.next_at_ms'])
    .where('event_id', '=', event.id)
    .where('chat_id', '=', chat)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const others =
    row.state === 'sent'
      ? await store
          .selectFrom('events')
          .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
          .select(['events.id', 'events.kind', 'events.chain', 'events.body'])
          .where('events.happened_at_s', '>', event.at - maxApart)
          .where('events.happened_at_s', '<', event.at + maxApart)
          .where('deliveries.chat_id', '=', chat)
          .where('deliveries.claim', '=', row.claim)
          .where('deliveries.state', '=', 'sent')
          .orderBy('events.id')
          .execute()
      : []
  const items = others.flatMap(({ id, kind, chain, body: text }) => {
    const body = readBody(kind, text)
    return body ? [{ id, chain, body }] : []
  })
  return {
    state: row.state,
    attempts: row.attempts,
    reason: row.reason,
    runAt: row.run_at_s,
    at: row.updated_at_s,
    isClaimed: row.claim > 0 && row.claim === row.claims && row.next_at_ms > now * 1000,
    together: others.filter(({ id }) => id !== event.id).map(({ id, kind }) => ({ id, kind })),
    insteadOf: supersedes(items, event.id),
  }
}

function supersedes(
  items: readonly { id: number; chain: number; body: EventBody }[],
  event: number,
): number | undefined {
  const own = items.find(({ id }) => id === event)
  const shown = withoutSuperseded(items)
  if (own?.body.asset === undefined || shown.some(({ id }) => id === event)) return undefined
  const address = own.body.asset.asset_address.toLowerCase()
  return shown.find(({ body }) => body.asset?.asset_address.toLowerCase() === address)?.id
}

/** The chat of a row, and how much is due to others on its platform before anything is to it. */
export async function traceQueue(store: Store, chat: number): Promise<{ ahead: number }> {
  const own = await store
    .selectFrom('chats')
    .select(['platform', 'due_at_ms'])
    .where('id', '=', chat)
    .executeTakeFirst()
  if (own === undefined || own.due_at_ms === null) return { ahead: 0 }
  const { platform, due_at_ms } = own
  const { ahead } = await store
    .selectFrom((from) =>
      from
        .selectFrom('chats')
        .select('id')
        .where('platform', '=', platform)
        .where('due_at_ms', '<', due_at_ms)
        .limit(maxAhead)
        .as('earlier'),
    )
    .select((row) => row.fn.countAll<number>().as('ahead'))
    .executeTakeFirstOrThrow()
  return { ahead }
}

/** More are not counted. */
export const maxAhead = 10_000
