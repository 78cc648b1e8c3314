import { ButtonStyle } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import type { CallbackStore } from '../../../src/core/callback-data.ts'
import type { Button, LocalisedView } from '../../../src/core/view.ts'
import { pressData, renderDiscord } from '../../../src/discord/render.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { readDiscord } from './read.ts'

async function read(view: LocalisedView) {
  const lines = memoryCallbacks()
  return readDiscord(await renderDiscord(view, lines), lines)
}

const text: LocalisedView = { title: [], blocks: [{ kind: 'text', spans: ['x'] }] }

const row = (length: number, lineAt = (index: number) => `asset ${index}`) =>
  Array.from({ length }, (_, index) => ({ label: `${index}`, line: lineAt(index) }))

describe('buttons', () => {
  test('in longer rows than Discord takes are put into more rows', async () => {
    const seen = await read({ ...text, buttons: [row(7), [], row(2)] })
    expect(seen.labels.map(({ length }) => length)).toEqual([4, 3, 2])
  })

  test('that run the same line have ids of their own, and each leads back to it', async () => {
    const seen = await read({ ...text, buttons: [row(30, () => 'help')] })
    expect(seen.lines).toEqual(Array<string>(30).fill('=help'))
  })

  test('more than Discord takes are a fault, and none is left out', async () => {
    const tooMany = renderDiscord({ ...text, buttons: [row(35)] }, memoryCallbacks())
    await expect(tooMany).rejects.toThrow('44 components')
  })

  test('always have a label', async () => {
    const labels = ['', ' \n', '\u200b', 'x'.repeat(300)]
    const buttons = [labels.map((label) => ({ label, line: 'help' }))]
    const seen = await read({ ...text, buttons })
    expect(seen.labels).toEqual([['·', '·', '·', `${'x'.repeat(79)}…`]])
  })

  test('with a line too long for Discord have it stored', async () => {
    const line = `search "${'月'.repeat(80)}" chain:8453`
    const seen = await read({ ...text, buttons: [[{ label: 'x', line }]] })
    expect(seen.lines).toEqual([`=${line}`])
  })
})

describe('the look of a button', () => {
  const styleOf = async (button: Button<string>) => {
    const message = await renderDiscord({ ...text, buttons: [[button]] }, memoryCallbacks())
    return /"style":(\d)/u.exec(JSON.stringify(message))?.[1]
  }

  test.each<['main' | 'danger' | undefined, ButtonStyle]>([
    [undefined, ButtonStyle.Secondary],
    ['main', ButtonStyle.Primary],
    ['danger', ButtonStyle.Danger],
  ])('%s is style %i', async (look, style) => {
    expect(await styleOf({ label: 'x', line: 'help', ...(look && { look }) })).toBe(String(style))
  })
})

describe('the button that opens a form', () => {
  const form = { label: 'Answer', line: 'launching form k3f9a2bc.12' }

  test('comes first, above or beside the others, and its press is recognised', async () => {
    const alone = await read({ ...text, form })
    expect([alone.labels, alone.lines]).toEqual([[['Answer']], [`?${form.line}`]])
    const beside = await read({ ...text, form, buttons: [row(4), row(1)] })
    expect(beside.labels).toEqual([['Answer', '0', '1', '2', '3'], ['0']])
    expect(beside.lines.slice(0, 2)).toEqual([`?${form.line}`, '=asset 0'])
    const above = await read({ ...text, form, buttons: [row(5)] })
    expect(above.labels).toEqual([['Answer'], ['0', '1', '2', '3', '4']])
  })

  test('is a main one, and its line may be long', async () => {
    const line = `launching form ${'月'.repeat(100)}`
    const message = await renderDiscord(
      { ...text, form: { label: 'Answer', line } },
      memoryCallbacks(),
    )
    expect(JSON.stringify(message)).toContain(`"style":${ButtonStyle.Primary}`)
    expect((await read({ ...text, form: { label: 'Answer', line } })).lines).toEqual([`?${line}`])
  })
})

test.each([
  ['0=asset 0x1', '=asset 0x1'],
  ['34+asset 0x1', '+asset 0x1'],
  ['7?form 1', '?form 1'],
  ['+asset 0x1', '+asset 0x1'],
  ['open0', 'open0'],
  ['', ''],
])('of the id %j the press is %j', (id, press) => {
  expect(pressData(id)).toBe(press)
})

describe('a control whose line could not be stored', () => {
  const broken: CallbackStore = { store: async () => undefined, find: async () => undefined }
  const long = `asset ${'x'.repeat(200)}`
  const item = (line: string) => ({ spans: ['x'], open: { label: line.slice(0, 9), line } })
  const list = (...runs: string[]): LocalisedView => ({
    title: [],
    blocks: [{ kind: 'list', first: 1, items: runs.map(item) }],
  })

  test('is left out, and the others stay', async () => {
    const buttons = [[{ label: 'Long', line: long }], [{ label: 'Short', line: 'help' }]]
    const seen = await readDiscord(
      await renderDiscord({ ...list(long, 'asset x'), buttons }, broken),
      broken,
    )
    expect(seen.labels).toEqual([['Short']])
    expect(seen.choices).toEqual(['asset x'])
  })

  test('leaves no empty row and no empty list behind', async () => {
    const buttons = [[{ label: 'Long', line: long }]]
    const seen = await readDiscord(await renderDiscord({ ...list(long), buttons }, broken), broken)
    expect([seen.labels, seen.choices]).toEqual([[], []])
  })
})
