import { expect, test } from 'vitest'
import { shown } from '../views/shown.ts'
import { menu, startCommands } from './bot.ts'

const turn = { platform: 'discord', person: 'ada', place: 'ada', alone: true } as const

async function help(line: string): Promise<string[]> {
  const town = await startCommands()
  try {
    const { view, outcome } = await town.bot.answer(line, turn)
    expect(outcome).toBe('answered')
    expect(town.upstream.requests).toEqual([])
    return shown(view)
  } finally {
    await town.stop()
  }
}

test('help names each other command and what it is for', async () => {
  const lines = await help('help')
  for (const { name, about } of menu.filter((entry) => entry.name !== 'help')) {
    expect(lines).toContain(`/${name}: ${about}`)
  }
  expect(lines.join()).toContain('never asks for a key')
})

test.each(menu.filter(({ name }) => name !== 'help'))(
  'help explains /$name with each of its options',
  async ({ name, about, options: all }) => {
    const options = all.filter(({ place }) => !place)
    const lines = await help(`help ${name}`)
    expect(lines[0]).toBe(`/${name}`)
    expect(lines[1]).toMatch(new RegExp(`^${about}\\. For example: /${name}`, 'u'))
    expect(lines.slice(2)).toEqual(
      options.map((option) => expect.stringContaining(`${option.name}:: ${option.about}`)),
    )
    for (const { name: option, choices = [], required } of options) {
      const line = lines.find((each) => each.startsWith(`${option}::`))
      for (const { value } of choices) expect(line).toContain(value)
      expect(line?.includes('(needed)')).toBe(required)
    }
  },
)

test('a slash before the name, or capitals, change nothing', async () => {
  expect(await help('help /ASSETS')).toEqual(await help('help assets'))
})

test('help on help is help', async () => {
  expect(await help('help help')).toEqual(await help('help'))
})
