import { expect, test } from 'vitest'
import { shards } from '../../src/config.ts'

test.each([
  ['auto', undefined],
  ['1', { ids: [0], count: 1 }],
  ['3', { ids: [0, 1, 2], count: 3 }],
  ['0-3/8', { ids: [0, 1, 2, 3], count: 8 }],
  ['4-7/8', { ids: [4, 5, 6, 7], count: 8 }],
  ['7/8', { ids: [7], count: 8 }],
  ['0-0/1', { ids: [0], count: 1 }],
])('DISCORD_SHARDS %j names its shards', (text, named) => {
  expect(shards.parse(text)).toEqual(named)
})

test.each([
  '0',
  '-1',
  '1.5',
  'all',
  '0-8/8',
  '8/8',
  '3-1/8',
  '0-3',
  '0/0',
  '0-3/8/9',
  '0-1,4-5/8',
  '99999',
  ' 4',
])('DISCORD_SHARDS %j is refused with what it may be', (text) => {
  const read = shards.safeParse(text)
  expect(read.error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^must be auto, how many .* such as 0-3\/8/u),
  ])
})
