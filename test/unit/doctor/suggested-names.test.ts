import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryMeanings } from '../../../src/api/schema.ts'
import type { Parameter } from '../../../src/doctor/limited-api.ts'
import { namesIn, refusalText, SuggestedNames } from '../../../src/doctor/suggested-names.ts'
import { ApiError } from '../../../src/errors.ts'

describe('names of parameters', () => {
  test.each([
    ['chain_id is required', 'chain_id'],
    ['Unknown query parameter: limit', 'limit'],
    ["'page[size]' is not allowed", 'page[size]'],
    ['{"message":"state must be one of the following values","statusCode":400}', 'state'],
    ['{"detail":[{"loc":["query","net"],"msg":"Field required","type":"missing"}]}', 'net'],
    ['{"errors":{"skip":["can\'t be blank"]}}', 'skip'],
    ['{"error":"\\"chainId\\" is not allowed"}', 'chainId'],
    ['querystring/take must be integer', 'take'],
    ['query.network_id: Required', 'network_id'],
    ['[{"code":"unrecognized_keys","keys":["sort"],"path":[],"message":"Unrecognized"}]', 'sort'],
    ['<html><body><p>Missing skip</p></body></html>', 'skip'],
    ['{"detail":[{"loc":["query","cut_off"],"msg":"Field requ', 'cut_off'],
  ])('are found in %s', (text, name) => {
    expect(namesIn(text).named).toContain(name)
  })

  test.each([
    'Unknown parameter "limit". Allowed: chain_id, take, skip',
    'limit: unexpected; expected one of chain_id, take or skip.',
    '{"error":"Unknown parameter limit","allowed":"use: chain_id | take | skip"}',
  ])('that are suggested are told apart from those that are rejected in %s', (text) => {
    const { named, offered } = namesIn(text)
    expect(offered).toEqual(expect.arrayContaining(['chain_id', 'take', 'skip']))
    expect(named).toContain('limit')
    expect(offered).not.toContain('limit')
  })

  test('are not words that every refusal has', () => {
    const text =
      '{"statusCode":422,"error":"Unprocessable","message":"Validation error","status":422}'
    expect(namesIn(text)).toMatchObject({ named: [], offered: [] })
  })

  test('are found in a hostile text without taking long', () => {
    const begun = performance.now()
    for (const part of ['a,', '"a" ', 'allowed: ', '[', "'", 'a_', 'is ', 'aA', '{"a":[']) {
      namesIn(part.repeat(500).slice(0, 500))
      refusalText(part.repeat(500).slice(0, 500))
    }
    expect(performance.now() - begun).toBeLessThan(500)
  })
})

test.each([
  ['{"message":"chain_id is required","statusCode":400}', 'chain_id is required'],
  ['<h1>Bad\n Request</h1>', 'Bad Request'],
  ['plain\u001b[2J text\u202e', 'plain [2J text'],
  ['{"code":42}', '{"code":42}'],
  ['', ''],
])('what is said by %j is %j', (text, said) => {
  expect(refusalText(text)).toBe(said)
})

describe('names that refusals suggest', () => {
  const parameters: readonly Parameter[] = [
    { meaning: 'chain', name: 'chainId', value: 8453 },
    { meaning: 'limit', name: 'limit', value: 50 },
  ]
  const learn = (suggested: SuggestedNames, refusal: string) =>
    suggested.learn(parameters, {
      error: new ApiError('invalid', 'refused', { status: 422 }),
      refusal,
    })

  test('are rejected if they were sent, and suggested if not', () => {
    const suggested = new SuggestedNames()
    expect(learn(suggested, 'Unknown parameter: limit. Missing: page_size')).toMatchObject({
      blamed: ['limit'],
      wanted: [{ meaning: 'limit', name: 'page_size' }],
    })
    expect(suggested.candidates('limit')[0]).toBe('page_size')
    // Any word counts where no other does, if it is a name that some API has.
    expect(learn(suggested, 'we would like skip here, limit there; nonsense')).toMatchObject({
      blamed: ['limit'],
      wanted: [{ meaning: 'offset', name: 'skip' }],
    })
  })

  test('and whose meaning is unknown are tried, twelve at most', () => {
    const suggested = new SuggestedNames()
    const names = Array.from({ length: 20 }, (_, index) => `x${String.fromCharCode(97 + index)}z`)
    expect(
      learn(suggested, `Allowed: ${names.join(', ')}`).ofUnknownMeaning.length,
    ).toBeGreaterThan(12)
    expect(suggested.ofUnknownMeaning()).toHaveLength(12)
  })

  test('are only those that API_QUERY_NAMES can hold', () => {
    const odd = ['ſtatus', 'Kelvin_K', `${'long'.repeat(20)}Name`, 'a_'.repeat(60), '"', '{}']
    const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...odd))
    const texts = fc
      .array(names, { maxLength: 6 })
      .chain((all) =>
        fc.constantFrom(
          `missing ${all.join(' ')}`,
          `Allowed: ${all.join(', ')}`,
          JSON.stringify({ errors: Object.fromEntries(all.map((name) => [name, ['bad']])) }),
          all.map((name) => `'${name}' is not allowed, param: ${name}`).join('\n'),
        ),
      )
    fc.assert(
      fc.property(texts, (text) => {
        const suggested = new SuggestedNames()
        const { wanted, ofUnknownMeaning } = learn(suggested, text)
        const every = [
          ...suggested.ofUnknownMeaning(),
          ...queryMeanings.flatMap((meaning) => suggested.candidates(meaning)),
          ...ofUnknownMeaning,
          ...wanted.map(({ name }) => name),
        ]
        expect(every.filter((name) => !/^[\w.[\]-]{1,64}$/u.test(name))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
