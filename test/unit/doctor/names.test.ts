import { describe, expect, test } from 'vitest'
import { defaultQueryNames, queryMeanings, queryNamesSchema } from '../../../src/api/query-names.ts'
import { printReport } from '../../../src/doctor/print.ts'
import { commonNames } from '../../../src/doctor/refusals.ts'
import { exitCode, type Report } from '../../../src/doctor/report.ts'
import { type Dialect, examine, foreign, key, speak } from './refusing-server.ts'

const requires = {
  list: ['chain', 'status', 'limit', 'offset'],
  search: ['chain', 'limit'],
  asset: true,
} as const

/** The document's words, each for another status. */
const turned = { incoming: 'live', live: 'graduated', graduated: 'incoming' }

/** One parameter at a time, as most interfaces say it. */
function oneByOne(unknown: readonly string[], missing: readonly string[]): unknown {
  const [first] = unknown
  if (first !== undefined) return { message: `Unknown query parameter: ${first}`, statusCode: 422 }
  return { message: `${missing[0]} is required`, statusCode: 422 }
}

function missingAlone(_unknown: readonly string[], [first]: readonly string[]): unknown {
  return first === undefined ? 'Unprocessable' : `${first} must be given`
}

function unknownAlone([first]: readonly string[]): unknown {
  return first === undefined ? 'Unprocessable' : `'${first}' is not allowed`
}

/** As schema validators say it. */
function validator(unknown: readonly string[], missing: readonly string[]): unknown {
  return {
    detail: [
      ...unknown.map((name) => ({ type: 'extra_forbidden', loc: ['query', name], msg: 'Extra' })),
      ...missing.map((name) => ({ type: 'missing', loc: ['query', name], msg: 'Field required' })),
    ],
  }
}

function keyed(unknown: readonly string[], missing: readonly string[]): unknown {
  const errors = [
    ...unknown.map((name) => [name, ['is not a known parameter']]),
    ...missing.map((name) => [name, ["can't be blank"]]),
  ]
  return { errors: Object.fromEntries(errors) }
}

function offering(
  unknown: readonly string[],
  missing: readonly string[],
  known: readonly string[],
) {
  const what = unknown.length > 0 ? `Unknown parameter "${unknown[0]}".` : `Missing: ${missing}.`
  return `<p>${what} Allowed: ${known.join(', ')}.</p>`
}

/** The names to paste, checked as the bot's settings are. */
function pasted(report: Report): Record<string, string> {
  const line = report.settings.find((each) => each.startsWith('API_QUERY_NAMES=')) ?? ''
  return queryNamesSchema.parse(JSON.parse(line.slice('API_QUERY_NAMES='.length) || '{}'))
}

