import { AdminLog } from '../db/admin-log.ts'
import { type Action, AdminError, sinceText } from './action.ts'

const maxListed = 100

/** Lists the changes that administrators made. */
export const log: Action = {
  name: 'log',
  uses: [
    [
      'log',
      `what administrators changed, the latest ${maxListed}: when, who, what, and what came of it`,
    ],
  ],
  plan: async (words, { store, now }) => {
    if (words !== '') throw new AdminError('log takes no more words.')
    const entries = await new AdminLog(store, now).latest(maxListed)
    const lines = entries.map(
      ({ at, who, what, outcome = 'not known: it was broken off' }) =>
        `${sinceText(at, now())}, ${who}: ${what} – ${outcome}`,
    )
    return { lines: lines.length > 0 ? lines : ['Nothing was changed yet.'] }
  },
}
