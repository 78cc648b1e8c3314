import { LRUCache } from 'lru-cache'
import { type Adapter, type Loss, type Mention, SendError } from '../core/adapter.ts'
import type { Context, Platform, PlatformName } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import { type Text, t } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import { deleteInBatches } from '../db/sql.ts'
import { UserError } from '../errors.ts'
import type { Target } from './chats.ts'
import type { Rule } from './rule.ts'
import {
  type ChatSubscriptions,
  type SubscribeResult,
  type Subscription,
  type Subscriptions,
  untilUnmuted,
} from './subscriptions.ts'
import type { AlertList } from './views/list.ts'
import { begunView } from './views/menu.ts'

interface ChatAlertsParts {
  subscriptions: Subscriptions
  managed: ManagedChats
  /**
   * The adapters, as far as permissions and first messages need them; undefined for a platform that is not configured.
   */
  adapters: Readonly<
    Record<PlatformName, Pick<Adapter, 'manages' | 'send' | 'title' | 'mention'> | undefined>
  >
  /** Called whenever a person was found to be allowed to change a chat's alerts or settings. */
  onPermitted?: ((target: Target, context: Context) => Promise<void>) | undefined
  /** Unix seconds. */
  now: () => number
}

const maxTitle = 60

/** Reads and changes what a chat is subscribed to, for the people who may. */
export class ChatAlerts {
  readonly #parts: ChatAlertsParts
  readonly #titles = new LRUCache<string, string>({ max: 500, ttl: 600_000 })
  /** The last operation in progress, by chat. */
  readonly #pending = new Map<string, Promise<void>>()

  constructor(parts: ChatAlertsParts) {
    this.#parts = parts
  }

  /** Permissions of the person behind one command line or button press, for the chat that it is about. */
  permissions(where: Where): Permissions {
    const { adapters, managed, onPermitted } = this.#parts
    const adapter = adapters[where.context.platform.name]
    return new Permissions(where, adapter, async (target, context) => {
      if (target.kind === 'chat' && !context.asChat) {
        await managed.note(target.platform, context.user, target.id)
      }
      await onPermitted?.(target, context)
    })
  }

  /**
   * The chats that a person manages now, of those where they did before or let the bot in, with their names.
   * @param more ids of other chats to look at, first
   */
  async managedBy(
    context: Context,
    more: readonly string[] = [],
  ): Promise<{ id: string; name: Text }[]> {
    const { managed, adapters } = this.#parts
    const platform = context.platform.name
    const known = await managed.of(platform, context.user)
    const chats = [...new Set([...more, ...known])].map(async (id) => {
      try {
        // Nothing is changed there, so its language stays.
        const permissions = new Permissions({ context, targetChat: id }, adapters[platform])
        const name = await this.chatName(permissions)
        return name === undefined ? [] : [{ id, name }]
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        // Unless the platform could not be asked.
        const isSure = !(error.cause instanceof SendError) || error.cause.final
        if (isSure) await managed.forget(platform, context.user, id)
        return []
      }
    })
    return (await Promise.all(chats)).flat()
  }

  /**
   * Reads a chat's subscriptions. Anyone in the chat may see them; those of another chat only its managers. If sending
   * is paused and the person may change alerts, it is resumed: their message shows that the bot can be reached again.
   * @throws UserError if the person may not see them
   */
  async openList(permissions: Permissions): Promise<AlertList> {
    const target = await permissions.targetToView()
    const found = await this.#parts.subscriptions.of(target)
    const { paused } = found
    if (paused === undefined || paused === 'operator' || !(await permissions.mayChange())) {
      return { ...found, resumed: undefined }
    }
    await this.#parts.subscriptions.resume(target)
    return { ...found, paused: undefined, resumed: paused }
  }

