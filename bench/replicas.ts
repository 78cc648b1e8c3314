import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { Outbox } from '../src/alerts/outbox.ts'
import { isPostgres, openStore } from '../src/db/database.ts'
import type { Store } from '../src/db/schema.ts'
import { type Answered, type BotSetup, type Load, type RunningBots, withBots } from './bots.ts'
import { cpuPerCommand, rateOf } from './commands.ts'
import {
  atLeast,
  atMost,
  type Findings,
  inRounds,
  median,
  medianRatio,
  millis,
  percentile,
  quickly,
  ratio,
  tableOf,
  whole,
} from './figures.ts'
import { plainSql, storeEvent } from './matching.ts'
import { type BenchPostgres, startPostgres } from './postgres.ts'
import { createSubscriptions, eventTime } from './subscriptions.ts'

const full = {
  warmUpBatches: 60,
  rounds: 10,
  batchesPerRound: 20,
  singleRounds: 5,
  singles: 100,
  subscriptions: 1_000_000,
  /** Events that match many of them. */
  events: 5,
  /** Deliveries to claim and record. */
  deliveries: 10_000,
}
type ReplicasPlan = typeof full
/** For each replica: so many people wait for it, however many there are beside it. */
const busy = { batch: 100, inFlight: 4 }
const restSeconds = 10
const restSamples = 5
const moveProgram = fileURLToPath(new URL('../src/move.ts', import.meta.url))
/** A time at which all stored deliveries are due, in unix seconds. */
const dueAt = eventTime + 60
/** The claim options of `src/alerts/notifier.ts`. */
const claims = { maxChats: 8, maxEvents: 10, lease: 40 }

/** Measures replicas on a PostgreSQL server of their own, and one process on SQLite; see docs/performance.md. */
export async function measureReplicas(folder: string, isQuick: boolean): Promise<Findings> {
  const plan = isQuick ? quickly(full) : full
  const postgres = await startPostgres()
  try {
    const answers = await measureAnswers(postgres, folder, plan)
    const file = join(folder, 'subscriptions.db')
    const url = await postgres.database('subscriptions')
    await createSubscriptions(file, plan.subscriptions)
    // What was moved can't be opened any more.
    const moved = join(folder, 'moved.db')
    await copyFile(file, moved)
    await promisify(execFile)(process.execPath, [moveProgram, `file:${moved}`, url])
    await onPostgres(url, 'vacuum analyze')
    const databases = [
      { name: 'SQLite', url: file },
      { name: 'PostgreSQL', url },
    ]
    const costs: Awaited<ReturnType<typeof measureCost>>[] = []
    for (const database of databases) costs.push(await measureCost(database, postgres, plan))
    const stored = await measureStores(databases, plan)
    const tables = [
      'Warm `/asset`, by webhook brought to the replicas in turn, for each of them batches of 100, four in flight:',
      answers.table,
      `One event of ${whole(plan.subscriptions)} subscriptions, stored with its deliveries:`,
      storedTable(stored),
      'One delivery claimed and recorded, the sending left out:',
      costsTable(costs),
    ]
    const goals = stored.map(({ name, millis, plainMillis }) =>
      atMost(2, `${name}: an event stored ÷ plain SQL`, medianRatio(millis, plainMillis)),
    )
    return { tables, goals: [...answers.goals, ...goals] }
  } finally {
    await postgres.stop()
  }
}

