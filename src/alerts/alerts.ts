import { LRUCache } from 'lru-cache'
import { type Adapter, type Loss, SendError } from '../core/adapter.ts'
import type { Platform } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import type { PlatformName } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { Permissions, type Where } from './permission.ts'
import type { Rule } from './rule.ts'
import type { Following, Subscription, Subscriptions, Target } from './subscriptions.ts'
import { begunView } from './views/menu.ts'

interface AlertsParts {
  follows: Subscriptions
  /**
   * The adapters, as far as permissions and first messages need them; undefined for a platform that is not configured.
   */
  adapters: Readonly<Record<PlatformName, Pick<Adapter, 'manages' | 'send' | 'title'> | undefined>>
  /** Unix seconds. */
  now: () => number
}

/** A chat's subscriptions and state, as `/alerts` shows them. */
export interface ChatAlerts extends Following {
  /** Why sending was paused until now. Showing the list resumed it; undefined if nothing was paused. */
  resumed: Loss | undefined
}

/** The result of subscribing a chat to rules. */
export interface SubscribeResult {
  added: readonly Rule[]
  /** Rules that the chat had subscribed to before. */
  there: readonly Rule[]
  /** Why the remaining rules were not added, for people; undefined if all were. */
  refused: string | undefined
}

/** The `mutedUntil` (unix seconds, 2100-01-01) of a mute without an end: later than any mute with a duration. */
export const untilUnmuted = 4_102_444_800

const maxTitle = 60

/** Carries out what people ask of the alerts of a chat, with the permission checks. */
export class Alerts {
  readonly #parts: AlertsParts
  readonly #titles = new LRUCache<string, string>({ max: 500, ttl: 600_000 })
  /** The last operation in progress, by chat. */
  readonly #pending = new Map<string, Promise<void>>()

  constructor(parts: AlertsParts) {
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
  async look(permissions: Permissions): Promise<ChatAlerts> {
    const target = await permissions.seen()
    const following = await this.#parts.follows.of(target)
    const { paused } = following
    if (paused === undefined || !(await permissions.may())) {
      return { ...following, resumed: undefined }
    }
    await this.#parts.follows.resume(target)
    return { ...following, paused: undefined, resumed: paused }
  }

  /** Like `look`, but never resumes sending. */
  async of(permissions: Permissions): Promise<Following> {
    return this.#parts.follows.of(await permissions.seen())
  }

  /**
   * The title of the other chat that is being set up, or "the chat ID" if it has none; undefined if the command is
   * about the chat it was sent in.
   * @throws UserError if the person does not manage that chat
   */
  async chatName(permissions: Permissions): Promise<string | undefined> {
    if (permissions.elsewhere === undefined) return undefined
    const { platform, id } = await permissions.changed()
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
  async follow(permissions: Permissions, rules: readonly Rule[]): Promise<SubscribeResult> {
    const target = await permissions.changed()
    return this.#serialise(target, () => this.#subscribe(permissions, target, rules))
  }

  async #subscribe(
    permissions: Permissions,
    target: Target,
    rules: readonly Rule[],
  ): Promise<SubscribeResult> {
    const { follows, now } = this.#parts
    const before = await follows.of(target)
    if (permissions.elsewhere !== undefined && before.follows.length === 0) {
      await this.#announce(target, permissions.context.platform, now())
    }
    if (before.paused !== undefined) await follows.resume(target)
    const added: Rule[] = []
    const there: Rule[] = []
    for (const rule of rules) {
      try {
        const result = await follows.follow(target, rule)
        if (result === 'added') added.push(rule)
        else there.push(rule)
      } catch (error) {
        if (!(error instanceof UserError) || added.length + there.length === 0) throw error
        return { added, there, refused: error.message }
      }
    }
    return { added, there, refused: undefined }
  }

  /**
   * Replaces one of the chat's rules.
   * @throws UserError if the person may not, or if the chat no longer has that subscription
   */
  async change(permissions: Permissions, id: number, rule: Rule): Promise<void> {
    const result = await this.#parts.follows.change(await permissions.changed(), id, rule)
    if (result === 'gone') throw noLongerFollowed()
  }

  /** Removes the subscriptions for which `isMeant` is true and returns them. @throws UserError if the person may not */
  async unfollow(
    permissions: Permissions,
    matches: (subscription: Subscription) => boolean,
  ): Promise<readonly Subscription[]> {
    const target = await permissions.changed()
    const { follows } = await this.#parts.follows.of(target)
    const removed: Subscription[] = []
    for (const subscription of follows.filter(matches)) {
      if (await this.#parts.follows.unfollow(target, subscription.id)) removed.push(subscription)
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
    await this.#parts.follows.mute(await permissions.changed(), until)
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

  /** Announces alerts in a chat that is set up from elsewhere, which also shows whether the bot may write there. */
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

function noLongerFollowed(): UserError {
  return new UserError('That is no longer followed here. /alerts lists what is.')
}
