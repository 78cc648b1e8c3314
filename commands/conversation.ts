import type { Scope, TypedSetting } from '../src/alerts/kinds/kind.ts'
import { kindNamed, kinds } from '../src/alerts/kinds/list.ts'
import type { Rule } from '../src/alerts/rule.ts'
import { typedMute, wrongValueView } from '../src/alerts/views/menu.ts'
import {
  type Context,
  formatLine,
  ownChat,
  parseLine,
  readsText,
  type ShowProgress,
} from '../src/core/command.ts'
import type { Conversation, Form, Input } from '../src/core/conversation.ts'
import { type Text, t, text, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { currentValue, filterNamed, typedFilters, valueQuestion } from './alert-menus.ts'
import { alerts } from './alerts.ts'
import { asset } from './asset.ts'
import { conversation as launching } from './launch.ts'
import { findAsset } from './lookup.ts'
import { search } from './search.ts'
import type { Services } from './services.ts'

/** Maximum characters of a value that was asked for, such as an address; anything longer is something else. */
const maxValue = 42
/** The field of the form that asks for a value. */
const field = 'value'

/** Input that is no command: a value that an alert was asked about, or an answer of the person's launch. */
export const conversation: Conversation<Services> = {
  ask: askForTerm,
  isAnswer: async (input, services, context) =>
    (await questionOf(input, services, context)) !== undefined,
  receive: async (input, services, context, show) =>
    (await receiveValue(input, services, context, show)) ??
    (context.isPrivate || input.form !== undefined
      ? launching.receive(input, services, context, show)
      : undefined),
  overheard: overheardCard,
  form: async (line, services, context) =>
    isAboutAlerts(line)
      ? valueForm(line, services, context)
      : launching.form(line, services, context),
}

/** The commands that ask for the token where none is typed. */
const terms = [search, asset]

/** Asks for the token that a command is about, which was typed without one. */
async function askForTerm(
  name: string,
  { questions }: Services,
  context: Context,
): Promise<View | undefined> {
  if (!readsText(context) || !terms.some((each) => each.name === name)) return undefined
  await questions.ask(context, name)
  return { title: [], blocks: [text(t('asset-ask'))], reply: t('param-asset') }
}

function isAboutAlerts(line: string): boolean {
  return line.startsWith(`${alerts.name} `)
}

/** Answers the question for a value; undefined if none is asked, or this is no value. */
async function receiveValue(
  input: Input,
  services: Services,
  context: Context,
  show: ShowProgress,
): Promise<View | undefined> {
  const { text, form, fields } = input
  if (form !== undefined) {
    if (!isAboutAlerts(form)) return undefined
    return answer(form, fields[field]?.trim() ?? '', services, context, show)
  }
  const question = await questionOf(input, services, context)
  if (question?.isAnswered) {
    throw new UserError(t('alerts-done-already', { command: { code: `/${alerts.name}` } }))
  }
  const asking = terms.find(({ name }) => name === question?.line)
  if (asking) {
    await services.questions.close(context)
    return asking.run(parseLine(formatLine(asking.name, text.trim())), services, context, show)
  }
  return question && answer(question.line, text.trim(), services, context, show)
}

/** The question for the value that this text may be. */
async function questionOf(
  { text, files }: Pick<Input, 'text' | 'files'>,
  { questions, launches }: Services,
  context: Context,
) {
  const value = text.trim()
  // A long text may be a secret.
  if (files.length > 0 || value === '' || value.length > maxValue) return undefined
  const question = await questions.find(context)
  if (terms.some(({ name }) => name === question?.line)) return question
  if (!mayBeValue(value)) return undefined
  if (question === undefined || question.isAnswered) return question
  // Where none is asked for, an address is looked up.
  const isAddress = /^0x/iu.test(value)
  const filter = filterNamed(parseLine(question.line).bare.split(' ')[2])
  if (filter !== 'numeraire' && (filter === 'creator') !== isAddress) return undefined
  return (await launches?.conversation.isAnswered(context)) ? undefined : question
}

/** Tickers are looked up. */
function mayBeValue(text: string): boolean {
  return !/^(?:\$(?!\s*[\d.])|@|\/)/iu.test(text)
}

/** Adds or changes the alert that the line asks about, as the command line with the value would. */
async function answer(
  line: string,
  value: string,
  services: Services,
  context: Context,
  show: ShowProgress,
): Promise<View> {
  const { setting, rule, lineWith } = await askedBy(line, services, context)
  const current = rule && (await currentValue(rule, services))?.value
  try {
    const typed = lineWith(setting?.options(value, { current, locale: context.locale }) ?? {})
    const view = await alerts.run(parseLine(typed), services, context, show)
    await services.questions.answered(context)
    return view
  } catch (error) {
    const question = valueQuestion(context, setting, { line, current })
    if (!(error instanceof UserError) || question === undefined) throw error
    const search = /\d/u.test(value)
      ? undefined
      : { text: value, line: formatLine('search', value) }
    return wrongValueView(error.spans, question, search)
  }
}

/** What a line asks for. */
interface Asked {
  title: Text
  /** What the value is. */
  about: Text
  setting: TypedSetting | undefined
  /** The rule that it is about, as far as it is known; undefined if it is about none. */
  rule?: Pick<Rule, 'kind' | 'scope'>
  /** The line that the value's options complete. */
  lineWith(options: Readonly<Record<string, string>>): string
}

/** @throws UserError if what the line is about is gone */
async function askedBy(line: string, services: Services, context: Context): Promise<Asked> {
  const { bare, named: given } = parseLine(line)
  const named = Object.fromEntries(given)
  const [subcommand, target = '', asked] = bare.split(' ')
  if (subcommand === 'mute') {
    return {
      title: t('alerts-button-mute'),
      about: t('alerts-mute'),
      setting: typedMute,
      lineWith: ({ for: time = '' }) => formatLine(alerts.name, `mute ${time}`, named),
    }
  }
  const filter = filterNamed(asked)
  const about = (words: string, rule: Pick<Rule, 'kind' | 'scope'>): Asked => ({
    title: kinds[rule.kind].label,
    about: filter === undefined ? kinds[rule.kind].label : typedFilters[filter].title,
    setting: filter === undefined ? kinds[rule.kind].typed : typedFilters[filter],
    rule,
    lineWith: (options) =>
      formatLine(`${alerts.name} ${words}`, undefined, { ...named, ...options }),
  })
  const kind = kindNamed(target)
  if (subcommand === 'choose' && kind !== undefined) {
    const { asset, chain } = named
    const scope: Scope = {
      ...(asset !== undefined && { asset }),
      ...(chain !== undefined && { chain: Number(chain) }),
    }
    return about(`add ${kind}`, { kind, scope })
  }
  const permissions = services.alerts.permissions({ context, targetChat: named.in })
  const { subscriptions } = await services.alerts.of(permissions)
  const changed = subscriptions.find(({ id }) => `#${id}` === target)
  if (changed === undefined) {
    throw new UserError(t('alerts-gone-already', { command: { code: '/alerts' } }))
  }
  return about(`change ${target}`, changed.rule)
}

/** The form that asks for one value. */
async function valueForm(line: string, services: Services, context: Context): Promise<Form> {
  const { title, about: label, setting } = await askedBy(line, services, context)
  if (setting === undefined)
    throw new UserError(t('alerts-gone-already', { command: { code: '/alerts' } }))
  return {
    id: line,
    title,
    fields: [
      { id: field, label, about: setting.ask(), kind: 'line', required: true, maxLength: maxValue },
    ],
  }
}

const address = /(?<![\w/.=-])0x[0-9a-f]{40}(?!\w)/iu
const ticker = /(?<![\w$])\$(?<symbol>[a-z][a-z0-9]{1,15})(?!\w)/iu
/** Longer messages are not examined: they are about something else. */
const maxLength = 1_000

/**
 * Looks up the card of the first token that a message in a group names: by its address, or by a ticker that it alone has. Once
 * a minute for each token and chat. Undefined if there is none, or the chat has not turned this on. The work throws ApiError, or
 * UserError if there is no such token.
 */
function overheardCard(
  text: string,
  services: Services,
  context: Context,
): (() => Promise<View | undefined>) | undefined {
  const { chatSettings, shownCards, cards } = services
  const platform = context.platform.name
  const chat = `${platform} ${ownChat(context)}`
  if (text.length > maxLength || !chatSettings.of(platform, ownChat(context)).cards)
    return undefined
  const term = address.exec(text)?.[0] ?? ticker.exec(text)?.groups?.symbol
  // A token that does not exist is looked up once a minute, too.
  if (term === undefined || shownCards.noteShown(chat, term)) return undefined
  return async () => {
    const found = await findAsset(term, undefined, services)
    if ('choices' in found) return undefined
    const { read, chain } = found
    const { asset_address: token } = read.value
    if (token.toLowerCase() !== term.toLowerCase() && shownCards.noteShown(chat, token)) {
      return undefined
    }
    return cards.pictured(read, chain, context.locale)
  }
}
