import type { Scope, TypedSetting } from '../src/alerts/kinds/kind.ts'
import { type Kind, kindNamed, kinds } from '../src/alerts/kinds/list.ts'
import { wrongValueView } from '../src/alerts/views/menu.ts'
import {
  type Context,
  formatLine,
  ownChat,
  parseLine,
  type ShowProgress,
} from '../src/core/command.ts'
import type { Conversation, Form, Input } from '../src/core/conversation.ts'
import { t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { currentValue, filterNamed, typedFilters, valueQuestion } from './alert-menus.ts'
import { alerts } from './alerts.ts'
import { conversation as launching } from './launch.ts'
import { findAsset } from './lookup.ts'
import type { Services } from './services.ts'

/** Maximum characters of a value that was asked for, such as an address; anything longer is something else. */
const maxValue = 42
/** The field of the form that asks for a value. */
const field = 'value'

/** Input that is no command: a value that an alert was asked about, or an answer of the person's launch. */
export const conversation: Conversation<Services> = {
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
  return question && answer(question.line, text.trim(), services, context, show)
}

/** The question for the value that this text may be. */
async function questionOf(
  { text, files }: Pick<Input, 'text' | 'files'>,
  { questions, launches }: Services,
  context: Context,
) {
  const value = text.trim()
  if (files.length > 0 || !mayBeValue(value)) return undefined
  const question = await questions.find(context)
  if (question === undefined || question.isAnswered) return question
  // Where none is asked for, an address is looked up.
  const isAddress = /^0x/iu.test(value)
  if (asksForCreator(question.line) !== isAddress) return undefined
  return (await launches?.conversation.isAnswered(context)) ? undefined : question
}

function asksForCreator(line: string): boolean {
  const [, , asked] = parseLine(line).bare.split(' ')
  return filterNamed(asked) === 'creator'
}

/** Tickers are looked up, and a long text may be a secret. */
function mayBeValue(text: string): boolean {
  return text !== '' && text.length <= maxValue && !/^(?:\$(?!\s*[\d.])|@|\/)/iu.test(text)
}

/** Adds or changes the alert that the line asks about, as the command line with the value would. */
async function answer(
  line: string,
  value: string,
  services: Services,
  context: Context,
  show: ShowProgress,
): Promise<View> {
  const { words, named, kind, scope, setting } = await askedBy(line, services, context)
  const current = (await currentValue({ kind, scope }, services))?.value
  try {
    const options = setting?.options(value, { current, locale: context.locale }) ?? {}
    const typed = formatLine(`${alerts.name} ${words}`, undefined, { ...named, ...options })
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

/** A line that asks for a value, and what it is about. @throws UserError if that is gone */
async function askedBy(line: string, services: Services, context: Context) {
  const { bare, named: given } = parseLine(line)
  const named = Object.fromEntries(given)
  const [subcommand, target = '', asked] = bare.split(' ')
  const filter = filterNamed(asked)
  const settingOf = (kind: Kind): TypedSetting | undefined =>
    filter === undefined ? kinds[kind].typed : typedFilters[filter]
  const kind = kindNamed(target)
  if (subcommand === 'choose' && kind !== undefined) {
    const { asset, chain } = named
    const scope: Scope = {
      ...(asset !== undefined && { asset }),
      ...(chain !== undefined && { chain: Number(chain) }),
    }
    return { words: `add ${kind}`, named, kind, scope, setting: settingOf(kind) }
  }
  const permissions = services.alerts.permissions({ context, targetChat: named.in })
  const { subscriptions } = await services.alerts.of(permissions)
  const changed = subscriptions.find(({ id }) => `#${id}` === target)
  if (changed === undefined) {
    throw new UserError(t('alerts-gone-already', { command: { code: '/alerts' } }))
  }
  const { kind: of, scope } = changed.rule
  return { words: `change ${target}`, named, kind: of, scope, setting: settingOf(of) }
}

/** The form that asks for one value. */
async function valueForm(line: string, services: Services, context: Context): Promise<Form> {
  const { kind, setting } = await askedBy(line, services, context)
  if (setting === undefined)
    throw new UserError(t('alerts-gone-already', { command: { code: '/alerts' } }))
  const about = setting.ask()
  return {
    id: line,
    title: kinds[kind].label,
    fields: [
      { id: field, label: setting.label, about, kind: 'line', required: true, maxLength: maxValue },
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
