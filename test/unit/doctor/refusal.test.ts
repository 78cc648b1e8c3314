import { describe, expect, test } from 'vitest'
import { namedIn, saidIn } from '../../../src/doctor/refusals.ts'

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
    [
      '[{"code":"unrecognized_keys","keys":["sort"],"path":[],"message":"Unrecognized key"}]',
      'sort',
    ],
    ['<html><body><p>Missing skip</p></body></html>', 'skip'],
    ['{"detail":[{"loc":["query","cut_off"],"msg":"Field requ', 'cut_off'],
  ])('are seen in %s', (text, name) => {
    expect(namedIn(text).named).toContain(name)
  })

  test.each([
    'Unknown parameter "limit". Allowed: chain_id, take, skip',
    'limit: unexpected; expected one of chain_id, take or skip.',
    '{"error":"Unknown parameter limit","allowed":"use: chain_id | take | skip"}',
  ])('that are offered are told from those that are blamed in %s', (text) => {
    const { named, offered } = namedIn(text)
    expect(offered).toEqual(expect.arrayContaining(['chain_id', 'take', 'skip']))
    expect(named).toContain('limit')
    expect(offered).not.toContain('limit')
  })

  test('are none of the words that every refusal has', () => {
    const text =
      '{"statusCode":422,"error":"Unprocessable","message":"Validation error","status":422}'
    expect(namedIn(text)).toMatchObject({ offered: [] })
    expect(namedIn(text).named.filter((name) => name !== 'Unprocessable')).toEqual([])
  })

  test('take no long time to be looked for in a hostile text', () => {
    const begun = performance.now()
    for (const part of ['a,', '"a" ', 'allowed: ', '[', "'", 'a_', 'is ', 'aA', '{"a":[']) {
      namedIn(part.repeat(500).slice(0, 500))
      saidIn(part.repeat(500).slice(0, 500))
    }
    expect(performance.now() - begun).toBeLessThan(500)
  })
})

describe('what is said', () => {
  test.each([
    ['{"message":"chain_id is required","statusCode":400}', 'chain_id is required'],
    ['<h1>Bad\n Request</h1>', 'Bad Request'],
    ['plain\u001b[2J text\u202e', 'plain [2J text'],
    ['{"code":42}', '{"code":42}'],
    ['', ''],
  ])('by %j is %j', (text, said) => {
    expect(saidIn(text)).toBe(said)
  })
})
