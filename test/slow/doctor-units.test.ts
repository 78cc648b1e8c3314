import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../sandbox/api/dialects.ts'
import type { Asset } from '../../src/api/schema.ts'
import {
  defaultUnits,
  type Unit,
  type UnitField,
  type Units,
  unitFields,
} from '../../src/api/units.ts'
import { quoteKind } from '../../src/chain/chains.ts'
import type { ChainFacts } from '../../src/doctor/facts.ts'
import { checkUnits, type UnitFinding } from '../../src/doctor/units.ts'
import {
  advised,
  listed,
  readAlike,
  unitsFor,
  unitsIn,
  writtenIn,
} from '../unit/doctor/dialects.ts'

function findingOf(findings: readonly UnitFinding[], field: UnitField): UnitFinding {
  const found = findings.find((each) => each.field === field)
  if (!found) throw new Error(`nothing was found out about ${field}`)
  return found
}

/** Of a change in 24 hours one answer does not tell whether it is a ratio or percent, unless it falls by more than 1. */
const untold: readonly UnitField[] = ['pool_price_change_24h']

/** A wrong unit is found, and the right one is named, as far as that can be told. */
function expectFound(
  { field, verdict, unit, better, detail }: UnitFinding,
  isRight: (unit: Unit) => boolean,
) {
  if (verdict === 'unknown') {
    expect(untold).toContain(field)
    return
  }
  expect(verdict, `${unit}: ${detail}`).toBe('wrong')
  expect(detail).toMatch(/breaks: .{10}/u)
  // Of a volume only its size is known: with six or with eight decimals it is of one size.
  if (better === 'unknown') expect(field).toBe('pool_volume_usd_24h')
  else expect(better && isRight(better), `${unit} → ${better}`).toBe(true)
}

/** Whatever is advised is right, or hides what is wrong; whatever is called right is. */
function expectSound(
  { field, verdict, better, detail, unit }: UnitFinding,
  truth: Units,
  assets: readonly Asset[],
) {
  const isRight = (each: Unit) => readAlike(each, truth[field], assets)
  const told = `${field} in ${truth[field]}, set to ${unit}: ${detail}`
  if (better === 'unknown') expect(isRight(unit), told).toBe(false)
  else if (better) expect(isRight(better), told).toBe(true)
  if (verdict === 'ok') expect(isRight(unit), told).toBe(true)
}

const anyUnits = fc.record(
  Object.fromEntries(unitFields.map((field) => [field, fc.constantFrom(...unitsFor(field))])),
)

describe('a setting that is wrong', async () => {
  const names = ['usual', 'literal', 'weth', 'usd18'] as const
  const worlds = await Promise.all(
    names.map(async (name) => ({
      name,
      truth: unitsIn(dialects[name]),
      assets: await listed(dialects[name]),
    })),
  )

  test.each(
    worlds.flatMap(({ name, truth, assets }) =>
      unitFields.map((field) => ({ name, field, truth, assets })),
    ),
  )('in $name, $field, is found by itself, and the right one is named', (each) => {
    const { field, truth, assets } = each
    const wrongs = unitsFor(field).filter((unit) => !readAlike(unit, truth[field], assets))
    for (const wrong of wrongs) {
      const findings = checkUnits(assets, { ...truth, [field]: wrong })
      expectFound(findingOf(findings, field), (unit) => readAlike(unit, truth[field], assets))
      const others = findings.filter(({ field: other, better }) => other !== field && better)
      expect(others, `${wrong} spoils others`).toEqual([])
    }
  })

  test('two at once are found, and nothing else is changed', () => {
    const any = fc.constantFrom(...unitFields.filter((field) => !untold.includes(field)))
    fc.assert(
      fc.property(
        fc.constantFrom(...worlds),
        fc.uniqueArray(any, { minLength: 2, maxLength: 2 }),
        fc.nat(100),
        ({ truth, assets }, fields, draw) => {
          const settings = { ...truth }
          for (const [index, field] of fields.entries()) {
            const all = unitsFor(field)
            Object.assign(settings, { [field]: all[(draw + index * 3) % all.length] })
          }
          for (const finding of checkUnits(assets, settings)) {
            expectSound(finding, truth, assets)
            const isWrong = !readAlike(finding.unit, truth[finding.field], assets)
            const expected = untold.includes(finding.field) ? 'unknown' : 'wrong'
            if (isWrong) expect(finding.verdict, finding.field).toBe(expected)
          }
        },
      ),
      { numRuns: 150 },
    )
  }, 120_000)
})

