import { type Kind, kindIds, kindNamed, kinds, kindWord } from '../src/alerts/kinds/list.ts'
import {
  changedRule,
  isSameRule,
  needsAsset,
  parseKind,
  type Rule,
  rulesOf,
} from '../src/alerts/rule.ts'
import { alertsView, lineOption, lineWriter, rulesPerPage } from '../src/alerts/views/list.ts'
import {
  addedView,
  changedView,
  entryView,
  kindsView,
  muteView,
  pickView,
  removeAllView,
  removedView,
  typedMute,
  withChatName,
} from '../src/alerts/views/menu.ts'
import type { Mention } from '../src/core/adapter.ts'
import { type Context, nearest } from '../src/core/command.ts'
import { type Text, t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { askForValue, assetQuestion, changeMenu, choose, remarksOn } from './alert-menus.ts'
import {
  type AlertsRequest,
  alertsGuide,
  alertsListedOptions,
  alertsParams,
  mentionOf,
  ownerOf,
  ruleOptions,
  ruleTextParts,
  subscriptionNamed,
} from './alert-options.ts'
import { command } from './services.ts'

export const alerts = command({
  name: 'alerts',
  about: t('alerts-about'),
  forAsker: true,
  params: alertsParams,
  audience: 'managers',
  guide: alertsGuide,
  listedOptions: alertsListedOptions,
  // Without an argument add, change, mute and remove only ask which one.
  mutates: ({ bare, named }) =>
    /^\s*(?:unmute\b|(?:add|change|mute|remove)\s+\S)/iu.test(named.get(lineOption) ?? bare),
  run: async (args, services, context) => {
    const [subcommand = '', ...words] = (args[lineOption] ?? '').split(/\s+/u)
    const permissions = services.alerts.permissions({ context, targetChat: args.in })
    const line = lineWriter({ platform: context.platform, targetChat: args.in })
    const chatName = await services.alerts.chatName(permissions)
    const request: AlertsRequest = { args, words, services, permissions, line, chatName }
    const { run, isPublic, asks } = subcommandOf(subcommand.toLowerCase(), request)
    // Check permissions first, so that nobody is led through choices only to be refused at the end.
    if (chatName === undefined && !isPublic) await permissions.targetToChange()
    const view = withChatName(await run(request), chatName)
    // The person goes on with something other than the value that was asked for. Last, as this may be the answer: an update
    // that a crash cuts off comes again, and must find its question.
    if (!asks) await services.questions.close(context)
    return view
  },
})

interface Subcommand {
  run(request: AlertsRequest): Promise<View>
  /** Anyone in the chat may use it. */
  isPublic?: true
  /** It takes the options of a rule. */
  takesRule?: true
  /** It asks for a value, which the next message may be. */
  asks?: true
}

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['add', { run: add, takesRule: true }],
  ['choose', { run: choose, takesRule: true, asks: true }],
  ['change', { run: change, takesRule: true, asks: true }],
  ['', { run: show, isPublic: true }],
  ['list', { run: show, isPublic: true }],
  ['show', { run: showOne, isPublic: true }],
  ['remove', { run: remove }],
  ['mute', { run: mute, asks: true }],
  ['unmute', { run: async (request) => muteFor(request, 0) }],
  ['channel', { run: pickChannel, isPublic: true }],
])

function subcommandOf(name: string, { args, line }: AlertsRequest): Subcommand {
  const subcommand = subcommands.get(name)
  if (subcommand === undefined) {
    const near = nearest(name, [...subcommands.keys()].filter(Boolean))
    const example = { code: line.typed('add live') }
    throw new UserError(
      near === undefined
        ? t('alerts-subcommand-unknown', { typed: name, example })
        : t('alerts-subcommand-near', { typed: name, near: { code: near }, example }),
    )
  }
  const { do: _, in: __, page: ___, ...options } = args
  const [option] = Object.entries(options).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  )
  if (option !== undefined && !subcommand.takesRule) {
    const example = { code: line.typed('add live', `${option}:…`) }
    throw new UserError(t('alerts-option-with-add', { option: { code: `${option}:` }, example }))
  }
  return subcommand
}

