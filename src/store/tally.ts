import { createHash } from 'node:crypto'
import { z } from 'zod'

/** One value of a row, as text; bytes in hexadecimal. */
export type Cell = string | null

const cells = z.array(z.string().nullable())

/** A row that the database wrote as JSON. */
export function cellsIn(json: string): Cell[] {
  return cells.parse(JSON.parse(json))
}

/** How many rows there are and what is in them, whatever their order. */
export class Tally {
  #rows = 0
  #sum = 0n

  get rows(): number {
    return this.#rows
  }

  add(row: readonly Cell[]): void {
    const hash = createHash('sha1').update(JSON.stringify(row)).digest()
    this.#rows += 1
    this.#sum = BigInt.asUintN(64, this.#sum + hash.readBigUInt64BE())
  }

  equals(other: Tally): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum
  }
}
