import type { Read } from '../api/cache.ts'
import type { Api } from '../api/client.ts'
import { baseToken } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { harmless } from '../chat/text.ts'
import { ApiError } from '../errors.ts'

/** Whether the interface knows an asset with a symbol; `unchecked` where it gave no usable answer. */
export type SymbolCheck =
  | { kind: 'free' }
  | { kind: 'known'; read: Read<Asset> }
  | { kind: 'unchecked' }

/** Looks for an asset of the chain with just this symbol, whatever the case of its letters. Never rejects for the interface's sake. */
export async function checkSymbol(
  api: Pick<Api, 'search'>,
  symbol: string,
  chain: number,
): Promise<SymbolCheck> {
  try {
    const read = await api.search({ term: symbol, chain })
    if (read.value.chainIgnored) return { kind: 'unchecked' }
    const found = read.value.items.find((asset) => plain(asset) === symbol.toLowerCase())
    return found ? { kind: 'known', read: { ...read, value: found } } : { kind: 'free' }
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'unchecked' }
    throw error
  }
}

function plain(asset: Asset): string {
  const symbol = harmless(baseToken(asset)?.token_symbol ?? '')
  return symbol.trim().replace(/^\$+/u, '').toLowerCase()
}
