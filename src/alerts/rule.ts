import { isDeepStrictEqual } from 'node:util'
import Big from 'big.js'
import { nearest } from '../core/command.ts'
import type { RulesTable } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { storedJson } from './asset.ts'
import type { RuleOptions, Scope, SettingOption } from './kinds/kind.ts'
import { type Kind, kindIds, kindNamed, kinds, kindsWhere } from './kinds/list.ts'

/** A kind of alert, its setting, and the assets it is about: the thing a chat subscribes to. */
export interface Rule {
  kind: Kind
  /** As the kind's schema parsed it. */
  setting: unknown
  scope: Scope
}

/** As values of filter options: remove the filter. */
export const anyCategory = 'any'
export const anyChain = 0

/** Parses a kind, in any case. @throws UserError that suggests a similar kind */
export function parseKind(word: string): Kind {
  const kind = kindNamed(word)
  if (kind) return kind
  const near = nearest(word.toLowerCase(), kindIds)
  throw new UserError(
    `There are no alerts called "${word}".${near ? ` Did you mean ${near}?` : ''} There are: ${kindIds.join(', ')}.`,
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
  const changes = defined(options)
  refuseUnfit([kind], { ...scope, ...changes })
  if (Object.keys(changes).length === 0) {
    throw new UserError('Say what to change, as in percent:50,100.')
  }
  const replacesExclusive = exclusiveOptions.some((name) => name in changes)
  const kept = Object.entries(kinds[kind].optionsFrom(setting)).filter(
    ([name]) => !(replacesExclusive && isExclusive(name)),
  )
  return ruleFrom(kind, { ...scope, ...Object.fromEntries(kept), ...changes })
}

/** Whether two rules are equal once normalised: in kind, setting and scope. */
export function isSameRule(one: Rule, other: Rule): boolean {
  return isDeepStrictEqual(rowOf(one), rowOf(other))
}

/** Whether a rule of the kind is about one asset, which has to be given. */
export function needsAsset(kind: Kind): boolean {
  return kinds[kind].assets === 'one'
}

function defined(options: RuleOptions): RuleOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function ruleFrom(kind: Kind, options: RuleOptions): Rule {
  const { chain, asset, numeraire, creator, category } = options
  const scope: Scope = {
    ...(chain !== undefined && chain !== anyChain && { chain }),
    ...(asset !== undefined && { asset: asset.toLowerCase() }),
    ...(numeraire !== undefined && { numeraire: numeraire.toLowerCase() }),
    ...(creator !== undefined && { creator: creator.toLowerCase() }),
    ...(category !== undefined && category !== anyCategory && { category }),
  }
  return { kind, scope, setting: kinds[kind].settingFrom(options) }
}

/** Options of which a rule has one: they exclude each other. */
const exclusiveOptions: readonly SettingOption[] = ['above', 'below', 'move']

function isExclusive(name: string): boolean {
  return exclusiveOptions.some((each) => each === name)
}

/** @throws UserError if the options don't fit the kinds, or each other */
export function refuseUnfit(requested: readonly Kind[], options: RuleOptions): void {
  const names = Object.keys(defined(options))
  for (const name of names) {
    const supporting = kindsWhere((kind) => kind.options.some((each) => each === name))
    if (supporting.length === 0 || requested.some((kind) => supporting.includes(kind))) continue
    throw new UserError(
      `${name}: goes with ${supporting.join(' and ')}, not with ${requested.join(', ')}.`,
    )
  }
  const exclusive = names.filter(isExclusive)
  if (exclusive.length > 1) {
    throw new UserError(`Give one of above:, below: and move:, and add the other by itself.`)
  }
  const [option] = exclusive
  if (option !== undefined && option !== 'move') refuseSharedValue(requested)
  refuseWrongScope(requested, names)
}

/** One value can't be that of two figures. */
function refuseSharedValue(requested: readonly Kind[]): void {
  const compared = requested.flatMap((kind) => kinds[kind].figure?.name ?? [])
  if (compared.length < 2) return
  throw new UserError(
    `One value can’t be ${compared.map((name) => `a ${name}`).join(' and ')}. Add ${requested.join(' and ')} one by one.`,
  )
}

function refuseWrongScope(requested: readonly Kind[], names: readonly string[]): void {
  if (!names.includes('asset')) {
    const kind = requested.find(needsAsset)
    if (kind === undefined) return
    throw new UserError(
      `An alert about a ${kinds[kind].figure?.name ?? kind} is about one asset: give its address or symbol with asset:, or press Follow on its card.`,
    )
  }
  const many = requested.find((kind) => kinds[kind].assets === 'many')
  if (many !== undefined) {
    throw new UserError(
      `asset: does not go with ${many}, which is about many. Add ${many} by itself.`,
    )
  }
  const filter = ['category', 'numeraire', 'creator'].find((name) => names.includes(name))
  if (filter !== undefined) {
    throw new UserError(
      `${filter}: does not go with asset:, which names one already. Leave one out.`,
    )
  }
}

/** A normalised rule as columns: equal rules have equal rows. */
export type RuleRow = Pick<
  RulesTable,
  'kind' | 'chain' | 'asset' | 'numeraire' | 'creator' | 'category' | 'setting'
>

/** The row of a rule. Addresses become lower case, a category keeps its case; an empty setting is ''. */
export function rowOf({ kind, setting, scope }: Rule): RuleRow {
  const { chain, asset, numeraire, creator, category } = scope
  const text = JSON.stringify(kinds[kind].setting.parse(setting))
  return {
    kind,
    chain: chain ?? 0,
    asset: addressText(asset),
    numeraire: addressText(numeraire),
    creator: addressText(creator),
    category: (category ?? '').toWellFormed(),
    setting: text === '{}' ? '' : text,
  }
}

/** Parses a row into a rule; undefined if this version does not know the rule. */
export function ruleOf(row: RuleRow): Rule | undefined {
  const { chain, asset, numeraire, creator, category } = row
  const kind = kindNamed(row.kind)
  if (kind === undefined) return undefined
  const setting = kinds[kind].setting.safeParse(row.setting === '' ? {} : storedJson(row.setting))
  if (!setting.success) return undefined
  const scope = {
    ...(chain !== 0 && { chain }),
    ...(asset !== '' && { asset }),
    ...(numeraire !== '' && { numeraire }),
    ...(creator !== '' && { creator }),
    ...(category !== '' && { category }),
  }
  return { kind, setting: setting.data, scope }
}

function addressText(address: string | undefined): string {
  return (address ?? '').toWellFormed().toLowerCase()
}

const amountPattern =
  /^\$?(?<digits>\d+(?:\.\d+)?|\.\d+)(?:e(?<power>[+-]?\d{1,2})|(?<unit>[kmb]))?$/iu
const exponents: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 }
/** Maximum digits and point of a stored amount; no price or market cap needs more. */
const maxLength = 40

/**
 * Parses an amount of money into a plain decimal, as rules store it.
 * @example
 * parseAmount('$1.50') // '1.5'
 * parseAmount('1.5e-7') // '0.00000015'
 * parseAmount('300k') // '300000'
 * @throws UserError that explains the format
 */
export function parseAmount(raw: string): string {
  const { digits, power, unit } = amountPattern.exec(raw.trim())?.groups ?? {}
  if (digits === undefined) {
    throw new UserError(
      `"${raw}" is no amount. Write it as 0.5, 1.5e-7, 300k or 2.5m, without separators for thousands.`,
    )
  }
  const exponent = power ?? exponents[unit?.toLowerCase() ?? ''] ?? 0
  const amount = new Big(`${digits}e${exponent}`)
  const text = amount.toFixed()
  if (amount.eq(0) || text.length > maxLength) {
    throw new UserError(`"${raw}" can’t be reached. Give an amount above 0 that a price can have.`)
  }
  return text
}