  /**
   * Notes that the bot was let into a chat, and resumes sending there. Returns why it was paused; undefined if this update was
   * noted before, or the chat has alerts that were not paused.
   */
  async enter(context: Context): Promise<{ resumed: Loss | undefined } | undefined> {
    const { subscriptions, managed } = this.#parts
    const target = targetOf({ context })
    const { update } = context
    if (target.kind === 'chat') await managed.note(target.platform, context.user, target.id)
    return this.#serialise(target, async () => {
      const found = await subscriptions.of(target)
      if (update !== undefined && found.changedBy.includes(update)) return undefined
      const hasAlerts = found.subscriptions.length > 0
      const { paused } = found
      if (paused === 'operator' || (hasAlerts && paused === undefined)) return undefined
      await subscriptions.note(target, update)
      if (found.paused !== undefined) await subscriptions.resume(target)
      return { resumed: hasAlerts ? found.paused : undefined }
    })
  }

  /** Like `openList`, but never resumes sending. */
  async of(permissions: Permissions): Promise<ChatSubscriptions> {
    return this.#parts.subscriptions.of(await permissions.targetToView())
  }

  /**
   * The title of the other chat that is being set up, or its id if it has none; undefined if the command is about the
   * chat it was sent in.
   * @throws UserError if the person does not manage that chat
   */
  async chatName(permissions: Permissions): Promise<Text | undefined> {
    if (permissions.targetChat === undefined) return undefined
    const { platform, id } = await permissions.targetToChange()
    const key = `${platform}:${id}`
    const title = this.#titles.get(key) ?? (await this.#parts.adapters[platform]?.title(id)) ?? ''
    const shown = shorten(harmless(title).trim(), maxTitle)
    if (shown === '') return t('alerts-chat-id', { id })
    this.#titles.set(key, shown)
    return shown
  }

  /**
   * Subscribes the chat to rules, in order, up to the limit per chat.
   * @throws UserError if the person may not, or if not even the first rule could be added
   */
  async subscribe(
    permissions: Permissions,
    rules: readonly Rule[],
    mention?: Mention,
  ): Promise<SubscribeResult> {
    const { subscriptions, now } = this.#parts
    const { context, targetChat } = permissions
    const target = await permissions.targetToChange()
    return this.#serialise(target, async () => {
      const before = await subscriptions.of(target)
      refuseRepeated(before, context)
      if (targetChat !== undefined && before.subscriptions.length === 0) {
        await this.#announce(target, context.platform, now())
      }
      if (before.paused !== undefined) await subscriptions.resume(target)
      return subscriptions.subscribeAll(target, rules, context.update, mention)
    })
  }

  /**
   * Finds a role that the person may have the chat's alerts notify, by the platform's id of it.
   * @throws UserError if they may not, or the platform has no roles
   */
  async mention({ context, targetChat }: Permissions, role: string): Promise<Mention> {
    const adapter = this.#parts.adapters[context.platform.name]
    if (!adapter?.mention || (context.isPrivate && targetChat === undefined))
      throw new UserError(t('alerts-role-unfit'))
    try {
      const found = await adapter.mention(targetChat ?? context.chat, context.user, role)
      if ('refusal' in found) throw new UserError(found.refusal)
      return found
    } catch (cause) {
      if (!(cause instanceof SendError)) throw cause
      throw new UserError(context.platform.texts.managersUnseen, { cause })
    }
  }

  /**
   * Replaces one of the chat's rules, and whom its alerts notify: null for nobody, undefined for whom they did.
   * @throws UserError if the person may not, or if the chat no longer has that subscription
   */
  async change(
    permissions: Permissions,
    id: number,
    rule: Rule,
    mention?: Mention | null,
  ): Promise<void> {
    const result = await this.#parts.subscriptions.change(
      await permissions.targetToChange(),
      id,
      rule,
      permissions.context.update,
      mention,
    )
    if (result === 'gone') throw notSubscribed()
  }

  /** Removes the subscriptions that `matches` selects and returns them. @throws UserError if the person may not */
  async unsubscribe(
    permissions: Permissions,
    matches: (subscription: Subscription) => boolean,
  ): Promise<readonly Subscription[]> {
    const target = await permissions.targetToChange()
    const { update } = permissions.context
    const before = await this.#parts.subscriptions.of(target)
    refuseRepeated(before, permissions.context)
    const matching = before.subscriptions.filter(matches)
    const ids = matching.map(({ id }) => id)
    const removed = await this.#parts.subscriptions.unsubscribeAll(target, ids, update)
    return matching.filter(({ id }) => removed.includes(id))
  }

  /**
   * Mutes the chat.
   * @param seconds from now; 0 unmutes, undefined mutes until somebody unmutes
   * @throws UserError if the person may not
   */
  async mute(permissions: Permissions, seconds: number | undefined): Promise<void> {
    const until = seconds === undefined ? untilUnmuted : seconds && this.#parts.now() + seconds
    const target = await permissions.targetToChange()
    refuseRepeated(await this.#parts.subscriptions.of(target), permissions.context)
    await this.#parts.subscriptions.mute(target, until, permissions.context.update)
  }

  /**
   * Runs operations on one chat one after the other, so that of two concurrent presses only the first sees an empty
   * list.
   */
  async #serialise<T>(target: Target, work: () => Promise<T>): Promise<T> {
    const key = `${target.platform}:${target.kind}:${target.id}`
    const result = (this.#pending.get(key) ?? Promise.resolve()).then(work)
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    this.#pending.set(key, settled)
    try {
      return await result
    } finally {
      if (this.#pending.get(key) === settled) this.#pending.delete(key)
    }
  }

  /** Announces alerts in a chat that is set up from a private one, which also shows whether the bot may write there. */
  async #announce(target: Target, platform: Platform, now: number): Promise<void> {
    try {
      const key = `alerts-begin:${target.platform}:${target.id}:${now}`
      await this.#parts.adapters[target.platform]?.send(target, begunView(platform), key)
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      // The message may have arrived, so the chat may be able to receive alerts.
      if (error.uncertain) return
      throw new UserError(error.final ? platform.texts.cantPost : t('alerts-cant-post-now'), {
        cause: error,
      })
    }
  }
}

