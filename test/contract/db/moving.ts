import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { compileCache } from '../../../sandbox/bot.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'

const command = join(import.meta.dirname, '../../../src/move.ts')

/** What the command said and how it ended. */
export interface Said {
  code: number | null
  out: string
  error: string
}

/** Runs the command as an operator does; `begun` is given its process id. */
export function move(from: string, to: string, begun?: (pid: number) => void): Promise<Said> {
  return moveWith([from, to], begun)
}

export function moveWith(
  given: readonly string[],
  begun?: (pid: number) => void,
  env: Record<string, string> = {},
): Promise<Said> {
  return new Promise((resolve) => {
    const options = { env: { ...compileCache, ...env } }
    const child = execFile(process.execPath, [command, ...given], options, (_, out, error) => {
      resolve({ code: child.exitCode, out, error })
    })
    if (child.pid !== undefined) begun?.(child.pid)
  })
}

/** A SQLite file and an empty PostgreSQL database, to which it can be moved. */
export class Move {
  readonly source: TestDatabase
  readonly target: TestDatabase

  constructor(source: TestDatabase, target: TestDatabase) {
    this.source = source
    this.target = target
  }

  static async prepare(): Promise<Move> {
    return new Move(await TestDatabase.onSqlite(), await TestDatabase.onEmptyPostgres())
  }

  /** Writes to the file as a bot that is stopped afterwards. */
  async write<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
    try {
      return await use(await this.source.open())
    } finally {
      await this.source.close()
    }
  }

  /** Nothing else may use the two meanwhile. */
  run(begun?: (pid: number) => void): Promise<Said> {
    return move(`file:${this.source.address}`, this.target.address, begun)
  }

  /** Makes the file itself again after a move. */
  unseal(): Promise<Said> {
    return moveWith(['--unseal', `file:${this.source.address}`])
  }

  async remove(): Promise<void> {
    await this.source.remove()
    await this.target.remove()
  }
}
