import { parseAmount } from '../src/alerts/amount.ts'
import type { Phase } from '../src/alerts/asset.ts'
import { phaseOf } from '../src/alerts/detect.ts'
import {
  type Minimum,
  minimums,
  minimumText,
  type PresentAsset,
  type Preset,
  type RuleOptions,
  type Scope,
  type TypedSetting,
} from '../src/alerts/kinds/kind.ts'
import { type Kind, kinds, kindsWhere, kindWord } from '../src/alerts/kinds/list.ts'
import {
  anyAmount,
  anyCategory,
  anyChain,
  changedRule,
  needsAsset,
  parseKind,
  type Rule,
  refuseUnfit,
  rulesOf,
} from '../src/alerts/rule.ts'
import type { Subscription } from '../src/alerts/subscriptions.ts'
import {
  type LineWriter,
  lineWriter,
  type RuleTextParts,
  ruleText,
} from '../src/alerts/views/list.ts'
import { kindsView, questionView, type ValueQuestion } from '../src/alerts/views/menu.ts'
import { figuresOf } from '../src/api/figures.ts'
import { type Asset, categories } from '../src/api/schema.ts'
import type { Money } from '../src/api/units.ts'
import { type Chain, chainById } from '../src/chain/chains.ts'
import type { Context } from '../src/core/command.ts'
import { type Question, questionToAsk } from '../src/core/conversation.ts'
import { type Message, type Span, type Text, t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { chainName, tokenLabel } from '../src/views/token.ts'
import { type AlertsRequest, ruleOptions, ruleTextParts, typedOptions } from './alert-options.ts'
import { ifSoon } from './lookup.ts'
import type { Services } from './services.ts'

const maxSuggested = 6

/** The rule that a menu of `/alerts` asks about, as far as it is known: its line holds the answers so far. */
interface Menu {
  request: AlertsRequest
  kind: Kind
  scope: Scope
  /** The answers that each button repeats; none for a rule that is changed. */
  options: RuleOptions
  /** The words of the line that asks, and of the one that stores the rule: `choose price` and `add price`. */
  asks: string
  stores: string
  /** The rule with these answers. @throws UserError if they don't fit */
  ruleWith(options: RuleOptions): Rule | undefined
  /** The rule that is changed, and its number in the list; undefined for a new one. */
  changed: { id: number; rule: Rule; position: number } | undefined
}

/** A filter that is asked for by itself. */
type AskedFilter = Minimum | 'creator' | 'name' | 'numeraire' | 'category' | 'chain'

/** Those that are behind a button of their own. */
const fewFilters = ['name', 'numeraire', 'category', 'chain'] as const
const filters: readonly AskedFilter[] = [...minimums, 'creator', ...fewFilters]

/** The word of a line that asks which filter to set. */
const moreFilters = 'filters'

interface MenuQuestion extends Question<Menu> {
  show(menu: Menu): Promise<View>
}

/** The questions of a menu. It asks for a filter only if the line names one. The line that stores the alert answers the setting. */
const menuQuestions: readonly MenuQuestion[] = [
  {
    id: 'asset',
    applies: ({ kind }) => needsAsset(kind),
    text: ({ scope }) => scope.asset,
    show: ({ request, kind, asks, options }) => askForAsset(request, [kind], asks, options),
  },
  { id: 'setting', applies: () => true, text: () => undefined, show: settingMenu },
  ...filters.map(
    (filter): MenuQuestion => ({
      id: filter,
      applies: () => true,
      text: () => undefined,
      show: (menu) => filterMenu(menu, filter),
    }),
  ),
  { id: moreFilters, applies: () => true, text: () => undefined, show: filtersMenu },
]

async function show(menu: Menu, asked: string | undefined): Promise<View> {
  const question = questionToAsk(menuQuestions, menu, asked)
  if (question === undefined) throw new Error('a menu has nothing to ask')
  return question.show(menu)
}

/** Asks for a new rule of a kind, one question at a time. */
export async function choose(request: AlertsRequest): Promise<View> {
  const { words, line } = request
  const [word = '', asked] = words
  if (word === '') return kindsView(line)
  const kind = parseKind(word)
  const asks = `choose ${kind}`
  const options = await ruleOptions(request, [kind], asks)
  if ('title' in options) return options
  const { asset, chain } = options
  return show(
    {
      request,
      kind,
      scope: { ...(asset !== undefined && { asset }), ...(chain !== undefined && { chain }) },
      options,
      asks,
      stores: `add ${kind}`,
      ruleWith: (own) => rulesOf([kind], { ...options, ...own })[0],
      changed: undefined,
    },
    asked,
  )
}

/** Asks for another setting of a subscription. */
export async function changeMenu(
  { id, rule }: Subscription,
  position: number,
  request: AlertsRequest,
): Promise<View> {
  const { kind, scope } = rule
  return show(
    {
      request,
      kind,
      scope,
      options: {},
      asks: `change #${id}`,
      stores: `change #${id}`,
      ruleWith: (own) => changedRule(rule, { chain: scope.chain ?? anyChain, ...own }),
      changed: { id, rule, position },
    },
    request.words[1],
  )
}

/** The filter that a line asks for; undefined if it asks for something else. */
export function filterNamed(word: string | undefined): AskedFilter | undefined {
  return filters.find((filter) => filter === word)
}

/** A filter as a person types it. The title says what is typed. */
export const typedFilters: Readonly<Record<AskedFilter, TypedSetting & { title: Text }>> = {
  name: {
    ...named(t('alerts-name-title')),
    ask: () => t('alerts-ask-name', { example: { code: 'otter' } }),
    options: (text) => ({ name: text }),
  },
  numeraire: {
    ...named(t('auction-quote-token')),
    ask: () => t('alerts-ask-quote', { example: { code: 'WETH' } }),
    options: (text) => ({ numeraire: text }),
  },
  category: {
    ...named(t('alerts-category-title')),
    ask: () => t('alerts-ask-category', { example: { code: categories[0] } }),
    options: (text) => ({ category: text }),
  },
  chain: {
    ...named(t('param-chain')),
    ask: () => t('alerts-ask-chain', { example: { code: 'base' } }),
    options: (text) => ({ chain: text }),
  },
  creator: {
    label: t('alerts-set-creator'),
    title: t('alerts-creator-title'),
    ask: () => t('alerts-ask-creator', { example: { code: '0x…' } }),
    options: (text) => ({ creator: text }),
  },
  mcap: {
    label: t('alerts-set-min-mcap'),
    title: t('alerts-min-mcap-title'),
    ask: () => t('alerts-ask-min-mcap', { example: { code: '50k' } }),
    options: (text, { locale }) => ({ mcap: parseAmount(text, locale) }),
  },
  raised: {
    label: t('alerts-set-min-raised'),
    title: t('alerts-min-raised-title'),
    ask: () => t('alerts-ask-min-raised', { example: { code: '2.5' } }),
    options: (text, { locale }) => ({ raised: parseAmount(text, locale) }),
  },
}

const minimumPresets: Readonly<Record<Minimum, readonly string[]>> = {
  mcap: ['10000', '50000', '100000', '500000', '1000000'],
  raised: ['1', '5', '10', '50', '100'],
}

function named(title: Text) {
  return { title, label: t('alerts-set-filter', { filter: [title] }) }
}

/** The values of a filter that are offered, with one that removes it. */
function filterChoices(
  filter: AskedFilter,
  { chains, units }: Services,
): { label: Text; value: string }[] {
  switch (filter) {
    case 'mcap':
    case 'raised':
      return [
        ...minimumPresets[filter].map((value) => ({
          label: minimumText(filter, value, units),
          value,
        })),
        { label: t('alerts-no-minimum'), value: anyAmount },
      ]
    case 'category':
      return [
        ...categories.map((value) => ({ label: value, value })),
        { label: t('alerts-any-category'), value: anyCategory },
      ]
    case 'chain':
      return [
        ...chains.map((chain) => ({ label: chainName(chain), value: chain.slug })),
        { label: t('alerts-any-chain'), value: anyCategory },
      ]
    default:
      return []
  }
}

const filterNotes: Readonly<Partial<Record<AskedFilter, Text>>> = {
  creator: t('alerts-creator-about'),
  mcap: t('alerts-minimum-about'),
  raised: t('alerts-minimum-about'),
}

/** Asks for a filter, such as a creator, or the least of a figure, below which there is no alert. */
async function filterMenu(menu: Menu, filter: AskedFilter): Promise<View> {
  const { request, options, asks, stores } = menu
  const { services, line } = request
  const named = typedOptions(options)
  const typed = typedFilters[filter]
  const rule = menu.changed?.rule ?? menu.ruleWith({})
  return questionView([typed.title], {
    rule: rule && ruleText(rule, await ruleTextParts([rule], services)),
    ask: await askForValue(request, typed, line(`${asks} ${filter}`, named), undefined),
    choices: filterChoices(filter, services).map(({ label, value }) => ({
      label,
      line: line(stores, { ...named, [filter]: value }),
    })),
    note: filterNotes[filter],
    from: line(asks, named),
  })
}

/** Asks which filter to set. */
async function filtersMenu(menu: Menu): Promise<View> {
  const { request, options, asks, kind } = menu
  const { services, line } = request
  const named = typedOptions(options)
  const rule = menu.changed?.rule ?? menu.ruleWith({})
  return questionView([kinds[kind].label], {
    rule: rule && ruleText(rule, await ruleTextParts([rule], services)),
    choices: fewFilters
      .filter((filter) => filter !== 'chain' || services.chains.length > 1)
      .map((filter) => ({
        label: typedFilters[filter].label,
        line: line(`${asks} ${filter}`, named),
      })),
    from: line(asks, named),
  })
}

/** Asks for the setting of a rule, by its defaults or a value. */
async function settingMenu(menu: Menu): Promise<View> {
  const { request, kind, scope, options, asks, changed, ruleWith } = menu
  const { services, line } = request
  const { asset, chain } = scope
  const current = await currentValue({ kind, scope }, services)
  const offered = presetsOf(kind, asset, services, current?.value)
  const rules = offered.flatMap((each) => ruleWith(each.options) ?? [])
  const shown = await ruleTextParts(changed ? [changed.rule] : rules, services)
  const choices = offered.map(({ label, options: own }, index) => {
    const rule = rules[index]
    return {
      label,
      text: rule && ruleText(rule, besideTitle(rule, shown)),
      group: kinds[kind].figure === undefined ? '' : Object.keys(own).join(),
      line: storingLine(menu, own),
    }
  })
  const named = typedOptions(options)
  const ask = await askForValue(request, kinds[kind].typed, line(asks, named), current?.value)
  const about = asset === undefined ? '' : `asset:${asset} chain:${chain}`
  const example = changed
    ? line.typed(`change ${changed.position}`, kinds[kind].example())
    : line.typed(`add ${kindWord(kind)}`, `${about} ${kinds[kind].example()}`.trim())
  const title = titleOf(rules, shown).slice(0, changed ? 1 : undefined)
  return questionView(
    [kinds[kind].label, ...(title.length === 0 ? [] : [{ own: ': ' }, ...title])],
    {
      current: current?.text,
      rule: changed && ruleText(changed.rule, shown),
      ask,
      choices,
      more:
        asset === undefined
          ? [
              ...[...kinds[kind].minimums, 'creator' as const].map((filter) => ({
                label: typedFilters[filter].label,
                line: line(`${asks} ${filter}`, named),
              })),
              { label: t('alerts-button-filters'), line: line(`${asks} ${moreFilters}`, named) },
            ]
          : [],
      example: ask ? undefined : example,
      from: lineBack(menu),
    },
  )
}

/** The line that stores the rule with these options. For a new rule "any" is the default. */
function storingLine({ request: { line }, options, stores, changed }: Menu, own: RuleOptions) {
  if (changed) return line(stores, typedOptions(own))
  const { category, chain, ...rest } = { ...options, ...own }
  return line(
    stores,
    typedOptions({
      ...rest,
      ...(category !== anyCategory && { category }),
      ...(chain !== anyChain && { chain }),
    }),
  )
}

function lineBack({
  request: { line, permissions },
  scope: { asset, chain },
  changed,
}: Menu): string {
  if (changed) return line(`show #${changed.id}`)
  if (asset === undefined) return line('add')
  const { context, targetChat } = permissions
  return lineWriter({ platform: context.platform, targetChat }, 'follow')(asset, { chain })
}

/** Asks for a value: its answer goes on with the line. Undefined if there is nothing to type. */
export async function askForValue(
  { permissions: { context }, services }: AlertsRequest,
  typed: TypedSetting | undefined,
  line: string,
  current: Money | undefined,
): Promise<ValueQuestion | undefined> {
  const question = valueQuestion(context, typed, { line, current })
  if (question && question.form === undefined) await services.questions.ask(context, line)
  return question
}

/** Asks for a value, by a form or for the next message, as the chat allows; undefined if there is nothing to type. */
export function valueQuestion(
  { platform, isPrivate }: Context,
  typed: TypedSetting | undefined,
  { line, current }: { line: string; current: Money | undefined },
): ValueQuestion | undefined {
  if (typed === undefined) return undefined
  const text = typed.ask(current)
  if (platform.forms) return { text, form: { label: typed.label, line } }
  return { text: isPrivate ? text : t('alerts-ask-reply', { ask: text }), form: undefined }
}

/** The asset of the rules and its chain, for a title; empty if they are about many. */
function titleOf([rule]: readonly Rule[], { names, chains }: RuleTextParts): Span[] {
  const { asset, chain } = rule?.scope ?? {}
  const name = asset === undefined ? undefined : names.get(asset.toLowerCase())
  if (name === undefined) return []
  if (chain === undefined || chains.length < 2) return [name]
  return [name, ' · ', chainName(chainById(chain))]
}

/** The parts of the text of a rule below a title that names its asset's chain. */
function besideTitle(rule: Rule, shown: RuleTextParts): RuleTextParts {
  return titleOf([rule], shown).length > 1 ? { ...shown, chains: [] } : shown
}

/** The settings of a kind to offer; if there are none, filters, or the asset alone. */
function presetsOf(
  kind: Kind,
  asset: string | undefined,
  { chains }: Services,
  current?: Money,
): readonly Preset[] {
  const presets = kinds[kind].presets(current)
  if (presets.length > 0) return presets
  if (asset !== undefined) return [{ label: t('alerts-preset-token'), options: {} }]
  const some = chains.length > 1 ? chains : []
  return [
    { label: t('alerts-preset-any'), options: { category: anyCategory, chain: anyChain } },
    ...categories.map((category) => ({ label: category, options: { category } })),
    ...some.map((chain) => ({ label: chainName(chain), options: { chain: chain.id } })),
  ]
}

/** The current value of the figure that a rule compares, with its text; undefined if it can't be read soon. */
export async function currentValue(
  { kind, scope }: Pick<Rule, 'kind' | 'scope'>,
  services: Services,
): Promise<{ value: Money; text: Text } | undefined> {
  const { asset: address, chain: id = services.chains[0].id } = scope
  const { figure } = kinds[kind]
  if (figure === undefined || address === undefined) return undefined
  const read = await ifSoon(services.api.asset(address, id))
  if (read === undefined) return undefined
  const value = figure.of(figuresOf(read.value, services.units))
  return value && { value, text: figure.text(value, chainById(id), read.value) }
}

/**
 * A view that asks for the asset of kinds that are about one; undefined if it is given or not needed. Filters for many
 * assets don't select one: `rulesOf` then explains what is missing.
 * @throws UserError if the line also has kinds that need no asset
 */
export async function assetQuestion(
  request: AlertsRequest,
  requested: readonly [Kind, ...Kind[]],
  options: RuleOptions,
): Promise<View | undefined> {
  const { asset, category, numeraire, creator, name, mcap, raised, above, below, move } = options
  const withAsset = requested.filter(needsAsset)
  const isNarrowed = [category, numeraire, creator, name, mcap, raised].some(
    (each) => each !== undefined,
  )
  if (asset !== undefined || withAsset.length === 0 || isNarrowed) return undefined
  if (withAsset.length < requested.length) {
    const { line } = request
    const others = requested.filter((kind) => !needsAsset(kind))
    throw new UserError(
      t('alerts-token-by-itself', {
        kinds: { list: withAsset.map((code) => ({ code })), as: 'and' },
        first: { code: line.typed(`add ${withAsset.map(kindWord).join(' ')}`, 'asset:OTTER') },
        second: { code: line.typed(`add ${others.map(kindWord).join(' ')}`) },
      }),
    )
  }
  const isSet = [above, below, move].some((each) => each !== undefined)
  const words = `${requested.length > 1 || isSet ? 'add' : 'choose'} ${requested.join(' ')}`
  return askForAsset(request, requested, words, options)
}

async function askForAsset(
  { services: { api, chains }, line }: AlertsRequest,
  requested: readonly [Kind, ...Kind[]],
  words: string,
  options: RuleOptions,
): Promise<View> {
  // Check first, so that nobody chooses an asset only to be refused afterwards.
  refuseUnfit(requested, { ...options, asset: '' })
  const chain = options.chain || chains[0].id
  const filter = { status: 'live', chain, limit: maxSuggested, offset: 0 } as const
  const items = (await ifSoon(api.assets(filter)))?.value.items ?? []
  const [kind] = requested
  return questionView([kinds[kind].label], {
    ask: { text: t('alerts-which-token'), form: undefined },
    // One per row: names with symbols are too long for half a row.
    choices: items.slice(0, maxSuggested).map((item) => {
      const asset = item.asset_address
      const typed = typedOptions({ ...options, asset, chain })
      return { label: tokenLabel(item), group: asset, line: line(words, typed) }
    }),
    more: [{ label: t('alerts-button-live-auctions'), line: 'assets live', asNew: true }],
    example: line.typed(`add ${kindWord(kind)}`, `asset:OTTER ${kinds[kind].example()}`),
    from: line('add'),
  })
}

/** The phase of an asset by its own status. */
export function phaseNow(asset: Asset, { units, now }: Services): Phase {
  return phaseOf({ source: 'fetch', asset }, undefined, figuresOf(asset, units), now())
}

/** An asset as rules about it see it. */
export function presentAsset(asset: Asset, chain: Chain, { units, now }: Services): PresentAsset {
  return { figures: figuresOf(asset, units), chain, quoted: asset, now: now() }
}

/** Says that alerts of these kinds can't come any more, because of the asset's phase. */
const overTexts: Readonly<Record<Phase, (token: Text, kinds: Span) => Message>> = {
  incoming: (token, kinds) => t('alerts-over-incoming', { token, kinds }),
  live: (token, kinds) => t('alerts-over-live', { token, kinds }),
  graduated: (token, kinds) => t('alerts-over-graduated', { token, kinds }),
  ended: (token, kinds) => t('alerts-over-ended', { token, kinds }),
  gone: (token, kinds) => t('alerts-over-gone', { token, kinds }),
}

/**
 * Remarks on rules that were just added: what can't happen any more, or not for now, with a line that adds what can. The
 * rules stay: an asset may return.
 */
export async function remarksOn(
  rules: readonly Rule[],
  services: Services,
  line: LineWriter,
): Promise<Text[]> {
  const { asset: address, chain: id } = rules[0]?.scope ?? {}
  const [only, ...others] = services.chains
  const chain = id === undefined ? only : chainById(id)
  // Without a chain the asset may be several, in different phases.
  if (address === undefined || (id === undefined && others.length > 0)) return []
  const read = await ifSoon(services.api.asset(address, chain.id))
  if (read === undefined) return []
  const phase = phaseNow(read.value, services)
  const present = presentAsset(read.value, chain, services)
  const remark = (text: Text, next: readonly Kind[], options: RuleOptions = {}): Text => {
    if (next.length === 0) return text
    const about = { asset: address, chain: chain.slug, ...typedSetting(options) }
    return t('alerts-instead', {
      remark: text,
      line: { code: line.typed(`add ${next.map(kindWord).join(' ')}`, about) },
    })
  }
  const over = rules.filter(({ kind }) => kinds[kind].isOver(phase)).map(({ kind }) => kind)
  const next = possibleKinds(phase, present).filter(
    (kind) => !rules.some((rule) => rule.kind === kind),
  )
  const overKinds: Span = { list: over.map((kind) => ({ code: kindWord(kind) })), as: 'and' }
  const past = overTexts[phase](tokenLabel(read.value), overKinds)
  const remarks = rules.flatMap(({ kind, setting }) => {
    if (over.includes(kind)) return []
    const never = kinds[kind].never?.(present)
    if (never !== undefined) return [remark(never, next)]
    const found = kinds[kind].remark?.(setting, present)
    return found ? [remark(found.text, found.instead ? [kind] : [], found.instead)] : []
  })
  return [...(over.length > 0 ? [remark(past, next)] : []), ...remarks]
}

function typedSetting(options: RuleOptions) {
  const { chain: _, ...setting } = typedOptions(options)
  return setting
}

/** The kinds that can still happen to an asset; those about a figure of it only if nothing else can. */
function possibleKinds(phase: Phase, asset: PresentAsset): readonly Kind[] {
  const open = kindsWhere(
    (kind) => kind.assets !== 'many' && !kind.isOver(phase) && kind.never?.(asset) === undefined,
  )
  const sale = open.filter((kind) => !needsAsset(kind))
  return sale.length > 0 ? sale : open
}
