import type { Api } from 'grammy'
import type { BotCommand, LanguageCode } from 'grammy/types'
import { defaultLocale, type Locale, locales, plainText } from '../core/catalogue.ts'
import type { MenuEntry } from '../core/runner.ts'
import { t } from '../core/view.ts'
import type { Logger } from '../log.ts'

/**
 * Sets the bot's profile for people who have not written to it yet, the commands that Telegram offers in each kind of chat,
 * and the button that lists them; in each language, and only where it differs: Telegram limits how often a bot may. A
 * description by the operator stays. A part that can't be set is logged, and doesn't prevent the start. Ends early if the
 * signal is aborted.
 */
export async function updateProfile(
  api: Api,
  menu: readonly MenuEntry[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const steps = [
    ...locales.flatMap((locale) => commandSteps(api, menu, locale)),
    () => updateDescription(api),
    () => updateShortDescription(api),
    () => updateMenuButton(api),
  ]
  for (const step of steps) {
    if (signal.aborted) return
    try {
      await step()
    } catch (err) {
      if (signal.aborted) return
      log.warn({ err }, 'telegram: a part of the bot’s profile could not be set')
    }
  }
}

/** The languages as Telegram names them: two letters of ISO 639-1. */
const languageCodes: Readonly<Record<Locale, LanguageCode>> = {
  en: 'en',
  es: 'es',
  ru: 'ru',
  tr: 'tr',
  'zh-CN': 'zh',
}

interface Language {
  language_code?: LanguageCode
}

/** Telegram shows the texts without a language to people whose language has none. */
function languageOf(locale: Locale): Language {
  return locale === defaultLocale ? {} : { language_code: languageCodes[locale] }
}

type Step = () => Promise<void>

/**
 * Updates the lists of commands. Telegram takes the most specific one: that of a group's administrators, that of groups, and
 * for private chats the default (https://core.telegram.org/bots/api#determining-list-of-commands).
 */
function commandSteps(api: Api, menu: readonly MenuEntry[], locale: Locale): Step[] {
  const inGroups = menu.filter(({ ephemeral, audience }) => !ephemeral && audience !== 'private')
  const forMembers = inGroups.filter(({ audience }) => audience !== 'managers')
  const lists = [
    { type: 'default', entries: menu },
    { type: 'all_group_chats', entries: forMembers },
    { type: 'all_chat_administrators', entries: inGroups },
  ] as const
  return lists.map(({ type, entries }) => async () => {
    const where = { scope: { type }, ...languageOf(locale) }
    const commands = entries.map(({ name, about }) => ({
      command: name,
      description: plainText(about, locale),
    }))
    if (!isSame(await api.getMyCommands(where), commands)) await api.setMyCommands(commands, where)
  })
}

function isSame(ones: readonly BotCommand[], others: readonly BotCommand[]): boolean {
  const key = (list: readonly BotCommand[]) =>
    JSON.stringify(list.map(({ command, description }) => [command, description]))
  return key(ones) === key(others)
}

/** In a chat in which nothing was written yet; at most 512 characters. */
async function updateDescription(api: Api): Promise<void> {
  await updateText(
    locales.map((locale) => plainText(t('profile-description'), locale)),
    async (language) => (await api.getMyDescription(language)).description,
    (text, language) => api.setMyDescription(text, language),
  )
}

/** On the bot's profile and with links to it; at most 120 characters. */
async function updateShortDescription(api: Api): Promise<void> {
  await updateText(
    locales.map((locale) => plainText(t('profile-short'), locale)),
    async (language) => (await api.getMyShortDescription(language)).short_description,
    (text, language) => api.setMyShortDescription(text, language),
  )
}

/** Sets a text in all languages, in the order of `locales`, unless the operator has given another one in any. */
async function updateText(
  texts: readonly string[],
  get: (language: Language) => Promise<string>,
  set: (text: string, language: Language) => Promise<unknown>,
): Promise<void> {
  const current: string[] = []
  for (const locale of locales) current.push(await get(languageOf(locale)))
  if (current.some((text) => text !== '' && !texts.includes(text))) return
  for (const [index, locale] of locales.entries()) {
    const text = texts[index] ?? ''
    if (current[index] !== text) await set(text, languageOf(locale))
  }
}

/** The button beside the message box lists the commands, unless the operator has made it open an app. */
async function updateMenuButton(api: Api): Promise<void> {
  const { type } = await api.getChatMenuButton()
  if (type === 'default') await api.setChatMenuButton({ menu_button: { type: 'commands' } })
}
