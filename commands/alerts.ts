import { isDirect, untilUnmuted, type Where } from '../src/alerts/alerts.ts'
import {
  anyChain,
  changedRule,
  parseKind,
  parseKinds,
  type RuleOptions,
  refuseUnfit,
  rulesOf,
} from '../src/alerts/alerts-rules.ts'
import type { Kind, Rule } from '../src/alerts/rule.ts'
import { type Arguments, nearest, type Turn } from '../src/chat/command.ts'
import type { View } from '../src/chat/view.ts'
import { UserError } from '../src/errors.ts'
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
import { type AlertsLine, alertsLine } from '../src/views/alerts/line.ts'
import { alertsView, rulesPerPage } from '../src/views/alerts/list.ts'
import { ruleText } from '../src/views/alerts/rule-text.ts'
import { meantAsset } from './alerts-asset.ts'
import { alertsParams } from './alerts-params.ts'
import { optionsInLine, typedExample, usualSettings } from './alerts-presets.ts'
import { wordsFor } from './alerts-words.ts'
import { command, type Services } from './services.ts'

type Args = Arguments<typeof alertsParams>

/** A line of the command as it is carried out. */
interface Asked {
  args: Args
  /** What stands behind the first word. */
  words: readonly string[]
  services: Services
  where: Where
  line: AlertsLine
}

export const alerts = command({
  name: 'alerts',
  about: 'Follow auctions: what is told here, and when',
  params: alertsParams,
  run: async (args, services, turn) => {
    const [deed = '', ...words] = (args.what ?? '').split(/\s+/u)
    const where = { turn, elsewhere: args.in }
    const asked = { args, words, services, where, line: alertsLine(args.in) }
    return deedOf(deed.toLowerCase(), asked)(asked)
  },
})

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
  channel: async ({ where }) => {
    if (mayPick(where)) return pickView()
    throw new UserError('Send /alerts channel to me in our private chat on Telegram.')
  },
}

function deedOf(name: string, { args }: Asked): Deed {
  const deed = own(ruling, name) ?? own(others, name)
  if (deed === undefined) {
    const near = nearest(name, [...Object.keys(ruling), ...Object.keys(others)].filter(Boolean))
    throw new UserError(
      `/alerts does not know "${name}".${near ? ` Did you mean ${near}?` : ''} ` +
        'It takes add, show, change, remove, mute and unmute; without a word it shows what is followed.',
    )
  }
  const { what: _, in: __, page: ___, ...options } = args
  const [option] = Object.entries(options).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  )
  if (option !== undefined && own(ruling, name) === undefined) {
    throw new UserError(`${option}: goes with add, as in /alerts add live ${option}:…`)
  }
  return deed
}

function own(deeds: Readonly<Record<string, Deed>>, name: string): Deed | undefined {
  return Object.hasOwn(deeds, name) ? deeds[name] : undefined
}

async function show({ args: { page = 1 }, services, where, line }: Asked): Promise<View> {
  const look = await services.alerts.look(where)
  const first = (page - 1) * rulesPerPage
  const shown = look.follows.slice(first, first + rulesPerPage).map(({ rule }) => rule)
  return alertsView({
    look,
    forEver: untilUnmuted,
    words: await wordsFor(shown, services),
    line,
    whose: whoseOf(where),
    now: services.now(),
    page,
    picks: where.elsewhere === undefined && mayPick(where),
  })
}

function whoseOf({ turn, elsewhere }: Where) {
  if (elsewhere !== undefined) return { kind: 'elsewhere', chat: elsewhere } as const
  return { kind: isDirect(turn) ? 'own' : 'chat' } as const
}

/** Only there is a picker of chats. */
function mayPick({ turn }: { turn: Turn }): boolean {
  return turn.platform === 'telegram' && isDirect(turn)
}

async function showOne({ words, services, where, line }: Asked): Promise<View> {
  const follow = await services.alerts.find(where, idOf(words))
  return entryView(follow, await wordsFor([follow.rule], services), line)
}

async function add(asked: Asked): Promise<View> {
  const { words, services, where, line } = asked
  const kinds = parseKinds(words.flatMap((word) => word.split(',')).filter(Boolean))
  if (kinds.length === 0) return kindsView(line)
  const options = await optionsOf(asked, kinds, `add ${kinds.join(' ')}`)
  if ('title' in options) return options
  const followed = await services.alerts.follow(where, rulesOf(kinds, options))
  const shown = await wordsFor([...followed.added, ...followed.there], services)
  return addedView(followed, shown, line)
}

