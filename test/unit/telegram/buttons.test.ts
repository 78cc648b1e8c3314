import { expect, test } from 'vitest'
import type { CallbackStore } from '../../../src/core/callback-data.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { readTelegram } from './read.ts'

const broken: CallbackStore = { store: async () => undefined, find: async () => undefined }
const long = `asset ${'x'.repeat(100)}`

test('a control whose line could not be stored is left out, and the others stay', async () => {
  const items = [long, 'asset x'].map((line) => ({ spans: ['x'], open: { label: 'x', line } }))
  const view: LocalisedView = {
    title: [],
    blocks: [{ kind: 'list', first: 1, items }],
    buttons: [[{ label: 'Long', line: long }], [{ label: 'Short', line: 'help' }]],
  }
  const message = await renderTelegram(view, broken)
  expect(message.reply_markup.inline_keyboard).toHaveLength(2)
  const seen = await readTelegram(message, broken)
  expect(seen.labels).toEqual([['2'], ['Short']])
  expect(seen.lines).toEqual(['+asset x', '=help'])
})

test('main and irreversible buttons have their styles', async () => {
  const view: LocalisedView = {
    title: ['x'],
    blocks: [],
    buttons: [
      [
        { label: 'Confirm', line: 'confirm', look: 'main' },
        { label: 'Drop', line: 'drop', look: 'danger' },
        { label: 'Back', line: 'back' },
      ],
    ],
    form: { label: 'Answer', line: 'form name' },
  }
  const lines = memoryCallbacks()
  const { reply_markup } = await renderTelegram(view, lines)
  expect(reply_markup.inline_keyboard).toEqual([
    [
      { text: 'Confirm', callback_data: '=confirm', style: 'primary' },
      { text: 'Drop', callback_data: '=drop', style: 'danger' },
      { text: 'Back', callback_data: '=back' },
    ],
  ])
  // Telegram takes it so.
  expect((await readTelegram(await renderTelegram(view, lines), lines)).labels).toEqual([
    ['Confirm', 'Drop', 'Back'],
  ])
})
