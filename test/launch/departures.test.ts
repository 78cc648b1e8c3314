import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LaunchTerms } from '../../src/chain/launch/terms.ts'
import { type Departure, departures } from '../../src/launch/departures.ts'
import type { Answers } from '../../src/launch/draft.ts'

const account = (digit: string) => `0x${digit.repeat(40)}` as const
const percent = 10n ** 16n
const tokens = 10n ** 18n
const supply = 10n ** 27n
const [wallet, bob, eve, protocol] = ['a', 'b', 'e', '5'].map(account) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]

type Parts = readonly (readonly [who: `0x${string}`, part: bigint])[]

/** Terms in which these share in the fees (undefined: the layout does not tell), and these get tokens over time. */
function terms(fees: Parts | undefined, vesting: Parts = []): LaunchTerms {
  const nobody = account('0')
  return {
    supply,
    numTokensToSell: supply / 2n,
    numeraire: nobody,
    integrator: nobody,
    modules: {
      tokenFactory: nobody,
      governanceFactory: nobody,
      poolInitializer: nobody,
      liquidityMigrator: nobody,
    },
    unread: { governanceFactory: 0, liquidityMigrator: 0 },
    token: {
      layout: 'DERC20',
      name: '',
      symbol: '',
      uri: '',
      vesting: vesting.map(([recipient, amount]) => ({ recipient, amount })),
    },
    pool:
      fees === undefined
        ? { layout: 'dynamic' }
        : {
            layout: 'multicurve',
            beneficiaries: fees.map(([beneficiary, shares]) => ({ beneficiary, shares })),
          },
  }
}

const asked = (changes: Answers = {}): Answers => ({ wallet, vesting: [], ...changes })
const named = asked({ beneficiaries: [{ beneficiary: bob, shares: String(35n * percent) }] })
const usual: Parts = [
  [wallet, 95n * percent],
  [protocol, 5n * percent],
]

test.each<[what: string, answers: Answers, given: LaunchTerms]>([
  ['the wallet gets the rest', asked(), terms(usual)],
  ['the wallet gets more than was promised', asked(), terms([[wallet, 100n * percent]])],
  [
    'those who were named get theirs',
    named,
    terms([
      [wallet, 60n * percent],
      [bob, 35n * percent],
      [protocol, 5n * percent],
    ]),
  ],
  [
    'what an account gets is in several parts',
    asked(),
    terms([
      [wallet, 50n * percent],
      [wallet, 45n * percent],
      [protocol, 5n * percent],
    ]),
  ],
  [
    'a share was asked for the wallet itself',
    asked({ beneficiaries: [{ beneficiary: wallet, shares: String(10n * percent) }] }),
    terms(usual),
  ],
  ['the layout has no beneficiaries, and nobody was named', asked(), terms(undefined)],
  [
    'all vests as it was asked, in per cent and in tokens',
    asked({
      vesting: [
        { address: bob, percentage: '2.5' },
        { address: eve, amount: '1000.5' },
      ],
    }),
    terms(usual, [
      [bob, supply / 40n],
      [eve, (10_005n * tokens) / 10n],
    ]),
  ],
  ['only the wallet gets what nobody asked for', asked(), terms(usual, [[wallet, tokens]])],
  [
    'the wallet vests more than it asked for',
    asked({ vesting: [{ address: wallet, amount: '1' }] }),
    terms(usual, [[wallet, 2n * tokens]]),
  ],
  ['data that can’t be read are not compared', named, { ...terms(usual), pool: undefined }],
])('nothing departs where %s', (_, answers, given) => {
  const inCapitals: Answers = { ...answers, wallet: `0x${'A'.repeat(40)}` }
  expect(departures(answers, given)).toEqual([])
  expect(departures(inCapitals, given)).toEqual([])
})

