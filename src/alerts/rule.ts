import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { chainById } from '../chain/chains.ts'
import { nearest } from '../core/command.ts'
import { type List, t } from '../core/view.ts'
import type { RulesTable } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { positive } from './amount.ts'
import { storedJson } from './asset.ts'
import { minimums, type RuleOptions, type Scope, type SettingOption } from './kinds/kind.ts'
import { type Kind, kindIds, kindNamed, kinds, kindsWhere, kindWord } from './kinds/list.ts'

/** A kind of alert, its setting, and the assets it is about: the thing a chat subscribes to. */
export interface Rule {
  kind: Kind
  /** As the kind's schema parsed it. */
  setting: unknown
  scope: Scope
}

/** As values of filter options: remove the filter. */
export const anyCategory = 'any'
export const anyAmount = 'any'
export const anyChain = 0
const anyName = 'any'

/** Parses a kind, in any case. @throws UserError that suggests a similar kind */
export function parseKind(word: string): Kind {
  const kind = kindNamed(word)
  if (kind) return kind
  const near = nearest(word.toLowerCase(), kindIds.map(kindWord))
  throw new UserError(
    near === undefined
      ? t('alerts-kind-unknown', { typed: word, kinds: listOf(kindIds.map(kindWord), 'and') })
      : t('alerts-kind-near', { typed: word, near: { code: near } }),
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
    throw new UserError(t('alerts-change-what', { example: { code: 'percent:50,100' } }))
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

/** Words as people type them, joined as the language joins a list. */
function listOf(words: readonly string[], as: 'and' | 'or'): List {
  return { list: words.map((code) => ({ code })), as }
}

function defined(options: RuleOptions): RuleOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function ruleFrom(kind: Kind, options: RuleOptions): Rule {
  const { chain, asset, numeraire, creator, category, name, mcap, raised } = options
  const scope: Scope = {
    ...(chain !== undefined && chain !== anyChain && { chain }),
    ...(asset !== undefined && { asset: asset.toLowerCase() }),
    ...(numeraire !== undefined && { numeraire: numeraire.toLowerCase() }),
    ...(creator !== undefined && { creator: creator.toLowerCase() }),
    ...(category !== undefined && category !== anyCategory && { category }),
    ...(name !== undefined && name.toLowerCase() !== anyName && { name: name.toLowerCase() }),
    ...(mcap !== undefined && mcap !== anyAmount && { mcap }),
    ...(raised !== undefined && raised !== anyAmount && { raised }),
  }
  return { kind, scope, setting: kinds[kind].settingFrom(options) }
}

/** Options of which a rule has one: they exclude each other. */
const exclusiveOptions: readonly SettingOption[] = ['above', 'below', 'move']

function isExclusive(name: string): boolean {
  return exclusiveOptions.some((each) => each === name)
}

/**
 * Says which chains rules for any chain are about: all but testnets, whose tokens are worthless; all if the bot has no
 * other chains.
 * @param chains the ids of the bot's chains
 */
export function chainsOfAny(chains: readonly number[]): (chain: number) => boolean {
  const isTestnet = (id: number) => chainById(id).testnet === true
  return chains.every(isTestnet) ? () => true : (id) => !isTestnet(id)
}

/** @throws UserError if the options don't fit the kinds, or each other */
export function refuseUnfit(requested: readonly Kind[], options: RuleOptions): void {
  const names = Object.keys(defined(options))
  for (const name of names) {
    // With a minimum that it never reaches a kind would be silent.
    const supportsMinimum = kindsWhere((kind) => kind.minimums.some((each) => each === name))
    const supporting = [
      ...kindsWhere((kind) => kind.options.some((each) => each === name)),
      ...supportsMinimum,
    ]
    const isMinimum = supportsMinimum.length > 0
    const fits = (kind: Kind) => supporting.includes(kind)
    const isFit = isMinimum ? requested.every(fits) : requested.some(fits)
    if (supporting.length === 0 || isFit) continue
    throw new UserError(
      t('alerts-option-unfit', {
        option: { code: `${name}:` },
        supporting: listOf(supporting.map(kindWord), 'and'),
        requested: listOf(requested.map(kindWord), 'or'),
      }),
    )
  }
  const exclusive = names.filter(isExclusive)
  if (exclusive.length > 1) {
    throw new UserError(
      t('alerts-one-value', {
        options: listOf(
          exclusiveOptions.map((each) => `${each}:`),
          'or',
        ),
      }),
    )
  }
  const [option] = exclusive
  if (option !== undefined && option !== 'move') refuseSharedValue(requested)
  refuseWrongScope(requested, names)
}

/** One value can't be that of two figures. */
function refuseSharedValue(requested: readonly Kind[]): void {
  const compared = requested.filter((kind) => kinds[kind].figure !== undefined)
  if (compared.length < 2) return
  throw new UserError(t('alerts-shared-value', { kinds: listOf(compared, 'and') }))
}

function refuseWrongScope(requested: readonly Kind[], names: readonly string[]): void {
  if (!names.includes('asset')) {
    const kind = requested.find(needsAsset)
    if (kind === undefined) return
    throw new UserError(
      t('alerts-token-needed', { kind: { code: kind }, option: { code: 'asset:' } }),
    )
  }
  const many = requested.find((kind) => kinds[kind].assets === 'many')
  if (many !== undefined) {
    throw new UserError(
      t('alerts-token-unfit', { option: { code: 'asset:' }, kind: { code: many } }),
    )
  }
  const filter = ['category', 'numeraire', 'creator', 'name', ...minimums].find((name) =>
    names.includes(name),
  )
  if (filter !== undefined) {
    throw new UserError(
      t('alerts-filter-unfit', { filter: { code: `${filter}:` }, option: { code: 'asset:' } }),
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
  const { chain, asset, numeraire, creator, category, name, mcap, raised } = scope
  // These have no columns: what has one is found by an index, and they are compared afterwards.
  const uncolumned = {
    ...(name !== undefined && { name: name.toWellFormed().toLowerCase() }),
    ...(mcap !== undefined && { mcap }),
    ...(raised !== undefined && { raised }),
  }
  const text = JSON.stringify({ ...parsedSetting(kind, setting), ...uncolumned })
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
  const stored = storedSetting.safeParse(row.setting === '' ? {} : storedJson(row.setting)).data
  if (stored === undefined) return undefined
  const { name, mcap, raised, ...rest } = stored
  const setting = kinds[kind].setting.safeParse(rest)
  if (!setting.success) return undefined
  const scope = {
    ...(chain !== 0 && { chain }),
    ...(asset !== '' && { asset }),
    ...(numeraire !== '' && { numeraire }),
    ...(creator !== '' && { creator }),
    ...(category !== '' && { category }),
    ...(name !== undefined && { name }),
    ...(mcap !== undefined && { mcap }),
    ...(raised !== undefined && { raised }),
  }
  return { kind, setting: setting.data, scope }
}

/** The JSON in the column of the setting: that of the kind, the part of a name, and minimums. */
const storedSetting = z.looseObject({
  name: z.string().optional(),
  mcap: positive.optional(),
  raised: positive.optional(),
})

function parsedSetting(kind: Kind, setting: unknown): object {
  return z.looseObject({}).parse(kinds[kind].setting.parse(setting))
}

function addressText(address: string | undefined): string {
  return (address ?? '').toWellFormed().toLowerCase()
}
