import { describe, expect, test } from 'vitest'
import { calldataDigest } from '../../../../src/chain/airlock/calldata.ts'
import { plainText } from '../../../../src/core/catalogue.ts'
import { t } from '../../../../src/core/view.ts'
import { requestSchema, type SigningRequest } from '../../../../src/launch/signing-wire.ts'
import { inspect } from '../../../../src/web/signing/page/inspect.ts'
import {
  alarming,
  launchCalldata,
  onBase,
  otter,
  requestFor,
  requestOf,
  signingRequest,
} from './payload.ts'

const honest = signingRequest()
const withoutCheck = { ...honest }
delete withoutCheck.check

test('what the bot built and checked has no faults, and is verified by the page too', () => {
  expect(inspect(honest)).toMatchObject({ faults: [], doubts: [], verified: true })
  // The API gives metadata with or without `ipfs://`.
  expect(inspect({ ...honest, uri: honest.uri.replace('ipfs://', '') }).faults).toEqual([])
})

test('a request without calldata is none', () => {
  expect(requestSchema.safeParse(honest).success).toBe(true)
  expect(requestSchema.safeParse({ ...honest, data: '0x' }).success).toBe(false)
})

const none = '0x12345678'
const unverified = requestOf(await onBase(alarming()))

describe('what the bot says but the calldata doesn’t', () => {
  const cases: [what: string, request: SigningRequest, fault: RegExp][] = [
    ['the digest', { ...honest, digest: `0x${'11'.repeat(32)}` }, /^Calldata digest: /u],
    [
      'the name',
      { ...honest, name: 'Sun Otter' },
      /^Name: the transaction has “Moon Otter”, the bot said “Sun Otter”\.$/u,
    ],
    ['the symbol', { ...honest, symbol: 'SUN' }, /^Ticker: /u],
    ['the metadata', { ...honest, uri: 'ipfs://bafkother' }, /^Metadata: /u],
    [
      'the name but for what is not seen',
      { ...honest, name: 'Moon\u200b Otter' },
      /the bot said “Moon\\u\{200b\} Otter”/u,
    ],
    ['coins that nothing asks for', { ...honest, value: '1' }, /^Value: .*“0”.*said “1”/u],
    ['that the launch is verified', { ...unverified, verified: true }, /is verified, but/u],
    [
      'that it is a launch',
      { ...honest, data: none, digest: calldataDigest(none) },
      /it is verified, but it calls 0x12345678/u,
    ],
    [
      'modules that the payload does not have',
      { ...honest, ...(honest.check && { check: { ...honest.check, modules: [] } }) },
      /is not one that is known on this chain/u,
    ],
    [
      'other calldata under the digest',
      { ...honest, data: launchCalldata({ ...otter, name: 'Moon 0tter' }) },
      /^Calldata digest: /u,
    ],
  ]
  test.each(cases)('blocks signing when it is %s', (_, request, fault) => {
    const faults = inspect(request).faults.map((each) => plainText(each))
    expect(faults).toContainEqual(expect.stringMatching(fault))
  })
})

test('a payload that the bot itself did not verify is no fault, but not verified', async () => {
  expect(unverified.verified).toBe(false)
  expect(inspect(unverified)).toMatchObject({ faults: [], verified: false })
  expect(inspect(await requestFor(none))).toMatchObject({ faults: [], verified: false })
})

test('a payload without a check is not verified', () => {
  expect(inspect({ ...withoutCheck, verified: false })).toMatchObject({
    faults: [],
    verified: false,
    doubts: [t('terms-why-unchecked')],
  })
})
