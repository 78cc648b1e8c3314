import { afterEach, beforeEach, expect, test } from 'vitest'
import { shown } from '../views/shown.ts'
import { type CommandTown, menu, startCommands } from './bot.ts'

let town: CommandTown

beforeEach(async () => {
  town = await startCommands()
})
afterEach(() => town.stop())

const turn = { platform: 'telegram', person: '7', place: '7', alone: true } as const

test('only the asker reads what is answered to launches, also behind buttons', () => {
  for (const line of ['launch', 'launching skip x', 'cancel', 'metadata']) {
    expect(town.bot.isAlone(line), line).toBe(true)
  }
})

test('what stands behind buttons alone is in no menu', () => {
  const names = menu.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['launch', 'cancel', 'metadata']))
  expect(names).not.toContain('launching')
})

test('help names no option that nobody types', async () => {
  for (const line of ['help launch', 'launch color:red']) {
    const { view } = await town.bot.answer(line, turn)
    expect(shown(view).join('\n')).not.toContain('from:')
  }
})

test('without templates each of them says that nothing can be launched', async () => {
  for (const line of ['launch', 'launching resume k3f9a2bc', 'cancel', 'metadata']) {
    const { view, outcome } = await town.bot.answer(line, turn)
    expect(outcome).toBe('refused')
    expect(shown(view).join('\n'), line).toContain('set up no template')
  }
})
