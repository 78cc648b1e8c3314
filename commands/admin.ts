import { AdminError, about } from '../src/admin/action.ts'
import { optional, text } from '../src/core/command.ts'
import { command } from './services.ts'

/** As long as a message can be. */
const maxLine = 4_000

/** For the administrators of the bot, in their private chats with it. Nobody else can tell that it is there. */
export const admin = command({
  name: 'admin',
  about,
  unlisted: true,
  verbatim: true,
  params: { line: optional(text(about, 'launches', maxLine)) },
  isFor: ({ platform, user, isPrivate, isQuoted = false }, { admin }) =>
    isPrivate && !isQuoted && admin.admins.includes(`${platform.name}:${user}`),
  run: async ({ line = '' }, { admin }, { platform, user }) => {
    const { page, rest } = pageOf(line)
    // Seldom used, and its actions about launches bring viem with them.
    const { administer } = await import('../src/admin/actions.ts')
    const { adminView, problemView } = await import('../src/admin/view.ts')
    try {
      return adminView(
        await administer(rest, `${platform.name}:${user}`, admin.context),
        rest,
        page,
      )
    } catch (error) {
      if (error instanceof AdminError) return problemView(error)
      throw error
    }
  },
})

/** A button that turns to another page puts it before the line, as in `page:2 launches`. */
function pageOf(line: string): { page: number; rest: string } {
  const { page = '1', rest = '' } =
    /^(?:page:(?<page>\d{1,4})\s)?(?<rest>.*)$/su.exec(line)?.groups ?? {}
  return { page: Number(page), rest }
}
