import { AdminLog } from '../db/admin-log.ts'
import { type Action, AdminError, sinceText } from './action.ts'

const maxListed = 100

/** Lists the changes that administrators made. */
export const log: Action = {
  name: 'log',
  uses: [
    ['log', `the latest ${maxListed} changes by administrators: when, who, what, and the outcome`],
  ],
  read: async (words, { store, now }) => {
    if (words !== '') throw new AdminError('log takes nothing after it.')
    const entries = await new AdminLog(store, now).latest(maxListed)
    if (entries.length === 0) return ['Nothing has been changed yet.']
    return entries.map(
      ({ at, who, what, outcome = 'not known: it was interrupted' }) =>
        `${sinceText(at, now())}, ${who}: ${what} – ${outcome}`,
    )
  },
}
