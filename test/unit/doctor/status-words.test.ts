import { describe, expect, test } from 'vitest'
import { statusWordsSchema } from '../../../src/api/schema.ts'
import { printReport } from '../../../src/doctor/report.ts'
import { type Dialect, examine, foreign, speak } from './refusing-server.ts'

const others = { incoming: 'auction_scheduled', live: 'auction_live', graduated: 'migrated' }
const pairs = ['graduated=migrated', 'incoming=auction_scheduled', 'live=auction_live']
const turned = { incoming: 'live', live: 'graduated', graduated: 'incoming' }
const turnedPairs = ['graduated=incoming', 'incoming=live', 'live=graduated']

/** What is proposed for API_STATUS, sorted. */
function proposed(settings: readonly string[]): string[] {
  const line = settings.find((each) => each.startsWith('API_STATUS='))
  return line === undefined ? [] : line.replace('API_STATUS=', '').split(',').toSorted()
}

describe('status words that the document lacks or uses otherwise', () => {
  test.each<[string, Dialect, string, string[]]>([
    ['for the list under which alone they come', { words: others }, '', pairs],
    ['in the same run as the name of the status', { words: others, names: foreign }, '', pairs],
    [
      'beside those that are set, one of them wrongly',
      { words: others },
      'live=old-word,graduated=auction_live',
      [...pairs, 'live=old-word'],
    ],
    ['where they stand for something else', { words: turned }, '', turnedPairs],
  ])('are proposed %s, and not again once they are set', async (_, dialect, set, expected) => {
    const { baseUrl } = await speak(dialect)
    const statusWords = statusWordsSchema.parse(set)
    const report = await examine(baseUrl, { statusWords })
    expect(proposed(report.settings)).toEqual(expected)
    expect(report).toMatchObject({ needsOperator: true, isSettled: true })
    const pasted = statusWordsSchema.parse(expected.join())
    const after = await examine(baseUrl, { statusWords: pasted })
    expect(proposed(after.settings)).toEqual([])
  })

  test('are printed with what they mean', async () => {
    const { baseUrl } = await speak({ words: others })
    const text = printReport(await examine(baseUrl))
    expect(text).toMatch(/FIX auction_live +only among live, so it says live/u)
  })

  test.each<[string, Dialect, [word: string, detail: string][]]>([
    [
      'they come under several lists',
      { words: { live: 'ok', graduated: 'ok' } },
      [['ok', 'under several: live, graduated']],
    ],
    [
      'one of the document’s stands for others, too',
      { words: { graduated: 'live' } },
      [['live', 'under several: live, graduated; the bot lists them as live alone']],
    ],
    [
      'they come under no list',
      { words: { stall: 'asleep' } },
      [['asleep', 'under no list; if it means stalled, add stall=asleep to API_STATUS']],
    ],
    [
      'no setting could hold them',
      { words: { live: 'on, sale' } },
      [['on, sale', 'only among live, but not to be set']],
    ],
    ['the filter makes no difference', { words: others, ignoresStatus: true }, []],
    ['they are the document’s in another case', { words: { live: 'LIVE' } }, []],
  ])('are not proposed if %s', async (_, dialect, told) => {
    const { baseUrl } = await speak(dialect)
    const { settings, statuses } = await examine(baseUrl)
    expect(settings).toEqual([])
    expect(statuses).toEqual(told.map(([word, detail]) => ({ word, verdict: 'unknown', detail })))
  })
})