test.each<[what: string, answers: Answers, given: LaunchTerms, found: Departure[]]>([
  [
    'the wallet is left out',
    asked(),
    terms([
      [eve, 95n * percent],
      [protocol, 5n * percent],
    ]),
    [
      { of: 'fees', who: 'you', asked: 95n * percent, gets: 0n },
      { of: 'fees', who: 'others', asked: 5n * percent, gets: 100n * percent },
    ],
  ],
  [
    'the wallet gets a hair less',
    asked(),
    terms([
      [wallet, 95n * percent - 1n],
      [protocol, 5n * percent],
    ]),
    [{ of: 'fees', who: 'you', asked: 95n * percent, gets: 95n * percent - 1n }],
  ],
  [
    'strangers get more than the protocol’s part in many small ones',
    named,
    terms([
      [wallet, 60n * percent],
      [bob, 34n * percent],
      [protocol, 5n * percent],
      [eve, 1n * percent],
    ]),
    [
      { of: 'fees', who: 'others', asked: 5n * percent, gets: 6n * percent },
      { of: 'fees', who: bob, asked: 35n * percent, gets: 34n * percent },
    ],
  ],
  [
    'the fee receiver gets what belongs to the wallet',
    asked({ feeReceiver: bob }),
    terms([
      [bob, 95n * percent],
      [protocol, 5n * percent],
    ]),
    [
      { of: 'fees', who: 'you', asked: 95n * percent, gets: 0n },
      { of: 'fees', who: 'others', asked: 5n * percent, gets: 100n * percent },
    ],
  ],
  [
    'all shares are more than all there is',
    asked(),
    terms([...usual, [wallet, 100n * percent]]),
    [{ of: 'fees', who: 'all', asked: 100n * percent, gets: 200n * percent }],
  ],
  [
    'the layout can’t say what somebody gets who was named',
    named,
    terms(undefined),
    [{ of: 'fees', who: bob, asked: 35n * percent, gets: undefined }],
  ],
  [
    'nobody is set where somebody could be',
    asked(),
    terms([]),
    [{ of: 'fees', who: 'you', asked: 95n * percent, gets: 0n }],
  ],
  [
    'what was to vest is left out, less, or more',
    asked({
      vesting: [
        { address: bob, percentage: '5' },
        { address: eve, amount: '10' },
        { address: wallet, amount: '10' },
        { address: protocol, amount: '10' },
      ],
    }),
    terms(usual, [
      [eve, 9n * tokens],
      [wallet, 9n * tokens],
      [protocol, 11n * tokens],
    ]),
    [
      { of: 'vesting', who: bob, asked: supply / 20n, gets: 0n },
      { of: 'vesting', who: eve, asked: 10n * tokens, gets: 9n * tokens },
      { of: 'vesting', who: wallet, asked: 10n * tokens, gets: 9n * tokens },
      { of: 'vesting', who: protocol, asked: 10n * tokens, gets: 11n * tokens },
    ],
  ],
  [
    'strangers vest',
    asked(),
    terms(usual, [
      [eve, tokens],
      [bob, tokens],
    ]),
    [{ of: 'vesting', who: 'others', asked: 0n, gets: 2n * tokens }],
  ],
])('it departs where %s', (_, answers, given, found) => {
  expect(departures(answers, given)).toEqual(found)
})

test('whoever takes a part of what was promised is found out, however it is cut', () => {
  const anyPart = fc.bigInt({ min: 1n, max: 95n * percent })
  fc.assert(
    fc.property(
      anyPart,
      fc.array(fc.nat(14), { minLength: 1, maxLength: 30 }),
      (taken, thieves) => {
        const each = taken / BigInt(thieves.length)
        fc.pre(each > 0n)
        const strangers = thieves.map((n) => [`0x${String(n).padStart(40, '0')}`, each] as const)
        const stolen = each * BigInt(thieves.length)
        const given = terms([
          ...strangers,
          [wallet, 95n * percent - stolen],
          [protocol, 5n * percent],
        ])
        expect(departures(asked(), given).map(({ who }) => who)).toEqual(['you', 'others'])
      },
    ),
  )
})
