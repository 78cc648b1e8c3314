import type { Drafts } from './drafts.ts'
import type { Notices } from './notices.ts'
import type { Payloads } from './payloads.ts'
import type { Pictures } from './pictures.ts'

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

/** Forgets what ended long ago, with all that belongs to it; returns how many drafts and pictures. */
export async function forgetOld({
  drafts,
  payloads,
  pictures,
}: {
  drafts: Pick<Drafts, 'prune'>
  payloads: Pick<Payloads, 'prune'>
  pictures: Pick<Pictures, 'prune'>
}): Promise<{ drafts: number; pictures: number }> {
  const gone = await drafts.prune()
  await payloads.prune()
  return { drafts: gone, pictures: await pictures.prune() }
}