/** The usual settings of a kind to choose from. */
async function choose(asked: Asked): Promise<View> {
  const { words, services, line } = asked
  const [word = ''] = words
  if (word === '') return kindsView(line)
  const kind = parseKind(word)
  const options = await optionsOf(asked, [kind], `choose ${kind}`)
  if ('title' in options) return options
  const { asset, chain } = options
  if ((kind === 'price' || kind === 'mcap') && asset === undefined) {
    return whichAssetView(kind, line)
  }
  const usual = usualSettings(kind, { asset }, services.chains)
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
  const about = asset === undefined ? `add ${kind}` : `add ${kind} asset:${asset} chain:${chain}`
  return presetsView(kind, { presets, example: typedExample(kind, about), line })
}

async function change(asked: Asked): Promise<View> {
  const { words, services, where, line } = asked
  const id = idOf(words)
  const { rule } = await services.alerts.find(where, id)
  const options = await optionsOf(asked, [rule.kind], `change ${id}`)
  if ('title' in options) return options
  if (Object.values(options).every((value) => value === undefined)) {
    return changes(id, rule, services, line)
  }
  const changed = changedRule(rule, options)
  await services.alerts.change(where, id, changed)
  return changedView(changed, await wordsFor([changed], services), line)
}

async function changes(
  id: number,
  rule: Rule,
  services: Services,
  line: AlertsLine,
): Promise<View> {
  const usual = usualSettings(rule.kind, rule.scope, services.chains)
  const shown = await wordsFor([rule], services)
  const presets = usual.map(({ label, options }) => ({
    label,
    text: ruleText(changedRule(rule, { chain: rule.scope.chain ?? anyChain, ...options }), shown),
    run: line(`change ${id}`, optionsInLine(options)),
  }))
  const example = typedExample(rule.kind, `change ${id}`)
  return presetsView(rule.kind, { presets, example, line })
}

async function remove({ words: [first = '', sure], services, where, line }: Asked): Promise<View> {
  const { alerts } = services
  if (first.toLowerCase() !== 'all') {
    const id = idOf([first])
    const removed = await alerts.unfollow(where, (follow) => follow.id === id)
    return removedView(
      removed,
      await wordsFor(
        removed.map(({ rule }) => rule),
        services,
      ),
      line,
    )
  }
  if (sure !== 'sure') return removeAllView((await alerts.of(where)).follows.length, line)
  const removed = await alerts.unfollow(where, () => true)
  const shown = removed.slice(0, rulesPerPage).map(({ rule }) => rule)
  return removedView(removed, await wordsFor(shown, services), line)
}

const units = { m: 60, h: 3600, d: 86_400 } as const
const longestMute = 365 * units.d

async function mute(asked: Asked): Promise<View> {
  const typed = asked.words.join('').toLowerCase()
  if (typed === '') return muteView(asked.line)
  if (['on', 'forever', 'untilunmuted'].includes(typed)) return silenced(asked, undefined)
  const { count = '', unit = 'h' } = /^(?<count>\d{1,4})(?<unit>[mhd])?$/u.exec(typed)?.groups ?? {}
  const seconds = Number(count) * (unit === 'm' || unit === 'd' ? units[unit] : units.h)
  if (count !== '' && seconds > 0 && seconds <= longestMute) return silenced(asked, seconds)
  throw new UserError(
    'For how long? Say it as 30m, 8h or 7d, a year at most; mute on lasts until unmute.',
  )
}

async function silenced(asked: Asked, seconds: number | undefined): Promise<View> {
  await asked.services.alerts.mute(asked.where, seconds)
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
  const options: RuleOptions = { ...rest, chain }
  if (term === undefined) return options
  // Nobody chooses an asset only to be refused after that.
  refuseUnfit(kinds, { ...options, asset: term })
  const again = (asset: string, on: number) =>
    line(words, optionsInLine({ ...options, asset, chain: on }))
  const found = await meantAsset(term, where === 'any' ? undefined : where, again, services)
  if ('title' in found) return found
  return { ...options, asset: found.asset.asset_address, chain: found.chain.id }
}

function idOf([word = '']: readonly string[]): number {
  if (/^\d{1,15}$/u.test(word)) return Number(word)
  throw new UserError('Say which one by its number. /alerts lists them with a button each.')
}
