import { parseAmount } from '../src/alerts/amount.ts'
import { type ChatAlerts, type Permissions, refuseRepeated } from '../src/alerts/chat-alerts.ts'
import {
  maxPercents,
  type RuleOptions,
  ranges,
  type SettingOption,
} from '../src/alerts/kinds/kind.ts'
import { type Kind, kindIds, kindsWhere, kindWord } from '../src/alerts/kinds/list.ts'
import { anyCategory, anyChain, type Rule, refuseUnfit } from '../src/alerts/rule.ts'
import {
  type LineWriter,
  lineOption,
  type Owner,
  type RuleTextParts,
} from '../src/alerts/views/list.ts'
import { kindFields } from '../src/alerts/views/menu.ts'
import { baseToken } from '../src/api/asset.ts'
import { categories } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { Mention } from '../src/core/adapter.ts'
import { plainText } from '../src/core/catalogue.ts'
import {
  type Arguments,
  type Choice,
  type Guide,
  integer,
  optional,
  type Param,
  type Platform,
  text,
} from '../src/core/command.ts'
import { type Text, t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { tokenName } from '../src/views/token.ts'
import { chainsToSearch, ifSoon, resolveAsset } from './lookup.ts'
import {
  address,
  assetTerm,
  categoryNamed,
  chain,
  maxCompletions,
  otherChat,
  quoteToken,
  quoteTokenOn,
  zone,
} from './params.ts'
import type { Services } from './services.ts'

/** Maximum length of a part of a name. */
const maxNamePart = 40
/** Maximum categories in an error. */
const maxCategories = 20
/** Subcommands to suggest in autocomplete. */
const suggestions = [
  ...kindIds.map((kind) => `add ${kindWord(kind)}`),
  'add live progress graduated',
  'mute 8h',
  'unmute',
  'remove all',
]

function subcommand(): Param<string, Services> {
  return {
    ...text<Services>(t('alerts-param-what'), 'add'),
    complete: async (typed) => containing(typed, suggestions),
  }
}

/** Describes an option after the kinds that take it: `price, mcap: rises above this`. */
function about(option: SettingOption, description: Text): Text {
  const taking = kindsWhere(({ options }) => options.includes(option))
  return t('alerts-param-of', { kinds: taking.map(kindWord).join(', '), about: description })
}

function percents(): Param<number[], Services> {
  const [min, max] = ranges.percent
  return {
    about: about('percent', t('alerts-param-percent')),
    example: '25,50,100',
    required: true,
    parse: (raw) => {
      const values = raw
        .split(/[\s,;]+/u)
        .filter(Boolean)
        .map((each) => (/^\d{1,3}%?$/u.test(each) ? Number.parseInt(each, 10) : 0))
      if (values.length === 0 || values.some((value) => value < min || value > max)) {
        throw new UserError(t('alerts-percent-unreadable', { typed: raw, min, max }))
      }
      const unique = [...new Set(values)].sort((one, other) => one - other)
      if (unique.length <= maxPercents) return unique
      throw new UserError(t('alerts-percent-many', { count: unique.length, max: maxPercents }))
    },
  }
}

function amount(description: Text): Param<string, Services> {
  return { about: description, example: '0.5', required: true, parse: (raw) => parseAmount(raw) }
}

/** Percent, with or without the sign. */
function percentMove(): Param<number, Services> {
  const number = integer<Services>(about('move', t('alerts-param-move')), ...ranges.move)
  return {
    ...number,
    example: '10',
    parse: (raw, services) => number.parse(raw.replace(/%$/u, '').trimEnd(), services),
  }
}

function anyOr<T>(param: Param<T, Services>): Param<T | 'any', Services> {
  return {
    ...param,
    parse: (raw, services) =>
      raw.toLowerCase() === anyCategory ? 'any' : param.parse(raw, services),
  }
}

/** A category as typed; `resolveCategory` finds it, which takes requests to the API. */
function watchedCategory(): Param<string, Services> {
  return {
    ...text<Services>(t('alerts-param-category'), categories[0], 100),
    complete: async (typed, services) =>
      containing(typed, [...(await allCategories(services)), anyCategory]).slice(0, maxCompletions),
  }
}

function containing(typed: string, all: readonly string[]): Choice[] {
  const term = typed.trim().toLowerCase()
  return all
    .filter((each) => each.toLowerCase().includes(term))
    .map((value) => ({ value, label: value }))
}

/** As a value of `role:`: notify no role any more. */
const noRole = 'none'

function role(): Param<string, Services> {
  return {
    about: t('alerts-param-role'),
    example: noRole,
    required: true,
    role: true,
    parse: (raw) => {
      const { id } = /^(?:<@&)?(?<id>\d{1,20}|none)>?$/u.exec(raw.toLowerCase())?.groups ?? {}
      if (id !== undefined) return id
      throw new UserError(t('alerts-role-unreadable', { typed: raw }))
    },
  }
}

/** The role that a line names, which the person may have alerts notify; null for none, undefined if it names none. */
export async function mentionOf({
  args: { role: named },
  services,
  permissions,
}: AlertsRequest): Promise<Mention | null | undefined> {
  if (named === undefined) return undefined
  return named === noRole ? null : services.alerts.mention(permissions, named)
}

export const alertsParams = {
  [lineOption]: optional(subcommand()),
  category: optional(watchedCategory()),
  name: optional(text<Services>(t('alerts-param-name'), 'otter', maxNamePart)),
  numeraire: optional(quoteToken(t('alerts-param-quote'))),
  creator: optional(address(t('alerts-param-creator'))),
  mcap: optional(anyOr<string>(amount(t('alerts-param-mcap')))),
  raised: optional(anyOr<string>(amount(t('alerts-param-raised')))),
  asset: optional(assetTerm(t('alerts-param-token'), 'OTTER')),
  chain: optional(anyOr<Chain>(chain())),
  percent: optional(percents()),
  minutes: optional(
    integer<Services>(about('minutes', t('alerts-param-minutes')), ...ranges.minutes),
  ),
  above: optional(amount(about('above', t('alerts-param-above')))),
  below: optional(amount(about('below', t('alerts-param-below')))),
  move: optional(percentMove()),
  hour: optional(integer<Services>(about('hour', t('alerts-param-hour')), ...ranges.hour)),
  zone: optional(zone(about('zone', t('alerts-param-zone')))),
  role: optional(role()),
  page: optional(integer<Services>(t('param-page'), 1, 100)),
  in: optional(otherChat()),
}

/** What no button of the panel can fill in; all else is typed behind the first. */
export const alertsListedOptions = [lineOption, 'role', 'in']

export function alertsGuide({ chatPicker }: Platform): Guide {
  return {
    example: ['add live graduated', 'category:builder-coin chain:base'],
    values: [
      ...kindFields.map(([kind, when]) => [`add ${kindWord(kind)}`, when] as const),
      ['show, change, remove', t('alerts-guide-one')],
      ['mute, unmute', t('alerts-guide-mute')],
      ...(chatPicker ? [['channel', t('alerts-guide-channel')] as const] : []),
    ],
  }
}

/** A parsed line of `/alerts`, with what its subcommands need. */
export interface AlertsRequest {
  args: Arguments<typeof alertsParams>
  /** The words after the subcommand. */
  words: readonly string[]
  services: Services
  permissions: Permissions
  line: LineWriter
  /** The title of the other chat that is being set up; undefined for the chat of the line. */
  chatName: Text | undefined
}

/**
 * The options of a rule, with the asset's address and chain resolved; a view that asks if several assets fit.
 * @param words the words of the line that is repeated with the chosen asset
 * @param ruleChain the chain of the rule that is changed
 * @throws UserError if the options don't fit the kinds, or there is no such asset
 */
export async function ruleOptions(
  { args, services, line }: AlertsRequest,
  kinds: readonly Kind[],
  words: string,
  ruleChain?: number,
): Promise<RuleOptions | View> {
  const { do: _, in: __, page: ___, role, asset: term, chain: chainOption, ...rest } = args
  const on = chainOption === 'any' ? anyChain : chainOption?.id
  const category = rest.category && (await resolveCategory(rest.category, services))
  const options: RuleOptions = { ...rest, chain: on, category }
  if (rest.numeraire !== undefined) {
    const known = services.chains.find(({ id }) => id === (on ?? ruleChain))
    const quote = await quoteTokenOn(
      rest.numeraire,
      known ? [known] : chainsToSearch(undefined, services),
      services,
    )
    // A symbol names a token of one chain.
    Object.assign(options, { numeraire: quote.address, chain: on ?? quote.chain?.id })
  }
  if (term === undefined) return options
  // Check first, so that nobody chooses an asset only to be refused afterwards.
  refuseUnfit(kinds, { ...options, asset: term })
  const lineFor = (asset: string, id: number) =>
    line(words, { ...typedOptions({ ...options, asset, chain: id }), role })
  const wanted = chainOption === 'any' ? undefined : chainOption
  const found = await resolveAsset(term, wanted, lineFor, services)
  if ('title' in found) return found
  return { ...options, asset: found.asset.asset_address, chain: found.chain.id }
}

/** Options as a line writes them. */
export function typedOptions(options: RuleOptions): Record<string, string | number | undefined> {
  const { percent, chain: id, ...rest } = options
  return { ...rest, percent: percent?.join(','), chain: id === anyChain ? anyCategory : id }
}

/**
 * Resolves a category to the API's spelling: a documented one, or one that listed assets have.
 * @throws UserError that lists the categories
 */
async function resolveCategory(typed: string, services: Services): Promise<string> {
  if (typed.toLowerCase() === anyCategory) return anyCategory
  const documented = categoryNamed(typed, categories)
  if (documented) return documented
  const all = await allCategories(services)
  const found = categoryNamed(typed, all)
  if (found) return found
  throw new UserError(
    t('alerts-category-unknown', {
      typed,
      categories: { list: [...all, anyCategory].map((code) => ({ code })), as: 'or' },
    }),
  )
}

/** The documented categories, then those of the newest and the live assets. */
async function allCategories({ api, chains }: Services): Promise<string[]> {
  const lists = chains.flatMap(({ id }) =>
    (['all', 'live'] as const).map((status) => ifSoon(api.assets({ chain: id, status }))),
  )
  const items = (await Promise.all(lists)).flatMap((read) => read?.value.items ?? [])
  const thirdParty = items.flatMap(({ asset_categories: named = [] }) => named)
  return [...new Set([...categories, ...thirdParty.filter(isPlainName)])].slice(0, maxCategories)
}

/** Only plain names: these are third-party texts, and they go into lines that others run. */
function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u.test(name) && name.toLowerCase() !== anyCategory
}

