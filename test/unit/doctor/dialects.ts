import { type Dialect, defaultDialect, type WireUnits } from '../../../sandbox/api/dialect.ts'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { Api } from '../../../src/api/client.ts'
import { type Asset, defaultQueryNames, defaultStatusWords } from '../../../src/api/schema.ts'
import {
  defaultUnits,
  moneyUnits,
  shareUnits,
  tokenUnits,
  type Unit,
  type UnitField,
  type Units,
  unitFields,
  unitsSchema,
} from '../../../src/api/units.ts'
import { quoteKind } from '../../../src/chain/chains.ts'
import { tokenDecimals } from '../../../src/chain/node.ts'
import type { UnitFinding } from '../../../src/doctor/units.ts'
import { silent } from '../api/server.ts'

const chains = [8453, 84532] as const

/** The units that a field may have. */
export function unitsFor(field: UnitField): readonly Unit[] {
  const all: readonly Unit[] = [...moneyUnits, ...tokenUnits, ...shareUnits]
  return all.filter((unit) => unitsSchema.safeParse({ [field]: unit }).success)
}

/** The units of the fields that the bot reads, as a dialect writes them. */
export function unitsIn({ units }: Dialect): Units {
  return unitsSchema.parse(Object.fromEntries(unitFields.map((field) => [field, units[field]])))
}

/** The usual dialect with other units. */
export function writtenIn(units: Partial<WireUnits>): Dialect {
  return { ...defaultDialect, units: { ...defaultDialect.units, ...units } }
}

/** What an API of this dialect lists of a world of its own, read with its own query names. */
export async function listed(
  dialect: Dialect,
  world: { seed?: number; population?: number } = {},
): Promise<Asset[]> {
  const key = 'a-key-for-dialects'
  const server = await ApiServer.start({ key, dialect, ...world })
  const queryNames = { ...defaultQueryNames, ...dialect.queryNames }
  const api = new Api({
    baseUrl: server.baseUrl,
    key,
    queryNames,
    units: defaultUnits,
    statusWords: defaultStatusWords,
    chains: [...chains],
    log: silent,
    decimals: tokenDecimals({ nodes: new Map() }),
  })
  try {
    const pages = chains.flatMap((chain) =>
      [0, 50, 100].map(async (offset) => (await api.assets({ chain, offset })).value.items),
    )
    return (await Promise.all(pages)).flat()
  } finally {
    await api.close()
    await server.stop()
  }
}

/** Whether two units read every asset of a list alike. */
export function readAlike(one: Unit, other: Unit, assets: readonly Asset[]): boolean {
  if (one === other) return true
  const places = (unit: Unit, asset: Asset) => {
    if (unit === 'numeraire-base') return asset.decimals?.quote
    if (unit === 'tokens-base') return asset.auction_pool?.base_token?.token_decimals
    return Number(/\d+$/u.exec(unit)?.[0] ?? 0)
  }
  const isAllDollars = assets.every(
    ({ asset_numeraire_address: quote }) => quoteKind(quote) === 'dollar',
  )
  const kind = (unit: Unit) => {
    const plain = unit.replace(/(?:\d+|-base)$/u, '')
    return plain === 'numeraire' && isAllDollars ? 'usd' : plain
  }
  // What is in units of a token stands in the auction pool alone.
  return (
    kind(one) === kind(other) &&
    assets
      .filter(({ auction_pool }) => auction_pool)
      .every((asset) => places(one, asset) === places(other, asset))
  )
}

/** The units after the advice was followed. */
export function advised(units: Units, findings: readonly UnitFinding[]): Units {
  const better = findings.flatMap(({ field, better }) => (better ? [[field, better]] : []))
  return unitsSchema.parse({ ...units, ...Object.fromEntries(better) })
}
