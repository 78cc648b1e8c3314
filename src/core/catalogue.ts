import { readFileSync } from 'node:fs'
import { FluentResource } from '@fluent/bundle'
import {
  type FluentPattern,
  type Language,
  type LocalSpan,
  languageOf,
  spansIn,
  textIn,
} from './language.ts'
import {
  type Block,
  type Button,
  type LocalisedView,
  type Span,
  type Text,
  t,
  type View,
} from './view.ts'

/** The languages of the catalogue: `locales/en.ftl` and so on, in Fluent's syntax (https://projectfluent.org). */
export const locales = ['en', 'es', 'ru', 'tr', 'zh-CN'] as const
export type Locale = (typeof locales)[number]

/** Each language in its own words. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  ru: 'Русский',
  tr: 'Türkçe',
  'zh-CN': '简体中文',
}

/** The language that is complete: another one's missing messages are taken from it. */
export const defaultLocale: Locale = 'en'

/** The language of the catalogue for a language tag of a platform, such as `en-GB`. */
export function localeFor(tag: string | undefined): Locale {
  const [language] = (tag ?? '').toLowerCase().split('-')
  return locales.find((locale) => locale.split('-')[0] === language) ?? defaultLocale
}

const languages = new Map<Locale, Language>()

function language(locale: Locale): Language {
  const cached = languages.get(locale)
  if (cached) return cached
  const fallback = locale === defaultLocale ? undefined : language(defaultLocale)
  const made = languageOf(locale, messagesOf(locale), fallback)
  languages.set(locale, made)
  return made
}

function messagesOf(locale: Locale): FluentResource {
  const url = new URL(`../../locales/${locale}.ftl`, import.meta.url)
  return new FluentResource(readFileSync(url, 'utf8'))
}

/** Parsed messages of a language whose keys begin with a prefix, by key; those that it lacks are English. */
export function messagesFor(locale: Locale, prefix: RegExp): Record<string, FluentPattern> {
  const own = messagesOf(locale).body.flatMap(({ id, value }): [string, FluentPattern][] =>
    value && prefix.test(id) ? [[id, value]] : [],
  )
  const english = locale === defaultLocale ? {} : messagesFor(defaultLocale, prefix)
  return { ...english, ...Object.fromEntries(own) }
}

/** Puts spans into a language. Arguments keep their markup, and what strangers wrote stays apart from our words. */
export function localiseSpans(spans: readonly Span[], locale: Locale): LocalSpan[] {
  return spansIn(language(locale), spans)
}

/** A text or spans in a language, without markup: for places that allow none. */
export function plainText(text: Text | readonly Span[], locale: Locale = defaultLocale): string {
  return textIn(language(locale), text)
}

/** A view's title and text blocks as plain text, one on each line. */
export function plainView(view: View, locale: Locale = defaultLocale): string {
  const texts = view.blocks.flatMap((block) => {
    if (block.kind === 'text') return [plainText(block.spans, locale)]
    return block.kind === 'lines' ? block.lines.map((line) => plainText(line, locale)) : []
  })
  return [plainText(view.title, locale), ...texts].filter((text) => text !== '').join('\n')
}

/**
 * Puts a view into a language.
 * @example
 *   await adapter.send(chat, localise(view, 'en'), key)
 */
export function localise(view: View, locale: Locale): LocalisedView {
  const { title, blocks, buttons, form, reply, picker, ...rest } = view
  return {
    ...rest,
    added: addedIn(locale),
    title: localiseSpans(title, locale),
    blocks: blocks.map((block) => localiseBlock(block, locale)),
    ...(buttons && {
      buttons: buttons.map((row) => row.map((button) => localiseButton(button, locale))),
    }),
    ...(form && { form: { ...form, label: plainText(form.label, locale) } }),
    ...(reply !== undefined && { reply: plainText(reply, locale) }),
    ...(picker && {
      picker: {
        ...picker,
        channel: plainText(picker.channel, locale),
        group: plainText(picker.group, locale),
      },
    }),
  }
}

/** The texts that a renderer adds by itself. */
export function addedIn(locale: Locale): NonNullable<LocalisedView['added']> {
  return {
    shortened: plainText(t('view-shortened'), locale),
    openOne: plainText(t('view-open-one'), locale),
  }
}

function localiseButton(button: Button, locale: Locale): Button<string> {
  return { ...button, label: plainText(button.label, locale) }
}

/** A field's label in a language, with the colon of that language. */
function withColon(label: Text, locale: Locale): string {
  const words = plainText(label, locale)
  return /[:：]$/u.test(words) ? words : plainText(t('field-label', { label: words }), locale)
}

function localiseBlock(block: Block, locale: Locale): Block<string> {
  switch (block.kind) {
    case 'text':
      return { ...block, spans: localiseSpans(block.spans, locale) }
    case 'lines':
      return { ...block, lines: block.lines.map((line) => localiseSpans(line, locale)) }
    case 'copy':
      return block
    case 'details':
      return {
        ...block,
        lines: block.lines.map((line) => localiseSpans(line, locale)),
        open: { ...block.open, label: plainText(block.open.label, locale) },
      }
    case 'fields':
      return {
        ...block,
        fields: block.fields.map(([label, value, ...isPictured]) => [
          withColon(label, locale),
          localiseSpans(value, locale),
          ...isPictured,
        ]),
      }
    case 'progress':
      return { ...block, label: plainText(block.label, locale) }
    case 'list': {
      const { choose, items, ...list } = block
      return {
        ...list,
        ...(choose !== undefined && { choose: plainText(choose, locale) }),
        items: items.map(({ spans, open }) => ({
          spans: localiseSpans(spans, locale),
          open: { ...open, label: plainText(open.label, locale) },
        })),
      }
    }
  }
}
