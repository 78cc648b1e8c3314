import { describe, expect, test } from 'vitest'
import { defaultQueryNames, queryMeanings, queryNamesSchema } from '../../../src/api/schema.ts'
import { exitCode, printReport, type Report } from '../../../src/doctor/report.ts'
import { commonNames } from '../../../src/doctor/suggested-names.ts'
import { type Dialect, examine, foreign, key, speak } from './refusing-server.ts'

const requires = {
  list: ['chain', 'status', 'limit', 'offset'],
  search: ['chain', 'limit'],
  asset: true,
} as const

/** The document's words, each for another status. */
const turned = { incoming: 'live', live: 'graduated', graduated: 'incoming' }

/** One parameter at a time, as most APIs say it. */
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
  const perPage = { ...foreign, limit: 'per_page' }
  const unheard = { ...foreign, creator: 'madeBy', chain: 'net', term: 'needle' }
  const most = Math.max(...queryMeanings.map((meaning) => commonNames[meaning].length))
  /** Names that other APIs are known to have: the nth of each. */
  const nth = (index: number) =>
    queryNamesSchema.parse(
      Object.fromEntries(
        queryMeanings.map((meaning) => [
          meaning,
          commonNames[meaning].at(index % commonNames[meaning].length),
        ]),
      ),
    )
  const dialects: [string, Dialect][] = [
    ['nothing is required', {}],
    ['all is required', { requires }],
    ['the search alone requires more', { requires: { search: ['chain', 'limit'] } }],
    ['the offset is required', { requires: { list: ['offset'] } }],
    ['unknown ones are refused one by one', { strict: true, says: oneByOne }],
    ['unknown ones are refused without a word', { strict: true }],
    ['unknown ones are refused, all required', { strict: true, requires, says: oneByOne }],
    ['a validator names them', { strict: true, requires, says: validator }],
    ['the keys of an error name them', { strict: true, requires, says: keyed }],
    ['a page of HTML names them', { strict: true, requires, says: offering }],
    [
      'a page of HTML names unheard ones',
      { names: unheard, strict: true, requires, says: offering },
    ],
    ['what is missing is named', { requires, says: oneByOne }],
    ['nothing but the missing is named', { strict: true, requires, says: missingAlone }],
    ['nothing but the unknown is named', { strict: true, requires, says: unknownAlone }],
    ['a limit goes with an offset', { pairs: true }],
    ['a limit goes with an offset, in words', { pairs: true, says: oneByOne }],
    ['so it does, with unknown ones refused', { pairs: true, strict: true, says: oneByOne }],
    ['so it does, with them refused without a word', { names: perPage, pairs: true, strict: true }],
    ['the words of the status mean something else', { words: turned }],
    ...[2, 5, 9, most - 1].map((index): [string, Dialect] => [
      `they are the ${index}th that are known`,
      { names: nth(index), requires: index % 2 === 0 ? requires : {} },
    ]),
  ]

  test.each(dialects)('where %s', async (_what, dialect) => {
    const names = { ...foreign, ...dialect.names }
    const { baseUrl, asked } = await speak({ ...dialect, names })
    const report = await examine(baseUrl)
    expect(pasted(report)).toEqual(names)
    expect(report).toMatchObject({ needsOperator: true, isSettled: true })
    expect(asked.length).toBeLessThan(260)
  })

  test('and with them set nothing is left to do', async () => {
    const { baseUrl } = await speak({ requires, names: foreign })
    const after = await examine(baseUrl, { queryNames: queryNamesSchema.parse(foreign) })
    expect(after).toMatchObject({ needsOperator: false, settings: [], advice: [] })
    expect(after.names.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(after.calls).toContainEqual({
      endpoint: 'GET /assets/ on 84532',
      verdict: 'ok',
      detail: '50 assets',
    })
  })

  test.each([
    ['limit', 'offset'],
    ['chain', 'offset'],
  ] as const)('also if the operator exchanged %s and %s', async (one, other) => {
    const { baseUrl } = await speak()
    const exchanged = { [one]: defaultQueryNames[other], [other]: defaultQueryNames[one] }
    const queryNames = queryNamesSchema.parse({ ...defaultQueryNames, ...exchanged })
    expect(pasted(await examine(baseUrl, { queryNames }))).toEqual(defaultQueryNames)
  })
})

