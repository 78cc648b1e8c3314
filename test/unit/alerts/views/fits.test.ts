import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventBody } from '../../../../src/alerts/kinds/kind.ts'
import { combinedView, eventView } from '../../../../src/alerts/views/notification.ts'
import { defaultUnits } from '../../../../src/api/units.ts'
import { localise } from '../../../../src/core/catalogue.ts'
import type { View } from '../../../../src/core/view.ts'
import { renderDiscord } from '../../../../src/discord/render.ts'
import { renderTelegram } from '../../../../src/telegram/render.ts'
import { hostileNames, longHostileText } from '../../../hostile.ts'
import { memoryCallbacks } from '../../core/memory-callbacks.ts'
import { hostileCard } from '../../views/hostile-cards.ts'
import { now } from '../../views/sample.ts'
import { digest, everyEvent } from './events.ts'

const units = defaultUnits
/** What fits below a picture on Telegram, in UTF-16 units after its markup is gone. */
const maxCaption = 1024

async function caption(view: View): Promise<string> {
  const { text } = await renderTelegram(localise(view, 'en'), memoryCallbacks())
  return text
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function eventsBy(text: string): [string, EventBody][] {
  return Object.entries(everyEvent(hostileCard(text).asset))
}

function digestBy(text: string): EventBody {
  const five = (from: number) =>
    [0, 1, 2, 3, 4].map((index) => ({
      asset: `0x${String(from + index).padStart(40, '0')}`,
      chain: 8453,
      name: text.slice(0, 300),
      symbol: text.slice(0, 100),
      marketCap: { amount: '1', currency: 'numeraire' as const },
      numeraire: text.slice(0, 128),
      change24h: '-0.5',
      progress: '0.5',
      endsAt: now + 100,
    }))
  return { ...digest, endingSoon: five(0), newest: five(5), graduated: five(10), movers: five(15) }
}

describe.each(hostileNames)('events about %s', (_, text) => {
  test('fits below a picture on Telegram, and into a message on Discord', async () => {
    for (const [name, body] of eventsBy(text)) {
      const view = eventView({ body, chain: 8453, units, now })
      if (name !== 'digest') expect((await caption(view)).length).toBeLessThanOrEqual(maxCaption)
      const { components } = await renderDiscord(localise(view, 'en'), memoryCallbacks())
      expect(JSON.stringify(components)).not.toContain('Shortened')
    }
  })

  test('fits into one message with nine others, and into a summary', async () => {
    const items = eventsBy(text).map(([, body], chain) => ({ body, chain }))
    for (const view of [
      combinedView(items, { units, now }),
      eventView({ body: digestBy(text), chain: 0, units, now }),
    ]) {
      expect(await caption(view)).not.toContain('Shortened')
      const { components } = await renderDiscord(localise(view, 'en'), memoryCallbacks())
      expect(JSON.stringify(components)).not.toContain('Shortened')
    }
  })
})

test('no text by strangers makes an event too long for a caption', async () => {
  await fc.assert(
    fc.asyncProperty(longHostileText, async (text) => {
      for (const [name, body] of eventsBy(text)) {
        if (name === 'digest') continue
        const view = eventView({ body, chain: 8453, units, now })
        expect((await caption(view)).length).toBeLessThanOrEqual(maxCaption)
      }
    }),
    { numRuns: 100 },
  )
})
