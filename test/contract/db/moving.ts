import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { type Ended, runProgram } from '../../run-program.ts'

/** Runs the command as an operator does; `begun` is given its process id. */
export function move(from: string, to: string, begun?: (pid: number) => void): Promise<Ended> {
  return moveWith([from, to], begun)
}

export function moveWith(
  given: readonly string[],
  begun?: (pid: number) => void,
  env: Record<string, string> = {},
): Promise<Ended> {
  return runProgram(['src/move.ts', ...given], env, { begun })
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
  run(begun?: (pid: number) => void): Promise<Ended> {
    return move(`file:${this.source.address}`, this.target.address, begun)
  }

  /** Makes the file itself again after a move. */
  unseal(): Promise<Ended> {
    return moveWith(['--unseal', `file:${this.source.address}`])
  }

  async remove(): Promise<void> {
    await this.source.remove()
    await this.target.remove()
  }
}
