import { describe, expect, test } from 'vitest'
import { effectsOf } from '../../../src/chain/airlock/effects.ts'
import { expectationsOf, templateNamed } from '../../../src/doctor/launch-template.ts'
import { templatesSchema } from '../../../src/launch/settings.ts'
import type { Viewpoint } from '../../../src/launch/table/value.ts'
import { type Asked, tableOf } from '../../../src/launch/table.ts'
import { launchesOfEveryKind } from '../chain/airlock/launches.ts'
import { read, tokenAddress } from '../chain/airlock/sdk.ts'

const launches = await launchesOfEveryKind()
const now = 1_800_000_000
const day = 86_400
const view: Viewpoint = {
  wallet: '0x00000000000000000000000000000000000000a1',
  quote: { symbol: 'WETH', known: true, decimals: 18 },
  now,
}

/** As it stands in a file. */
function written(expects: Asked): Asked {
  const text = JSON.stringify([{ id: 'a', label: 'A', chain: 8453, expects }])
  return templatesSchema.parse(JSON.parse(text))[0]?.expects ?? {}
}

describe.each(Object.entries(launches))('%s', (_, calldata) => {
  const effects = effectsOf(read(calldata), { token: tokenAddress, quoteDecimals: 18 })
  const expects = written(expectationsOf(effects, view, undefined, false))

  test('is as expected in every row that is pinned, through a file', () => {
    const { integrator } = effects
    const rows = tableOf(effects, expects, { ...view, integrator })
    expect(rows.filter(({ key, state }) => key in expects && state !== 'same')).toEqual([])
    expect(rows.filter(({ state }) => state === 'same').length).toBeGreaterThan(8)
  })

  test('pins nothing that differs from payload to payload', () => {
    expect(expects).not.toHaveProperty('binding')
    expect(expects.opening).not.toHaveProperty('price')
    expect(expects.governance ?? {}).not.toHaveProperty('name')
  })
})

const [calldata = '0x'] = Object.values(launches)
const effects = effectsOf(read(calldata), { token: tokenAddress, quoteDecimals: 18 })

test('a start in the next 30 days is pinned relative to the check, a later one as a date', () => {
  const pinned = (starts: number) =>
    expectationsOf({ ...effects, starts }, view, undefined, false).trading
  expect(pinned(now + 931)).toEqual({ from: { in: 960 } })
  expect(pinned(now - 5)).toEqual({ from: 'now' })
  expect(pinned(now + 30 * day)).toEqual({ from: { at: now + 30 * day } })
})

test('the opening market cap may be a fifth lower and a quarter higher', () => {
  const opening = { numerator: 1n, denominator: 10n ** 8n }
  const supply = 10n ** 27n
  const pinned = expectationsOf({ ...effects, supply, opening }, view, undefined, false)
  expect(pinned.opening).toEqual({ cap: ['8', '12.5'] })
})

test('the release of requested vesting is listed after the vesting of every launch', () => {
  const vesting = [{ to: view.wallet, amount: 10n ** 24n, cliff: 0n, duration: 60n }]
  const release = { cliff: 7, duration: 365 * day }
  expect(expectationsOf({ ...effects, vesting }, view, release, false).vesting).toEqual([
    { to: 'you', tokens: '1000000', cliff: 0, duration: 60 },
    { to: 'asked', ...release },
  ])
})

describe('a template', () => {
  const standard = { id: 'a1', label: 'Standard', chain: 8453 }
  const sepolia = { id: 'a1', label: 'Standard (test)', chain: 84532 }
  const dutch = { id: 'b2', label: 'Dutch auction', chain: 8453 }
  const other = { id: 'c3', label: 'dutch Auction', chain: 84532 }

  test.each([
    ['standard', [standard, dutch], standard],
    ['B2 ', [standard, dutch], dutch],
    ['Dutch auction', [standard, dutch], dutch],
    ['84532 a1', [standard, sepolia], sepolia],
  ])('is found by its label or its id, whatever the case: %s', (name, all, template) => {
    expect(templateNamed(name, all)).toEqual({ template })
  })

  test.each([
    [
      'Dutch Auction',
      [dutch, other],
      [
        'Several templates are called “Dutch Auction”. Name it by its id:',
        '  8453 b2   Dutch auction',
        '  84532 c3   dutch Auction',
      ],
    ],
    [
      'a1',
      [standard, sepolia],
      [
        'Several templates are called “a1”. Name it by its id with its chain before it:',
        '  8453 a1   Standard',
        '  84532 a1   Standard (test)',
      ],
    ],
    ['nope', [standard], ['There is no template “nope”. There are:', '  8453 a1   Standard']],
    ['', [standard], ['Which template? There are:', '  8453 a1   Standard']],
    ['nope', [], ['TEMPLATES names no template.']],
  ])('is not found, with what to type instead: %s', (name, all, problem) => {
    expect(templateNamed(name, all)).toEqual({ problem })
  })
})