/**
 * Refuses a line that its platform sends again because a process died before confirming it. Its change may have been changed
 * again since, and its number in the list may be another alert's by now.
 */
export function refuseRepeated(
  { changedBy }: Pick<ChatSubscriptions, 'changedBy'>,
  { update }: Context,
): void {
  if (update === undefined || !changedBy.includes(update)) return
  throw new UserError(t('alerts-done-already', { command: { code: '/alerts' } }))
}

function notSubscribed(): UserError {
  return new UserError(t('alerts-gone-already', { command: { code: '/alerts' } }))
}

/** The user who asks, and the chat it is about: the one they write in, or another that they manage. */
export interface Where {
  context: Context
  /** The platform's id of the other chat; undefined for the chat they write in. */
  targetChat?: string | undefined
}

/** The part of an adapter that checks permissions; undefined if the platform is not configured. */
type Checker = Pick<Adapter, 'manages'> | undefined

/**
 * Permissions of a person for the alerts of one chat, for one command line or button press. The platform is asked once
 * at most. Create a new instance for the next line: somebody may have lost their rights since.
 */
export class Permissions {
  readonly context: Context
  readonly targetChat: string | undefined
  readonly #checker: Checker
  readonly #onPermitted: ChatAlertsParts['onPermitted']
  #answer: Promise<boolean | SendError> | undefined

  constructor(
    { context, targetChat }: Where,
    checker: Checker,
    onPermitted?: ChatAlertsParts['onPermitted'],
  ) {
    this.context = context
    this.targetChat = targetChat
    this.#checker = checker
    this.#onPermitted = onPermitted
  }

  /**
   * The chat whose alerts the person may see. Anyone in a chat may see its alerts; of another chat only its managers
   * learn that it exists.
   * @throws UserError if it is another chat and they don't manage it
   */
  async targetToView(): Promise<Target> {
    refuseGuest(this)
    return this.targetChat === undefined ? targetOf(this) : this.targetToChange()
  }

  /** The chat whose alerts the person may change. @throws UserError if they may not, or the platform can't be asked */
  async targetToChange(): Promise<Target> {
    const { context, targetChat } = this
    refuseGuest(this)
    // Its name would be read by all.
    if (targetChat !== undefined && !context.isPrivate && !context.ephemeral) {
      throw new UserError(t('alerts-other-chat-private'))
    }
    const answer = await this.#managesChat()
    if (answer === true) {
      const target = targetOf(this)
      await this.#onPermitted?.(target, context)
      return target
    }
    if (answer === false) {
      throw targetChat === undefined ? notManager(context) : unknownChat(context)
    }
    throw cantCheck(answer, this)
  }

  /** Whether the person may change alerts; false if the platform can't be asked. */
  async mayChange(): Promise<boolean> {
    return (await this.#managesChat()) === true
  }

  #managesChat(): Promise<boolean | SendError> {
    this.#answer ??= this.#askPlatform()
    return this.#answer
  }

  async #askPlatform(): Promise<boolean | SendError> {
    const { context, targetChat } = this
    if (targetChat === undefined && (context.isPrivate || context.asChat)) return true
    if (this.#checker === undefined) return false
    try {
      return await this.#checker.manages(targetChat ?? context.chat, context.user)
    } catch (error) {
      if (error instanceof SendError) return error
      throw error
    }
  }
}

