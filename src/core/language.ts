import { FluentBundle, type FluentResource, type FluentVariable } from '@fluent/bundle'
import { figureFormatter } from './number.ts'
import type { Arg, Message, Span, Text } from './view.ts'

/** A language. `fallback` has the messages that it lacks. */
export interface Language {
  bundle: FluentBundle
  /** Made for the first text that needs them: the menus of all languages, which a start waits for, have no figures. */
  formatters: () => Formatters
  fallback: Language | undefined
}

/** Formatters of a language's numbers, lists and days. */
interface Formatters {
  figure: ReturnType<typeof figureFormatter>
  lists: Record<'and' | 'or', Intl.ListFormat>
  days: Intl.DateTimeFormat
}

/** A parsed message. */
export type FluentPattern = NonNullable<FluentResource['body'][number]['value']>
type PatternElement = Exclude<FluentPattern, string>[number]

/**
 * Makes a language of its messages. Runs in browsers, too: the signing page gets the messages that it shows from the bot.
 * @param locale its tag, by which it writes numbers and lists
 */
export function languageOf(
  locale: string,
  messages: Pick<FluentResource, 'body'>,
  fallback?: Language,
): Language {
  // Isolation marks would be in what people copy; names are freed of marks that change the direction.
  const bundle = new FluentBundle(locale, { useIsolating: false })
  bundle.addResource(messages)
  let made: Formatters | undefined
  return { bundle, formatters: () => (made ??= formattersOf(locale)), fallback }
}

function formattersOf(locale: string): Formatters {
  // "a, b and c" in English, without a comma before "and", and "21 November 2026".
  const tag = locale === 'en' ? 'en-GB' : locale
  return {
    figure: figureFormatter(locale),
    lists: {
      and: new Intl.ListFormat(tag),
      or: new Intl.ListFormat(tag, { type: 'disjunction' }),
    },
    days: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
  }
}

/** Marks the places of arguments in a formatted message: private characters, which no text of the catalogue has. */
const firstMark = 0xf0000
const marks = /([\u{f0000}-\u{f00ff}])/u

function markOf(index: number): string {
  return String.fromCodePoint(firstMark + index)
}

export type LocalSpan = Span<string>

/** Puts spans into a language. Arguments keep their markup, and what strangers wrote stays apart from our words. */
export function spansIn(language: Language, spans: readonly Span[]): LocalSpan[] {
  const into: LocalSpan[] = []
  for (const span of spans) addSpan(into, language, span)
  return into
}

const noBreaks = /[\u00a0\u202f]/gu

/** Strangers' words, without the no-break spaces that renderers keep for our figures. */
function breaking(text: string): string {
  return text.replace(noBreaks, ' ')
}

// A card has some fifty spans, most of them arguments of others: one list for all of them is made in half of the time.
function addSpan(into: LocalSpan[], language: Language, span: Span): void {
  if (typeof span === 'string') into.push(breaking(span))
  else if ('key' in span) addMessage(into, language, span)
  else if ('number' in span) into.push({ own: language.formatters().figure(span) })
  else if ('day' in span) into.push({ own: dayIn(language.formatters(), span.day) })
  else if ('list' in span)
    into.push(...listIn(language, span.list, language.formatters().lists[span.as]))
  else if ('bold' in span) into.push({ bold: textIn(language, span.bold) })
  else if ('link' in span) into.push({ link: textIn(language, span.link), url: span.url })
  else into.push(span)
}

function dayIn({ days }: Formatters, day: string): string {
  const time = Date.parse(day)
  return Number.isNaN(time) ? day : days.format(time)
}

function addArg(into: LocalSpan[], language: Language, arg: Arg): void {
  if (typeof arg === 'number') into.push({ own: String(arg) })
  else if (isSpans(arg)) for (const span of arg) addSpan(into, language, span)
  else addSpan(into, language, arg)
}

function argIn(language: Language, arg: Arg): LocalSpan[] {
  const into: LocalSpan[] = []
  addArg(into, language, arg)
  return into
}

