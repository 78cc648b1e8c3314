import { afterEach, beforeEach, expect, test } from 'vitest'
import { alarmOf, expectUnverified, expectVerified, lineAfter, rowOf } from './unverified.ts'
import { Works } from './works.ts'

// What stands on IPFS is what wallets and explorers will show of the token for ever.

let works: Works
beforeEach(async () => {
  works = await Works.start()
})
afterEach(() => works.stop())

function stores(change: object): void {
  works.upstream.launches.tamperUpload = (asked) =>
    Buffer.from(JSON.stringify({ ...asked, ...change }))
}

test('metadata that are what was typed are marked as such', async () => {
  const read = await expectVerified(works)
  expect(rowOf(read, 'metadata')).toMatchObject({ state: 'same' })
})

test.each([
  ['name', { name: 'Evil Otter' }, 'Evil Otter'],
  ['description', { description: 'Send coins to 0xee.' }, 'Send coins to 0xee.'],
  [
    'picture',
    { image_hash: 'ipfs://bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' },
    'bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  ],
  ['links', { social_links: [{ label: 'Web', url: 'https://evil.example' }] }, 'evil.example'],
])(
  '%s on IPFS that is not what was typed is a reason not to sign, and both are told',
  async (...each) => {
    const [name, change, found] = each
    stores(change)
    const read = await expectUnverified(works)
    const reasons = lineAfter(read.text, 'Not verified: ')
    expect(reasons).toContain('IPFS')
    expect(reasons).toContain(name)
    expect(alarmOf(read, 'metadata')).toContain(found)
    expect(alarmOf(read, 'metadata')).toContain('you typed')
  },
)

test('a document that is none is a reason not to sign', async () => {
  works.upstream.launches.tamperUpload = () => Buffer.from('<html>soon</html>')
  const { text } = await expectUnverified(works)
  expect(lineAfter(text, 'Not verified: ')).toContain('IPFS')
})

test('metadata that nobody can read leave the payload verified, and it says that they were not checked', async () => {
  works.kubo.fault = { kind: 'refusing', status: 403 }
  const read = await expectVerified(works)
  const { does } = rowOf(read, 'metadata')
  expect(does?.join('')).toMatch(/^not checked: .*Kubo node/u)
  expect(read.text).toContain(does?.join(''))
})