describe('nine wrong names are found in one run', () => {
  const dialects: [string, Dialect][] = [
    ['where nothing is required', {}],
    ['where all is required', { requires }],
    ['where the search alone requires more', { requires: { search: ['chain', 'limit'] } }],
    ['where the offset is required', { requires: { list: ['offset'] } }],
    ['where unknown ones are refused one by one', { strict: true, says: oneByOne }],
    [
      'where unknown ones are refused and all is required',
      { strict: true, requires, says: oneByOne },
    ],
    ['as a validator names them', { strict: true, requires, says: validator }],
    ['as the keys of an error name them', { strict: true, requires, says: keyed }],
    ['as a page of HTML names them', { strict: true, requires, says: offering }],
    ['where what is missing is named', { requires, says: oneByOne }],
    ['where nothing but the missing is named', { strict: true, requires, says: missingAlone }],
    ['where nothing but the unknown is named', { strict: true, requires, says: unknownAlone }],
    ['where a limit goes with an offset', { pairs: true }],
    ['where a limit goes with an offset, and refusals say so', { pairs: true, says: oneByOne }],
    [
      'where a limit goes with an offset, and unknown ones are refused',
      { pairs: true, strict: true, says: oneByOne },
    ],
  ]

  test.each(dialects)('%s', async (_what, dialect) => {
    const { baseUrl } = await speak({ ...dialect, names: foreign })
    const report = await examine(baseUrl)
    expect(pasted(report)).toEqual(foreign)
    expect(report).toMatchObject({ needsOperator: true, isSettled: true })
    const after = await examine(baseUrl, { queryNames: queryNamesSchema.parse(foreign) })
    expect(after).toMatchObject({ needsOperator: false, settings: [], advice: [] })
    expect(after.names.filter(({ verdict }) => verdict !== 'well')).toEqual([])
  })

  test('also where the words of the status mean something else there', async () => {
    const { baseUrl } = await speak({ names: foreign, words: turned })
    const report = await examine(baseUrl)
    expect(pasted(report)).toEqual(foreign)
    expect(report.isSettled).toBe(true)
  })

  test('where unknown ones are refused without a word, as long as nothing is required', async () => {
    const { baseUrl } = await speak({ strict: true, names: foreign })
    expect(pasted(await examine(baseUrl))).toEqual(foreign)
  })

  test('where a limit goes with an offset, and unknown ones are refused without a word', async () => {
    const names = { ...foreign, limit: 'per_page' }
    const { baseUrl, asked } = await speak({ names, pairs: true, strict: true })
    expect(pasted(await examine(baseUrl))).toEqual(names)
    expect(asked.length).toBeLessThan(250)
  })

  test('whatever other names they are that interfaces are known to have', async () => {
    const most = Math.max(...queryMeanings.map((meaning) => commonNames[meaning].length))
    for (let index = 1; index < most; index += 1) {
      const names = queryNamesSchema.parse(
        Object.fromEntries(
          queryMeanings.map((meaning) => [
            meaning,
            commonNames[meaning].at(index % commonNames[meaning].length),
          ]),
        ),
      )
      const { baseUrl } = await speak({ names, requires: index % 2 === 0 ? requires : {} })
      expect(pasted(await examine(baseUrl))).toEqual(names)
    }
  })

  test('also names that nobody thought of, where a refusal offers them', async () => {
    const names = { ...foreign, creator: 'madeBy', chain: 'net', term: 'needle' }
    const { baseUrl } = await speak({ names, strict: true, requires, says: offering })
    expect(pasted(await examine(baseUrl))).toEqual(names)
  })

  describe('also names that say nothing of what they mean, where a refusal spells them out', () => {
    const strange = { chain: 'cid', status: 'mode', limit: 'atMost', offset: 'beyond' }
    const names = { ...foreign, ...strange }
    /** In the opposite order: what is missing last is told of first. */
    const lastFirst = (_unknown: readonly string[], missing: readonly string[]) =>
      `missing required parameter: ${missing.at(-1)}`
    const didYouMean = (unknown: readonly string[], missing: readonly string[]) =>
      unknown.length > 0
        ? `unknown parameter '${unknown[0]}', did you mean '${Object.values(strange).find((name) => missing.includes(name)) ?? 'anything else'}'?`
        : `missing required parameter: ${missing[0]}`

    test.each<[string, Dialect]>([
      ['one by one', { requires, says: oneByOne }],
      ['the last one first', { requires, says: lastFirst }],
      ['one by one, with unknown names refused first', { requires, strict: true, says: oneByOne }],
      ['one by one, and nothing of unknown names', { requires, strict: true, says: lastFirst }],
      ['as what may have been meant', { requires, strict: true, says: didYouMean }],
      ['all at once', { requires, says: validator }],
    ])('%s', async (_how, dialect) => {
      const { baseUrl, asked } = await speak({ ...dialect, names })
      const report = await examine(baseUrl)
      expect(pasted(report)).toEqual(names)
      expect(report.isSettled).toBe(true)
      expect(asked.length).toBeLessThan(300)
    })

    test.each(Object.entries(strange))(
      'in place of the right name of the %s alone',
      async (meaning, name) => {
        for (const strict of [false, true]) {
          const { baseUrl } = await speak({
            names: { [meaning]: name },
            requires,
            strict,
            says: lastFirst,
          })
          expect(pasted(await examine(baseUrl))).toEqual({ ...defaultQueryNames, [meaning]: name })
        }
      },
    )
  })

  test('also where two of the operator’s names are exchanged', async () => {
    const { baseUrl } = await speak()
    const queryNames = { ...defaultQueryNames, limit: 'offset', offset: 'limit' }
    expect(pasted(await examine(baseUrl, { queryNames }))).toEqual(defaultQueryNames)
  })
})