export function isSpans(arg: Arg): arg is readonly Span[] {
  return Array.isArray(arg)
}

function addMessage(into: LocalSpan[], language: Language, message: Message): void {
  const { key, args = {}, unbroken } = message
  if (unbroken) {
    into.push(...argIn(language, { key, args }).map(withoutBreaks))
    return
  }
  const { bundle, fallback } = language
  const pattern = bundle.getMessage(key)?.value
  if (typeof pattern === 'string') into.push({ own: pattern })
  else if (pattern && hasOnlyPlaces(pattern, args)) addPlaced(into, language, pattern, args)
  else if (pattern) addChosen(into, language, pattern, args)
  else if (fallback) addMessage(into, fallback, { key, args })
  else into.push({ own: key })
}

/** Leaves strangers' words as they are: they may be long. */
function withoutBreaks(span: LocalSpan): LocalSpan {
  return typeof span === 'object' && 'own' in span
    ? { own: span.own.replaceAll(' ', '\u00a0') }
    : span
}

type Args = NonNullable<Message['args']>

/** The argument that has a place in a pattern; undefined if Fluent has to look at it first, or if there is none. */
function placedArg(element: PatternElement, args: Args): Exclude<Arg, number> | undefined {
  if (typeof element === 'string' || element.type !== 'var') return undefined
  const arg = args[element.name]
  return typeof arg === 'number' ? undefined : arg
}

/**
 * Whether a pattern is only texts and places of arguments, in which Fluent has no words to choose, by a number or otherwise. Most
 * are, and a card is put into a language in half of the time without it.
 */
function hasOnlyPlaces(pattern: readonly PatternElement[], args: Args): boolean {
  return pattern.every(
    (element) => typeof element === 'string' || placedArg(element, args) !== undefined,
  )
}

function addPlaced(
  into: LocalSpan[],
  language: Language,
  pattern: readonly PatternElement[],
  args: Args,
): void {
  // A message of several lines has several texts in a row.
  let own = ''
  for (const element of pattern) {
    if (typeof element === 'string') {
      own += element
      continue
    }
    if (own !== '') into.push({ own })
    own = ''
    const arg = placedArg(element, args)
    if (arg !== undefined) addArg(into, language, arg)
  }
  if (own !== '') into.push({ own })
}

/** Adds a pattern with the words that Fluent chooses, and its arguments in their places. */
function addChosen(
  into: LocalSpan[],
  language: Language,
  pattern: FluentPattern,
  args: Args,
): void {
  const parts: LocalSpan[][] = []
  const values: Record<string, FluentVariable> = {}
  for (const [name, arg] of Object.entries(args)) {
    // Only numbers are Fluent's to read: they choose plural forms. Everything else is put in afterwards, as it is.
    if (typeof arg === 'number') values[name] = arg
    else values[name] = markOf(parts.push(argIn(language, arg)) - 1)
  }
  into.push(...split(language.bundle.formatPattern(pattern, values, []), parts))
}

function listIn(language: Language, items: readonly Arg[], format: Intl.ListFormat): LocalSpan[] {
  const parts = items.map((item) => argIn(language, item))
  return split(format.format(parts.map((_, index) => markOf(index))), parts)
}

/** Puts parts in the places of their marks. */
function split(text: string, parts: readonly LocalSpan[][]): LocalSpan[] {
  return text.split(marks).flatMap((piece, index): LocalSpan[] => {
    if (index % 2 === 0) return piece === '' ? [] : [{ own: piece }]
    return parts[(piece.codePointAt(0) ?? 0) - firstMark] ?? []
  })
}

/** A text or spans in a language, without markup: for places that allow none. */
export function textIn(language: Language, text: Text | readonly Span[]): string {
  if (typeof text === 'string') return breaking(text)
  return argIn(language, text).map(plainSpan).join('')
}

function plainSpan(span: LocalSpan): string {
  if (typeof span === 'string') return span
  if ('own' in span) return span.own
  if ('bold' in span) return span.bold
  if ('code' in span) return span.code
  if ('link' in span) return span.link
  return new Date(span.time * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
