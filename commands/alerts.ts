import { untilUnmuted } from '../src/alerts/follow/alerts.ts'
import { type Asker, isDirect } from '../src/alerts/follow/asker.ts'
import type { Follow } from '../src/alerts/follow/follow.ts'
import {
  anyChain,
  changedRule,
  parseKind,
  parseKinds,
  type RuleOptions,
  refuseUnfit,
  rulesOf,
} from '../src/alerts/follow/rules.ts'
import type { Kind } from '../src/alerts/rule.ts'
import { type Arguments, nearest, type Turn } from '../src/chat/command.ts'
import { Refusal } from '../src/chat/refusal.ts'
import type { View } from '../src/chat/view.ts'
import { kindsView, presetsView, whichAssetView } from '../src/views/alerts/add.ts'
import {
  addedView,
  changedView,
  entryView,
  muteView,
  pickView,
  removeAllView,
  removedView,
} from '../src/views/alerts/entry.ts'
import { inPlace } from '../src/views/alerts/in-place.ts'
import { type AlertsLine, alertsLine } from '../src/views/alerts/line.ts'
import { alertsView, rulesPerPage } from '../src/views/alerts/list.ts'
import { ruleText } from '../src/views/alerts/rule-text.ts'
import { meantAsset } from './alerts/asset.ts'
import { meantCategory, withoutCoin } from './alerts/category.ts'
import { muteSeconds } from './alerts/mute.ts'
import { alertsGuide, alertsParams } from './alerts/params.ts'
import { optionsInLine, otherSetting, usualSettings } from './alerts/presets.ts'
import { alreadyPast, liveAssets, presentValue } from './alerts/values.ts'
import { meantFollow } from './alerts/which.ts'
import { wordsFor } from './alerts/words.ts'
import { command, type Services } from './services.ts'

type Args = Arguments<typeof alertsParams>

/** A line of the command as it is carried out. */
interface Asked {
  args: Args
  /** What stands behind the first word. */
  words: readonly string[]
  services: Services
  asker: Asker
  line: AlertsLine
  /** How another chat is called that is set up. */
  place: string | undefined
}

export const alerts = command({
  name: 'alerts',
  about: 'Follow auctions: what is told here, and when',
  params: alertsParams,
  guide: alertsGuide,
  // Without a word behind it most of these only ask which one.
  changes: ({ bare, named }) =>
    /^\s*(?:unmute\b|(?:add|change|mute|remove)\s+\S)/iu.test(named.get('what') ?? bare),
  run: async (args, services, turn) => {
    const [deed = '', ...words] = (args.what ?? '').split(/\s+/u)
    const asker = services.alerts.asker({ turn, elsewhere: args.in })
    const line = alertsLine({ platform: turn.platform, elsewhere: args.in })
    const place = await services.alerts.placeName(asker)
    const asked = { args, words, services, asker, line, place }
    const name = deed.toLowerCase()
    const work = deedOf(name, asked)
    // Nobody is walked through it only to be refused after that.
    if (place === undefined && !shows.includes(name)) await asker.changed()
    return inPlace(await work(asked), place)
  },
})

/** What everybody may see. */
const shows: readonly string[] = ['', 'list', 'show', 'channel']

type Deed = (asked: Asked) => Promise<View>

/** What takes options of a rule; the others take none. */
const ruling: Readonly<Record<string, Deed>> = { add, choose, change }
const others: Readonly<Record<string, Deed>> = {
  '': show,
  list: show,
  show: showOne,
  remove,
  mute,
  unmute: async (asked) => silenced(asked, 0),
  channel: async ({ asker }) => {
    if (mayPick(asker)) return pickView()
    throw new Refusal([
      'Send ',
      { code: '/alerts channel' },
      ' to me in our private chat on Telegram.',
    ])
  },
}