describe('meaningless names are found if a refusal lists them', () => {
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
    ['one by one', { says: oneByOne }],
    ['the last one first', { says: lastFirst }],
    ['one by one, with unknown names refused first', { strict: true, says: oneByOne }],
    ['one by one, and nothing of unknown names', { strict: true, says: lastFirst }],
    ['as what may have been meant', { strict: true, says: didYouMean }],
    ['all at once', { says: validator }],
  ])('%s', async (_how, dialect) => {
    const { baseUrl, asked } = await speak({ ...dialect, requires, names })
    const report = await examine(baseUrl)
    expect(pasted(report)).toEqual(names)
    expect(report.isSettled).toBe(true)
    expect(asked.length).toBeLessThan(300)
  })

  test.each(
    Object.entries(strange).flatMap(([meaning, name]) => [
      [meaning, name, false] as const,
      [meaning, name, true] as const,
    ]),
  )(
    'in place of the right name of the %s alone: %s (strict: %s)',
    async (meaning, name, strict) => {
      const wrong = { [meaning]: name }
      const { baseUrl } = await speak({ names: wrong, requires, strict, says: lastFirst })
      expect(pasted(await examine(baseUrl))).toEqual({ ...defaultQueryNames, ...wrong })
    },
  )
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
    ['where one word stands for all', { words: { graduated: 'live', incoming: 'live' } }],
    ['where the status is left out', { words: { live: undefined, incoming: undefined } }],
  ]

  test.each(dialects)('are not changed %s', async (_what, dialect) => {
    const { baseUrl } = await speak(dialect)
    const report = await examine(baseUrl)
    expect(report.names.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(report.settings.filter((line) => line.startsWith('API_QUERY_NAMES'))).toEqual([])
    expect(report.calls.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
  })

  test.each(Object.entries(foreign))(
    'are not changed if that of the %s is wrong, and refusals don’t say which is missing',
    async (meaning, name) => {
      for (const strict of [true, false]) {
        const { baseUrl } = await speak({ names: { [meaning]: name }, requires, strict })
        expect(pasted(await examine(baseUrl))).toEqual({ ...defaultQueryNames, [meaning]: name })
      }
    },
  )
})