/** Measures the same load of webhooks for each number of replicas, in alternating rounds. */
async function measureAnswers(postgres: BenchPostgres, folder: string, plan: ReplicasPlan) {
  const setups: BotSetup[] = [
    { name: 'SQLite, one process, by polling', platform: 'telegram' },
    { name: 'SQLite, one process', platform: 'telegram', replicas: 1 },
  ]
  for (const replicas of [1, 2, 4]) {
    setups.push({
      name: `PostgreSQL, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
      platform: 'telegram',
      replicas,
      env: { DATABASE_URL: await postgres.database(`replicas_${replicas}`) },
    })
  }
  return withBots(setups, folder, async (all) => {
    const send = async (bots: RunningBots, load: Load) => {
      const before = await postgres.cpuMillis()
      const answered: Answered = await bots.send(load)
      const postgresCpu = bots.name.startsWith('PostgreSQL')
        ? (await postgres.cpuMillis()) - before
        : Number.NaN
      return { ...answered, postgresCpu }
    }
    for (const bots of all) {
      const batch = busy.batch * bots.processes
      await bots.send({ ...busy, batch, batches: plan.warmUpBatches })
    }
    const rests = await Promise.all(all.map(restOf))
    const items = all.map((bots) => ({
      name: bots.name,
      bots,
      load: {
        ...busy,
        batch: busy.batch * bots.processes,
        batches: plan.batchesPerRound,
      },
    }))
    const [four] = items.slice(-1)
    if (!four) throw new Error('there are no bots')
    const shared = { ...four, name: `${four.name}, 400 people in all` }
    shared.load = { ...busy, batches: plan.batchesPerRound * four.bots.processes }
    const loads = await inRounds([...items, shared], plan.rounds, ({ bots, load }) =>
      send(bots, load),
    )
    const singles = await inRounds(all, plan.singleRounds, (bots) =>
      send(bots, { batch: 1, inFlight: 1, batches: plan.singles }),
    )
    const polling = loads[0]?.map(rateOf) ?? []
    const rows = [...items, shared].map(({ name }, index) => ({
      name,
      loads: loads[index] ?? [],
      rest: rests[index] ?? Number.NaN,
      // From the webhook until Telegram has the answer, under that load and one at a time.
      busy: loads[index]?.flatMap(({ latencies }) => latencies) ?? [],
      single: singles[index]?.flatMap(({ latencies }) => latencies) ?? [],
    }))
    type Row = (typeof rows)[number]
    const cpu = (part: (load: Row['loads'][number]) => number) => (row: Row) => {
      const micros = cpuPerCommand(row.loads, part)
      return Number.isNaN(micros) ? '–' : `${whole(micros)} µs`
    }
    const ownCpu = rows.map(({ loads }) => cpuPerCommand(loads, ({ botCpu }) => botCpu))
    const cpuRatio = (row: number, to: number) => (ownCpu[row] ?? NaN) / (ownCpu[to] ?? NaN)
    const postgresCpu = (row: number) =>
      cpuPerCommand(rows[row]?.loads ?? [], (load) => load.postgresCpu)
    const oneReplica = medianRatio(rows[2]?.loads.map(rateOf) ?? [], polling)
    const goals = [
      atMost(1.3, "SQLite: CPU a command by webhook ÷ polling's", cpuRatio(1, 0)),
      atMost(1.3, "PostgreSQL, 1 replica: the same ÷ SQLite's by polling", cpuRatio(2, 0)),
      atLeast(0.7, "PostgreSQL, 1 replica: commands/s ÷ SQLite's by polling", oneReplica),
      atMost(1.1, "PostgreSQL, 2 replicas: CPU a command ÷ one's", cpuRatio(3, 2)),
      atMost(1.1, "PostgreSQL, 4 replicas: CPU a command ÷ one's", cpuRatio(4, 2)),
      ...[2, 3, 4].map((row) =>
        atMost(100, `${rows[row]?.name}: PostgreSQL's µs of CPU a command`, postgresCpu(row)),
      ),
    ]
    const answers = tableOf(rows, {
      'commands/s': (row) => whole(median(row.loads.map(rateOf))),
      "÷ polling's": (row) => ratio(medianRatio(row.loads.map(rateOf), polling)),
      p50: ({ busy }) => millis(percentile(busy, 0.5)),
      p99: ({ busy }) => millis(percentile(busy, 0.99)),
      'one at a time p50': ({ single }) => millis(percentile(single, 0.5)),
      'one at a time p99': ({ single }) => millis(percentile(single, 0.99)),
      'CPU a command, all replicas': cpu((load) => load.botCpu),
      "PostgreSQL's": cpu((load) => load.postgresCpu),
      "stand-in's": cpu((load) => load.standInCpu),
      'CPU a second at rest, each replica': ({ rest }) => millis(rest),
    })
    return { table: answers, goals }
  })
}

/** Milliseconds of processor time that each replica takes of a second in which nobody asks anything: the median of some samples. */
async function restOf({ cpuMillis, processes }: RunningBots): Promise<number> {
  const samples: number[] = []
  while (samples.length < restSamples) {
    const before = await cpuMillis()
    await delay(restSeconds * 1000)
    samples.push(((await cpuMillis()) - before) / restSeconds / processes)
  }
  return median(samples)
}

interface NamedDatabase {
  name: string
  /** A URL or a file. */
  url: string
}

/**
 * Claims and records deliveries, as one notifier does on a platform that takes no time. Returns milliseconds for one: in
 * all, of this process and of PostgreSQL's.
 */