/** Reads the names that the texts of these rules need; an asset whose name can't be read goes by its address. */
export async function ruleTextParts(
  rules: readonly Rule[],
  services: Services,
): Promise<RuleTextParts> {
  const { api, units, chains } = services
  const chainByAsset = new Map(
    rules.flatMap(({ scope: { asset, chain: on = chains[0].id } }) =>
      asset === undefined ? [] : [[asset, on] as const],
    ),
  )
  const names = await Promise.all(
    [...chainByAsset].map(async ([asset, on]) => {
      const read = await ifSoon(api.asset(asset, on))
      const name = read && plainText(tokenName(baseToken(read.value)?.token_name))
      return name === undefined ? [] : [[asset.toLowerCase(), name] as const]
    }),
  )
  return { names: new Map(names.flat()), units, chains }
}

/** Returns the owner of the alerts shown. `chatName` is the other chat's title, undefined if they are of this chat. */
export function ownerOf(
  { context }: Pick<Permissions, 'context'>,
  chatName: Text | undefined,
): Owner {
  if (chatName !== undefined) return 'other-chat'
  if (context.isPrivate) return 'own'
  return context.thread === undefined ? 'chat' : 'topic'
}

/**
 * Finds the subscription that a line names: people use its number in the list, buttons its id (`#57`), which never
 * changes.
 * @throws UserError if there is none
 */
export async function subscriptionNamed(
  { words: [word = ''], permissions, line }: AlertsRequest,
  alerts: ChatAlerts,
) {
  const { mark, digits } = /^(?<mark>#?)(?<digits>\d{1,15})$/u.exec(word)?.groups ?? {}
  if (digits === undefined) {
    throw new UserError(t('alerts-which-number', { command: { code: line.typed('') } }))
  }
  const followed = await alerts.of(permissions)
  refuseRepeated(followed, permissions.context)
  const { subscriptions } = followed
  const number = Number(digits)
  const index = mark === '#' ? subscriptions.findIndex(({ id }) => id === number) : number - 1
  const subscription = subscriptions[index]
  if (subscription) return { subscription, position: index + 1 }
  const command = { code: line.typed('') }
  throw new UserError(
    mark === '#'
      ? t('alerts-gone-already', { command })
      : t('alerts-none-of-number', { number, command }),
  )
}
