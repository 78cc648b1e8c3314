import { LRUCache } from 'lru-cache'
import type { Turn } from '../../chat/command.ts'
import { type Loss, type Platform, SendError } from '../../chat/platform.ts'
import { harmless, shorten } from '../../chat/text.ts'
import { UserError } from '../../errors.ts'
import { begunView } from '../../views/alerts/begun.ts'
import type { Rule } from '../rule.ts'
import type { Follow, Following, Target } from './follow.ts'
import type { Follows } from './follows.ts'

interface AlertsParts {
  follows: Follows
  /** What of the platforms is needed to see who may; one that is not set up is absent. */
  messengers: Readonly<
    Record<Turn['platform'], Pick<Platform, 'manages' | 'send' | 'title'> | undefined>
  >
  /** Unix seconds. */
  now: () => number
}

/** Who asks, and for which chat: the one in which they ask, or another that they manage. */
export interface Where {
  turn: Turn
  /** The platform's id of another chat. */
  elsewhere?: string | undefined
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

const longestTitle = 60

/** What people do with the alerts of a chat, and who may. */
export class Alerts {
  readonly #parts: AlertsParts
  readonly #titles = new LRUCache<string, string>({ max: 500, ttl: 600_000 })
  /** The last change under way in each chat. */
  readonly #turns = new Map<string, Promise<void>>()

  constructor(parts: AlertsParts) {
    this.#parts = parts
  }

  /**
   * What a chat follows: everybody in it may see that, and of another chat those who manage it. A pause ends where
   * somebody looks who may change it: the bot is back.
   */
  async look(where: Where): Promise<Look> {
    const target = await this.#seen(where)
    const following = await this.#parts.follows.of(target)
    const { paused } = following
    if (paused === undefined || !(await this.#may(where))) {
      return { ...following, resumed: undefined }
    }
    await this.#parts.follows.resume(target)
    return { ...following, paused: undefined, resumed: paused }
  }

  /** The same without ending anything. */
  async of(where: Where): Promise<Following> {
    return this.#parts.follows.of(await this.#seen(where))
  }

  /** @throws UserError where the person may not change what the chat follows */
  async allow(where: Where): Promise<void> {
    await this.#changed(where)
  }

  /**
   * How the other chat is called that is set up; undefined where it is the one in which they ask. Nothing about another
   * chat is shown but to who manages it. @throws UserError where the person does not
   */
  async placeName(where: Where): Promise<string | undefined> {
    if (where.elsewhere === undefined) return undefined
    const { platform, id } = await this.#changed(where)
    const key = `${platform}:${id}`
    const title = this.#titles.get(key) ?? (await this.#parts.messengers[platform]?.title(id)) ?? ''
    const shown = shorten(harmless(title).trim(), longestTitle)
    if (shown === '') return `the chat ${id}`
    this.#titles.set(key, shown)
    return shown
  }

  /** @throws UserError where the person may not, or where not even the first fits into what one chat may follow */
  async follow(where: Where, rules: readonly Rule[]): Promise<Followed> {
    const target = await this.#changed(where)
    return this.#inTurn(target, () => this.#follow(where, target, rules))
  }

  async #follow(where: Where, target: Target, rules: readonly Rule[]): Promise<Followed> {
    const { follows, now } = this.#parts
    const before = await follows.of(target)
    if (where.elsewhere !== undefined && before.follows.length === 0) {
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
  async change(where: Where, id: number, rule: Rule): Promise<void> {
    const done = await this.#parts.follows.change(await this.#changed(where), id, rule)
    if (done === 'gone') throw gone()
  }

  /** Ends what `isMeant` names of what the chat follows; returns what it was. */
  async unfollow(where: Where, isMeant: (follow: Follow) => boolean): Promise<readonly Follow[]> {
    const target = await this.#changed(where)
    const { follows } = await this.#parts.follows.of(target)
    const ended: Follow[] = []
    for (const follow of follows.filter(isMeant)) {
      if (await this.#parts.follows.unfollow(target, follow.id)) ended.push(follow)
    }
    return ended
  }

  /** @param seconds for how long; undefined until somebody ends it, 0 ends it */
  async mute(where: Where, seconds: number | undefined): Promise<void> {
    const until = seconds === undefined ? untilUnmuted : seconds && this.#parts.now() + seconds
    await this.#parts.follows.mute(await this.#changed(where), until)
  }

  /** Only those who manage another chat get to know that it is there. */
  async #seen(where: Where): Promise<Target> {
    return where.elsewhere === undefined ? targetOf(where) : this.#changed(where)
  }

  async #changed(where: Where): Promise<Target> {
    const { turn, elsewhere } = where
    if (elsewhere !== undefined && !isDirect(turn)) {
      throw new UserError('Another chat is set up in our private chat only. Send it to me there.')
    }
    if (await this.#may(where, refuseUnknown(elsewhere))) return targetOf(where)
    throw elsewhere === undefined ? notYours() : unknownChat()
  }

  /** Asked anew each time: who was an administrator a moment ago may be none now. */
  async #may(
    { turn, elsewhere }: Where,
    onFault: (error: SendError) => boolean = () => false,
  ): Promise<boolean> {
    if (elsewhere === undefined && (isDirect(turn) || turn.asChat)) return true
    const platform = this.#parts.messengers[turn.platform]
    if (platform === undefined) return false
    try {
      return await platform.manages(elsewhere ?? turn.place, turn.person)
    } catch (error) {
      if (error instanceof SendError) return onFault(error)
      throw error
    }
  }

  /** One after the other in one chat: only the first of two presses finds that nothing is followed yet. */
  async #inTurn<T>(target: Target, work: () => Promise<T>): Promise<T> {
    const key = `${target.platform}:${target.kind}:${target.id}`
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work)
    const over = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(key, over)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === over) this.#turns.delete(key)
    }
  }

  /** Says so in a chat that is set up from elsewhere, and finds out whether the bot may write there. */
  async #begin(target: Target, now: number): Promise<void> {
    try {
      const key = `alerts-begin:${target.platform}:${target.id}:${now}`
      await this.#parts.messengers[target.platform]?.send(target, begunView(), key)
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      // What may have been sent was said.
      if (error.uncertain) return
      throw new UserError(
        error.final
          ? 'I can’t write in that chat. Make me an administrator who may post there, and try again.'
          : 'I could not write in that chat just now. Try again in a moment.',
        { cause: error },
      )
    }
  }
}

