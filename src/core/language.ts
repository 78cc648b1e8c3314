import { FluentBundle, type FluentResource, type FluentVariable } from '@fluent/bundle'
import { figureFormatter } from './number.ts'
import type { Arg, Message, Span, Text } from './view.ts'

/** A language: its messages, and how it writes numbers and lists. `fallback` has the messages that it lacks. */
export interface Language {
  bundle: FluentBundle
  figure: ReturnType<typeof figureFormatter>
  lists: Record<'and' | 'or', Intl.ListFormat>
  days: Intl.DateTimeFormat
  fallback: Language | undefined
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
  // "a, b and c" in English, without a comma before "and", and "21 November 2026".
  const tag = locale === 'en' ? 'en-GB' : locale
  return {
    bundle,
    figure: figureFormatter(locale),
    lists: {
      and: new Intl.ListFormat(tag),
      or: new Intl.ListFormat(tag, { type: 'disjunction' }),
    },
    days: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
    fallback,
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
  return spans.flatMap((span) => spanIn(language, span))
}

/** What strangers wrote, without the no-break spaces that renderers keep for our figures. */
function breaking(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/gu, ' ')
}

function spanIn(language: Language, span: Span): LocalSpan[] {
  if (typeof span === 'string') return [breaking(span)]
  if ('key' in span) return messageIn(language, span)
  if ('number' in span) return [{ own: language.figure(span) }]
  if ('day' in span) return [{ own: dayIn(language, span.day) }]
  if ('list' in span) return listIn(language, span.list, language.lists[span.as])
  if ('bold' in span) return [{ bold: textIn(language, span.bold) }]
  if ('link' in span) return [{ link: textIn(language, span.link), url: span.url }]
  return [span]
}

function dayIn({ days }: Language, day: string): string {
  const time = Date.parse(day)
  return Number.isNaN(time) ? day : days.format(time)
}

function argIn(language: Language, arg: Arg): LocalSpan[] {
  if (typeof arg === 'number') return [{ own: String(arg) }]
  return isSpans(arg) ? spansIn(language, arg) : spanIn(language, arg)
}

export function isSpans(arg: Arg): arg is readonly Span[] {
  return Array.isArray(arg)
}

function messageIn(language: Language, { key, args = {} }: Message): LocalSpan[] {
  const { bundle, fallback } = language
  const pattern = bundle.getMessage(key)?.value
  if (typeof pattern === 'string') return [{ own: pattern }]
  if (!pattern) return fallback ? messageIn(fallback, { key, args }) : [{ own: key }]
  const placed = placedIn(language, pattern, args)
  if (placed) return placed
  const parts: LocalSpan[][] = []
  const values: Record<string, FluentVariable> = {}
  for (const [name, arg] of Object.entries(args)) {
    // Only numbers are Fluent's to read: they choose plural forms. Everything else is put in afterwards, as it is.
    if (typeof arg === 'number') values[name] = arg
    else values[name] = markOf(parts.push(argIn(language, arg)) - 1)
  }
  return split(bundle.formatPattern(pattern, values, []), parts)
}

/**
 * A pattern with its arguments in their places; undefined if Fluent has to choose its words, by a number or otherwise. Most
 * patterns leave it nothing to choose, and a card is put into a language in half of the time without it.
 */
function placedIn(
  language: Language,
  pattern: readonly PatternElement[],
  args: NonNullable<Message['args']>,
): LocalSpan[] | undefined {
  const spans: LocalSpan[] = []
  let own = ''
  for (const element of pattern) {
    if (typeof element === 'string') {
      own += element
      continue
    }
    const arg = element.type === 'var' ? args[element.name] : undefined
    if (arg === undefined || typeof arg === 'number') return undefined
    if (own !== '') spans.push({ own })
    own = ''
    spans.push(...argIn(language, arg))
  }
  if (own !== '') spans.push({ own })
  return spans
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
  const spans = isSpans(text) ? spansIn(language, text) : spanIn(language, text)
  return spans.map(plainSpan).join('')
}

function plainSpan(span: LocalSpan): string {
  if (typeof span === 'string') return span
  if ('own' in span) return span.own
  if ('bold' in span) return span.bold
  if ('code' in span) return span.code
  if ('link' in span) return span.link
  return new Date(span.time * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
