import type { ChatChange } from '../core/adapter.ts'
import { chunks } from '../core/text.ts'
import type { PlatformName, Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import { chatRows, resumeChats } from './chats.ts'
import type { Outbox } from './outbox.ts'

interface ChatChangeParts {
  store: Store
  outbox: Pick<Outbox, 'pause' | 'migrate'>
  log: Logger
}

/** Chats per statement. */
const batchSize = 500

/**
 * Lets the alerts of chats follow what became of them, without waiting for one that can't be sent: those of lost chats are
 * paused, those of chats that are back are resumed, and those of a migrated chat go to its new id.
 */
export async function applyChatChange(
  { store, outbox, log }: ChatChangeParts,
  platform: PlatformName,
  change: ChatChange,
): Promise<void> {
  if (change.kind === 'migrated') {
    const { chat, to } = change
    const rows = await chatRows(store, platform, [chat])
    for (const { id } of rows) await outbox.migrate(id, to)
    // The bot is in the new one, whatever became of the old one.
    await resumeChats(store, platform, [to])
    const numbers = rows.map(({ id }) => id)
    if (rows.length > 0) log.info({ platform, chats: numbers }, 'a chat has migrated to another id')
    return
  }
  for (const chats of chunks(change.chats, batchSize)) {
    if (change.kind === 'back') {
      const resumed = await resumeChats(store, platform, chats)
      if (resumed > 0) log.info({ platform, count: resumed }, 'chats are back: their alerts go on')
      continue
    }
    const { loss } = change
    const rows = await chatRows(store, platform, chats)
    const reached = rows.filter(({ paused }) => paused === null)
    for (const { id } of reached) await outbox.pause(id, loss)
    if (reached.length === 0) continue
    const numbers = reached.map(({ id }) => id)
    log.info({ platform, loss, chats: numbers }, 'chats are lost: their alerts are paused')
  }
}
