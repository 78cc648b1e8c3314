import type { Drafts } from './drafts.ts'
import type { Notices } from './notices.ts'

/**
 * Expires drafts that nobody touched for a week and tells their owners; returns how many. Who began on a server of
 * Discord was answered there and gets no private message that they did not ask for: /launch tells them.
 */
export async function sweepDrafts({
  drafts,
  notices,
}: {
  drafts: Pick<Drafts, 'expireOld'>
  notices: Pick<Notices, 'draftExpired'>
}): Promise<number> {
  const expired = await drafts.expireOld()
  for (const draft of expired) {
    if (draft.platform === 'telegram' || draft.origin === undefined) {
      await notices.draftExpired(draft)
    }
  }
  return expired.length
}
