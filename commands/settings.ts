import { type Locale, languageNames, locales } from '../src/core/catalogue.ts'
import {
  type Context,
  formatLine,
  oneOf,
  optional,
  ownChat,
  type Param,
} from '../src/core/command.ts'
import { type Block, type Button, type Span, type Text, t, type View } from '../src/core/view.ts'
import type { QuietHours } from '../src/db/chat-settings.ts'
import { UserError } from '../src/errors.ts'
import { zone } from './params.ts'
import { command, type Services } from './services.ts'

/** A chat's settings: anybody sees them, and those who may change its alerts change them. */
export const settings = command({
  name: 'settings',
  about: t('settings-about'),
  forAsker: true,
  params: {
    language: optional(
      oneOf<Locale | 'auto', Services>(t('settings-language-about'), [
        { value: 'auto', label: t('settings-language-auto') },
        ...locales.map((value) => ({ value, label: languageNames[value] })),
      ]),
    ),
    cards: {
      ...optional(
        oneOf<'on' | 'off', Services>(t('settings-cards-about'), [
          { value: 'on', label: t('settings-on') },
          { value: 'off', label: t('settings-off') },
        ]),
      ),
      groupText: true,
    },
    quiet: optional(quietHours()),
    zone: optional(zone(t('settings-zone-about'))),
  },
  mutates: ({ bare, named }) => bare !== '' || named.size > 0,
  run: async ({ language, cards, quiet, zone }, services, context) => {
    const permissions = services.alerts.permissions({ context })
    await permissions.targetToView()
    const changes = [language, cards, quiet, zone]
    if (changes.every((each) => each === undefined)) return settingsView(services, context)
    await permissions.targetToChange()
    if (cards !== undefined && !hasGroupText(context))
      throw new UserError(t('settings-cards-where'))
    await services.chatSettings.set(context.platform.name, ownChat(context), {
      ...(language !== undefined && { language: language === 'auto' ? undefined : language }),
      ...(cards !== undefined && { cards: cards === 'on' }),
      ...(quiet !== undefined && { quiet: quiet === 'off' ? undefined : quiet }),
      ...(zone !== undefined && { zone }),
    })
    return settingsView(services, context)
  },
})

type Hours = Omit<QuietHours, 'zone'>

/** Quiet hours as people write them: `23-7`, `22:00–08:00`, `off`. */
function quietHours(): Param<Hours | 'off', Services> {
  return {
    about: t('settings-quiet-about'),
    example: '23-7',
    required: true,
    parse: (raw) => {
      if (raw.trim().toLowerCase() === 'off') return 'off'
      const { first, last } = typedHours.exec(raw.trim())?.groups ?? {}
      const [from, to] = [Number(first), Number(last) % 24]
      if (from < 24 && Number(last) <= 24 && from !== to) return { from, to }
      throw new UserError(
        t('settings-quiet-unreadable', {
          typed: raw,
          example: { code: '23-7' },
          off: { code: 'off' },
        }),
      )
    },
    complete: async () => [
      ...quietChoices.map((value) => ({ value, label: value })),
      { value: 'off', label: t('settings-off') },
    ],
  }
}

const typedHours = /^(?<first>\d{1,2})(?::00)? ?[-–—] ?(?<last>\d{1,2})(?::00)?$/u
const quietChoices = ['22-7', '23-8', '0-9']

/** Example: `23:00–07:00` */
function hoursText({ from, to }: Hours): string {
  const hour = (value: number) => `${String(value).padStart(2, '0')}:00`
  return `${hour(from)}–${hour(to)}`
}

function quietButtons(quiet: Hours | undefined): Button[] {
  const current = quiet && `${quiet.from}-${quiet.to}`
  const choices: [Text, string][] = [
    [t('settings-quiet-off'), 'off'],
    ...quietChoices.map((value): [Text, string] => [`🌙 ${value.replace('-', '–')}`, value]),
  ]
  return choices.map(([label, value]) => ({
    label: value === (current ?? 'off') ? t('chosen', { label }) : label,
    line: formatLine('settings', undefined, { quiet: value }),
  }))
}

/** Whether the bot may see what people write in this chat. */
function hasGroupText({ isPrivate, platform }: Context): boolean {
  return !isPrivate && platform.groupText
}

function settingsView(services: Services, context: Context): View {
  const { language, cards, quiet, zone } = services.chatSettings.of(
    context.platform.name,
    ownChat(context),
  )
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
          [
            t('settings-quiet'),
            [
              quiet
                ? t('settings-quiet-hours', { hours: hoursText(quiet), zone })
                : t('settings-off'),
            ],
          ],
        ],
      },
      { kind: 'text', small: true, spans: [t('settings-language-hint')] },
      ...(hasCards
        ? [{ kind: 'text', small: true, spans: [t('settings-cards-hint')] } satisfies Block]
        : []),
      {
        kind: 'text',
        small: true,
        spans: [t('settings-quiet-hint', { line: { code: '/settings quiet:23-7 zone:Berlin' } })],
      },
    ],
    buttons: [
      [choice('auto', t('settings-language-auto'), current === undefined)],
      languages,
      ...(hasCards ? [[toggle]] : []),
      quietButtons(quiet),
    ],
  }
}
