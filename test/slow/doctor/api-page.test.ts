import { describe, expect, onTestFinished, test } from 'vitest'
import { queryMeanings } from '../../../src/api/schema.ts'
import { exitCode } from '../../../src/doctor/api-page.ts'
import { httpServer } from '../../unit/api/server.ts'
import { changed, examined, items, key, speak } from '../../unit/doctor/api-stand-in.ts'

const most = 40
/** Requests but those for quote tokens that nobody knows, of which each is asked for once. */
const lists = (asked: readonly string[]) => asked.filter((path) => !/\/assets\/0x/u.test(path))

/** The line of a query name, without its mark. */
function lineOf(text: string, meaning: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => new RegExp(`^ {2}\\S+ +${meaning} `, 'u').test(line))
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => !/^ {20}/u.test(line))
  return [lines[at], ...rest.slice(0, end)].join(' ').replace(/\s+/gu, ' ').trim()
}

describe('an API that is as usual', () => {
  test('is shown on a page with some 20 requests, and nothing is to set', async () => {
    const { baseUrl, asked } = await speak()
    const { report, text } = await examined(baseUrl)
    expect(report.requests).toBe(asked.length)
    expect(asked.length).toBeLessThan(20)
    expect(new Set(asked).size).toBe(asked.length)
    for (const meaning of queryMeanings) expect(lineOf(text, meaning)).toContain('has an effect')
    expect(text).toContain('This page proves nothing')
    expect(text).not.toContain('To paste')
    expect(exitCode(report)).toBe(0)
    expect(text).toMatch(/100 of 100 show a price/u)
  })

  test('is shown in at most 100 columns, whatever strangers wrote', async () => {
    const [first, ...rest] = items(4663, 60)
    if (!first) throw new Error('no items')
    const evil = { token_name: `\u001b[31m${'w'.repeat(400)}`, token_symbol: '\u202eX' }
    const wrong = changed(
      first,
      { asset_status: `\u001b]0;${'live '.repeat(40)}` },
      { base_token: evil, pool_current_price: `\u0007${'9'.repeat(120)}` },
    )
    const { baseUrl } = await speak({ items: [wrong, ...rest] })
    const { text } = await examined(baseUrl)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    for (const line of text.split('\n')) {
      if (!line.startsWith('API_')) expect([...line].length, line).toBeLessThanOrEqual(100)
    }
  })
})

