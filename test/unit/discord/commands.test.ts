import { ApplicationCommandOptionType } from 'discord-api-types/v10'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkCommands } from '../../../sandbox/discord/checks.ts'
import { parseLine } from '../../../src/core/command.ts'
import type { MenuEntry } from '../../../src/core/runner.ts'
import { isRegistered, lineOfUse, slashCommands } from '../../../src/discord/commands.ts'
import { hostileText } from '../../hostile.ts'
import { menu } from '../commands/bot.ts'

test('Discord takes our commands', () => {
  expect(checkCommands(slashCommands(menu))).toHaveLength(menu.length)
})

function withoutFalse<T extends object>(commands: readonly T[]): T[] {
  return commands.map((command) =>
    JSON.parse(JSON.stringify(command), (_, value: unknown) =>
      value === false ? undefined : value,
    ),
  )
}

describe('what is registered', () => {
  const wanted = slashCommands(menu)
  /** As Discord gives it back: with fields of its own, and without what is false. */
  const registered = withoutFalse(wanted).map((command, index) => ({
    ...command,
    id: String(index),
    version: '1',
    default_member_permissions: null,
    nsfw: false,
  }))

  const extra = { type: ApplicationCommandOptionType.String, name: 'x', description: 'X' }

  test('is recognised, whatever Discord adds', () => {
    expect(isRegistered(registered, wanted)).toBe(true)
  })

  test.each([
    ['nothing', []],
    ['no list', {}],
    ['one command less', registered.slice(1)],
    ['one command more', [...registered, registered[0]]],
    ['another order', registered.toReversed()],
    ['another text', registered.map((command) => ({ ...command, description: 'x' }))],
    [
      'an option more',
      registered.map((command) => ({
        ...command,
        options: [...('options' in command ? (command.options ?? []) : []), extra],
      })),
    ],
    ['an option less', registered.map((command) => ({ ...command, options: [] }))],
    ['another place', registered.map((command) => ({ ...command, contexts: [0] }))],
    ['options that are missing', registered.map(({ id, name }) => ({ id, name }))],
  ])('with %s is outdated', (_, other) => {
    expect(isRegistered(other, wanted)).toBe(false)
  })
})

describe('an option', () => {
  const option = {
    name: 'x',
    about: 'X',
    example: '1',
    required: true,
    chat: false,
    completes: false,
  }
  const registered = (more: Partial<MenuEntry['options'][number]>) =>
    slashCommands([
      { name: 'c', about: 'C', ephemeral: false, options: [{ ...option, ...more }] },
    ])[0]
  const choices = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: `${index}`, label: `Label ${index}` }))
  const text = ApplicationCommandOptionType.String

  test('of a whole number has its bounds', () => {
    expect(registered({ integer: { min: 1, max: 50 } })).toMatchObject({
      options: [{ type: ApplicationCommandOptionType.Integer, min_value: 1, max_value: 50 }],
    })
  })

  test('of few choices offers them, of too many for Discord it is typed', () => {
    const [, last] = choices(2)
    expect(registered({ choices: choices(2) })).toMatchObject({
      options: [{ type: text, choices: [{}, { name: last?.label, value: last?.value }] }],
    })
    expect(registered({ choices: choices(26) })).toEqual(registered({}))
  })

  test('that completes itself asks while it is typed', () => {
    expect(registered({ completes: true })).toMatchObject({
      options: [{ type: text, autocomplete: true }],
    })
  })
})

describe('/alerts, a panel of buttons', () => {
  test('is registered with what no button can fill in, and one option for the rest of the line', () => {
    const alerts = slashCommands(menu).find(({ name }) => name === 'alerts')
    const { String: text, Role: role } = ApplicationCommandOptionType
    expect(alerts).toMatchObject({
      options: [
        { name: 'do', type: text, autocomplete: true },
        { name: 'role', type: role },
      ],
    })
  })

  test.each([
    [{}, 'alerts'],
    [{ do: 'list page:2' }, 'alerts list page:2'],
    [{ do: 'add progress percent:50,100', role: '5' }, 'alerts add progress percent:50,100 role:5'],
    [{ role: '5', do: 'add live name:"moon otter"' }, 'alerts add live name:"moon otter" role:5'],
    [{ do: 'in:12' }, 'alerts in:12'],
  ])('with %j is the line %s', (values, line) => {
    const options = Object.entries(values).map(([name, value]) => ({ name, value }))
    expect(lineOfUse('alerts', options, menu)).toBe(line)
  })
})

describe('the line of chosen options', () => {
  test('has the first option of the menu without its name', () => {
    const options = [
      { name: 'limit', value: 5 },
      { name: 'term', value: 'moon otter' },
    ]
    expect(lineOfUse('search', options, menu)).toBe('search "moon otter" limit:5')
    expect(lineOfUse('start', [], menu)).toBe('start')
    expect(lineOfUse('unknown', [{ name: 'x', value: 1 }], menu)).toBe('unknown x:1')
  })

  test('reads back as what was chosen, whatever was typed', () => {
    fc.assert(
      fc.property(hostileText, fc.nat(50), (term, limit) => {
        fc.pre(term !== '' && term.length < 400)
        const options = [
          { name: 'term', value: term },
          { name: 'limit', value: limit },
        ]
        const { name, bare, named } = parseLine(lineOfUse('search', options, menu))
        expect([name, bare, named.get('limit')]).toEqual(['search', term, String(limit)])
      }),
      { numRuns: 200 },
    )
  })
})
