import type { Units } from '../../api/units.ts'
import { shortAddress } from '../../chain/address.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import { formatLine, type Platform } from '../../core/command.ts'
import { filterText, type Scope } from '../kinds/kind.ts'
import { kinds } from '../kinds/list.ts'
import type { Rule } from '../rule.ts'

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
export function ruleText({ kind, setting, scope }: Rule, words: RuleWords): string {
  const isOne = scope.asset !== undefined
  return kinds[kind].ruleText(setting, {
    name: isOne ? assetName(scope, words) : undefined,
    on: isOne ? assetChain(scope, words) : '',
    filter: isOne ? '' : filterText(scope),
    units: words.units,
  })
}

function assetName({ asset = '' }: Scope, { names }: RuleWords): string {
  return names.get(asset.toLowerCase()) ?? shortAddress(asset)
}

function assetChain({ chain }: Scope, { chains }: RuleWords): string {
  return chain === undefined || chains.length < 2 ? '' : ` on ${chainById(chain).name}`
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