test('for any units of any assets no wrong unit is proposed, and none called right', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyUnits,
      anyUnits,
      fc.nat(1_000_000),
      fc.constantFrom(20, 60, 200),
      fc.constantFrom<readonly [number, ...number[]]>([18], [18, 6, 9]),
      async (written, drawn, seed, population, tokenDecimals) => {
        const dialect = { ...writtenIn(written), tokenDecimals }
        const assets = await listed(dialect, { seed, population })
        const truth = unitsIn(dialect)
        const settings = unitsIn(writtenIn(drawn))
        for (const finding of checkUnits(assets, settings)) expectSound(finding, truth, assets)
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)

describe('with assets unlike those of the stand-in no wrong unit is proposed, or called right', () => {
  const isInDollars = ({ asset_numeraire_address: quote }: Asset) => quoteKind(quote) === 'dollar'
  const inEther = (assets: readonly Asset[]) => assets.filter((asset) => !isInDollars(asset))
  /** Ether that is worth so many times as much. */
  const revalued = (times: Big.BigSource) => (assets: readonly Asset[], units: Units) =>
    assets.map((asset) => (isInDollars(asset) ? asset : multiplied(asset, times, inUsd(units))))
  const worlds: Record<string, (assets: readonly Asset[], units: Units) => readonly Asset[]> = {
    'sold for ether alone': inEther,
    'sold for dollars alone': (assets) => assets.filter(isInDollars),
    'of six assets': (assets) => assets.slice(0, 6),
    'of eight auctions': (assets) => assets.filter((each) => each.auction_pool).slice(0, 8),
    'where ether is dear': revalued(20),
    'where ether is cheap': revalued('0.04'),
    'where a thirtieth as much is for sale': (assets) =>
      assets.map((asset) => multiplied(asset, 30, isMarketCap)),
    'where a thousandth as much is for sale': (assets) =>
      assets.map((asset) => multiplied(asset, 1000, isMarketCap)),
  }
  const known = (['usual', 'literal', 'weth', 'usd18', 'decimals', 'percents'] as const).map(
    (name) => ({ dialect: dialects[name], seed: 1, own: defaultUnits }),
  )
  const drawn = fc
    .sample(fc.tuple(anyUnits, anyUnits, fc.nat(1_000_000)), { seed: 7, numRuns: 5 })
    .map(([written, own, seed]) => ({
      dialect: writtenIn(written),
      seed,
      own: unitsIn(writtenIn(own)),
    }))

  test.each(Object.entries(worlds))(
    '%s',
    async (_, unlike) => {
      let told = 0
      for (const { dialect, seed, own } of [...known, ...drawn]) {
        const truth = unitsIn(dialect)
        const assets = unlike(await listed(dialect, { seed, population: 120 }), truth)
        let units = own
        for (let round = 0; round < 2; round += 1) {
          const findings = checkUnits(assets, units)
          for (const finding of findings) expectSound(finding, truth, assets)
          told += findings.filter(({ verdict }) => verdict === 'ok').length
          units = advised(units, findings)
        }
      }
      expect(told).toBeGreaterThan(0)
    },
    60_000,
  )
})

const isMarketCap = (field: UnitField) => field.endsWith('market_cap')

function inUsd(units: Units): (field: UnitField) => boolean {
  return (field) => units[field].startsWith('usd')
}

/** An asset of which some figures are so many times what they were; whole numbers stay whole. */
function multiplied(
  asset: Asset,
  times: Big.BigSource,
  concerns: (field: UnitField) => boolean,
): Asset {
  const { auction_pool: auction, graduation_pool: graduation } = asset
  return {
    ...asset,
    auction_pool: auction && {
      ...scaled(auction, times, concerns),
      pool_market_data:
        auction.pool_market_data && scaled(auction.pool_market_data, times, concerns),
    },
    graduation_pool: graduation && {
      ...scaled(graduation, times, concerns),
      pool_market_data:
        graduation.pool_market_data && scaled(graduation.pool_market_data, times, concerns),
    },
  }
}

function scaled<Fields extends Partial<Record<UnitField, string | undefined>>>(
  fields: Fields,
  times: Big.BigSource,
  concerns: (field: UnitField) => boolean,
): Fields {
  const changed = { ...fields }
  for (const field of unitFields) {
    const text = fields[field]
    if (text === undefined || !concerns(field)) continue
    const value = Big(text).times(times)
    const isInteger = /^\d+$/u.test(text)
    Object.assign(changed, { [field]: isInteger ? value.toFixed(0) : value.toFixed() })
  }
  return changed
}

describe('the chain’s data', () => {
  test('decide if the answers alone can’t', async () => {
    const dialect = dialects.usd8
    const assets = await listed(dialect)
    const alone = checkUnits(assets, defaultUnits)
    expect(findingOf(alone, 'pool_market_cap').better).toBe('unknown')
    const chainFacts = assets.flatMap((asset) => truthIn(asset))
    expect(chainFacts.length).toBeGreaterThan(3)
    const known = checkUnits(assets, defaultUnits, { chainFacts })
    for (const field of ['pool_price', 'pool_market_cap', 'pool_current_market_cap'] as const) {
      expect(findingOf(known, field).better, field).toBe('usd8')
    }
  })

  test('that contradict every unit leave it open', async () => {
    const assets = await listed(dialects.usual)
    const chainFacts: ChainFacts[] = assets
      .filter(({ auction_pool }) => auction_pool)
      .slice(0, 20)
      .map(({ asset_address }) => ({ asset: `0x${asset_address.slice(2)}`, toSell: '7' }))
    const finding = findingOf(
      checkUnits(assets, defaultUnits, { chainFacts }),
      'pool_config_num_tokens_to_sell',
    )
    expect(finding).toMatchObject({ verdict: 'unknown', fits: false })
    expect(finding.better).toBeUndefined()
  })
})

/** What a node would say of the price of an asset whose price in dollars is written with eight decimals. */
function truthIn({
  asset_address: asset,
  asset_numeraire_address: quote,
  ...parts
}: Asset): ChainFacts[] {
  const dollars = Number(parts.auction_pool?.pool_current_price) / 1e8
  if (!(dollars > 1e-5) || parts.graduation_pool?.pool_address) return []
  const isDollar = /^0x(?:8335|036c)/iu.test(quote ?? '')
  return [{ asset: `0x${asset.slice(2)}`, price: String(isDollar ? dollars : dollars / 3200) }]
}

test('a sample without figures or assets proves nothing', () => {
  expect(checkUnits([], defaultUnits)).toEqual([])
  expect(checkUnits([{ asset_address: `0x${'1'.repeat(40)}` }], defaultUnits)).toEqual([])
})
