import type { Units } from '../../api/units.ts'
import { shortAddress } from '../../chain/address.ts'
import { type Chain, chainById, numeraireSymbol } from '../../chain/chains.ts'
import { formatLine, type Platform } from '../../core/command.ts'
import { exactly } from '../../views/number.ts'
import type { Rule, RuleOf, Scope } from '../rule.ts'

/** Inputs for putting rules into words. `names` maps lower-case addresses to names of assets. */
export interface RuleWords {
  names: ReadonlyMap<string, string>
  units: Units
  /** If there is only one, texts don't mention it. */
  chains: readonly Chain[]
}

/**
 * A rule as a sentence without its full stop.
 * @example
 * ruleText(rule, words) // '25 and 50 % sold of any auction on Base'
 */
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

/** Example: `09:00` */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** `60 minutes`, `3 hours`: from two hours on, full hours are given in hours. */
export function minutesText(minutes: number): string {
  return minutes % 60 === 0 && minutes > 60 ? `${minutes / 60} hours` : `${minutes} minutes`
}

function moveText({ kind, setting }: RuleOf<'price' | 'mcap'>, name: string, units: Units): string {
  const what = `${name}’s ${kind === 'price' ? 'price' : 'market cap'}`
  if ('moves' in setting) return `${what} moves by ${setting.moves} %`
  if ('above' in setting) return `${what} rises above ${markText(kind, setting.above, units)}`
  return `${what} falls below ${markText(kind, setting.below, units)}`
}

/** The value of a mark that a price or market cap crosses. */
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

/** An address of a numeraire only has a symbol on a given chain. */
function numeraireName(address: string, chain: Chain | undefined): string {
  return (chain && numeraireSymbol(chain, address)) ?? shortAddress(address)
}

/** The digest's scope, to be put after its name; '' if it is everything. */
export function digestScope(scope: Scope): string {
  const filter = filterText(scope)
  return filter === '' ? '' : ` of auctions${filter}`
}

/** Example: `one, two and three` */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** Example: `1 alert`, `2 alerts` */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}

/** Options of a line by name; undefined ones are left out. */
export type LineOptions = Readonly<Record<string, string | number | undefined>>

/** Writes lines of the command for one chat: each keeps the option that names that chat. */
export interface AlertsLine {
  (words: string, named?: LineOptions): string
  /** The line as a person types it; on Discord the words need the name of their option. */
  typed(words: string, options?: string | LineOptions): string
}

interface LineParts {
  platform: Platform
  /** The id of the other chat that is being set up. */
  elsewhere?: string | undefined
}

export function alertsLine({ platform, elsewhere }: LineParts, command = 'alerts'): AlertsLine {
  const write = (words: string, named = {}) =>
    // Not passed as a value, as it would be quoted: these words are the bot's own.
    formatLine([command, words].filter(Boolean).join(' '), undefined, { ...named, in: elsewhere })
  const typed = (words: string, options: string | LineOptions = '') => {
    const what = words !== '' && platform.namedOptions ? `what:${words}` : words
    const chat = elsewhere === undefined ? '' : `in:${elsewhere}`
    const rest = typeof options === 'string' ? options : optionsTyped(options, platform)
    return [`/${command}`, what, rest, chat].filter(Boolean).join(' ')
  }
  return Object.assign(write, { typed })
}

/** On Discord a value needs no quotes: it extends to the next option. */
function optionsTyped(options: LineOptions, platform: Platform): string {
  if (!platform.namedOptions) return formatLine('', undefined, options).trim()
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(' ')
}

/** The owner of the alerts shown: the person, this chat or topic, or another chat. */
export type Whose =
  | { kind: 'own' }
  | { kind: 'chat' }
  | { kind: 'topic' }
  | { kind: 'elsewhere'; name: string }

/** Example: `this chat` */
export function chatWords({ kind }: Whose): string {
  if (kind === 'elsewhere') return 'that chat'
  return kind === 'topic' ? 'this topic' : 'this chat'
}

/** Example: `You follow`, `This topic follows` */
export function followerWords(whose: Whose): string {
  if (whose.kind === 'own') return 'You follow'
  if (whose.kind === 'elsewhere') return `${whose.name} follows`
  return whose.kind === 'topic' ? 'This topic follows' : 'This chat follows'
}
