import type { Inboxes } from '../../../src/core/inbox.ts'

/** Where a platform is asked and never calls, nothing is put into an inbox. */
export const noInboxes: Inboxes = {
  open: () => {
    throw new Error('nothing is brought here')
  },
}
