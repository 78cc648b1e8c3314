import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { entryPoint, knownLaunchers, launchersSchema } from '../../../src/chain/chains.ts'

const own = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

function refusal(given: unknown): string {
  const read = launchersSchema.safeParse(given)
  return read.success ? 'taken' : read.error.issues.map(({ message }) => message).join('; ')
}

test('the known launchers are those of the chains that launches happen on', () => {
  expect(Object.keys(knownLaunchers).map(Number)).toEqual([
    1, 130, 143, 4326, 4663, 4801, 6343, 8453, 10143, 42161, 57073, 84532, 763373, 11155111,
  ])
  expect(knownLaunchers[8453]?.to).toBe('0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12')
})

test('only on Robinhood Chain does the transaction go elsewhere than to the Airlock', () => {
  const apart = Object.entries(knownLaunchers).filter(([, { to, airlock }]) => to !== airlock)
  expect(apart).toEqual([
    [
      '4663',
      {
        to: '0x22e99278308B393ea1260859B181AD7E78f5eeED',
        airlock: '0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862',
        launch: '0x1Eef016F22A943abC7DD11422EDeE9D235942104',
        bundle: '0xEdE0B5fae363232c396724Fa962250Fa197cc5a1',
      },
    ],
  ])
})

test('a payload goes to the contract that has the function which it calls', () => {
  const launcher = { to: own, airlock: own, bundle: other } as const
  expect(entryPoint(launcher, 'create')).toBe(own)
  expect(entryPoint(launcher, undefined)).toBe(own)
  expect(entryPoint(launcher, 'bundle')).toBe(other)
  expect(entryPoint(launcher, 'launch')).toBeUndefined()
})

test('every known address has its checksum', () => {
  for (const addresses of Object.values(knownLaunchers).map((each) => Object.values(each))) {
    expect(addresses).toEqual(addresses.map((each) => getAddress(each)))
  }
})

test('what the operator sets comes on top of the known launchers', () => {
  const launchers = launchersSchema.parse({ 8453: own, 31337: { to: own, airlock: other } })
  expect(launchers).toEqual({
    ...knownLaunchers,
    8453: { to: own, airlock: own },
    31337: { to: own, airlock: other },
  })
  expect(launchersSchema.parse({})).toEqual(knownLaunchers)
})

test('contracts that launch through a known Airlock go with that one alone', () => {
  const { airlock = own, bundle } = knownLaunchers[8453] ?? {}
  expect(launchersSchema.parse({ 8453: airlock })[8453]).toEqual(knownLaunchers[8453])
  const forwarding = launchersSchema.parse({ 8453: { to: own, airlock } })
  expect(forwarding[8453]).toEqual({ to: own, airlock, bundle })
  const set = launchersSchema.parse({ 8453: { to: own, airlock: own, bundle: other } })
  expect(set[8453]).toEqual({ to: own, airlock: own, bundle: other })
  expect(launchersSchema.parse({ 4663: { to: own, airlock: own, launch: other } })[4663]).toEqual({
    to: own,
    airlock: own,
    launch: other,
  })
})

test('an address in lower case comes out with its checksum', () => {
  expect(launchersSchema.parse({ 5: own.toLowerCase() })[5]).toEqual({ to: own, airlock: own })
})

describe('refused', () => {
  test('a wrong checksum, with the chain and the reason', () => {
    const wrong = own.replace('Ae', 'ae')
    expect(refusal({ 8453: wrong })).toMatch(/^8453: .*checksum/u)
    expect(refusal({ 8453: { to: own, airlock: wrong } })).toMatch(/^8453: .*checksum/u)
  })

  test('what is no address', () => {
    expect(refusal({ 8453: 'airlock' })).toBe(
      '8453: An address starts with 0x and has 40 characters after it.',
    )
  })

  test.each([
    ['a list', []],
    ['a text', own],
    ['nothing', null],
    ['a chain that is no number', { base: own }],
    ['a chain that begins with zero', { '08453': own }],
    ['half a pair', { 8453: { to: own } }],
    ['a pair with more', { 8453: { to: own, airlock: own, from: own } }],
    ['a number', { 8453: 5 }],
    ['a bundler that is none', { 8453: { to: own, airlock: own, bundle: 5 } }],
  ])('%s, with an example', (_, given) => {
    expect(refusal(given)).toContain('must be a JSON object by chain id, such as {"8453":"0x…"}')
  })
})
