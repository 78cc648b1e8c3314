import { expect, test } from 'vitest'
import type { LineKeeper } from '../../src/chat/control.ts'
import type { View } from '../../src/chat/view.ts'
import { renderTelegram } from '../../src/telegram/render.ts'
import { readTelegram } from './read.ts'

const broken: LineKeeper = { keep: async () => undefined, find: async () => undefined }
const long = `asset ${'x'.repeat(100)}`

test('a control whose line could not be stored is left out, and the others stay', async () => {
  const items = [long, 'asset x'].map((run) => ({ spans: ['x'], open: { label: 'x', run } }))
  const view: View = {
    title: [],
    blocks: [{ kind: 'list', first: 1, items }],
    buttons: [[{ label: 'Long', run: long }], [{ label: 'Short', run: 'help' }]],
  }
  const message = await renderTelegram(view, broken)
  expect(message.reply_markup.inline_keyboard).toHaveLength(2)
  const seen = await readTelegram(message, broken)
  expect(seen.labels).toEqual([['2'], ['Short']])
  expect(seen.lines).toEqual(['+asset x', '=help'])
})
