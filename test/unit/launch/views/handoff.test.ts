import { expect, test } from 'vitest'
import { chainById } from '../../../../src/chain/chains.ts'
import { localise } from '../../../../src/core/catalogue.ts'
import type { Payload } from '../../../../src/launch/payload.ts'
import { announcementView, launchedView } from '../../../../src/launch/views/handoff.ts'
import { controls, shown } from '../../views/shown.ts'
import { payloadBody } from '../payload-body.ts'

const token = '0x00000000000000000000000000000000000000cc'
const contract = '0x00000000000000000000000000000000000000dd'
const id = `0x${'7e'.repeat(32)}` as const

function launched(pool: Payload['pool']): Payload {
  return {
    ...payloadBody,
    token,
    ...(pool !== undefined && { pool }),
    id: 'aa',
    draft: 'bb',
    state: 'launched',
    linkExpiresAt: undefined,
    rev: 1,
    createdAt: 0,
    updatedAt: 0,
  }
}

test.each([launchedView, announcementView])(
  'a pool with an id is named by it, and leads to its auction',
  (view) => {
    const made = view(launched(id), chainById(8453))
    expect(shown(made)).toContain(`Pool: ${id}`)
    expect(controls(made).flat()).toContain(`Auction +auction ${id} chain:8453`)
  },
)

test.each([launchedView, announcementView])(
  'a pool that is a contract is named by it, and leads to the explorer',
  (view) => {
    const made = view(launched(contract), chainById(8453))
    expect(localise(made, 'en').blocks).toContainEqual({
      kind: 'fields',
      fields: expect.arrayContaining([
        [
          'Pool',
          [
            { code: '0x0000…00dd' },
            ' ',
            { link: 'Explorer', url: `https://basescan.org/address/${contract}` },
          ],
        ],
      ]),
    })
    expect(controls(made).flat().join()).not.toContain('Auction')
  },
)

test('on a chain without an explorer its address is whole', () => {
  expect(shown(launchedView(launched(contract), chainById(31_337)))).toContain(`Pool: ${contract}`)
})

test('where the pool is not known nothing is said of it', () => {
  expect(shown(launchedView(launched(undefined), chainById(8453))).join()).not.toContain('Pool')
})
