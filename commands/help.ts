import {
  type Command,
  type Context,
  formatLine,
  listed,
  optional,
  type Param,
  readsText,
  unknownCommand,
  wordOf,
} from '../src/core/command.ts'
import { type Block, type Button, type Span, small, type Text, t, text } from '../src/core/view.ts'
import { command, type Services } from './services.ts'

/** Explains the other commands, by their own descriptions. */
export function help(others: readonly Command<Services>[]) {
  return command({
    name: 'help',
    about: t('help-about'),
    forAsker: true,
    params: { command: optional(commandName(others)) },
    run: async ({ command }, services, context) => {
      const one = others.find(({ name }) => name === command)
      if (!one) {
        return {
          title: [t('help-title')],
          blocks: overview(others, context),
          buttons: commandButtons(others),
        }
      }
      return {
        title: [{ own: `/${one.name}` }],
        blocks: explanation(one, services, context),
        buttons: [[{ label: t('help-all-commands'), line: 'help' }]],
      }
    },
  })
}

function commandName(others: readonly Command<Services>[]): Param<string, Services> {
  const names = others.map(({ name }) => name)
  return {
    about: t('help-command'),
    example: names[0] ?? '',
    required: true,
    choices: () => names.map((name) => ({ value: name, label: `/${name}` })),
    parse: (raw) => {
      const typed = raw.replace(/^\//u, '').toLowerCase()
      // `/help help` shows the overview.
      if (names.includes(typed) || typed === 'help') return typed
      throw unknownCommand(typed, names)
    },
  }
}

/** A button for each command with options of its own. */
function commandButtons(others: readonly Command<Services>[]): Button[][] {
  const buttons = others
    .filter(({ params }) => Object.values(params).some(({ chat }) => !chat))
    .map(({ name }) => ({ label: `/${name}`, line: formatLine('help', name) }))
  return [buttons]
}

function overview(others: readonly Command<Services>[], context: Context): Block[] {
  const more = context.platform.namedOptions
    ? t('help-more', { help: { code: '/help command:assets' } })
    : t('help-options', {
        example: { code: '/assets live order:market_cap_desc limit:20' },
        help: { code: '/help assets' },
      })
  return [
    {
      kind: 'lines',
      lines: others.map(({ name, about }) => [{ code: `/${name}` }, ' – ', about]),
    },
    ...(readsText(context) ? [text(t('help-just-send'))] : []),
    text(more),
    small(t('start-never-asks')),
  ]
}

type Field = [label: Text, value: Span[]]
type NamedParam = [name: string, Param<unknown, Services>]

function explanation(
  { name, about, params, guide }: Command<Services>,
  services: Services,
  { platform }: Context,
): Block[] {
  const options = Object.entries(params).filter(
    ([, { chat, role, groupText }]) =>
      !chat && (!role || platform.namedOptions) && (!groupText || platform.groupText),
  )
  const [first] = options
  const { example: shown, values = [] } = guide?.(platform) ?? {}
  const [bare, behind = ''] = shown ?? [first?.[1].required ? first[1].example : '']
  const value = first && bare !== '' && platform.namedOptions ? `${first[0]}:${bare}` : bare
  const line = [`/${name}`, value, behind]
  const explained = values.map(([each, what]): Field => [each, [what]])
  const fields = [explained, options.map(field)].filter((each) => each.length > 0)
  const example = { code: line.filter(Boolean).join(' ') }
  return [
    { kind: 'lines', lines: [[about], [t('help-example', { line: example })]] },
    ...fields.map((each): Block => ({ kind: 'fields', fields: each })),
  ]

  function field([option, param]: NamedParam): Field {
    const values = param.choices?.(services).map(wordOf) ?? []
    const choices = listed(values)
    const { required } = param
    if (values.length > 0 && required) {
      return [`${option}:`, [t('help-option-needed-of', { about: param.about, choices })]]
    }
    if (values.length > 0) {
      return [`${option}:`, [t('help-option-of', { about: param.about, choices })]]
    }
    return [
      `${option}:`,
      [required ? t('help-option-needed', { about: param.about }) : param.about],
    ]
  }
}