/** Whether it was said in a person's private chat with the bot. */
export function isDirect({ direct, platform, alone }: Turn): boolean {
  return direct ?? (platform === 'telegram' && alone)
}

function targetOf({ turn, elsewhere }: Where): Target {
  const { platform, person, place, thread } = turn
  if (elsewhere !== undefined) return { platform, kind: 'chat', id: elsewhere }
  if (isDirect(turn)) return { platform, kind: 'person', id: person }
  return { platform, kind: 'chat', id: place, ...(thread !== undefined && { thread }) }
}

/** Whether the platform refuses or can't be reached makes no difference for one's own chat, but in its words. */
function refuseUnknown(elsewhere: string | undefined) {
  return (error: SendError): boolean => {
    if (!error.final) {
      throw new UserError(
        'I can’t see right now who administers that chat. Try again in a moment.',
        { cause: error },
      )
    }
    if (elsewhere !== undefined) return false
    throw new UserError(
      'I can’t see who administers this chat. Make me an administrator, and try again.',
      { cause: error },
    )
  }
}

function notYours(): UserError {
  return new UserError(
    'Only administrators of this chat can change what it follows. In our private chat you can follow for yourself.',
  )
}

/** The same whether there is no such chat, the bot is not in it, or the person does not manage it. */
function unknownChat(): UserError {
  return new UserError(
    'I can’t set up that chat: either I am not in it, or you are no administrator there. ' +
      'Add me as an administrator who may post, and try again.',
  )
}

function gone(): UserError {
  return new UserError('That is no longer followed here. /alerts lists what is.')
}
