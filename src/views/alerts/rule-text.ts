import type { Rule, RuleOf, Scope } from '../../alerts/rule.ts'
import type { Units } from '../../api/units.ts'
import { shortAddress } from '../../chain/address.ts'
import { type Chain, chainById, numeraireSymbol } from '../../chain/chains.ts'
import { exactly } from '../number.ts'
import { listed } from './words.ts'

/** What a rule's words need to know: how assets are called, by their lower-case address, and what money is in. */
export interface RuleWords {
  names: ReadonlyMap<string, string>
  units: Units
  /** Where there is only one, it goes without saying. */
  chains: readonly Chain[]
}

/** A rule as a sentence without its full stop, as in "25 and 50 % sold of any auction on Base". */
export function ruleText(rule: Rule, words: RuleWords): string {
  const { kind, scope } = rule
  const one = scope.asset === undefined ? undefined : assetName(scope, words)
  const on = one === undefined ? '' : assetChain(scope, words)
  const of = one === undefined ? `any auction${filterText(scope)}` : one + on
  switch (kind) {
    case 'live':
      return one ? `${one} goes live${on}` : `Every auction that goes live${filterText(scope)}`
    case 'incoming':
      return one
        ? `${one} is announced${on}`
        : `Every auction that is announced${filterText(scope)}`
    case 'graduated':
      return one ? `${one} graduates${on}` : `Every auction that graduates${filterText(scope)}`
    case 'progress':
      return `${listed(rule.setting.percents.map(String))} % sold of ${of}`
    case 'ending':
      return `${minutesText(rule.setting.minutes)} before the end of ${of}`
    case 'price':
    case 'mcap':
      return moveText(rule, one ?? 'An asset', words.units) + on
    case 'digest':
      return `Daily summary${digestScope(scope)} at ${hourText(rule.setting.hour)}, ${rule.setting.zone}`
  }
}

/** `09:00` */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** `60 minutes`, `3 hours`: whole hours from two on go by hours. */
export function minutesText(minutes: number): string {
  return minutes % 60 === 0 && minutes > 60 ? `${minutes / 60} hours` : `${minutes} minutes`
}

function moveText({ kind, setting }: RuleOf<'price' | 'mcap'>, name: string, units: Units): string {
  const what = `${name}’s ${kind === 'price' ? 'price' : 'market cap'}`
  if ('moves' in setting) return `${what} moves by ${setting.moves} %`
  if ('above' in setting) return `${what} rises above ${markText(kind, setting.above, units)}`
  return `${what} falls below ${markText(kind, setting.below, units)}`
}

/** A value that a price or a market cap crosses. */
export function markText(kind: 'price' | 'mcap', amount: string, units: Units): string {
  const unit = kind === 'price' ? units.pool_price : units.pool_market_cap
  return unit.startsWith('usd') ? `$${exactly(amount)}` : `${exactly(amount)} of its quote token`
}

function assetName({ asset = '' }: Scope, { names }: RuleWords): string {
  return names.get(asset.toLowerCase()) ?? shortAddress(asset)
}

function assetChain({ chain }: Scope, { chains }: RuleWords): string {
  return chain === undefined || chains.length < 2 ? '' : ` on ${chainById(chain).name}`
}

function filterText({ chain, category, creator, numeraire }: Scope): string {
  const where = chain === undefined ? undefined : chainById(chain)
  return [
    where && ` on ${where.name}`,
    category && ` in ${category}`,
    numeraire && ` sold for ${numeraireName(numeraire, where)}`,
    creator && ` by ${shortAddress(creator)}`,
  ]
    .filter(Boolean)
    .join('')
}

/** Only on a given chain does an address of a numeraire have a name. */
function numeraireName(address: string, chain: Chain | undefined): string {
  return (chain && numeraireSymbol(chain, address)) ?? shortAddress(address)
}

/** What a summary is about, behind its name; nothing where that is everything. */
export function digestScope(scope: Scope): string {
  const filter = filterText(scope)
  return filter === '' ? '' : ` of auctions${filter}`
}
