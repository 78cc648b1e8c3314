import { type Store, StoreError } from './database.ts'
import type { MoveSource } from './move-source.ts'
import { copiedTables } from './move-tables.ts'
import {
  type Column,
  claimTarget,
  columnsOf,
  hasRows,
  insertRows,
  lookOver,
  numberFrom,
  stay,
  tallyOf,
} from './move-target.ts'
import type { JobsTable } from './schema.ts'
import { type Cell, Tally } from './tally.ts'

const rowsAtOnce = 2000
const charactersAtOnce = 4_000_000
const jobsAtOnce = 500

/** Where jobs are on the target. */
export interface MovedJobs {
  /** Adds them in the caller's transaction. */
  add(tx: Store, jobs: readonly JobsTable[]): Promise<void>
  /** What `there` gives of such a job once it is added. */
  rowOf(job: JobsTable): Cell[]
  /** What is on the target of each job, a page at a time. */
  there(tx: Store): AsyncIterable<readonly Cell[][]>
}

/** What was moved, table by table. */
export interface MovedTable {
  table: string
  rows: number
  ms: number
}

interface Move {
  source: MoveSource
  target: Store
  jobs: MovedJobs
}

/**
 * Moves an installation in one transaction, and reads all of it back: what was moved, undefined where it was there
 * already. @throws StoreError where the target is in use, or has rows of its own; nothing is changed then
 */
export function moveStore({ source, target, jobs }: Move): Promise<MovedTable[] | undefined> {
  return target.transaction().execute(async (tx) => {
    await claimTarget(tx)
    const pieces: Piece[] = []
    for (const table of copiedTables) pieces.push(await tablePiece(source, tx, table))
    pieces.push(jobsPiece(source, tx, jobs))
    if (await areAllEmpty(pieces)) return copy(pieces)
    await compare(pieces)
    return undefined
  })
}

/** What can be moved and compared by itself. */
interface Piece {
  name: string
  isEmpty(): Promise<boolean>
  copy(): Promise<Tally>
  here(): Promise<Tally>
  there(): Promise<Tally>
}

async function areAllEmpty(pieces: readonly Piece[]): Promise<boolean> {
  for (const piece of pieces) if (!(await piece.isEmpty())) return false
  return true
}

async function copy(pieces: readonly Piece[]): Promise<MovedTable[]> {
  const moved: MovedTable[] = []
  for (const piece of pieces) {
    const begun = performance.now()
    const here = await piece.copy()
    const there = await piece.there()
    if (!here.equals(there))
      throw new StoreError(
        `Of ${piece.name} ${here.rows} rows were read and ${there.rows} arrived, or not as they were. Nothing was changed.`,
      )
    moved.push({ table: piece.name, rows: there.rows, ms: performance.now() - begun })
  }
  return moved
}

async function compare(pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    const here = await piece.here()
    const there = await piece.there()
    if (here.equals(there)) continue
    throw new StoreError(
      `The PostgreSQL database has rows of its own (${piece.name}: ${there.rows} there, ${here.rows} in the file, not the same). Nothing was changed. If you don't need them drop the database, create it anew, and move then; else move to another one.`,
    )
  }
}

async function tablePiece(source: MoveSource, tx: Store, table: string): Promise<Piece> {
  const columns = await columnsOf(tx, table)
  const names = columns.map(({ name }) => name)
  return {
    name: table,
    isEmpty: async () => !(await hasRows(tx, table)),
    copy: () => copyTable(source, tx, table, columns),
    here: async () => {
      const tally = new Tally()
      for (const rows of batchesOf(source.rows(table, names))) {
        for (const row of rows) tally.add(row)
        // Else the target would take the connection for a dead one.
        await stay(tx)
      }
      return tally
    },
    there: () => tallyOf(tx, table, columns),
  }
}

async function copyTable(
  source: MoveSource,
  tx: Store,
  table: string,
  columns: readonly Column[],
): Promise<Tally> {
  const tally = new Tally()
  const names = columns.map(({ name }) => name)
  for (const rows of batchesOf(source.rows(table, names))) {
    for (const row of rows) tally.add(row)
    await insertRows(tx, table, columns, rows)
  }
  await lookOver(tx, table)
  const numbered = columns.find(({ isNumbered }) => isNumbered)
  const last = source.lastNumber(table)
  if (numbered && last !== undefined) await numberFrom(tx, table, numbered.name, last)
  return tally
}

function* batchesOf(rows: Iterable<Cell[]>): Iterable<Cell[][]> {
  let batch: Cell[][] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const cell of row) characters += cell?.length ?? 0
    if (batch.length < rowsAtOnce && characters < charactersAtOnce) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function jobsPiece(source: MoveSource, tx: Store, jobs: MovedJobs): Piece {
  const there = async () => {
    const tally = new Tally()
    for await (const rows of jobs.there(tx)) for (const row of rows) tally.add(row)
    return tally
  }
  return {
    name: 'jobs',
    isEmpty: async () => (await there()).rows === 0,
    copy: async () => {
      const tally = new Tally()
      let batch: JobsTable[] = []
      for await (const job of source.jobs()) {
        tally.add(jobs.rowOf(job))
        batch.push(job)
        if (batch.length < jobsAtOnce) continue
        await jobs.add(tx, batch)
        batch = []
      }
      if (batch.length > 0) await jobs.add(tx, batch)
      return tally
    },
    here: async () => {
      const tally = new Tally()
      for await (const job of source.jobs()) tally.add(jobs.rowOf(job))
      return tally
    },
    there,
  }
}