function deedOf(name: string, { args, line }: Asked): Deed {
  const deed = own(ruling, name) ?? own(others, name)
  if (deed === undefined) {
    const near = nearest(name, [...Object.keys(ruling), ...Object.keys(others)].filter(Boolean))
    throw new Refusal([
      { code: '/alerts' },
      ` does not know "${name}".`,
      ...(near ? [' Did you mean ', { code: near }, '?'] : []),
      ' It takes add, show, change, remove, mute and unmute; without a word it shows what is followed.',
    ])
  }
  const { what: _, in: __, page: ___, ...options } = args
  const [option] = Object.entries(options).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  )
  if (option !== undefined && own(ruling, name) === undefined) {
    const example = line.typed('add live', `${option}:…`)
    throw new Refusal([{ code: `${option}:` }, ' goes with add, as in ', { code: example }, '.'])
  }
  return deed
}

function own(deeds: Readonly<Record<string, Deed>>, name: string): Deed | undefined {
  return Object.hasOwn(deeds, name) ? deeds[name] : undefined
}

async function show({ args: { page = 1 }, services, asker, line, place }: Asked): Promise<View> {
  const look = await services.alerts.look(asker)
  const first = (page - 1) * rulesPerPage
  const shown = look.follows.slice(first, first + rulesPerPage).map(({ rule }) => rule)
  return alertsView({
    look,
    forEver: untilUnmuted,
    words: await wordsFor(shown, services),
    line,
    whose: whoseOf(asker, place),
    now: services.now(),
    page,
    picks: asker.elsewhere === undefined && mayPick(asker),
  })
}

function whoseOf({ turn }: Asker, place: string | undefined) {
  if (place !== undefined) return { kind: 'elsewhere', name: place } as const
  return { kind: isDirect(turn) ? 'own' : 'chat' } as const
}

/** Only there is a picker of chats. */
function mayPick({ turn }: { turn: Turn }): boolean {
  return turn.platform === 'telegram' && isDirect(turn)
}

async function showOne({ words, services, asker, line }: Asked): Promise<View> {
  const { follow, position } = await meantFollow(words, asker, line, services.alerts)
  return entryView(follow, position, await wordsFor([follow.rule], services), line)
}

async function add(asked: Asked): Promise<View> {
  const { args, words, services, asker, line } = asked
  const listed = words.flatMap((word) => word.split(',')).filter(Boolean)
  const kinds = parseKinds(withoutCoin(listed, args.category))
  if (kinds.length === 0) return kindsView(line)
  const options = await optionsOf(asked, kinds, `add ${kinds.join(' ')}`)
  if ('title' in options) return options
  const followed = await services.alerts.follow(asker, rulesOf(kinds, options))
  const shown = await wordsFor([...followed.added, ...followed.there], services)
  const notes = await alreadyPast(followed.added, services)
  return addedView({ ...followed, notes }, shown, line)
}

