import type { Read } from '../api/cache.ts'
import type { Api } from '../api/client.ts'
import { baseToken } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { harmless } from '../chat/text.ts'
import { ApiError } from '../errors.ts'
import { readsLike, searchedInstead } from '../views/lookalike.ts'

/** Whether the interface knows an asset with a symbol, or one that looks the same; `unchecked` where it gave no usable answer. */
export type SymbolCheck =
  | { kind: 'free' }
  | { kind: 'known'; read: Read<Asset> }
  | { kind: 'unchecked' }

/**
 * Looks for an asset of the chain with just this symbol, whatever the case of its letters, or with one that it can be
 * taken for. Never rejects for the interface's sake.
 */
export async function checkSymbol(
  api: Pick<Api, 'search'>,
  symbol: string,
  chain: number,
): Promise<SymbolCheck> {
  const searched = [symbol, searchedInstead(symbol)].filter((term) => term !== undefined)
  const isIt = [
    (asset: Asset) => symbolOf(asset).toLowerCase() === symbol.toLowerCase(),
    (asset: Asset) => readsLike(symbolOf(asset), symbol),
  ]
  return firstOf(api, { searched, chain, isIt })
}

/** Looks for an asset whose name or symbol a name can be taken for, though it is written with other letters. */
export async function checkName(
  api: Pick<Api, 'search'>,
  name: string,
  chain: number,
): Promise<SymbolCheck> {
  const instead = searchedInstead(name)
  if (instead === undefined) return { kind: 'free' }
  const isIt = (asset: Asset) =>
    [symbolOf(asset), baseToken(asset)?.token_name ?? ''].some((each) => readsLike(each, name))
  return firstOf(api, { searched: [instead], chain, isIt: [isIt] })
}

interface Looked {
  searched: readonly string[]
  chain: number
  /** Which asset it is, the surest way first. */
  isIt: readonly ((asset: Asset) => boolean)[]
}

async function firstOf(
  api: Pick<Api, 'search'>,
  { searched, chain, isIt }: Looked,
): Promise<SymbolCheck> {
  try {
    const reads = await Promise.all(searched.map((term) => api.search({ term, chain })))
    if (reads.some(({ value }) => value.chainIgnored)) return { kind: 'unchecked' }
    for (const is of isIt) {
      for (const read of reads) {
        const value = read.value.items.find(is)
        if (value) return { kind: 'known', read: { ...read, value } }
      }
    }
    return { kind: 'free' }
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'unchecked' }
    throw error
  }
}

/** The symbol of an asset as people read it, without a dollar sign. */
export function symbolOf(asset: Asset): string {
  const symbol = harmless(baseToken(asset)?.token_symbol ?? '')
  return symbol.trim().replace(/^\$+/u, '')
}