describe('the right names', () => {
  const dialects: [string, Dialect][] = [
    ['where nothing is required', {}],
    ['where all is required', { requires }],
    ['where unknown names are refused', { strict: true }],
    ['where unknown names are refused and all is required', { strict: true, requires }],
    ['where an offset past the end repeats the last page', { pastTheEnd: 'last page' }],
    ['and few assets, with the last page repeated', { pastTheEnd: 'last page', count: 3 }],
    ['where the status has other words', { words: { live: 'open', graduated: 'done' } }],
    ['where the documented words mean something else', { words: turned }],
    [
      'where one documented word stands for all',
      { words: { graduated: 'live', incoming: 'live' } },
    ],
    ['where the status is left out', { words: { live: undefined, incoming: undefined } }],
  ]

  test.each(dialects)('are left alone %s', async (_what, dialect) => {
    const { baseUrl } = await speak(dialect)
    const report = await examine(baseUrl)
    expect(report.names.filter(({ verdict }) => verdict !== 'well')).toEqual([])
    expect(report.settings.filter((line) => line.startsWith('API_QUERY_NAMES'))).toEqual([])
    expect(report.calls.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
  })

  test('are left alone where one is wrong, all are required, and refusals say nothing', async () => {
    for (const [meaning, name] of Object.entries(foreign)) {
      const { baseUrl } = await speak({ names: { [meaning]: name }, requires, strict: true })
      expect(pasted(await examine(baseUrl))).toEqual({ ...defaultQueryNames, [meaning]: name })
    }
  })

  test('of many are left alone where one is wrong, and required with the others', async () => {
    for (const [meaning, name] of Object.entries(foreign)) {
      const { baseUrl } = await speak({ names: { [meaning]: name }, requires })
      expect(pasted(await examine(baseUrl))).toEqual({ ...defaultQueryNames, [meaning]: name })
    }
  })
})

describe('what is required', () => {
  test('is told of each endpoint, by its name there', async () => {
    const { baseUrl } = await speak({ requires, names: { status: 'state' } })
    const { calls } = await examine(baseUrl)
    expect(calls).toContainEqual({
      endpoint: 'GET /assets/ wants',
      verdict: 'well',
      detail: 'chainId, state, limit and offset',
    })
    expect(calls).toContainEqual({
      endpoint: 'GET /assets/search wants',
      verdict: 'well',
      detail: 'chainId and limit',
    })
    expect(calls).toContainEqual({
      endpoint: 'GET /assets/{address} wants',
      verdict: 'well',
      detail: 'chainId',
    })
  })

  test('is not told where nothing is', async () => {
    const { baseUrl } = await speak()
    const { calls } = await examine(baseUrl)
    expect(calls.filter(({ endpoint }) => endpoint.endsWith('wants'))).toEqual([])
  })
})

describe('what the document leaves optional and the interface requires', () => {
  const list = ['chain', 'status', 'limit', 'offset'] as const
  const said: [string, Dialect][] = [
    ['and nothing is said', {}],
    ['and it is named', { says: oneByOne }],
    ['and nothing is said, with unknown names refused', { strict: true }],
    ['and it is named, with unknown names refused', { strict: true, says: oneByOne }],
    ['and all that is allowed is named', { strict: true, says: offering }],
  ]

  test.each(said)(
    'is found out of an ordering that a list is refused without, %s',
    async (_how, dialect) => {
      const requires = { list: ['ordering', ...list] } as const
      const { baseUrl } = await speak({ ...dialect, requires })
      const report = await examine(baseUrl)
      expect(exitCode(report)).toBe(1)
      expect(report.settings).toEqual([])
      expect(report.names.filter(({ verdict }) => verdict !== 'well')).toEqual([])
      expect(report.calls).toContainEqual({
        endpoint: 'GET /assets/ wants',
        verdict: 'wrong',
        detail: 'chainId, status, limit, offset and ordering; the bot can’t send ordering',
      })
      expect(report.sample).toBeDefined()
      const text = printReport(report).replace(/\s+/gu, ' ')
      expect(text).toContain('GET /assets/ refuses a question without ordering')
      expect(text).toContain('no order means newest first')
      expect(text).not.toContain('Ask who runs the interface for these names')
    },
  )

  test.each(said)(
    'is found out of a category that a search is refused without, %s',
    async (_how, dialect) => {
      const requires = { search: ['category'] } as const
      const { baseUrl } = await speak({ ...dialect, requires })
      const report = await examine(baseUrl)
      expect(exitCode(report)).toBe(1)
      expect(report.settings).toEqual([])
      expect(report.names.filter(({ verdict }) => verdict !== 'well')).toEqual([])
      expect(report.calls).toContainEqual({
        endpoint: 'GET /assets/search wants',
        verdict: 'wrong',
        detail: 'category; the bot can’t send category',
      })
      const text = printReport(report).replace(/\s+/gu, ' ')
      expect(text).toContain('GET /assets/search refuses a question without category')
      expect(text).toContain('nobody can search by name')
    },
  )

  test('is found out together with the names, where they are others', async () => {
    const requires = { list: ['ordering', ...list], search: ['category', 'chain'] } as const
    for (const says of [undefined, oneByOne]) {
      const { baseUrl } = await speak({ names: foreign, requires, ...(says && { says }) })
      const report = await examine(baseUrl)
      expect(pasted(report)).toEqual(foreign)
      expect(report.isSettled).toBe(true)
      expect(report.advice.join(' ')).toContain('refuses a question without sort_by')
      expect(report.advice.join(' ')).toContain('refuses a question without asset_category')
    }
  })

  test('is found out of a category on the list, too', async () => {
    const { baseUrl } = await speak({ requires: { list: ['category'] } })
    const report = await examine(baseUrl)
    expect(report.names.filter(({ verdict }) => verdict !== 'well')).toEqual([])
    expect(report.advice.join(' ')).toContain('no category means all of them')
  })

  test('is not taken for required where it is only offered', async () => {
    const { baseUrl } = await speak({ names: foreign, strict: true, requires, says: offering })
    const { calls } = await examine(baseUrl)
    expect(calls.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
  })
})

describe('a name that can’t be found', () => {
  test('comes with what was tried, what came back, and the line to fill in', async () => {
    const names = { creator: 'zzz', term: 'q' }
    const { baseUrl } = await speak({ names })
    const report = await examine(baseUrl, {
      queryNames: { ...defaultQueryNames, limit: 'limit', offset: 'offset' },
    })
    const text = printReport(report).replace(/\s+/gu, ' ')
    expect(text).toContain(
      '"creator" for creator does not work (an unused creator: the same assets)',
    )
    expect(text).toMatch(/Tried, too: creatorAddress, creator_address, .* \(no difference\)/u)
    expect(printReport(report)).toContain('\n#API_QUERY_NAMES={"term":"q","creator":"…"}\n')
    expect(report.settings).toEqual(['API_QUERY_NAMES={"term":"q"}'])
  })

  test('comes with what a refusal said, without control characters and never with the key', async () => {
    const says = (unknown: readonly string[]) => ({
      message: `\u001b[2JNo such thing, ${key}: ${unknown.length} wrong`,
    })
    const { baseUrl } = await speak({ names: { creator: 'zzz' }, strict: true, says })
    const text = printReport(await examine(baseUrl))
    expect(text.replace(/\s+/gu, ' ')).toContain(
      'refused with 422: [2JNo such thing, [key]: 1 wrong',
    )
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    expect(text).not.toContain(key)
    for (const line of text.split('\n')) {
      if (!line.startsWith('API_')) expect([...line].length).toBeLessThanOrEqual(80)
    }
  })

  test('of an offset says where pages are counted instead', async () => {
    for (const firstPage of [0, 1] as const) {
      const { baseUrl } = await speak({ names: { offset: 'page' }, firstPage })
      const report = await examine(baseUrl)
      expect(report.settings).toEqual([])
      expect(report.advice.join(' ')).toContain('"page" counts pages instead of assets')
    }
  })

  test('and is required makes the listing fail, as the bot asks with its own', async () => {
    const names = { offset: 'page' }
    const { baseUrl } = await speak({ names, firstPage: 1, strict: true, requires, says: oneByOne })
    const { calls, advice } = await examine(baseUrl)
    expect(calls).toContainEqual({
      endpoint: 'GET /assets/ on 8453',
      verdict: 'wrong',
      detail: 'invalid: refused with 422: Unknown query parameter: offset',
    })
    expect(advice.join(' ')).toMatch(/Tried, too: skip, start, .*refused with 422.*parameter: …/u)
  })

  test('gives up after so many questions where all are refused without a word', async () => {
    const { baseUrl, asked } = await speak({ names: foreign, strict: true, requires })
    const report = await examine(baseUrl)
    expect(report.needsOperator).toBe(true)
    expect(asked.length).toBeLessThanOrEqual(80)
    const text = printReport(report)
    expect(text).toContain('refused with 422: Unprocessable')
    expect(text).toContain('for offset: offset, skip, start')
    const line = '#API_QUERY_NAMES={"chain":"…","status":"…","limit":"…","offset":"…"}'
    expect(text).toContain(`\n${line}\n`)
  })
})

test('a second chain that can’t be listed is a finding with the words of the refusal', async () => {
  const { baseUrl } = await speak({ requires, onlyChain: 8453 })
  const { calls, needsOperator } = await examine(baseUrl)
  expect(calls).toContainEqual({
    endpoint: 'GET /assets/ on 84532',
    verdict: 'wrong',
    detail: 'invalid: refused with 400: chain 84532 is not served',
  })
  expect(needsOperator).toBe(true)
})

test('a second chain is listed with all that is required', async () => {
  const { baseUrl } = await speak({ requires, names: foreign })
  const { calls } = await examine(baseUrl)
  expect(calls).toContainEqual({
    endpoint: 'GET /assets/ on 84532',
    verdict: 'well',
    detail: '50 assets',
  })
})
