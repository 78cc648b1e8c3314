import Big from 'big.js'
import type { Asset } from './asset.ts'
import { type Dialect, defaultDialect } from './dialect.ts'
import { hostileFigure, isHostile } from './hostile.ts'
import { placeholderPool } from './placeholder.ts'
import { withExponent } from './units.ts'

/** A number of a body, digit by digit: JavaScript's own would lose some. */
class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const figureNames: ReadonlySet<string> = new Set(Object.keys(defaultDialect.units))
/** Other numeric fields, which have no unit. */
const otherNumbers: ReadonlySet<string> = new Set([
  'pool_current_sqrt_price',
  'pool_price_scale',
  'pool_volume_change_24h',
  'pool_config_starting_time',
  'pool_config_ending_time',
  'asset_creation_timestamp',
  'asset_migration_timestamp',
  'pool_migration_timestamp',
  // The fields of a vesting recipient.
  'amount',
  'percentage',
])
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/u

/** The JSON text of an asset whose units and times are those of the dialect; the rest follows it here. */
export function speak(asset: Asset, dialect: Dialect): string {
  return json(new Speaker(asset, dialect).say(reshaped(asset, dialect)))
}

/** Says the values of one asset. */
class Speaker {
  readonly #dialect: Dialect
  readonly #absent: Readonly<Record<string, 'missing' | 'null' | undefined>>
  readonly #address: string
  readonly #hostile: boolean

  constructor({ asset_address: address }: Asset, dialect: Dialect) {
    this.#dialect = dialect
    this.#absent = dialect.absent
    this.#address = address
    this.#hostile = dialect.figures === 'hostile' && isHostile(address)
  }

  say(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.say(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !this.#isMissing(name))
        .map(([name, each]) => [name, this.#absent[name] === 'null' ? null : this.#of(name, each)]),
    )
  }

  #isMissing(name: string): boolean {
    return (
      this.#absent[name] === 'missing' || (name === 'token_name' && this.#dialect.nameOnlyInUriData)
    )
  }

  #of(name: string, value: unknown): unknown {
    if (figureNames.has(name)) {
      return this.#hostile ? hostileFigure(this.#address, name) : this.#figure(value)
    }
    return otherNumbers.has(name) ? this.#number(value) : this.say(value)
  }

  #figure(value: unknown): unknown {
    const { bareFractions, exponents } = this.#dialect
    if (!bareFractions && !exponents) return this.#number(value)
    if (typeof value !== 'number' && typeof value !== 'string') return value
    const text = Big(value).toFixed()
    if (bareFractions) return text.replace(/^(-?)0\./u, '$1.')
    return this.#number(withExponent(text))
  }

  #number(value: unknown): unknown {
    const bare = this.#dialect.numbers === 'json' && typeof value === 'string'
    return bare && jsonNumber.test(value) ? new Digits(value) : value
  }
}

function reshaped(asset: Asset, dialect: Dialect): unknown {
  const { asset_status: status, asset_current_pool: current, ...rest } = asset
  const words: Readonly<Record<string, string>> = dialect.status ?? {}
  const pool = current === 'graduation' ? asset.graduation_pool : asset.auction_pool
  const hasGraduated = asset.asset_migration_timestamp !== null
  const { placeholder } = dialect
  return {
    ...rest,
    asset_current_pool: dialect.currentPool === 'address' ? pool?.pool_address : current,
    ...(placeholder !== undefined &&
      !hasGraduated && { graduation_pool: placeholderPool(placeholder, asset) }),
    ...(status !== undefined && { asset_status: words[status] }),
  }
}

function json(value: unknown): string {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map((each) => json(each)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${json(each)}`).join(',')}}`
}
