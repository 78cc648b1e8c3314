import type { Inboxes } from '../../src/chat/inbox.ts'

/** Where a platform is asked and never calls, nothing is put into an inbox. */
export const noInboxes: Inboxes = {
  open: () => {
    throw new Error('nothing is brought here')
  },
  isFirst: async () => true,
}
