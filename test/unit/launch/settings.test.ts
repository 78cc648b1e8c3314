import { expect, onTestFinished, test } from 'vitest'
import { publisherOf, readerOf } from '../../../src/launch/ipfs.ts'
import { templatesProblem } from '../../../src/launch/settings.ts'
import { gatewayTo, kuboNode } from './ipfs-reading.ts'

const standard = { id: 'standard', label: 'Standard', chain: 8453 }

test('a template may pin how vesting to those who are asked runs, beside its own lines', () => {
  const own = { to: '0x52908400098527886E0F7030069857D2E4169EE7', amount: '1000', duration: 60 }
  const vesting = [{ to: 'asked', duration: 60 }, own]
  expect(templatesProblem([{ ...standard, expects: { vesting } }])).toBeUndefined()
})

test('a row that no launch has is named with its template', () => {
  const wrong = { ...standard, expects: { moon: 1 } }
  expect(templatesProblem([standard, wrong])).toMatch(/^1\.expects: .*moon/u)
})

test('without a gateway metadata are read from the operator’s node', async () => {
  const node = await kuboNode()
  const gateway = await gatewayTo(node)
  const link = node.provide(Buffer.from('{}'), { cidVersion: 1, rawLeaves: true })
  const ipfs = { kind: 'kubo', url: node.url } as const
  for (const ipfsGateway of [undefined, gateway.url]) {
    const reader = readerOf({ ipfs, ipfsGateway })
    onTestFinished(() => reader?.close())
    expect(Buffer.from((await reader?.read(link, 5_000)) ?? [])).toEqual(Buffer.from('{}'))
  }
  expect([node.reads, gateway.asked]).toEqual([1, 1])
})

test('a pinning service has no reader, and nothing is published without a service', () => {
  const pinata = { kind: 'pinata', apiRoot: 'http://127.0.0.1:9', jwt: 'fake' } as const
  expect(readerOf({ ipfs: pinata, ipfsGateway: undefined })).toBeUndefined()
  expect(readerOf({ ipfs: undefined, ipfsGateway: undefined })).toBeUndefined()
  expect(publisherOf({ ipfs: undefined, ipfsGateway: undefined })).toBeUndefined()
})
