import type { Context, MiddlewareFn } from 'grammy'
import { within } from '../chat/within.ts'

/** Updates of one chat that wait for their turn. Nobody types that fast, and one chat must not fill the runner. */
const mostWaiting = 20

interface Line {
  waiting: number
  told: boolean
}

/** Keeps count of the updates under way: those of one chat are bounded, and a stop waits for all of them. */
export class UnderWay {
  readonly #work = new Set<Promise<void>>()
  readonly #chats = new Map<string, Line>()

  /** Stands before whatever makes the updates of one chat wait for each other. */
  middleware(chatOf: (ctx: Context) => string | undefined): MiddlewareFn<Context> {
    return async (ctx, next) => {
      const chat = chatOf(ctx) ?? ''
      const line = this.#chats.get(chat) ?? { waiting: 0, told: false }
      if (line.waiting >= mostWaiting) return refuse(ctx, line)
      line.waiting += 1
      this.#chats.set(chat, line)
      const work = next()
      this.#work.add(work)
      try {
        await work
      } finally {
        this.#work.delete(work)
        line.waiting -= 1
        if (line.waiting === 0) this.#chats.delete(chat)
      }
    }
  }

  /** Resolves when nothing is under way any more, or after this many milliseconds. */
  async finish(milliseconds: number): Promise<void> {
    await within(Promise.allSettled(this.#work), milliseconds)
  }
}

/** What is too much is dropped; the chat reads so once. */
async function refuse(ctx: Context, line: Line): Promise<void> {
  if (line.told || !ctx.chat) return
  line.told = true
  await tellTooMuch(ctx)
}

/** Where there is a chat to tell it in. */
export async function tellTooMuch(ctx: Context): Promise<void> {
  if (!ctx.chat) return
  await ctx.reply('That is a lot at once. Wait for the answers, then go on.')
}
