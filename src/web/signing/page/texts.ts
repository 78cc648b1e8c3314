import * as z from 'zod/mini'
import { type FluentPattern, languageOf, spansIn, textIn } from '../../../core/language.ts'
import type { Span, Text } from '../../../core/view.ts'

// The texts of this page, in the language that the bot chose: it stands in the page's HTML, with its messages.

const messagesSchema = z.record(
  z.string(),
  z.custom<FluentPattern>((it) => typeof it === 'string' || Array.isArray(it)),
)

const { lang } = document.documentElement
const written = document.getElementById('messages')?.textContent ?? '{}'
const messages = Object.entries(messagesSchema.parse(JSON.parse(written)))
const body = messages.map(([id, value]) => ({ id, value, attributes: {} }))
const language = languageOf(lang, { body })

/** Puts a text into the page's language, without markup. */
export function say(text: Text): string {
  return textIn(language, text)
}

/** Puts a text into the page's language, and keeps its accounts and times apart. */
export function spansOf(text: Span): Span<string>[] {
  return spansIn(language, [text])
}

/** Writes a time in the page's language and the browser's time zone. */
export const clock = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