async function measureCost(
  { name, url }: NamedDatabase,
  postgres: BenchPostgres,
  plan: ReplicasPlan,
) {
  await clear(url)
  const store = await openStore(url)
  try {
    await storeEvent(store, 'wide', `cost of ${name}`)
    // A warm-up.
    await notify(store, plan.deliveries / 5)
    const [postgresBefore, ownBefore] = [await postgres.cpuMillis(), process.cpuUsage()]
    const start = performance.now()
    const deliveries = await notify(store, plan.deliveries)
    const took = performance.now() - start
    const { user, system } = process.cpuUsage(ownBefore)
    const postgresCpu = (await postgres.cpuMillis()) - postgresBefore
    return {
      name,
      deliveries,
      millis: took / deliveries,
      ownCpu: (user + system) / 1000 / deliveries,
      postgresCpu: isPostgres(url) ? postgresCpu / deliveries : Number.NaN,
    }
  } finally {
    await store.destroy()
  }
}

/** Stores events that match many subscriptions, and the same rows by plain SQL; milliseconds by event. */
async function measureStores(databases: readonly NamedDatabase[], plan: ReplicasPlan) {
  const rounds = await inRounds(databases, plan.events + 1, async ({ url }, round) => {
    await clear(url)
    const store = await openStore(url)
    try {
      const start = performance.now()
      const deliveries = await storeEvent(store, 'wide', `event ${round}`)
      const took = performance.now() - start
      await clear(url)
      const plain = await storePlainly(url, `plain ${round}`)
      return { deliveries, millis: took, plainMillis: plain }
    } finally {
      await store.destroy()
    }
  })
  return databases.map(({ name }, index) => {
    // The first round is a warm-up.
    const events = rounds[index]?.slice(1) ?? []
    const deliveries = events[0]?.deliveries ?? 0
    return {
      name,
      deliveries,
      millis: events.map((event) => event.millis),
      plainMillis: events.map((event) => event.plainMillis),
    }
  })
}

/** Stores an event by plain SQL in one transaction; returns milliseconds. */
async function storePlainly(url: string, key: string): Promise<number> {
  const statements = ['begin', ...plainSql('wide', key), 'commit']
  const file = isPostgres(url) ? undefined : new Database(url)
  const start = performance.now()
  if (file) file.exec(statements.join(';')).close()
  else await onPostgres(url, ...statements)
  return performance.now() - start
}

/** Claims up to `max` deliveries that are due on Telegram, records them as sent, and returns their number. */
async function notify(store: Store, max: number): Promise<number> {
  const outbox = new Outbox(store, () => dueAt * 1000)
  let deliveries = 0
  while (deliveries < max) {
    const claimed = await outbox.claim('telegram', claims)
    if (claimed.length === 0) break
    const recorded = claimed.map((claim) =>
      outbox.record(claim, claim.events, { kind: 'sent' }, (dueAt + 2) * 1000),
    )
    await Promise.all(recorded)
    for (const { events } of claimed) deliveries += events.length
  }
  return deliveries
}

/** Deletes all events and deliveries. */
async function clear(url: string): Promise<void> {
  const rewind = `update chats set due_at_ms = null, next_at_ms = 0, claims = 0, updated_at_s = 0
    where due_at_ms is not null or claims > 0`
  if (isPostgres(url)) {
    await onPostgres(url, 'truncate deliveries, events cascade', rewind, 'vacuum analyze chats')
    return
  }
  const file = new Database(url)
  try {
    file.exec(`delete from deliveries; delete from events; ${rewind}`)
    file.pragma('wal_checkpoint(truncate)')
  } finally {
    file.close()
  }
}

async function onPostgres(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

function storedTable(rows: Awaited<ReturnType<typeof measureStores>>): string {
  return tableOf(rows, {
    deliveries: ({ deliveries }) => whole(deliveries),
    time: (row) => millis(median(row.millis)),
    'deliveries stored/s': (row) => whole((row.deliveries / median(row.millis)) * 1000),
    '÷ SQLite’s': (row) => ratio(medianRatio(rows[0]?.millis ?? [], row.millis)),
    'the same rows by plain SQL': (row) => millis(median(row.plainMillis)),
    'time ÷ plain SQL': (row) => ratio(medianRatio(row.millis, row.plainMillis)),
  })
}

function costsTable(rows: readonly Awaited<ReturnType<typeof measureCost>>[]): string {
  const rate = (row: { millis: number }) => 1000 / row.millis
  return tableOf(rows, {
    deliveries: ({ deliveries }) => whole(deliveries),
    time: (row) => millis(row.millis),
    "the process's CPU": ({ ownCpu }) => millis(ownCpu),
    "PostgreSQL's CPU": ({ postgresCpu }) => millis(postgresCpu),
    'one notifier could send': (row) => `${whole(rate(row))} a second`,
    '÷ Telegram’s 30': (row) => ratio(rate(row) / 30, 0),
    '÷ Discord’s 50': (row) => ratio(rate(row) / 50, 0),
  })
}
