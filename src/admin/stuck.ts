import { dropDeliveries, retryDeliveries, stuckDeliveries } from '../alerts/deliveries.ts'
import {
  type Action,
  type Admin,
  AdminError,
  idText,
  type Plan,
  readChat,
  sinceText,
  wordsOf,
} from './action.ts'

const maxListed = 50
const maxReason = 200

/** Deliveries and jobs that failed or are overdue. */
export const stuck: Action = {
  name: 'stuck',
  uses: [
    [
      'stuck',
      'deliveries and jobs that failed, were given up or are long overdue, with their last error',
    ],
    [
      'stuck retry telegram:-100123456',
      'tries the deliveries of a chat now, also those that were given up and are still of use',
    ],
    ['stuck retry job ID', 'tries a job now'],
    ['stuck retry all', 'all of them'],
    ['stuck drop telegram:-100123456 | job ID | all', 'gives them up for good'],
  ],
  plan: async (words, office) => {
    const [deed, what, ...more] = wordsOf(words)
    if (deed === undefined) return list(office)
    if (deed !== 'retry' && deed !== 'drop') throw new AdminError(`There is no stuck ${deed}.`)
    if (what === 'job' && more.length > 0) return changeJob(deed, more.join(' '), office)
    if (what === undefined || what === 'job' || more.length > 0)
      throw new AdminError(
        `What? stuck ${deed} telegram:-100123456, stuck ${deed} job ID, or stuck ${deed} all`,
      )
    return what === 'all' ? changeAll(deed, office) : changeChat(deed, what, office)
  },
}

type Deed = 'retry' | 'drop'

async function list({ store, now, jobs }: Admin): Promise<Plan> {
  const deliveries = await stuckDeliveries(store, now(), maxListed)
  const failed = await (await jobs()).stuck(maxListed)
  const lines = [
    ...deliveries.map(({ platform, chat, thread, state, attempts, firstAt, reason, ...each }) =>
      [
        `${idText({ platform, id: chat })}${thread === '' ? '' : ` topic ${thread}`}`,
        `deliveries ${state === 'waiting' ? 'that wait' : 'given up'}: ${each.deliveries}`,
        `tries: ${attempts}`,
        `due ${sinceText(firstAt, now())}`,
        (reason ?? 'not tried yet').slice(0, maxReason),
      ].join(', '),
    ),
    ...failed.map(({ id, kind, state, failures, runAt, reason }) =>
      [
        `job ${id}`,
        kind,
        state === 'waiting'
          ? `failures: ${failures}, next try ${sinceText(runAt, now())}`
          : 'given up',
        reason.slice(0, maxReason),
      ].join(', '),
    ),
  ]
  return { lines: lines.length > 0 ? lines : ['Nothing is stuck.'] }
}

function plan(deed: Deed, what: string, apply: () => Promise<string>): Plan {
  return {
    lines: [],
    change: {
      what: `stuck ${deed} ${what}`,
      ...(deed === 'drop' && { question: `Give up ${what} for good?` }),
      apply: async () => [await apply()],
    },
  }
}

async function changeChat(deed: Deed, word: string, { store, now }: Admin): Promise<Plan> {
  const { platform, id: chat } = await readChat(word, store)
  return plan(deed, idText({ platform, id: chat }), async () => {
    const change = deed === 'retry' ? retryDeliveries : dropDeliveries
    const count = await change(store, { platform, chat }, now())
    return `${deed === 'retry' ? 'Due now' : 'Dropped'}: ${count} deliveries.`
  })
}

function changeJob(deed: Deed, id: string, { jobs }: Admin): Plan {
  return plan(deed, `job ${id}`, async () => {
    const queue = await jobs()
    if ((await queue[deed]([id])) === 0) throw new AdminError(`No job ${id} is stuck.`)
    return deed === 'retry' ? 'It runs within half a minute.' : 'Dropped.'
  })
}

function changeAll(deed: Deed, { store, now, jobs }: Admin): Plan {
  return plan(deed, 'all', async () => {
    const change = deed === 'retry' ? retryDeliveries : dropDeliveries
    const deliveries = await change(store, undefined, now())
    const queue = await jobs()
    const stuck = await queue.stuck(maxJobs)
    const count = await queue[deed](stuck.map(({ id }) => id))
    return `${deed === 'retry' ? 'Due now' : 'Dropped'}: ${deliveries} deliveries, ${count} jobs.`
  })
}

const maxJobs = 10_000