/** The usual settings of a kind to choose from. */
async function choose(asked: Asked): Promise<View> {
  const { words, services, asker, line } = asked
  const [word = ''] = words
  if (word === '') return kindsView(line)
  const kind = parseKind(word)
  const options = await optionsOf(asked, [kind], `choose ${kind}`)
  if ('title' in options) return options
  const { asset, chain } = options
  if ((kind === 'price' || kind === 'mcap') && asset === undefined) {
    const about = (address: string, on: number) =>
      line(`choose ${kind}`, { asset: address, chain: on })
    return whichAssetView(kind, await liveAssets(about, services), line)
  }
  const now = await presentValue({ kind, scope: { asset, chain } }, services)
  const usual = usualSettings(kind, { asset }, services.chains, now?.value)
  const rules = usual.flatMap((each) => rulesOf([kind], { ...options, ...each.options }))
  const shown = await wordsFor(rules, services)
  const presets = usual.map(({ label, options: own }, index) => {
    const rule = rules[index]
    const text = rule ? ruleText(rule, shown) : ''
    const { category, chain, ...rest } = { ...options, ...own }
    // What is any anyway need not be said.
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
  const panel = alertsLine({ platform: asker.turn.platform, elsewhere: asker.elsewhere }, 'follow')
  const name = shown.names.get(asset.toLowerCase())
  return presetsView(kind, { presets, example, from: panel(asset, { chain }), name })
}

async function change(asked: Asked): Promise<View> {
  const { words, services, asker, line } = asked
  const { follow, position } = await meantFollow(words, asker, line, services.alerts)
  const { id, rule } = follow
  const options = await optionsOf(asked, [rule.kind], `change #${id}`)
  if ('title' in options) return options
  if (Object.values(options).every((value) => value === undefined)) {
    return changes(follow, position, services, line)
  }
  const changed = changedRule(rule, options)
  await services.alerts.change(asker, id, changed)
  const notes = await alreadyPast([changed], services)
  return changedView(changed, notes, await wordsFor([changed], services), line)
}

async function changes(
  { id, rule }: Follow,
  position: number,
  services: Services,
  line: AlertsLine,
): Promise<View> {
  const now = await presentValue(rule, services)
  const usual = usualSettings(rule.kind, rule.scope, services.chains, now?.value)
  const shown = await wordsFor([rule], services)
  const presets = usual.map(({ label, options }) => ({
    label,
    text: ruleText(changedRule(rule, { chain: rule.scope.chain ?? anyChain, ...options }), shown),
    run: line(`change #${id}`, optionsInLine(options)),
  }))
  const example = line.typed(`change ${position}`, otherSetting(rule.kind, now?.value))
  const name = rule.scope.asset && shown.names.get(rule.scope.asset)
  return presetsView(rule.kind, { presets, example, from: line(`show #${id}`), name })
}

async function remove({ words, services, asker, line }: Asked): Promise<View> {
  const { alerts } = services
  const [first = '', sure] = words
  if (first.toLowerCase() !== 'all') {
    const { follow } = await meantFollow(words, asker, line, alerts)
    const removed = await alerts.unfollow(asker, ({ id }) => id === follow.id)
    return removedView(
      removed,
      await wordsFor(
        removed.map(({ rule }) => rule),
        services,
      ),
      line,
    )
  }
  const { length: count } = (await alerts.of(asker)).follows
  if (count > 0 && sure !== 'sure') return removeAllView(count, line)
  const removed = await alerts.unfollow(asker, () => true)
  const shown = removed.slice(0, rulesPerPage).map(({ rule }) => rule)
  return removedView(removed, await wordsFor(shown, services), line)
}

async function mute(asked: Asked): Promise<View> {
  const typed = asked.words.join('').toLowerCase()
  if (typed === '') return muteView(asked.line)
  return silenced(asked, muteSeconds(typed))
}

async function silenced(asked: Asked, seconds: number | undefined): Promise<View> {
  await asked.services.alerts.mute(asked.asker, seconds)
  return show({ ...asked, args: { ...asked.args, page: 1 } })
}

/** The options of a rule, its asset found; a view where it is not clear which one is meant. */
async function optionsOf(
  asked: Asked,
  kinds: readonly Kind[],
  words: string,
): Promise<RuleOptions | View> {
  const { args, services, line } = asked
  const { what: _, in: __, page: ___, asset: term, chain: where, ...rest } = args
  const chain = where === 'any' ? anyChain : where?.id
  const { category: typed } = rest
  const category = typed === undefined ? undefined : await meantCategory(typed, services)
  const options: RuleOptions = { ...rest, chain, category }
  if (term === undefined) return options
  // Nobody chooses an asset only to be refused after that.
  refuseUnfit(kinds, { ...options, asset: term })
  const again = (asset: string, on: number) =>
    line(words, optionsInLine({ ...options, asset, chain: on }))
  const found = await meantAsset(term, where === 'any' ? undefined : where, again, services)
  if ('title' in found) return found
  return { ...options, asset: found.asset.asset_address, chain: found.chain.id }
}
