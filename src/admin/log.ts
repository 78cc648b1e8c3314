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
  read: async (words, { store, now }) => {
    if (words !== '') throw new AdminError('log takes no more words.')
    const entries = await new AdminLog(store, now).latest(maxListed)
    if (entries.length === 0) return ['Nothing was changed yet.']
    return entries.map(
      ({ at, who, what, outcome = 'not known: it was broken off' }) =>
        `${sinceText(at, now())}, ${who}: ${what} – ${outcome}`,
    )
  },
}