describe('query names', () => {
  test('of other usual spellings are found, with the line to paste that keeps the operator’s own', async () => {
    const names = {
      chain: 'chain_id',
      ordering: 'order_by',
      numeraire: 'numeraire_address',
      category: 'categories',
      creator: 'creatorAddress',
      term: 'searchTerm',
      limit: 'size',
    }
    const all = [...items(4663, 70), ...items(8453, 70, 8)]
    const { baseUrl, asked } = await speak({ names, items: all })
    const own = { API_QUERY_NAMES: '{"limit":"size"}' }
    const { report, text } = await examined(baseUrl, own)
    expect(lineOf(text, 'ordering')).toMatch(
      /^FIX ordering ordering no effect: .*"order_by" has one/u,
    )
    expect(report.lines).toEqual([
      'API_QUERY_NAMES={"chain":"chain_id","limit":"size","ordering":"order_by","numeraire":"numeraire_address",' +
        '"category":"categories","creator":"creatorAddress","term":"searchTerm"}',
    ])
    expect(text).toContain(`\n${report.lines[0]}\n`)
    expect(exitCode(report)).toBe(1)
    expect(lists(asked).length).toBeLessThanOrEqual(most)
    const pasted = Object.fromEntries(report.lines.map((line) => line.split(/=(.*)/u).slice(0, 2)))
    const after = await examined(baseUrl, pasted)
    expect(after.report.lines).toEqual([])
    expect(after.report.names.every(({ effect }) => effect)).toBe(true)
  })

  test('that nobody guesses are named, with those that were tried', async () => {
    const { baseUrl, asked } = await speak({ ignores: queryMeanings })
    const { report, text } = await examined(baseUrl)
    expect(report.names.map(({ effect }) => effect)).toEqual(queryMeanings.map(() => false))
    expect(lineOf(text, 'ordering')).toContain('nor has orderBy, order_by, sort, sortBy')
    expect(lineOf(text, 'term')).toContain('refused with 400: term: Required')
    expect(text).toContain('Ask the people who run the API for the names of: chain, status,')
    expect(exitCode(report)).toBe(2)
    expect(lists(asked).length).toBeLessThanOrEqual(most)
  })

  test('that an API refuses are told by its words, and other spellings are found all the same', async () => {
    const names = { ordering: 'sort', creator: 'creator_address' }
    const { baseUrl, asked } = await speak({ names, isStrict: true })
    const { report, text } = await examined(baseUrl)
    expect(lineOf(text, 'ordering')).toContain('refused with 400: ordering: is not a parameter')
    expect(report.lines).toEqual([
      'API_QUERY_NAMES={"ordering":"sort","creator":"creator_address"}',
    ])
    expect(lists(asked).length).toBeLessThanOrEqual(most)
  })

  test('are unknown where the assets can’t tell', async () => {
    const same = items(4663, 60).map((item, index) =>
      changed(
        { ...item, status: 'live' },
        {
          asset_categories: [],
          asset_numeraire_address: `0x${'5'.repeat(40)}`,
          asset_status: 'live',
        },
        { base_token: { token_symbol: `S${index}` }, pool_market_data: null },
      ),
    )
    const { baseUrl } = await speak({ items: same, ignores: ['numeraire', 'category', 'creator'] })
    const { report, text } = await examined(baseUrl)
    for (const [meaning, what] of [
      ['numeraire', 'quote tokens'],
      ['category', 'categories'],
      ['creator', 'creators'],
    ] as const) {
      expect(lineOf(text, meaning)).toContain(`unknown: no two ${what} among the assets`)
    }
    expect(exitCode(report)).toBe(0)
  })

  test('are unknown where an answer fails, and the rest is told', async () => {
    const { baseUrl } = await speak({ fails: { from: 9, status: 500, body: 'oops' } })
    const { report } = await examined(baseUrl)
    expect(report.names.find(({ meaning }) => meaning === 'status')?.effect).toBe(true)
    expect(report.names.find(({ meaning }) => meaning === 'term')?.effect).toBeUndefined()
    expect(report.lines).toEqual([])
    expect(report.cards.length).toBeGreaterThan(0)
  }, 60_000)

  test('for which an API finds nothing have no effect, and other spellings are tried', async () => {
    const { baseUrl } = await speak({ names: { term: 'q' }, findsNothing: true })
    const { report, text } = await examined(baseUrl)
    expect(lineOf(text, 'term')).toMatch(
      /^FIX term term no effect: nothing is listed for what an asset has; "q" has one/u,
    )
    expect(report.lines).toEqual(['API_QUERY_NAMES={"term":"q"}'])
  })

  test('that could not be asked for are not said to have no effect', async () => {
    const ignoring = await speak({ ignores: ['ordering'] })
    await examined(ignoring.baseUrl)
    const from = ignoring.asked.findIndex((path) => path.includes('order_by=')) + 1
    const fails = { from, status: 401, body: 'no' }
    const { baseUrl } = await speak({ ignores: ['ordering'], fails })
    const { text } = await examined(baseUrl)
    expect(lineOf(text, 'ordering')).toMatch(/up and down are the same; nor has orderBy$/u)
  })
})

describe('the chains of the key’s assets', () => {
  test.each([
    [{ CHAINS: '8453' }, 'nothing on 8453; this key’s assets are on 4663: set CHAINS=4663'],
    [{ CHAINS: '4663,8453' }, '8453: the API lists nothing there, now or at all'],
    [{ CHAINS: '4663' }, '8453: nothing, and not in CHAINS'],
  ])('with %j and assets on 4663 alone', async (env, said) => {
    const { baseUrl } = await speak({ items: items(4663, 60) })
    const { text } = await examined(baseUrl, env)
    expect(text).toContain(said)
    if (env.CHAINS !== '8453') expect(text).toContain('4663: 50 assets on the first page')
  })

  test('one that CHAINS leaves out is told, and one that gets another’s assets', async () => {
    const { baseUrl } = await speak({ items: [...items(8453, 60, 8), ...items(4663, 60)] })
    const both = await examined(baseUrl, { CHAINS: '8453' })
    expect(both.text).toContain('4663: this key also has assets there, but CHAINS leaves it out')
    const ignoring = await speak({ ignores: ['chain'] })
    const { report, text } = await examined(ignoring.baseUrl, { CHAINS: '4663,8453' })
    expect(text).toContain('8453: the API answers with the assets of chain 4663')
    expect(exitCode(report)).toBe(1)
  })

  test('without any asset nothing is called wrong', async () => {
    const { baseUrl } = await speak({ items: [] })
    const { report, text } = await examined(baseUrl)
    expect(text).toContain('4663: the API lists nothing there, now or at all')
    expect(exitCode(report)).toBe(0)
  })
})

