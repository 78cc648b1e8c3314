import { expect, test } from 'vitest'
import { eventView } from '../../../src/alerts/views/event.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { everyEvent } from '../alerts/views/events.ts'
import { keptLines } from '../core/kept-lines.ts'
import { now } from '../views/sample.ts'

test('news that an auction is about to end has its own mark alone', async () => {
  const { ending } = everyEvent()
  if (!ending) throw new Error('no such news')
  const view = eventView({ body: ending, chain: 8453, units: defaultUnits, now })
  const { text } = await renderTelegram(view, keptLines())
  expect(text).toMatch(/^<b>⏳ /u)
})
