import { LRUCache } from 'lru-cache'
import { type Adapter, SendError } from '../core/adapter.ts'
import type { Context, Platform } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import type { PlatformName } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import type { Target } from './chats.ts'
import type { Rule } from './rule.ts'
import {
  type ChatSubscriptions,
  type Subscription,
  type Subscriptions,
  untilUnmuted,
} from './subscriptions.ts'
import type { AlertList } from './views/list.ts'
import { begunView } from './views/menu.ts'

interface ChatAlertsParts {
  subscriptions: Subscriptions
  /**
   * The adapters, as far as permissions and first messages need them; undefined for a platform that is not configured.
   */
  adapters: Readonly<Record<PlatformName, Pick<Adapter, 'manages' | 'send' | 'title'> | undefined>>
  /** Unix seconds. */
  now: () => number
}

/** The result of subscribing a chat to rules. */
interface SubscribeResult {
  added: readonly Rule[]
  /** Rules that the chat had subscribed to before. */
  existing: readonly Rule[]
  /** Why the remaining rules were not added, for people; undefined if all were. */
  refused: string | undefined
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
    return new Permissions(where, this.#parts.adapters[where.context.platform.name])
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
    if (paused === undefined || !(await permissions.mayChange())) {
      return { ...found, resumed: undefined }
    }
    await this.#parts.subscriptions.resume(target)
    return { ...found, paused: undefined, resumed: paused }
  }

  /** Like `openList`, but never resumes sending. */
  async of(permissions: Permissions): Promise<ChatSubscriptions> {
    return this.#parts.subscriptions.of(await permissions.targetToView())
  }

  /**
   * The title of the other chat that is being set up, or "the chat ID" if it has none; undefined if the command is
   * about the chat it was sent in.
   * @throws UserError if the person does not manage that chat
   */
  async chatName(permissions: Permissions): Promise<string | undefined> {
    if (permissions.targetChat === undefined) return undefined
    const { platform, id } = await permissions.targetToChange()
    const key = `${platform}:${id}`
    const title = this.#titles.get(key) ?? (await this.#parts.adapters[platform]?.title(id)) ?? ''
    const shown = shorten(harmless(title).trim(), maxTitle)
    if (shown === '') return `the chat ${id}`
    this.#titles.set(key, shown)
    return shown
  }

  /**
   * Subscribes the chat to rules, in order, up to the limit per chat.
   * @throws UserError if the person may not, or if not even the first rule could be added
   */
  async subscribe(permissions: Permissions, rules: readonly Rule[]): Promise<SubscribeResult> {
    const target = await permissions.targetToChange()
    return this.#serialise(target, () => this.#subscribe(permissions, target, rules))
  }

  async #subscribe(
    permissions: Permissions,
    target: Target,
    rules: readonly Rule[],
  ): Promise<SubscribeResult> {
    const { subscriptions, now } = this.#parts
    const before = await subscriptions.of(target)
    if (permissions.targetChat !== undefined && before.subscriptions.length === 0) {
      await this.#announce(target, permissions.context.platform, now())
    }
    if (before.paused !== undefined) await subscriptions.resume(target)
    const added: Rule[] = []
    const existing: Rule[] = []
    for (const rule of rules) {
      try {
        const result = await subscriptions.subscribe(target, rule)
        if (result === 'added') added.push(rule)
        else existing.push(rule)
      } catch (error) {
        if (!(error instanceof UserError) || added.length + existing.length === 0) throw error
        return { added, existing, refused: error.message }
      }
    }
    return { added, existing, refused: undefined }
  }

  /**
   * Replaces one of the chat's rules.
   * @throws UserError if the person may not, or if the chat no longer has that subscription
   */
  async change(permissions: Permissions, id: number, rule: Rule): Promise<void> {
    const result = await this.#parts.subscriptions.change(
      await permissions.targetToChange(),
      id,
      rule,
    )
    if (result === 'gone') throw notSubscribed()
  }

  /** Removes the subscriptions that `matches` selects and returns them. @throws UserError if the person may not */
  async unsubscribe(
    permissions: Permissions,
    matches: (subscription: Subscription) => boolean,
  ): Promise<readonly Subscription[]> {
    const target = await permissions.targetToChange()
    const { subscriptions } = await this.#parts.subscriptions.of(target)
    const removed: Subscription[] = []
    for (const subscription of subscriptions.filter(matches)) {
      if (await this.#parts.subscriptions.unsubscribe(target, subscription.id))
        removed.push(subscription)
    }
    return removed
  }

  /**
   * Mutes the chat.
   * @param seconds from now; 0 unmutes, undefined mutes until somebody unmutes
   * @throws UserError if the person may not
   */
  async mute(permissions: Permissions, seconds: number | undefined): Promise<void> {
    const until = seconds === undefined ? untilUnmuted : seconds && this.#parts.now() + seconds
    await this.#parts.subscriptions.mute(await permissions.targetToChange(), until)
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
      throw new UserError(
        error.final
          ? `I can’t write in that chat. ${platform.words.askToPost} there, and try again.`
          : 'I could not write in that chat just now. Try again in a moment.',
        { cause: error },
      )
    }
  }
}

function notSubscribed(): UserError {
  return new UserError('That is no longer followed here. /alerts lists what is.')
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
  #answer: Promise<boolean | SendError> | undefined

  constructor({ context, targetChat }: Where, checker: Checker) {
    this.context = context
    this.targetChat = targetChat
    this.#checker = checker
  }

  /**
   * The chat whose alerts the person may see. Anyone in a chat may see its alerts; of another chat only its managers
   * learn that it exists.
   * @throws UserError if it is another chat and they don't manage it
   */
  async targetToView(): Promise<Target> {
    return this.targetChat === undefined ? targetOf(this) : this.targetToChange()
  }

  /** The chat whose alerts the person may change. @throws UserError if they may not, or the platform can't be asked */
  async targetToChange(): Promise<Target> {
    const { context, targetChat } = this
    if (targetChat !== undefined && !context.isPrivate) {
      throw new UserError('Another chat is set up in our private chat only. Send it to me there.')
    }
    const answer = await this.#managesChat()
    if (answer === true) return targetOf(this)
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
      `I can’t see right now who may change what ${targetChat === undefined ? 'this' : 'that'} chat follows. Try again in a moment.`,
      { cause: error },
    )
  }
  if (targetChat !== undefined) return unknownChat(context, error)
  const { unseenManagers } = context.platform.words
  return new UserError(`I can’t see ${unseenManagers}, and try again.`, { cause: error })
}

function notManager({ platform }: Context): UserError {
  return new UserError(
    `Only ${platform.words.managers.all} in this chat can change what it follows. In our private chat you can follow for yourself.`,
  )
}

/** The same text whether the chat does not exist, the bot is not in it, or the person does not manage it. */
function unknownChat({ platform }: Context, cause?: SendError): UserError {
  return new UserError(
    `I can’t set up that chat: either I am not in it, or ${platform.words.notManaged}, and try again.`,
    { cause },
  )
}