async function pickChannel({ permissions }: AlertsRequest): Promise<View> {
  if (mayPick(permissions)) return pickView()
  throw new UserError(t('alerts-channel-telegram', { line: { code: '/alerts channel' } }))
}

async function show({
  args: { page = 1 },
  services,
  permissions,
  line,
  chatName,
}: AlertsRequest): Promise<View> {
  const state = await services.alerts.openList(permissions)
  const first = (page - 1) * rulesPerPage
  const shown = state.subscriptions.slice(first, first + rulesPerPage).map(({ rule }) => rule)
  return alertsView({
    state,
    textParts: await ruleTextParts(shown, services),
    line,
    platform: permissions.context.platform,
    owner: ownerOf(permissions, chatName),
    now: services.now(),
    page,
    canPickChat: permissions.targetChat === undefined && mayPick(permissions),
  })
}

function mayPick({ context }: { context: Context }): boolean {
  return context.platform.chatPicker && context.isPrivate
}

async function showOne(request: AlertsRequest): Promise<View> {
  const { services, line } = request
  const { subscription, position } = await subscriptionNamed(request, services.alerts)
  const { context, targetChat } = request.permissions
  const canPing = context.platform.namedOptions && !context.isPrivate && targetChat === undefined
  const shown = await ruleTextParts([subscription.rule], services)
  return entryView(subscription, position, shown, line, canPing)
}

async function add(request: AlertsRequest): Promise<View> {
  const { services, permissions, line } = request
  const requested = requestedKinds(request)
  const [first, ...others] = requested
  if (first === undefined) return withoutRole(kindsView(line), request)
  const options = await ruleOptions(request, requested, `add ${requested.join(' ')}`)
  if ('title' in options) return options
  const question = await assetQuestion(request, [first, ...others], options)
  if (question) return withoutRole(question, request)
  const rules = rulesOf(requested, options)
  const mention = (await mentionOf(request)) ?? undefined
  const followed = await services.alerts.subscribe(permissions, rules, mention)
  const shown = await ruleTextParts([...followed.added, ...followed.existing], services)
  const notes = [...roleNote(mention), ...(await remarksOn(followed.added, services, line))]
  const rule = followed.added.find(({ kind, setting }) => kinds[kind].hint?.(setting))
  const position = rule && (await positionOf(rule, request))
  const hinted = rule && position !== undefined ? { rule, position } : undefined
  return addedView({ ...followed, notes, hinted }, shown, line)
}

/** Says whom alerts notify from now on, if that changed. */
function roleNote(mention: Mention | null | undefined): Text[] {
  if (mention === undefined) return []
  return [mention ? t('alerts-role-set', { role: mention.name }) : t('alerts-role-unset')]
}

/** A view that asks for more of an alert, whose buttons know no role. @throws UserError if the line has one */
function withoutRole(view: View, { args }: AlertsRequest): View {
  if (args.role === undefined) return view
  throw new UserError(t('alerts-role-later', { option: { code: 'role:' } }))
}

/** Parses the kinds after `add`, without duplicates. @throws UserError that names the unknown word */
function requestedKinds({ words, line }: AlertsRequest): Kind[] {
  const typed = words.flatMap((word) => word.split(',')).filter(Boolean)
  const requested = [...new Set(typed.flatMap((word) => kindNamed(word) ?? []))]
  const unknown = typed.find((word) => kindNamed(word) === undefined)
  if (unknown === undefined) return requested
  const [first] = requested
  if (first === undefined || nearest(unknown.toLowerCase(), kindIds.map(kindWord)))
    return [parseKind(unknown)]
  const options = `${needsAsset(first) ? 'asset:OTTER ' : ''}${kinds[first].example()}`
  const example = { code: line.typed(`add ${kindWord(first)}`, options) }
  throw new UserError(t('alerts-option-unnamed', { typed: unknown, example }))
}