/** @throws UserError that says how to add the bot, if it is a guest in the chat that this is about */
function refuseGuest({ context: { isGuest, invitations }, targetChat }: Where): void {
  if (!isGuest || targetChat !== undefined) return
  const label = t('start-button-server')
  const { server } = invitations ?? {}
  throw new UserError(
    t('alerts-guest', { add: server === undefined ? [label] : { link: label, url: server } }),
  )
}

function targetOf({ context, targetChat }: Where): Target {
  const { user, chat, thread } = context
  const platform = context.platform.name
  if (targetChat !== undefined) return { platform, kind: 'chat', id: targetChat }
  if (context.isPrivate) return { platform, kind: 'person', id: user }
  return { platform, kind: 'chat', id: chat, ...(thread !== undefined && { thread }) }
}

/** Explains why the platform could not be asked. For another chat a refusal reads like `unknownChat`. */
function cantCheck(error: SendError, { context, targetChat }: Where): UserError {
  if (!error.final) {
    return new UserError(
      targetChat === undefined ? t('alerts-managers-unknown') : t('alerts-managers-unknown-there'),
      { cause: error },
    )
  }
  if (targetChat !== undefined) return unknownChat(context, error)
  return new UserError(context.platform.texts.managersUnseen, { cause: error })
}

function notManager({ platform }: Context): UserError {
  return new UserError(platform.texts.notManager)
}

/** The same text whether the chat does not exist, the bot is not in it, or the person does not manage it. */
function unknownChat({ platform }: Context, cause?: SendError): UserError {
  return new UserError(platform.texts.notManaged, { cause })
}

/** Chats of a person that are remembered. */
const maxChats = 20
/** Seconds for which a chat is remembered. */
const retention = 365 * 86_400
/** Milliseconds after which a chat is noted again. */
const noteAgainMs = 86_400_000

/**
 * Remembers in which chats a person was a manager, so that these can be offered: no platform lists the chats that a person and
 * the bot have in common. Whether the person still is one has to be asked each time.
 */
export class ManagedChats {
  readonly #store: Store
  readonly #now: () => number
  readonly #noted = new LRUCache<string, true>({ max: 10_000, ttl: noteAgainMs })

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** The ids of a person's chats, last noted first. */
  async of(platform: PlatformName, person: string): Promise<string[]> {
    const rows = await this.#newestFirst(platform, person).execute()
    return rows.map(({ chat }) => chat)
  }

  /** Notes that the person manages the chat, or let the bot into it. */
  async note(platform: PlatformName, person: string, chat: string): Promise<void> {
    const key = JSON.stringify([platform, person, chat])
    if (this.#noted.has(key)) return
    const values = { seen_at_s: this.#now() }
    await this.#store
      .insertInto('managed_chats')
      .values({ platform, person, chat, ...values })
      .onConflict((conflict) =>
        conflict.columns(['platform', 'person', 'chat']).doUpdateSet(values),
      )
      .execute()
    this.#noted.set(key, true)
    await this.#store
      .deleteFrom('managed_chats')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', 'not in', this.#newestFirst(platform, person))
      .execute()
  }

  /** Forgets a chat that the person does not manage any more. */
  async forget(platform: PlatformName, person: string, chat: string): Promise<void> {
    this.#noted.delete(JSON.stringify([platform, person, chat]))
    await this.#store
      .deleteFrom('managed_chats')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', '=', chat)
      .execute()
  }

  /** Deletes what was noted long ago; returns how many rows. */
  prune(): Promise<number> {
    const key = ['platform', 'person', 'chat'] as const
    const old = this.#store
      .selectFrom('managed_chats')
      .select(key)
      .where('seen_at_s', '<', this.#now() - retention)
    return deleteInBatches((limit) =>
      this.#store
        .deleteFrom('managed_chats')
        .where((row) => row(row.refTuple(...key), 'in', old.limit(limit).$asTuple(...key)))
        .executeTakeFirstOrThrow(),
    )
  }

  #newestFirst(platform: PlatformName, person: string) {
    return this.#store
      .selectFrom('managed_chats')
      .select('chat')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .orderBy('seen_at_s', 'desc')
      .orderBy('chat')
      .limit(maxChats)
  }
}