describe('what is required', () => {
  const list = ['chain', 'status', 'limit', 'offset'] as const
  /** What the report says that endpoints want. */
  const wants = async (dialect: Dialect) => {
    const { baseUrl } = await speak(dialect)
    const report = await examine(baseUrl)
    const told = report.calls
      .filter(({ endpoint }) => endpoint.endsWith('wants'))
      .map(({ endpoint, verdict, detail }) => `${endpoint} ${verdict}: ${detail}`)
    return { told, report, text: printReport(report).replace(/\s+/gu, ' ') }
  }

  test('is listed for each endpoint, by its name there, and is empty if nothing is', async () => {
    expect((await wants({ requires, names: { status: 'state' } })).told).toEqual([
      'GET /assets/ wants ok: chainId, state, limit and offset',
      'GET /assets/search wants ok: chainId and limit',
      'GET /assets/{address} wants ok: chainId',
    ])
    expect((await wants({})).told).toEqual([])
  })

  const said: [string, Dialect][] = [
    ['and nothing is said', {}],
    ['and it is named', { says: oneByOne }],
    ['and nothing is said, with unknown names refused', { strict: true }],
    ['and it is named, with unknown names refused', { strict: true, says: oneByOne }],
    ['and all that is allowed is named', { strict: true, says: offering }],
  ]

  test.each(said)(
    'may be a parameter that the document leaves optional, %s',
    async (_how, dialect) => {
      const ordered = await wants({ ...dialect, requires: { list: ['ordering', ...list] } })
      expect(ordered.told).toContain(
        'GET /assets/ wants wrong: chainId, status, limit, offset and ordering; the bot can’t send ordering',
      )
      expect(ordered.report.sample).toBeDefined()
      expect(ordered.text).toContain('GET /assets/ refuses a question without ordering')
      expect(ordered.text).toContain('no order means newest first')
      expect(ordered.text).not.toContain('Ask who runs the API for these names')
      const searched = await wants({ ...dialect, requires: { search: ['category'] } })
      expect(searched.told).toContain(
        'GET /assets/search wants wrong: category; the bot can’t send category',
      )
      expect(searched.text).toContain('GET /assets/search refuses a question without category')
      expect(searched.text).toContain('nobody can search by name')
      for (const { report } of [ordered, searched]) {
        expect(exitCode(report)).toBe(1)
        expect(report.settings).toEqual([])
        expect(report.names.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
      }
    },
  )

  test('may be optional in the document and have another name, too', async () => {
    const optional = { list: ['ordering', ...list], search: ['category', 'chain'] } as const
    for (const says of [undefined, oneByOne]) {
      const names = { names: foreign, requires: optional, ...(says && { says }) }
      const { report } = await wants(names)
      expect(pasted(report)).toEqual(foreign)
      expect(report.isSettled).toBe(true)
      expect(report.advice.join(' ')).toContain('refuses a question without sort_by')
      expect(report.advice.join(' ')).toContain('refuses a question without asset_category')
    }
  })

  test('may be the category of the list', async () => {
    const { report } = await wants({ requires: { list: ['category'] } })
    expect(report.names.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(report.advice.join(' ')).toContain('no category means all of them')
  })

  test.each<[string, Dialect]>([
    ['is only offered', { names: foreign, strict: true, requires, says: offering }],
    [
      'is refused with all of it',
      { names: { offset: 'zzz' }, strict: true, requires: { list: ['chain'] } },
    ],
  ])('is not what %s', async (_, dialect) => {
    const { told } = await wants(dialect)
    expect(told.filter((line) => line.includes('wrong'))).toEqual([])
  })

  test('is listed for the list alone if there is no asset to search for', async () => {
    const each = { list: ['chain'], search: ['chain'], asset: true } as const
    expect((await wants({ requires: each, count: 0 })).told).toEqual([
      'GET /assets/ wants ok: chainId',
    ])
  })
})

describe('a name that can’t be found', () => {
  test('comes with what was tried, what came back, and the line to fill in', async () => {
    const { baseUrl } = await speak({ names: { creator: 'zzz', term: 'q' } })
    const report = await examine(baseUrl)
    const text = printReport(report)
    expect(text.replace(/\s+/gu, ' ')).toContain(
      '"creator" for creator does not work (an unused creator: the same assets). Tried, too: creatorAddress, creator_address, ',
    )
    expect(text).toContain('\n#API_QUERY_NAMES={"term":"q","creator":"…"}\n')
    expect(report.settings).toEqual(['API_QUERY_NAMES={"term":"q"}'])
    expect(report.needsOperator).toBe(true)
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
    for (const line of text.split('\n')) {
      if (!line.startsWith('API_')) expect([...line].length).toBeLessThanOrEqual(80)
    }
  })

  test.each([`${'madeBy'.repeat(20)}Whom`, 'creator\u017f'])(
    'is one that the setting can’t hold, though the API takes it: %s',
    async (name) => {
      const says = ([unknown]: readonly string[]) =>
        `unknown '${unknown}': did you mean: ${name} is good`
      const { baseUrl } = await speak({ names: { creator: name }, strict: true, says })
      const { names, settings } = await examine(baseUrl)
      expect(names.find(({ meaning }) => meaning === 'creator')?.verdict).toBe('wrong')
      expect(settings).toEqual([])
    },
  )

  test.each([0, 1] as const)(
    'comes with a hint if pages are counted from %i instead',
    async (firstPage) => {
      const { baseUrl } = await speak({ names: { offset: 'page' }, firstPage })
      const report = await examine(baseUrl)
      expect(report.settings).toEqual([])
      expect(report.advice.join(' ')).toContain('"page" counts pages instead of assets')
    },
  )

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

  test('gives up after a number of requests if all are refused without a reason', async () => {
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

test('a second chain that can’t be listed is a finding with the text of the refusal', async () => {
  const { baseUrl } = await speak({ requires, onlyChain: 8453 })
  const { calls, needsOperator } = await examine(baseUrl)
  expect(calls).toContainEqual({
    endpoint: 'GET /assets/ on 84532',
    verdict: 'wrong',
    detail: 'invalid: refused with 400: chain 84532 is not served',
  })
  expect(needsOperator).toBe(true)
})
