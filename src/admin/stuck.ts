import { dropDeliveries, retryDeliveries, stuckDeliveries } from '../alerts/delivery-queries.ts'
import {
  type Action,
  type AdminContext,
  AdminError,
  chatText,
  idText,
  readChat,
  type Step,
  sinceText,
  wordsOf,
} from './action.ts'

const maxListed = 50
const maxReason = 200
const maxJobs = 10_000

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
      'retries a chat’s deliveries now, also those that were given up and are still useful',
    ],
    ['stuck retry job ID', 'retries a job now'],
    ['stuck retry all', 'all of them'],
    ['stuck drop telegram:-100123456 | job ID | all', 'gives them up for good'],
  ],
  read: async (words, context) => {
    const [verb, target, ...more] = wordsOf(words)
    if (verb === undefined) return list(context)
    if (verb !== 'retry' && verb !== 'drop') throw new AdminError(`There is no stuck ${verb}.`)
    const { what, run } = await change(verb, target, more, context)
    return {
      what: `stuck ${verb} ${what}`,
      ...(verb === 'drop' && { preview: { question: `Give up ${what} for good?` } }),
      run: async () => [await run()],
    }
  },
}

async function list({ store, now, jobs }: AdminContext): Promise<string[]> {
  const deliveries = await stuckDeliveries(store, now(), maxListed)
  const failed = await (await jobs()).stuck(maxListed)
  const lines = [
    ...deliveries.map(({ state, attempts, firstAt, reason, deliveries, ...chat }) =>
      [
        chatText(chat),
        `deliveries ${state === 'waiting' ? 'that wait' : 'given up'}: ${deliveries}`,
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
  return lines.length > 0 ? lines : ['Nothing is stuck.']
}

/** Parses which deliveries and jobs are meant: a chat's, one job, or all. */
async function change(
  verb: 'retry' | 'drop',
  target: string | undefined,
  more: readonly string[],
  { store, now, jobs }: AdminContext,
): Promise<Pick<Step, 'what'> & { run(): Promise<string> }> {
  const ofChats = verb === 'retry' ? retryDeliveries : dropDeliveries
  const done = verb === 'retry' ? 'Due now' : 'Dropped'
  if (target === 'job' && more.length > 0) {
    const id = more.join(' ')
    const run = async () => {
      const queue = await jobs()
      if ((await queue[verb]([id])) === 0) throw new AdminError(`No job ${id} is stuck.`)
      return verb === 'retry' ? 'It runs within half a minute.' : 'Dropped.'
    }
    return { what: `job ${id}`, run }
  }
  if (target === undefined || target === 'job' || more.length > 0)
    throw new AdminError(
      `What? stuck ${verb} telegram:-100123456, stuck ${verb} job ID, or stuck ${verb} all`,
    )
  if (target === 'all') {
    const run = async () => {
      const deliveries = await ofChats(store, undefined, now())
      const queue = await jobs()
      const count = await queue[verb]((await queue.stuck(maxJobs)).map(({ id }) => id))
      return `${done}: ${deliveries} deliveries, ${count} jobs.`
    }
    return { what: 'all', run }
  }
  const { platform, id: chat } = await readChat(target, store)
  const run = async () => `${done}: ${await ofChats(store, { platform, chat }, now())} deliveries.`
  return { what: idText({ platform, id: chat }), run }
}
