import { describe, expect, test } from 'vitest'
import { checkMetadata } from '../../../src/launch/metadata.ts'
import { nowhere } from '../api/server.ts'
import { gatewayTo, kuboNode, reading } from './ipfs-reading.ts'
import { picture, typed } from './typed-metadata.ts'

describe('metadata that can’t be read are not checked', () => {
  test('without anything to read with', async () => {
    expect(await checkMetadata(undefined, `ipfs://${picture}`, typed)).toEqual({
      kind: 'not checked',
      why: 'this bot has nothing to read IPFS with',
    })
  })

  test('where the URI names no file', async () => {
    const reader = reading('gateway', await nowhere())
    expect(await checkMetadata(reader, 'ipfs://evil\u202e', typed)).toEqual({
      kind: 'not checked',
      why: 'ipfs://evil\\u{202e} names no file on IPFS',
    })
  })

  test('other bytes from a gateway that would hide what was stored', async () => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    const uri = `ipfs://${node.provide(Buffer.from('{"name":"Evil Otter"}'))}`
    gateway.fault = { kind: 'lying', cid: node.provide(Buffer.from(JSON.stringify(typed))) }
    expect(await checkMetadata(reading('gateway', gateway.url), uri, typed)).toEqual({
      kind: 'not checked',
      why: 'the gateway gave other bytes than the CID names',
    })
  })

  test('more than 64 KiB', async () => {
    const why = 'what the gateway gave is larger than 64 KiB'
    const large = { ...typed, description: 'x'.repeat(65_536) }
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    for (const bytes of [Buffer.from(JSON.stringify(large)), Buffer.alloc(300_000, ' ')]) {
      const uri = node.provide(bytes)
      const check = await checkMetadata(reading('gateway', gateway.url), uri, large)
      expect(check).toEqual({ kind: 'not checked', why })
    }
  })

  test.each([
    ['down', { kind: 'reset' }, 'the gateway did not give it in time'],
    ['slow', { kind: 'slow', delayMs: 60_000 }, 'the gateway did not give it in time'],
    ['closed', { kind: 'status', status: 403 }, 'the gateway can’t or won’t give it'],
    ['broken', { kind: 'html', status: 200 }, 'the gateway gave other bytes than the CID names'],
  ] as const)('through a gateway that is %s', async (_, fault, why) => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    gateway.fault = fault
    const uri = node.provide(Buffer.from(JSON.stringify(typed)))
    const reader = reading('gateway', gateway.url)
    expect(await checkMetadata(reader, uri, typed, { deadlineMs: 400 })).toEqual({
      kind: 'not checked',
      why,
    })
  })
})
