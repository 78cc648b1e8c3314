import { describe, expect, test } from 'vitest'
import { defaultStatusWords, statusWordsSchema } from '../../../src/api/status.ts'
import { printReport } from '../../../src/doctor/print.ts'
import { examine, foreign, speak } from './refusing-server.ts'

const others = { incoming: 'auction_scheduled', live: 'auction_live', graduated: 'migrated' }
const line = 'API_STATUS=live=auction_live,graduated=migrated,incoming=auction_scheduled'

function pairs(text: string | undefined): string[] {
  return (text ?? '').replace('API_STATUS=', '').split(',').sort()
}

describe('words that the document does not have', () => {
  test('are proposed for the list under which alone they come', async () => {
    const { baseUrl } = await speak({ words: others })
    const report = await examine(baseUrl)
    const [setting, ...rest] = report.settings
    expect(rest).toEqual([])
    expect(setting).toMatch(/^API_STATUS=/u)
    expect(pairs(setting)).toEqual(pairs(line))
    expect(report).toMatchObject({ needsOperator: true, isSettled: true })
    expect(printReport(report)).toMatch(/FIX auction_live +only among live, so it says live/u)
  })

  test('are proposed in the same run as the name of the status', async () => {
    const { baseUrl } = await speak({ words: others, names: foreign, strict: false })
    const { settings } = await examine(baseUrl)
    expect(settings).toHaveLength(2)
    expect(pairs(settings[1])).toEqual(pairs(line))
  })

  test('are not proposed again where they are set', async () => {
    const { baseUrl } = await speak({ words: others })
    const statusWords = statusWordsSchema.parse(line.replace('API_STATUS=', ''))
    const report = await examine(baseUrl, { statusWords })
    expect(report).toMatchObject({ settings: [], needsOperator: false })
  })

  test('join those that are set, and one that is set wrongly is set right', async () => {
    const { baseUrl } = await speak({ words: others })
    const statusWords = statusWordsSchema.parse('live=old-word,graduated=auction_live')
    const { settings } = await examine(baseUrl, { statusWords })
    expect(pairs(settings[0])).toEqual(pairs(`${line},live=old-word`))
  })

  test('prove nothing where they come under several lists', async () => {
    const words = { live: 'ok', graduated: 'ok' }
    const { baseUrl } = await speak({ words })
    const report = await examine(baseUrl)
    expect(report).toMatchObject({ settings: [], needsOperator: false })
    expect(report.statuses).toEqual([
      { word: 'ok', verdict: 'unknown', detail: 'under several: live, graduated' },
    ])
  })

  test('are listed where one of the document’s stands for others, too', async () => {
    const { baseUrl } = await speak({ words: { graduated: 'live' } })
    const report = await examine(baseUrl)
    expect(report).toMatchObject({ settings: [], needsOperator: false })
    expect(report.statuses).toEqual([
      {
        word: 'live',
        verdict: 'unknown',
        detail: 'under several: live, graduated; the bot lists them as live alone',
      },
    ])
  })

  test('are listed where they come under no list', async () => {
    const { baseUrl } = await speak({ words: { stall: 'asleep' } })
    const report = await examine(baseUrl)
    expect(report).toMatchObject({ settings: [], needsOperator: false })
    expect(report.statuses).toEqual([
      {
        word: 'asleep',
        verdict: 'unknown',
        detail: 'under no list; if it means stalled, add stall=asleep to API_STATUS',
      },
    ])
  })

  test('are not proposed where the filter makes no difference', async () => {
    const { baseUrl } = await speak({ words: others, ignoresStatus: true })
    const { settings, statuses } = await examine(baseUrl)
    expect(settings).toEqual([])
    expect(statuses).toEqual([])
  })

  test('are not proposed where no setting could hold them', async () => {
    const { baseUrl } = await speak({ words: { live: 'on, sale' } })
    const { settings, statuses } = await examine(baseUrl)
    expect(settings).toEqual([])
    expect(statuses).toMatchObject([{ word: 'on, sale', verdict: 'unknown' }])
  })
})

test('the document’s own words are set where they stand for something else', async () => {
  const words = { incoming: 'live', live: 'graduated', graduated: 'incoming' }
  const { baseUrl } = await speak({ words })
  const report = await examine(baseUrl)
  expect(report).toMatchObject({ isSettled: true, needsOperator: true })
  expect(report.settings).toHaveLength(1)
  expect(pairs(report.settings[0])).toEqual(
    pairs('API_STATUS=incoming=live,live=graduated,graduated=incoming'),
  )
  const statusWords = statusWordsSchema.parse('incoming=live,live=graduated,graduated=incoming')
  expect(await examine(baseUrl, { statusWords })).toMatchObject({
    settings: [],
    needsOperator: false,
  })
})

test('the document’s own words need nothing, whatever their case', async () => {
  const words = { live: 'LIVE', graduated: 'Graduated' }
  const { baseUrl } = await speak({ words })
  const nothing = { settings: [], statuses: [], needsOperator: false }
  expect(await examine(baseUrl)).toMatchObject(nothing)
  expect(await examine(baseUrl, { statusWords: defaultStatusWords })).toMatchObject(nothing)
})
