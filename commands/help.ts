import {
  type Command,
  type Context,
  formatLine,
  optional,
  type Param,
  unknownCommand,
} from '../src/core/command.ts'
import { chunks } from '../src/core/text.ts'
import type { Block, Button, Span } from '../src/core/view.ts'
import { command, type Services } from './services.ts'

/** Explains the other commands, by their own descriptions. */
export function help(others: readonly Command<Services>[]) {
  return command({
    name: 'help',
    about: 'What this bot can do',
    params: { command: optional(commandName(others)) },
    run: async ({ command }, services, context) => {
      const one = others.find(({ name }) => name === command)
      if (!one) {
        return {
          title: ['What you can ask'],
          blocks: overview(others, context),
          buttons: commandButtons(others),
        }
      }
      return {
        title: [`/${one.name}`],
        blocks: explanation(one, services, context),
        buttons: [[{ label: '◀ All commands', line: 'help' }]],
      }
    },
  })
}

function commandName(others: readonly Command<Services>[]): Param<string, Services> {
  const names = others.map(({ name }) => name)
  return {
    about: 'The command to explain',
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

const maxInRow = 3

/** A button for each command with options of its own. */
function commandButtons(others: readonly Command<Services>[]): Button[][] {
  const buttons = others
    .filter(({ params }) => Object.values(params).some(({ chat }) => !chat))
    .map(({ name }) => ({ label: `/${name}`, line: formatLine('help', name) }))
  return [buttons.slice(0, 2), ...chunks(buttons.slice(2), maxInRow)]
}

function overview(others: readonly Command<Services>[], { platform }: Context): Block[] {
  return [
    {
      kind: 'fields',
      fields: others.map(({ name, about }) => [`/${name}`, [about]]),
    },
    {
      kind: 'text',
      spans: [
        'Options go by name, in any order: ',
        { code: '/assets live order:market_cap_desc limit:20' },
        '. More about one command: ',
        { code: '/help assets' },
        platform.textInput ? '. In a private chat an address alone is enough.' : '.',
      ],
    },
    {
      kind: 'text',
      quiet: true,
      spans: [
        'This bot writes to you first only with alerts that you asked for, and never asks for a key or a seed phrase.',
      ],
    },
  ]
}

function explanation(
  { name, about, params, guide }: Command<Services>,
  services: Services,
  { platform }: Context,
): Block[] {
  const options = Object.entries(params).filter(([, { chat }]) => !chat)
  const [first] = options
  const [bare, behind = ''] = guide?.example ?? [first?.[1].required ? first[1].example : '']
  const value = first && bare !== '' && platform.namedOptions ? `${first[0]}:${bare}` : bare
  const line = [`/${name}`, value, behind].filter(Boolean).join(' ')
  const usage: Span[] = ['For example: ', { code: line }]
  const values = (guide?.values ?? []).map(([each, what]): [string, Span[]] => [each, [what]])
  return [
    { kind: 'text', spans: [`${about}. `, ...usage] },
    ...(values.length === 0 ? [] : [{ kind: 'fields', fields: values } as const]),
    ...(options.length === 0 ? [] : [{ kind: 'fields', fields: options.map(field) } as const]),
  ]

  function field([option, param]: [string, Param<unknown, Services>]): [string, Span[]] {
    const choices = param.choices?.(services).map(({ value }) => value) ?? []
    const values = choices.length > 0 ? `: ${choices.join(', ')}` : ''
    return [`${option}:`, [`${param.about}${values}${param.required ? ' (needed)' : ''}`]]
  }
}
