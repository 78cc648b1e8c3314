import { describe, expect, test } from 'vitest'
import type { Movement } from '../../../src/alerts/rule.ts'
import { movement } from '../../../src/alerts/thresholds.ts'
import type { Money } from '../../../src/api/units.ts'
import { now } from './auction.ts'

const usd = (amount: string): Money => ({ amount, currency: 'usd' })
const minute = 60
type Look = [minutes: number, value: string | Money | undefined]

/** What looks at a value tell, each so many minutes after the first. */
function told(setting: Movement, looks: readonly Look[], begin = '') {
  let memory = begin
  return looks.flatMap(([minutes, value]) => {
    const money = typeof value === 'string' ? usd(value) : value
    const found = movement({ setting, memory }, 8453, money, now + minutes * minute)
    memory = found.memory
    const { moved } = found
    return moved
      ? [`${minutes}: ${moved.direction} from ${moved.reference.amount} to ${moved.value.amount}`]
      : []
  })
}

describe('a mark', () => {
  const above = { above: '1' }
  const below = { below: '1' }
  const cases: [what: string, setting: Movement, looks: Look[], expected: string[]][] = [
    [
      'is crossed upwards',
      above,
      [
        [0, '0.9'],
        [1, '1.1'],
      ],
      ['1: up from 1 to 1.1'],
    ],
    [
      'is crossed where it is reached',
      above,
      [
        [0, '0.9'],
        [1, '1'],
      ],
      ['1: up from 1 to 1'],
    ],
    [
      'is crossed downwards',
      below,
      [
        [0, '1.1'],
        [1, '0.9'],
      ],
      ['1: down from 1 to 0.9'],
    ],
    [
      'that was past in the first look is not crossed',
      above,
      [
        [0, '1.5'],
        [20, '1.6'],
      ],
      [],
    ],
    [
      'is crossed once while the value stays past it',
      above,
      [
        [0, '0.9'],
        [1, '1.1'],
        [30, '1.2'],
      ],
      ['1: up from 1 to 1.1'],
    ],
    [
      'is not crossed again by a value that hovers',
      above,
      [
        [0, '0.9'],
        [1, '1.01'],
        [20, '0.99'],
        [40, '1.01'],
        [60, '0.985'],
        [80, '1.1'],
      ],
      ['1: up from 1 to 1.01'],
    ],
    [
      'is crossed again by a value that went back far enough',
      above,
      [
        [0, '0.9'],
        [1, '1.01'],
        [20, '0.98'],
        [40, '1.01'],
      ],
      ['1: up from 1 to 1.01', '40: up from 1 to 1.01'],
    ],
    [
      'from below likewise',
      below,
      [
        [0, '1.1'],
        [1, '0.99'],
        [20, '1.01'],
        [30, '0.99'],
        [40, '1.02'],
        [50, '0.9'],
      ],
      ['1: down from 1 to 0.99', '50: down from 1 to 0.9'],
    ],
    [
      'is not told again within ten minutes, but then where it still is past',
      above,
      [
        [0, '0.9'],
        [1, '1.1'],
        [2, '0.9'],
        [3, '1.1'],
        [11, '1.2'],
      ],
      ['1: up from 1 to 1.1', '11: up from 1 to 1.2'],
    ],
    [
      'is not crossed by what is unknown',
      above,
      [
        [0, '0.9'],
        [1, undefined],
        [2, '0.95'],
        [3, '1.1'],
      ],
      ['3: up from 1 to 1.1'],
    ],
    [
      'is not crossed by another currency',
      above,
      [
        [0, '0.9'],
        [1, { amount: '5', currency: 'numeraire' }],
        [2, '0.9'],
        [3, '1.1'],
      ],
      ['3: up from 1 to 1.1'],
    ],
    [
      'is compared exactly',
      { above: '0.000000000000000000000000000001' },
      [
        [0, '0.0000000000000000000000000000009'],
        [1, '0.0000000000000000000000000000011'],
      ],
      ['1: up from 0.000000000000000000000000000001 to 0.0000000000000000000000000000011'],
    ],
  ]
  test.each(cases)('%s', (_what, setting, looks, expected) => {
    expect(told(setting, looks)).toEqual(expected)
  })
})

describe('a share', () => {
  const moves = { moves: 10 }
  const cases: [what: string, looks: Look[], expected: string[]][] = [
    [
      'is counted from the first look',
      [
        [0, '1'],
        [1, '1.0999'],
        [2, '1.1'],
      ],
      ['2: up from 1 to 1.1'],
    ],
    [
      'is counted from where it was last told',
      [
        [0, '1'],
        [1, '1.1'],
        [20, '1.2'],
        [40, '1.21'],
      ],
      ['1: up from 1 to 1.1', '40: up from 1.1 to 1.21'],
    ],
    [
      'goes both ways',
      [
        [0, '1'],
        [1, '0.9'],
        [20, '1'],
      ],
      ['1: down from 1 to 0.9', '20: up from 0.9 to 1'],
    ],
    [
      'is told at most every ten minutes, then as it is',
      [
        [0, '1'],
        [1, '1.2'],
        [5, '2'],
        [10, '2.1'],
        [11, '2.2'],
      ],
      ['1: up from 1 to 1.2', '11: up from 1.2 to 2.2'],
    ],
    [
      'of nothing is not told',
      [
        [0, '0'],
        [1, '1'],
        [2, '2'],
      ],
      ['2: up from 1 to 2'],
    ],
    [
      'is not told of what is unknown',
      [
        [0, '1'],
        [1, undefined],
        [2, '1.05'],
      ],
      [],
    ],
    [
      'begins anew with another currency',
      [
        [0, '1'],
        [1, { amount: '900', currency: 'numeraire' }],
        [2, { amount: '990', currency: 'numeraire' }],
      ],
      ['2: up from 900 to 990'],
    ],
    [
      'can be all of it',
      [
        [0, '1'],
        [1, '0'],
      ],
      ['1: down from 1 to 0'],
    ],
  ]
  test.each(cases)('%s', (_what, looks, expected) => {
    expect(told(moves, looks)).toEqual(expected)
  })
})

test('a clock that was set back does not hold a movement up', () => {
  expect(
    told({ moves: 10 }, [
      [0, '1'],
      [1, '2'],
      [-60, '3'],
      [-59, '4'],
      [-49, '5'],
    ]),
  ).toEqual(['1: up from 1 to 2', '-60: up from 2 to 3', '-49: up from 3 to 5'])
})

test('a memory that can’t be read is as none', () => {
  expect(
    told(
      { above: '1' },
      [
        [0, '0.9'],
        [1, '1.1'],
      ],
      '{"old":true',
    ),
  ).toHaveLength(1)
})

test('one address on two chains is two values, and each told movement has its own number', () => {
  const setting = { moves: 10 }
  const looks: [number, string][] = [
    [1, '1'],
    [2, '50'],
    [1, '1.01'],
    [2, '51'],
    [1, '2'],
    [2, '80'],
  ]
  let memory = ''
  const moved = looks.map(([chain, amount]) => {
    const found = movement({ setting, memory }, chain, usd(amount), now)
    memory = found.memory
    return found.moved?.count
  })
  expect(moved).toEqual([undefined, undefined, undefined, undefined, 1, 1])
})
