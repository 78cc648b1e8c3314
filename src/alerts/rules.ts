import { isDeepStrictEqual } from 'node:util'
import { nearest } from '../core/command.ts'
import { UserError } from '../errors.ts'
import { type Kind, kinds, type Movement, type Rule } from './rule.ts'
import { rowOf } from './subscriptions.ts'

/** As values of filter options: remove the filter. */
export const anyCategory = 'any'
export const anyChain = 0

/** The options of a rule beside its kind, each parsed already. */
export interface RuleOptions {
  category?: string | undefined
  numeraire?: string | undefined
  creator?: string | undefined
  asset?: string | undefined
  chain?: number | undefined
  percent?: readonly number[] | undefined
  minutes?: number | undefined
  above?: string | undefined
  below?: string | undefined
  move?: number | undefined
  hour?: number | undefined
  zone?: string | undefined
}

type SettingName = 'percent' | 'minutes' | 'above' | 'below' | 'move' | 'hour' | 'zone'

/** The kinds that each setting option applies to. */
const settingsOf: Readonly<Record<SettingName, readonly Kind[]>> = {
  percent: ['progress'],
  minutes: ['ending'],
  above: ['price', 'mcap'],
  below: ['price', 'mcap'],
  move: ['price', 'mcap'],
  hour: ['digest'],
  zone: ['digest'],
}

const defaultPercents: readonly number[] = [25, 50, 75, 90, 100]
const defaultMinutes = 60
const defaultMove = 10
const defaultHour = 9

/** Parses a kind, in any case. @throws UserError that suggests a similar kind */
export function parseKind(word: string): Kind {
  const kind = kindNamed(word)
  if (kind) return kind
  throw noSuchKind(word)
}

/** The kind with this name, in any case; undefined if there is none. */
export function kindNamed(word: string): Kind | undefined {
  return kinds.find((kind) => kind === word.toLowerCase())
}

/** The error for an unknown kind, with a suggestion. */
export function noSuchKind(word: string): UserError {
  const near = nearest(word.toLowerCase(), kinds)
  return new UserError(
    `There are no alerts called "${word}".${near ? ` Did you mean ${near}?` : ''} There are: ${kinds.join(', ')}.`,
  )
}

/**
 * Makes a rule of each kind.
 * @example
 * rulesOf(['progress'], { percent: [50], category: 'builder-coin' })
 * // [{ kind: 'progress', setting: { percents: [50] }, scope: { category: 'builder-coin' } }]
 * @throws UserError if the options don't fit the kinds, or each other
 */
export function rulesOf(requested: readonly Kind[], options: RuleOptions): Rule[] {
  refuseUnfit(requested, options)
  return requested.map((kind) => ruleFrom(kind, options))
}

/** The rule with some options replaced. @throws UserError if there are no options, and like `rulesOf` */
export function changedRule({ kind, scope, setting }: Rule, options: RuleOptions): Rule {
  refuseUnfit([kind], { ...scope, ...defined(options) })
  const [named] = namesOf(options)
  if (named === undefined) throw new UserError('Say what to change, as in percent:50,100.')
  return ruleFrom(kind, { ...scope, ...optionsOf(setting, options), ...defined(options) })
}

/** Whether two rules are equal once normalised: in kind, setting and scope. */
export function isSameRule(one: Rule, other: Rule): boolean {
  return isDeepStrictEqual(rowOf(one), rowOf(other))
}

/** A setting as options. Movements are replaced as a whole, so they are left out if the options name another. */
function optionsOf(setting: Rule['setting'], { above, below, move }: RuleOptions): RuleOptions {
  if ('percents' in setting) return { percent: setting.percents }
  const replacesMovement = above !== undefined || below !== undefined || move !== undefined
  if ('moves' in setting) return replacesMovement ? {} : { move: setting.moves }
  if ('above' in setting || 'below' in setting) return replacesMovement ? {} : setting
  return setting
}

function defined(options: RuleOptions): RuleOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function namesOf(options: RuleOptions): string[] {
  return Object.keys(defined(options))
}

function ruleFrom(kind: Kind, options: RuleOptions): Rule {
  const scope = scopeOf(options)
  switch (kind) {
    case 'live':
    case 'incoming':
    case 'graduated':
      return { kind, scope, setting: {} }
    case 'progress':
      return { kind, scope, setting: { percents: [...(options.percent ?? defaultPercents)] } }
    case 'ending':
      return { kind, scope, setting: { minutes: options.minutes ?? defaultMinutes } }
    case 'price':
    case 'mcap':
      return { kind, scope, setting: movementOf(options) }
    case 'digest': {
      const { hour = defaultHour, zone = 'UTC' } = options
      return { kind, scope, setting: { hour, zone } }
    }
  }
}

function scopeOf({ chain, asset, numeraire, creator, category }: RuleOptions): Rule['scope'] {
  return {
    ...(chain !== undefined && chain !== anyChain && { chain }),
    ...(asset !== undefined && { asset: asset.toLowerCase() }),
    ...(numeraire !== undefined && { numeraire: numeraire.toLowerCase() }),
    ...(creator !== undefined && { creator: creator.toLowerCase() }),
    ...(category !== undefined && category !== anyCategory && { category }),
  }
}

function movementOf({ above, below, move = defaultMove }: RuleOptions): Movement {
  if (above !== undefined) return { above }
  return below === undefined ? { moves: move } : { below }
}

/** @throws UserError if the options don't fit the kinds, or each other */
export function refuseUnfit(requested: readonly Kind[], options: RuleOptions): void {
  const names = namesOf(options)
  for (const [name, supported] of Object.entries(settingsOf)) {
    if (!names.includes(name) || requested.some((kind) => supported.includes(kind))) continue
    throw new UserError(
      `${name}: goes with ${supported.join(' and ')}, not with ${requested.join(', ')}.`,
    )
  }
  refuseMovements(requested, names)
  if (!names.includes('asset')) {
    refuseWithoutAsset(requested)
    return
  }
  if (requested.includes('digest')) {
    throw new UserError(
      'asset: does not go with digest, which is about many. Add digest by itself.',
    )
  }
  const filter = ['category', 'numeraire', 'creator'].find((name) => names.includes(name))
  if (filter !== undefined) {
    throw new UserError(
      `${filter}: does not go with asset:, which names one already. Leave one out.`,
    )
  }
}

function refuseMovements(requested: readonly Kind[], names: readonly string[]): void {
  const movements = ['above', 'below', 'move'].filter((name) => names.includes(name))
  if (movements.length > 1) {
    throw new UserError(`Give one of above:, below: and move:, and add the other by itself.`)
  }
  const isValue = movements.length === 1 && !movements.includes('move')
  if (isValue && requested.includes('price') && requested.includes('mcap')) {
    throw new UserError(
      'One value can’t be a price and a market cap. Add price and mcap one by one.',
    )
  }
}

function refuseWithoutAsset(requested: readonly Kind[]): void {
  const kind = requested.find((each) => each === 'price' || each === 'mcap')
  if (kind === undefined) return
  throw new UserError(
    `An alert about ${kind === 'price' ? 'a price' : 'a market cap'} is about one asset: give its address or symbol with asset:, or press Follow on its card.`,
  )
}
