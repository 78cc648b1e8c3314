import type { Rule } from '../../src/alerts/rule.ts'
import type { RuleWords } from '../../src/alerts/views/rule.ts'
import { baseToken } from '../../src/api/figures.ts'
import { withTimeout } from '../../src/core/retry.ts'
import { ApiError } from '../../src/errors.ts'
import { tokenName } from '../../src/views/token.ts'
import type { Services } from '../services.ts'

/** Milliseconds to wait for names, which are optional: a slow API must not delay subscribing. */
const namesDeadlineMs = 2_000

/** Reads what it takes to put these rules into words; an asset whose name can't be read goes by its address. */
export async function wordsFor(rules: readonly Rule[], services: Services): Promise<RuleWords> {
  const scopes = rules.map(({ scope }) => scope)
  const chainByAsset = new Map(
    scopes.flatMap(({ asset, chain }) => (asset === undefined ? [] : [[asset, chain] as const])),
  )
  const names = await Promise.all(
    [...chainByAsset].map(async ([asset, chain = services.chains[0].id]) => {
      const name = await withTimeout(nameOf(asset, chain, services), namesDeadlineMs)
      return name === undefined ? [] : [[asset.toLowerCase(), name] as const]
    }),
  )
  return { names: new Map(names.flat()), units: services.units, chains: services.chains }
}

async function nameOf(
  asset: string,
  chain: number,
  { api }: Services,
): Promise<string | undefined> {
  try {
    const { value } = await api.asset(asset, chain)
    return tokenName(baseToken(value)?.token_name)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
