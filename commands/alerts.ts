import { untilUnmuted } from '../src/alerts/alerts.ts'
import { isDirect } from '../src/alerts/permission.ts'
import type { Rule } from '../src/alerts/rule.ts'
import { changedRule, isSameRule, rulesOf } from '../src/alerts/rules.ts'
import { alertsView, rulesPerPage } from '../src/alerts/views/list.ts'
import {
  addedView,
  changedView,
  entryView,
  inPlace,
  kindsView,
  muteView,
  pickView,
  removeAllView,
  removedView,
} from '../src/alerts/views/menu.ts'
import { alertsLine } from '../src/alerts/views/rule.ts'
import { type Context, nearest } from '../src/core/command.ts'
import { Refusal, type View } from '../src/core/view.ts'
import { type Asked, optionsOf } from './alerts/asked.ts'
import { changes, choose, whichOne } from './alerts/choosing.ts'
import { muteSeconds } from './alerts/mute.ts'
import { notesOn } from './alerts/notes.ts'
import { alertsGuide, alertsParams } from './alerts/params.ts'
import { wantedKinds } from './alerts/wanted.ts'
import { meantSubscription } from './alerts/which.ts'
import { whoseOf } from './alerts/whose.ts'
import { wordsFor } from './alerts/words.ts'
import { command } from './services.ts'

export const alerts = command({
  name: 'alerts',
  about: 'Follow auctions: what is told here, and when',
  params: alertsParams,
  guide: alertsGuide,
  // Without an argument add, change, mute and remove only ask which one.
  mutates: ({ bare, named }) =>
    /^\s*(?:unmute\b|(?:add|change|mute|remove)\s+\S)/iu.test(named.get('what') ?? bare),
  run: async (args, services, context) => {
    const [deed = '', ...words] = (args.what ?? '').split(/\s+/u)
    const permissions = services.alerts.permissions({ context, elsewhere: args.in })
    const line = alertsLine({ platform: context.platform, elsewhere: args.in })
    const place = await services.alerts.placeName(permissions)
    const asked: Asked = { args, words, services, permissions, line, place }
    const name = deed.toLowerCase()
    const work = deedOf(name, asked)
    // Check permissions first, so that nobody is led through choices only to be refused at the end.
    if (place === undefined && !shows.includes(name)) await permissions.changed()
    return inPlace(await work(asked), place)
  },
})

/** Subcommands that anyone in the chat may use. */
const shows: readonly string[] = ['', 'list', 'show', 'channel']

type Deed = (asked: Asked) => Promise<View>

/** Subcommands that take rule options; the others take none. */
const ruling: Readonly<Record<string, Deed>> = { add, choose, change }
const others: Readonly<Record<string, Deed>> = {
  '': show,
  list: show,
  show: showOne,
  remove,
  mute,
  unmute: async (asked) => silenced(asked, 0),
  channel: async ({ permissions }) => {
    if (mayPick(permissions)) return pickView()
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
      ' Without a word it shows what is followed; it takes ',
      { code: line.typed('add live') },
      ', show, change, remove, mute and unmute.',
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

async function show({
  args: { page = 1 },
  services,
  permissions,
  line,
  place,
}: Asked): Promise<View> {
  const look = await services.alerts.look(permissions)
  const first = (page - 1) * rulesPerPage
  const shown = look.follows.slice(first, first + rulesPerPage).map(({ rule }) => rule)
  return alertsView({
    look,
    forEver: untilUnmuted,
    words: await wordsFor(shown, services),
    line,
    platform: permissions.context.platform,
    whose: whoseOf(permissions, place),
    now: services.now(),
    page,
    picks: permissions.elsewhere === undefined && mayPick(permissions),
  })
}

/** Only Telegram's private chats have a picker of chats. */
function mayPick({ context }: { context: Context }): boolean {
  return context.platform === 'telegram' && isDirect(context)
}

async function showOne({ words, services, permissions, line }: Asked): Promise<View> {
  const { follow, position } = await meantSubscription(words, permissions, line, services.alerts)
  return entryView(follow, position, await wordsFor([follow.rule], services), line)
}

async function add(asked: Asked): Promise<View> {
  const { services, permissions, line } = asked
  const kinds = wantedKinds(asked)
  const [first, ...others] = kinds
  if (first === undefined) return kindsView(line)
  const options = await optionsOf(asked, kinds, `add ${kinds.join(' ')}`)
  if ('title' in options) return options
  const which = await whichOne(asked, [first, ...others], options)
  if (which) return which
  const followed = await services.alerts.follow(permissions, rulesOf(kinds, options))
  const shown = await wordsFor([...followed.added, ...followed.there], services)
  const notes = await notesOn(followed.added, services, line)
  const summary = followed.added.find(({ kind }) => kind === 'digest')
  const zoned = summary && (await positionOf(summary, asked))
  return addedView({ ...followed, notes, zoned }, shown, line)
}

async function change(asked: Asked): Promise<View> {
  const { words, services, permissions, line } = asked
  const { follow, position } = await meantSubscription(words, permissions, line, services.alerts)
  const { id, rule } = follow
  const options = await optionsOf(asked, [rule.kind], `change #${id}`)
  if ('title' in options) return options
  if (Object.values(options).every((value) => value === undefined)) {
    return changes(follow, position, asked)
  }
  const changed = changedRule(rule, options)
  await services.alerts.change(permissions, id, changed)
  const at = (await positionOf(changed, asked)) ?? position
  const notes = await notesOn([changed], services, line)
  return changedView(changed, at, notes, await wordsFor([changed], services), line)
}

/** The rule's number in the list, from 1; undefined if it is not there. */
async function positionOf(
  rule: Rule,
  { services, permissions }: Asked,
): Promise<number | undefined> {
  const { follows } = await services.alerts.of(permissions)
  const index = follows.findIndex((each) => isSameRule(each.rule, rule))
  return index < 0 ? undefined : index + 1
}

async function remove({ words, services, permissions, line }: Asked): Promise<View> {
  const { alerts } = services
  const [first = '', sure] = words
  if (first.toLowerCase() !== 'all') {
    const { follow } = await meantSubscription(words, permissions, line, alerts)
    const removed = await alerts.unfollow(permissions, ({ id }) => id === follow.id)
    return removedView(
      removed,
      await wordsFor(
        removed.map(({ rule }) => rule),
        services,
      ),
      line,
    )
  }
  const { length: count } = (await alerts.of(permissions)).follows
  if (count > 0 && sure !== 'sure') return removeAllView(count, line)
  const removed = await alerts.unfollow(permissions, () => true)
  const shown = removed.slice(0, rulesPerPage).map(({ rule }) => rule)
  return removedView(removed, await wordsFor(shown, services), line)
}

async function mute(asked: Asked): Promise<View> {
  const typed = asked.words.join('').toLowerCase()
  if (typed === '') return muteView(asked.line)
  return silenced(asked, muteSeconds(typed))
}

async function silenced(asked: Asked, seconds: number | undefined): Promise<View> {
  await asked.services.alerts.mute(asked.permissions, seconds)
  return show({ ...asked, args: { ...asked.args, page: 1 } })
}
