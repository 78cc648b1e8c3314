import { type Adapter, SendError } from '../core/adapter.ts'
import type { Context } from '../core/command.ts'
import { UserError } from '../errors.ts'
import type { Target } from './subscriptions.ts'

/** The user who asks, and the chat it is about: the one they write in, or another that they manage. */
export interface Where {
  context: Context
  /** The platform's id of the other chat; undefined for the chat they write in. */
  elsewhere?: string | undefined
}

/** The part of an adapter that checks permissions; undefined if the platform is not configured. */
type Checker = Pick<Adapter, 'manages'> | undefined

/**
 * Permissions of a person for the alerts of one chat, for one command line or button press. The platform is asked once
 * at most. Create a new instance for the next line: somebody may have lost their rights since.
 */
export class Permissions {
  readonly context: Context
  readonly elsewhere: string | undefined
  readonly #checker: Checker
  #answer: Promise<boolean | SendError> | undefined

  constructor({ context, elsewhere }: Where, checker: Checker) {
    this.context = context
    this.elsewhere = elsewhere
    this.#checker = checker
  }

  /**
   * The chat whose alerts the person may see. Anyone in a chat may see its alerts; of another chat only its managers
   * learn that it exists.
   * @throws UserError if it is another chat and they don't manage it
   */
  async seen(): Promise<Target> {
    return this.elsewhere === undefined ? targetOf(this) : this.changed()
  }

  /** The chat whose alerts the person may change. @throws UserError if they may not, or the platform can't be asked */
  async changed(): Promise<Target> {
    const { context, elsewhere } = this
    if (elsewhere !== undefined && !context.isPrivate) {
      throw new UserError('Another chat is set up in our private chat only. Send it to me there.')
    }
    const answer = await this.#mayChange()
    if (answer === true) return targetOf(this)
    if (answer === false) throw elsewhere === undefined ? notManager(context) : unknownChat(context)
    throw cantCheck(answer, this)
  }

  /** Whether the person may change alerts; false if the platform can't be asked. */
  async may(): Promise<boolean> {
    return (await this.#mayChange()) === true
  }

  #mayChange(): Promise<boolean | SendError> {
    this.#answer ??= this.#askPlatform()
    return this.#answer
  }

  async #askPlatform(): Promise<boolean | SendError> {
    const { context, elsewhere } = this
    if (elsewhere === undefined && (context.isPrivate || context.asChat)) return true
    if (this.#checker === undefined) return false
    try {
      return await this.#checker.manages(elsewhere ?? context.chat, context.user)
    } catch (error) {
      if (error instanceof SendError) return error
      throw error
    }
  }
}

function targetOf({ context, elsewhere }: Where): Target {
  const { user, chat, thread } = context
  const platform = context.platform.name
  if (elsewhere !== undefined) return { platform, kind: 'chat', id: elsewhere }
  if (context.isPrivate) return { platform, kind: 'person', id: user }
  return { platform, kind: 'chat', id: chat, ...(thread !== undefined && { thread }) }
}

/** Explains why the platform could not be asked. For another chat a refusal reads like `unknownChat`. */
function cantCheck(error: SendError, { context, elsewhere }: Where): UserError {
  if (!error.final) {
    return new UserError(
      `I can’t see right now who may change what ${elsewhere === undefined ? 'this' : 'that'} chat follows. Try again in a moment.`,
      { cause: error },
    )
  }
  if (elsewhere !== undefined) return unknownChat(context, error)
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