describe('status words', () => {
  const words: Record<string, string> = { live: 'OPEN', incoming: 'soon', graduated: 'graduated' }
  const own = items(4663, 90).map((item, index) =>
    changed(item, { asset_status: index % 29 === 0 ? 'paused' : words[item.status] }),
  )

  test('that are not known come with the line to paste, if one list alone has them', async () => {
    const { baseUrl } = await speak({ items: own })
    const { report, text } = await examined(baseUrl, { API_STATUS: 'incoming=soon' })
    expect(report.lines).toEqual(['API_STATUS=incoming=soon,live=open'])
    expect(text).toMatch(/FIX open +\d+ assets; only in the list of live/u)
    expect(text).toMatch(/ok {2}incoming +\d+ assets; known/u)
  })

  test('that come in no list alone are unknown', async () => {
    const mixed = own.map((item) => changed(item, { asset_status: 'odd' }))
    const { baseUrl } = await speak({ items: mixed })
    const { report, text } = await examined(baseUrl)
    expect(report.lines).toEqual([])
    expect(text).toMatch(/\? +odd +90 assets; in no list of one status/u)
  })
})

describe('figures that contradict others', () => {
  test('are counted by field, and if they are many, one such asset is shown', async () => {
    const odd = items(4663, 100).map((item, index) =>
      changed(item, {}, index < 20 ? { pool_market_data: { pool_price_change_24h: '-20' } } : {}),
    )
    const { baseUrl } = await speak({ items: odd })
    const { report, text } = await examined(baseUrl)
    expect(text).toMatch(/left out there: pool_price_change_24h 20/u)
    expect(text).toContain('are consistent: that is few')
    expect(text).toMatch(/-20 → not shown: contradicts the others/u)
    expect(text).toContain('is a unit in API_UNITS wrong?')
    expect(exitCode(report)).toBe(2)
  })
})

test('a firewall’s page is not quoted, and of what did not come nothing is to compare', async () => {
  const page = '<!doctype html><title>Attention Required! | Cloudflare</title>'
  const { baseUrl } = await speak({ fails: { from: 0, status: 403, body: page } })
  const { text } = await examined(baseUrl)
  expect(text).toContain('4663: refused with 403\n')
  expect(text.toLowerCase()).not.toContain('doctype')
  expect(text).not.toContain('This page proves nothing')
  expect(text.trimEnd()).toMatch(/ask the API’s operator to allow it\.$/u)
})

test('an API that fails late is told with all that was found before', async () => {
  const healthy = await speak({ names: { term: 'q' } })
  await examined(healthy.baseUrl)
  // What is left to ask are the lists of three statuses, and the second page.
  const fails = { from: healthy.asked.length - 2, status: 401, body: '{"message":"Not now"}' }
  const { baseUrl } = await speak({ names: { term: 'q' }, fails })
  const { report, text } = await examined(baseUrl)
  expect(report.lines).toEqual(['API_QUERY_NAMES={"term":"q"}'])
  expect(report.cards.length).toBeGreaterThan(0)
  expect(text).toContain('The rest could not be requested\n  ?   refused with 401: Not now\n')
  const asSet = { API_QUERY_NAMES: '{"term":"q"}' }
  const again = await speak({ names: { term: 'q' } })
  await examined(again.baseUrl, asSet)
  const last = { ...fails, from: again.asked.length }
  const failing = await speak({ names: { term: 'q' }, fails: last })
  const after = await examined(failing.baseUrl, asSet)
  expect(after.text).toContain('Run this again later.')
  expect(exitCode(after.report)).toBe(2)
})

test('nodes are asked through the operator’s proxy', async () => {
  const proxy = await httpServer((_, response) => response.writeHead(502).end())
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const sold = items(4663, 10).map((item) =>
    changed(item, { asset_numeraire_address: `0x${'5'.repeat(40)}` }),
  )
  const { baseUrl } = await speak({ items: sold })
  await examined(baseUrl, {
    RPC_URLS: '{"4663":"http://node.test"}',
    HTTP_PROXY: new URL(proxy.url).origin,
  })
  expect(proxy.requests.map(({ url }) => url)).toContain('http://node.test/')
})

describe('an API that gives no list', () => {
  test('is told by how it fails, without the key', async () => {
    const { baseUrl, asked } = await speak()
    const { report, text } = await examined(baseUrl, { API_KEY: 'another-key-of-ours' })
    expect(asked).toHaveLength(1)
    expect(text).toContain('4663: refused with 403: Forbidden resource for [key]')
    expect(text).toContain('check API_KEY')
    expect(exitCode(report)).toBe(1)
    expect(`${JSON.stringify(report)}${text}`).not.toContain('another-key-of-ours')
    expect(text).not.toContain(key)
  })
})
