import { type Locale, languageNames, localeFor, locales } from '../src/core/catalogue.ts'
import { type Context, formatLine, oneOf, optional, ownChat } from '../src/core/command.ts'
import { type Block, type Button, type Span, type Text, t, type View } from '../src/core/view.ts'
import type { ChatSettings } from '../src/db/chat-settings.ts'
import { UserError } from '../src/errors.ts'
import { command, type Services } from './services.ts'

/** A chat's settings: anybody sees them, and those who may change its alerts change them. */
export const settings = command({
  name: 'settings',
  about: t('settings-about'),
  params: {
    language: optional(
      oneOf<Locale | 'auto', Services>(t('settings-language-about'), [
        { value: 'auto', label: t('settings-language-auto') },
        ...locales.map((value) => ({ value, label: languageNames[value] })),
      ]),
    ),
    cards: optional(
      oneOf<'on' | 'off', Services>(t('settings-cards-about'), [
        { value: 'on', label: t('settings-on') },
        { value: 'off', label: t('settings-off') },
      ]),
    ),
  },
  mutates: ({ bare, named }) => bare !== '' || named.has('language') || named.has('cards'),
  run: async ({ language, cards }, services, context) => {
    if (language === undefined && cards === undefined) return settingsView(services, context)
    await services.alerts.permissions({ context }).targetToChange()
    if (cards !== undefined && !hasGroupText(context))
      throw new UserError(t('settings-cards-where'))
    await services.chatSettings.set(context.platform.name, ownChat(context), {
      ...(language !== undefined && { language: language === 'auto' ? undefined : language }),
      ...(cards !== undefined && { cards: cards === 'on' }),
    })
    return settingsView(services, context)
  },
})

/** The language that is set for a chat, or else that of the person who writes. */
export function localeOf(context: Context, settings: Pick<ChatSettings, 'of'>): Locale {
  const { language } = settings.of(context.platform.name, ownChat(context))
  return language === undefined ? context.locale : localeFor(language)
}

/** Whether the bot may see what people write in this chat. */
function hasGroupText({ isPrivate, platform }: Context): boolean {
  return !isPrivate && platform.groupText
}

function settingsView(services: Services, context: Context): View {
  const { language, cards } = services.chatSettings.of(context.platform.name, ownChat(context))
  const current = locales.find((locale) => locale === language)
  const choice = (value: Locale | 'auto', label: Button['label'], isCurrent: boolean): Button => ({
    label: isCurrent ? t('chosen', { label: [label] }) : label,
    line: formatLine('settings', value),
  })
  const languages = locales.map((value) => choice(value, languageNames[value], value === current))
  const hasCards = hasGroupText(context)
  const state = cards ? t('settings-on') : t('settings-off')
  const cardsField: [Text, Span[]] = [t('settings-cards'), [state]]
  const toggle: Button = {
    label: cards ? t('settings-cards-turn-off') : t('settings-cards-turn-on'),
    line: formatLine('settings', undefined, { cards: cards ? 'off' : 'on' }),
  }
  return {
    title: [context.isPrivate ? t('settings-title') : t('settings-title-chat')],
    blocks: [
      {
        kind: 'fields',
        fields: [
          [
            t('settings-language'),
            [current ? languageNames[current] : t('settings-language-auto')],
          ],
          ...(hasCards ? [cardsField] : []),
        ],
      },
      { kind: 'text', quiet: true, spans: [t('settings-language-hint')] },
      ...(hasCards
        ? [{ kind: 'text', quiet: true, spans: [t('settings-cards-hint')] } satisfies Block]
        : []),
    ],
    buttons: [
      [choice('auto', t('settings-language-auto'), current === undefined)],
      languages,
      ...(hasCards ? [[toggle]] : []),
    ],
  }
}