async function change(request: AlertsRequest): Promise<View> {
  const { services, permissions, line } = request
  const { subscription, position } = await subscriptionNamed(request, services.alerts)
  const { id, rule } = subscription
  const options = await ruleOptions(request, [rule.kind], `change #${id}`, rule.scope.chain)
  if ('title' in options) return options
  const mention = await mentionOf(request)
  const isSame = Object.values(options).every((value) => value === undefined)
  if (isSame && mention === undefined) {
    return changeMenu(subscription, position, request)
  }
  const changed = isSame ? rule : changedRule(rule, options)
  await services.alerts.change(permissions, id, changed, mention)
  const at = (await positionOf(changed, request)) ?? position
  const notes = [...roleNote(mention), ...(await remarksOn([changed], services, line))]
  return changedView(changed, at, notes, await ruleTextParts([changed], services), line)
}

/** The rule's number in the list, from 1; undefined if it is not there. */
async function positionOf(
  rule: Rule,
  { services, permissions }: AlertsRequest,
): Promise<number | undefined> {
  const { subscriptions } = await services.alerts.of(permissions)
  const index = subscriptions.findIndex((each) => isSameRule(each.rule, rule))
  return index < 0 ? undefined : index + 1
}

async function remove(request: AlertsRequest): Promise<View> {
  const { words, services, permissions, line } = request
  const { alerts } = services
  const [first = '', sure] = words
  if (first.toLowerCase() !== 'all') {
    const { subscription } = await subscriptionNamed(request, alerts)
    const removed = await alerts.unsubscribe(permissions, ({ id }) => id === subscription.id)
    return removedView(
      removed,
      await ruleTextParts(
        removed.map(({ rule }) => rule),
        services,
      ),
      line,
    )
  }
  const { length: count } = (await alerts.of(permissions)).subscriptions
  if (count > 0 && sure !== 'sure') return removeAllView(count, line)
  const removed = await alerts.unsubscribe(permissions, () => true)
  const shown = removed.slice(0, rulesPerPage).map(({ rule }) => rule)
  return removedView(removed, await ruleTextParts(shown, services), line)
}

async function mute(request: AlertsRequest): Promise<View> {
  const typed = request.words.join('').toLowerCase()
  if (typed === '')
    return muteView(
      await askForValue(request, typedMute, request.line('mute'), undefined),
      request.line,
    )
  const view = await muteFor(request, muteSeconds(typed))
  await request.services.questions.close(request.permissions.context)
  return view
}

async function muteFor(request: AlertsRequest, seconds: number | undefined): Promise<View> {
  await request.services.alerts.mute(request.permissions, seconds)
  return show(request)
}

const muteUnits = { m: 60, h: 3600, d: 86_400 } as const
const maxSeconds = 365 * muteUnits.d

/**
 * Parses the duration of a mute, such as `8h`, into seconds; undefined for a mute without an end.
 * @throws UserError that explains the format
 */
function muteSeconds(typed: string): number | undefined {
  if (['on', 'forever', 'untilunmuted'].includes(typed)) return undefined
  const { count = '', unit } = /^(?<count>\d{1,4})(?<unit>[mhd])$/u.exec(typed)?.groups ?? {}
  const seconds = Number(count) * (unit === 'm' || unit === 'd' ? muteUnits[unit] : muteUnits.h)
  if (seconds > 0 && seconds <= maxSeconds) return seconds
  throw new UserError(
    t('alerts-mute-unreadable', {
      examples: { list: [{ code: '30m' }, { code: '8h' }, { code: '7d' }], as: 'or' },
      on: { code: 'mute on' },
      unmute: { code: 'unmute' },
    }),
  )
}
