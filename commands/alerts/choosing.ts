import type { Kind } from '../../src/alerts/rule.ts'
import {
  anyChain,
  changedRule,
  parseKind,
  type RuleOptions,
  refuseUnfit,
  rulesOf,
} from '../../src/alerts/rules.ts'
import type { Subscription } from '../../src/alerts/subscription.ts'
import { kindsView, presetsView, whichAssetView } from '../../src/alerts/views/menu.ts'
import { alertsLine, listed, ruleText } from '../../src/alerts/views/rule.ts'
import type { View } from '../../src/core/view.ts'
import { UserError } from '../../src/errors.ts'
import { type AlertsRequest, optionsOf } from './asked.ts'
import { defaultSettings, optionsInLine, otherSetting } from './presets.ts'
import { liveAssets, presentValue } from './values.ts'
import { wordsFor } from './words.ts'

/** Shows the default settings of a kind. */
export async function choose(request: AlertsRequest): Promise<View> {
  const { words, services, permissions, line } = request
  const [word = ''] = words
  if (word === '') return kindsView(line)
  const kind = parseKind(word)
  const options = await optionsOf(request, [kind], `choose ${kind}`)
  if ('title' in options) return options
  const { asset, chain } = options
  if (needsAsset(kind) && asset === undefined) {
    return askForAsset(request, [kind], `choose ${kind}`, options)
  }
  const now = await presentValue({ kind, scope: { asset, chain } }, services)
  const defaults = defaultSettings(kind, { asset }, services.chains, now?.value)
  const rules = defaults.flatMap((each) => rulesOf([kind], { ...options, ...each.options }))
  const shown = await wordsFor(rules, services)
  const presets = defaults.map(({ label, options: own }, index) => {
    const rule = rules[index]
    const text = rule ? ruleText(rule, shown) : ''
    const { category, chain, ...rest } = { ...options, ...own }
    // "Any" is the default of these.
    const named = {
      ...rest,
      ...(category !== 'any' && { category }),
      ...(chain !== anyChain && { chain }),
    }
    return { label, text, run: line(`add ${kind}`, optionsInLine(named)) }
  })
  const about = asset === undefined ? '' : `asset:${asset} chain:${chain}`
  const example = line.typed(`add ${kind}`, `${about} ${otherSetting(kind, now?.value)}`.trim())
  if (asset === undefined) return presetsView(kind, { presets, example, from: line('add') })
  const followLine = alertsLine(
    { platform: permissions.context.platform, elsewhere: permissions.elsewhere },
    'follow',
  )
  const name = shown.names.get(asset.toLowerCase())
  return presetsView(kind, {
    presets,
    example,
    from: followLine(asset, { chain }),
    name,
    now: now?.text,
  })
}

/**
 * A view that asks for the asset of price and market cap rules; undefined if it is given or not needed. Filters for
 * many assets don't select one: `rulesOf` then explains what is missing.
 * @throws Refusal if the line also has kinds that need no asset
 */
export async function assetQuestion(
  request: AlertsRequest,
  kinds: readonly [Kind, ...Kind[]],
  options: RuleOptions,
): Promise<View | undefined> {
  const { asset, category, numeraire, creator, above, below, move } = options
  const withAsset = kinds.filter(needsAsset)
  const isNarrowed = [category, numeraire, creator].some((each) => each !== undefined)
  if (asset !== undefined || withAsset.length === 0 || isNarrowed) return undefined
  if (withAsset.length < kinds.length) {
    const { line } = request
    const others = kinds.filter((kind) => !needsAsset(kind))
    throw new UserError([
      `${listed(withAsset)} tells of one asset. Send it by itself, as in `,
      { code: line.typed(`add ${withAsset.join(' ')}`, 'asset:OTTER') },
      ', and ',
      { code: line.typed(`add ${others.join(' ')}`) },
      ' for the rest.',
    ])
  }
  const isSet = [above, below, move].some((each) => each !== undefined)
  const words = `${kinds.length > 1 || isSet ? 'add' : 'choose'} ${kinds.join(' ')}`
  return askForAsset(request, kinds, words, options)
}

function needsAsset(kind: Kind): boolean {
  return kind === 'price' || kind === 'mcap'
}

async function askForAsset(
  { services, line }: AlertsRequest,
  kinds: readonly [Kind, ...Kind[]],
  words: string,
  options: RuleOptions,
): Promise<View> {
  // Check first, so that nobody chooses an asset only to be refused afterwards.
  refuseUnfit(kinds, { ...options, asset: '' })
  const about = (asset: string, chain: number) =>
    line(words, optionsInLine({ ...options, asset, chain }))
  return whichAssetView(kinds[0], await liveAssets(about, services, options.chain), line)
}

/** Shows the default settings that a subscription can be changed to. */
export async function changeMenu(
  { id, rule }: Subscription,
  position: number,
  { services, line }: AlertsRequest,
): Promise<View> {
  const now = await presentValue(rule, services)
  const defaults = defaultSettings(rule.kind, rule.scope, services.chains, now?.value)
  const shown = await wordsFor([rule], services)
  const presets = defaults.map(({ label, options }) => ({
    label,
    text: ruleText(changedRule(rule, { chain: rule.scope.chain ?? anyChain, ...options }), shown),
    run: line(`change #${id}`, optionsInLine(options)),
  }))
  const example = line.typed(`change ${position}`, otherSetting(rule.kind, now?.value))
  const name = rule.scope.asset && shown.names.get(rule.scope.asset)
  return presetsView(rule.kind, {
    presets,
    example,
    from: line(`show #${id}`),
    name,
    now: now?.text,
  })
}
