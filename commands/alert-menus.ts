import type { Phase } from '../src/alerts/asset.ts'
import type { PresentAsset, Preset, RuleOptions } from '../src/alerts/kinds/kind.ts'
import { type Kind, kinds, kindsWhere } from '../src/alerts/kinds/list.ts'
import { phaseOf } from '../src/alerts/poll.ts'
import {
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
import { type LineWriter, lineWriter, ruleText } from '../src/alerts/views/list.ts'
import { kindsView, presetsView, whichAssetView } from '../src/alerts/views/menu.ts'
import { figuresOf } from '../src/api/figures.ts'
import { type Asset, categories } from '../src/api/schema.ts'
import type { Money } from '../src/api/units.ts'
import { chainById } from '../src/chain/chains.ts'
import { conjunction } from '../src/core/text.ts'
import type { Button, Span, View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { tokenLabel } from '../src/views/token.ts'
import {
  type AlertsRequest,
  ifSoon,
  ruleOptions,
  ruleTextParts,
  typedOptions,
} from './alert-options.ts'
import type { Services } from './services.ts'

const maxSuggested = 6

/** Shows the default settings of a kind. */
export async function choose(request: AlertsRequest): Promise<View> {
  const { words, services, permissions, line } = request
  const [word = ''] = words
  if (word === '') return kindsView(line)
  const kind = parseKind(word)
  const options = await ruleOptions(request, [kind], `choose ${kind}`)
  if ('title' in options) return options
  const { asset, chain } = options
  if (needsAsset(kind) && asset === undefined) {
    return askForAsset(request, [kind], `choose ${kind}`, options)
  }
  const current = await currentValue({ kind, scope: { asset, chain } }, services)
  const offered = presetsOf(kind, asset, services, current?.value)
  const rules = offered.flatMap((each) => rulesOf([kind], { ...options, ...each.options }))
  const shown = await ruleTextParts(rules, services)
  const presets = offered.map(({ label, options: own }, index) => {
    const rule = rules[index]
    const { category, chain: on, ...rest } = { ...options, ...own }
    // "Any" is the default of these.
    const named = {
      ...rest,
      ...(category !== anyCategory && { category }),
      ...(on !== anyChain && { chain: on }),
    }
    const text = rule ? ruleText(rule, shown) : ''
    return { label, text, line: line(`add ${kind}`, typedOptions(named)) }
  })
  const about = asset === undefined ? '' : `asset:${asset} chain:${chain}`
  const typed = `${about} ${kinds[kind].example(current?.value)}`.trim()
  const example = line.typed(`add ${kind}`, typed)
  if (asset === undefined) return presetsView(kind, { presets, example, from: line('add') })
  const { context, targetChat } = permissions
  const followLine = lineWriter({ platform: context.platform, targetChat }, 'follow')
  const name = shown.names.get(asset.toLowerCase())
  const from = followLine(asset, { chain })
  return presetsView(kind, { presets, example, from, name, current: current?.text })
}

/** Shows the default settings that a subscription can be changed to. */
export async function changeMenu(
  { id, rule }: Subscription,
  position: number,
  { services, line }: AlertsRequest,
): Promise<View> {
  const { kind, scope } = rule
  const current = await currentValue(rule, services)
  const shown = await ruleTextParts([rule], services)
  const presets = presetsOf(kind, scope.asset, services, current?.value).map(
    ({ label, options }) => ({
      label,
      text: ruleText(changedRule(rule, { chain: scope.chain ?? anyChain, ...options }), shown),
      line: line(`change #${id}`, typedOptions(options)),
    }),
  )
  const example = line.typed(`change ${position}`, kinds[kind].example(current?.value))
  const name = scope.asset && shown.names.get(scope.asset)
  return presetsView(kind, {
    presets,
    example,
    from: line(`show #${id}`),
    name,
    current: current?.text,
  })
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
  if (asset !== undefined) return [{ label: 'This asset', options: {} }]
  const some = chains.length > 1 ? chains : []
  return [
    { label: 'Any auction', options: { category: anyCategory, chain: anyChain } },
    ...categories.map((category) => ({ label: category, options: { category } })),
    ...some.map(({ name, id }) => ({ label: name, options: { chain: id } })),
  ]
}

/** The current value of the figure that a rule compares, with its text; undefined if it can't be read soon. */
async function currentValue(
  { kind, scope }: Pick<Rule, 'kind' | 'scope'>,
  services: Services,
): Promise<{ value: Money; text: string } | undefined> {
  const { asset: address, chain: id = services.chains[0].id } = scope
  const { figure } = kinds[kind]
  if (figure === undefined || address === undefined) return undefined
  const read = await ifSoon(services.api.asset(address, id))
  if (read === undefined) return undefined
  const value = figure.of(figuresOf(read.value, services.units))
  const numeraire = read.value.asset_numeraire_address
  return value && { value, text: figure.text(value, chainById(id), numeraire) }
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
  const { asset, category, numeraire, creator, above, below, move } = options
  const withAsset = requested.filter(needsAsset)
  const isNarrowed = [category, numeraire, creator].some((each) => each !== undefined)
  if (asset !== undefined || withAsset.length === 0 || isNarrowed) return undefined
  if (withAsset.length < requested.length) {
    const { line } = request
    const others = requested.filter((kind) => !needsAsset(kind))
    throw new UserError([
      `${conjunction(withAsset)} tells of one asset. Send it by itself, as in `,
      { code: line.typed(`add ${withAsset.join(' ')}`, 'asset:OTTER') },
      ', and ',
      { code: line.typed(`add ${others.join(' ')}`) },
      ' for the rest.',
    ])
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
  const buttons = items.slice(0, maxSuggested).map((item): Button => {
    const typed = typedOptions({ ...options, asset: item.asset_address, chain })
    return { label: tokenLabel(item), line: line(words, typed) }
  })
  return whichAssetView(requested[0], buttons, line)
}

/** The phase of an asset by its own status. */
export function phaseNow(asset: Asset, { units, now }: Services): Phase {
  return phaseOf({ source: 'fetch', asset }, undefined, figuresOf(asset, units), now())
}

const phaseWords: Readonly<Record<Phase, string>> = {
  incoming: 'is announced already',
  live: 'is live already',
  graduated: 'has graduated already',
  ended: 'is over',
  gone: 'is no longer listed',
}

/**
 * Remarks on rules that were just added, each without its full stop: what can't happen any more, or not for now, with a
 * line that adds what can. The rules stay: an asset may return.
 */
export async function remarksOn(
  rules: readonly Rule[],
  services: Services,
  line: LineWriter,
): Promise<Span[][]> {
  const { asset: address, chain: id } = rules[0]?.scope ?? {}
  const [only, ...others] = services.chains
  const chain = id === undefined ? only : chainById(id)
  // Without a chain the asset may be several, in different phases.
  if (address === undefined || (id === undefined && others.length > 0)) return []
  const read = await ifSoon(services.api.asset(address, chain.id))
  if (read === undefined) return []
  const phase = phaseNow(read.value, services)
  const present: PresentAsset = {
    figures: figuresOf(read.value, services.units),
    chain,
    numeraire: read.value.asset_numeraire_address,
    now: services.now(),
  }
  const remark = (text: string, next: readonly Kind[], options: RuleOptions = {}): Span[] => {
    if (next.length === 0) return [text]
    const about = { asset: address, chain: chain.slug, ...typedSetting(options) }
    return [
      `${text}. To hear what comes, send: `,
      { code: line.typed(`add ${next.join(' ')}`, about) },
    ]
  }
  const over = rules.filter(({ kind }) => kinds[kind].isOver(phase)).map(({ kind }) => kind)
  const next = possibleKinds(phase).filter((kind) => !rules.some((rule) => rule.kind === kind))
  const past = `${tokenLabel(read.value)} ${phaseWords[phase]}: ${conjunction(over)} can tell nothing more of it`
  const remarks = rules.flatMap(({ kind, setting }) => {
    const found = over.includes(kind) ? undefined : kinds[kind].remark?.(setting, present)
    return found ? [remark(found.text, found.instead ? [kind] : [], found.instead)] : []
  })
  return [...(over.length > 0 ? [remark(past, next)] : []), ...remarks]
}

function typedSetting(options: RuleOptions) {
  const { chain: _, ...setting } = typedOptions(options)
  return setting
}

/** The kinds that can still happen to an asset; those about a figure of it only if nothing else can. */
function possibleKinds(phase: Phase): readonly Kind[] {
  const open = kindsWhere((kind) => kind.assets !== 'many' && !kind.isOver(phase))
  const sale = open.filter((kind) => !needsAsset(kind))
  return sale.length > 0 ? sale : open
}
