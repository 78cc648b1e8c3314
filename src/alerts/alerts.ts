import { LRUCache } from 'lru-cache'
import { type Adapter, type Loss, SendError } from '../core/adapter.ts'
import type { Context } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import { UserError } from '../errors.ts'
import { Permissions, type Where } from './permission.ts'
import type { Rule } from './rule.ts'
import type { Following, Subscription, Target } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'
import { begunView } from './views/begun.ts'

interface AlertsParts {
  follows: Subscriptions
  /** What of the platforms is needed to see who may; one that is not set up is absent. */
  messengers: Readonly<
    Record<Context['platform'], Pick<Adapter, 'manages' | 'send' | 'title'> | undefined>
  >
  /** Unix seconds. */
  now: () => number
}

/** What a chat follows, as it is shown there. */
export interface Look extends Following {
  /** Why nothing was sent until now; this look ended that. */
  resumed: Loss | undefined
}

/** What became of rules that were to be followed. */
export interface Followed {
  added: readonly Rule[]
  /** They were followed already. */
  there: readonly Rule[]
  /** Why the others are not followed. */
  refused: string | undefined
}

/** Later than anybody mutes a chat by the hour: until somebody ends it. */
export const untilUnmuted = 4_102_444_800

const maxTitle = 60

/** What people do with the alerts of a chat, and who may. */
export class Alerts {
  readonly #parts: AlertsParts
  readonly #titles = new LRUCache<string, string>({ max: 500, ttl: 600_000 })
  /** The last change under way in each chat. */
  readonly #turns = new Map<string, Promise<void>>()

  constructor(parts: AlertsParts) {
    this.#parts = parts
  }

  /** Who is behind one line or press, and whose alerts that is about. */
  permissions(where: Where): Permissions {
    return new Permissions(where, this.#parts.messengers[where.context.platform])
  }

  /**
   * What a chat follows: everybody in it may see that, and of another chat those who manage it. A pause ends where
   * somebody looks who may change it: the bot is back.
   */
  async look(permissions: Permissions): Promise<Look> {
    const target = await permissions.seen()
    const following = await this.#parts.follows.of(target)
    const { paused } = following
    if (paused === undefined || !(await permissions.may())) {
      return { ...following, resumed: undefined }
    }
    await this.#parts.follows.resume(target)
    return { ...following, paused: undefined, resumed: paused }
  }

  /** The same without ending anything. */
  async of(permissions: Permissions): Promise<Following> {
    return this.#parts.follows.of(await permissions.seen())
  }

  /**
   * How the other chat is called that is set up; undefined where it is the one in which they ask. Nothing about another
   * chat is shown but to who manages it. @throws UserError where the person does not
   */
  async placeName(permissions: Permissions): Promise<string | undefined> {
    if (permissions.elsewhere === undefined) return undefined
    const { platform, id } = await permissions.changed()
    const key = `${platform}:${id}`
    const title = this.#titles.get(key) ?? (await this.#parts.messengers[platform]?.title(id)) ?? ''
    const shown = shorten(harmless(title).trim(), maxTitle)
    if (shown === '') return `the chat ${id}`
    this.#titles.set(key, shown)
    return shown
  }

  /** @throws UserError where the person may not, or where not even the first fits into what one chat may follow */
  async follow(permissions: Permissions, rules: readonly Rule[]): Promise<Followed> {
    const target = await permissions.changed()
    return this.#inTurn(target, () => this.#follow(permissions, target, rules))
  }

  async #follow(
    permissions: Permissions,
    target: Target,
    rules: readonly Rule[],
  ): Promise<Followed> {
    const { follows, now } = this.#parts
    const before = await follows.of(target)
    if (permissions.elsewhere !== undefined && before.follows.length === 0) {
      await this.#begin(target, now())
    }
    if (before.paused !== undefined) await follows.resume(target)
    const added: Rule[] = []
    const there: Rule[] = []
    for (const rule of rules) {
      try {
        const done = await follows.follow(target, rule)
        if (done === 'added') added.push(rule)
        else there.push(rule)
      } catch (error) {
        if (!(error instanceof UserError) || added.length + there.length === 0) throw error
        return { added, there, refused: error.message }
      }
    }
    return { added, there, refused: undefined }
  }

  /** Puts a rule in the place of another. @throws UserError where the person may not, or the other is gone */
  async change(permissions: Permissions, id: number, rule: Rule): Promise<void> {
    const done = await this.#parts.follows.change(await permissions.changed(), id, rule)
    if (done === 'gone') throw gone()
  }

  /** Ends what `isMeant` names of what the chat follows; returns what it was. */
  async unfollow(
    permissions: Permissions,
    isMeant: (follow: Subscription) => boolean,
  ): Promise<readonly Subscription[]> {
    const target = await permissions.changed()
    const { follows } = await this.#parts.follows.of(target)
    const ended: Subscription[] = []
    for (const follow of follows.filter(isMeant)) {
      if (await this.#parts.follows.unfollow(target, follow.id)) ended.push(follow)
    }
    return ended
  }

  /** @param seconds for how long; undefined until somebody ends it, 0 ends it */
  async mute(permissions: Permissions, seconds: number | undefined): Promise<void> {
    const until = seconds === undefined ? untilUnmuted : seconds && this.#parts.now() + seconds
    await this.#parts.follows.mute(await permissions.changed(), until)
  }

  /** One after the other in one chat: only the first of two presses finds that nothing is followed yet. */
  async #inTurn<T>(target: Target, work: () => Promise<T>): Promise<T> {
    const key = `${target.platform}:${target.kind}:${target.id}`
    const context = (this.#turns.get(key) ?? Promise.resolve()).then(work)
    const over = context.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(key, over)
    try {
      return await context
    } finally {
      if (this.#turns.get(key) === over) this.#turns.delete(key)
    }
  }

  /** Says so in a chat that is set up from elsewhere, and finds out whether the bot may write there. */
  async #begin(target: Target, now: number): Promise<void> {
    try {
      const key = `alerts-begin:${target.platform}:${target.id}:${now}`
      await this.#parts.messengers[target.platform]?.send(target, begunView(target.platform), key)
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      // What may have been sent was said.
      if (error.uncertain) return
      throw new UserError(
        error.final
          ? `I can’t write in that chat. ${mayPost[target.platform]} there, and try again.`
          : 'I could not write in that chat just now. Try again in a moment.',
        { cause: error },
      )
    }
  }
}

const mayPost: Readonly<Record<Target['platform'], string>> = {
  telegram: 'Make me an administrator who may post',
  discord: 'Give me View Channel and Send Messages',
}

function gone(): UserError {
  return new UserError('That is no longer followed here. /alerts lists what is.')
}
