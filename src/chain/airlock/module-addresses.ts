import { deployments } from './deployments.ts'

// Apart from the book: the signing page decodes with modules, but needs no list of them.

const modules: ReadonlySet<string> = new Set(
  deployments.map(([, address]) => address.toLowerCase()),
)

/**
 * Whether an address is that of a module, on whatever chain. As a pool's address it names no pool: many auctions share it,
 * and on Robinhood Chain all do.
 */
export function isModule(address: string): boolean {
  return modules.has(address.toLowerCase())
}
