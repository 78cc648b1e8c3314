import fc from 'fast-check'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { describe, expect, test } from 'vitest'
import { rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import { parseCid, rawCid } from '../../../src/launch/image.ts'
import { hostileText } from '../../hostile.ts'

const file = 'bafkreidvbhs33ighmljlvr7zbv2ywwzcmp5adtf4kqvlly67cy56bdtmve'
const folder = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const oldFolder = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'

function otherCodec(codec: number): string {
  return CID.createV1(codec, CID.parse(file).multihash).toString()
}

describe('the CID of bytes', () => {
  // What IPFS nodes and pinning services print in their documentation.
  test.each([
    ['nothing', Buffer.from(''), 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
    ['hello world!', Buffer.from('hello world!'), file],
    [
      'three bytes',
      Buffer.from([0, 1, 2]),
      parseCid('zb2rhiNedvrkpYhcrgtpmhKk5UPzcgizgSXaQLYXNY745BmYP'),
    ],
  ])('%s is the one that others give', async (_name, bytes, cid) => {
    expect(await rawCid(bytes)).toBe(cid)
  })

  test('is what a node would give up to one block, and is read back as itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
        const cid = await rawCid(bytes)
        expect(cid).toBe(rawBlockCid(bytes))
        expect(parseCid(cid)).toBe(cid)
      }),
    )
  })
})

describe('an existing picture', () => {
  test.each([
    [file, file],
    [`  ${file}\n`, file],
    [`ipfs://${file}`, file],
    [`ipfs://${file}/`, file],
    [`ipfs://ipfs/${file}`, file],
    [`Ipfs://${file}`, file],
    [`${folder}/1.png`, `${folder}/1.png`],
    [`/ipfs/${file}`, file],
    [`https://ipfs.io/ipfs/${file}`, file],
    [`https://gateway.example:8443/ipfs/${file}?filename=cat.png#top`, file],
    [`http://127.0.0.1:8080/ipfs/${file}/`, file],
    [`https://${file}.ipfs.dweb.link`, file],
    [`https://${file}.ipfs.dweb.link/?filename=cat.png`, file],
    [`HTTPS://${file.toUpperCase()}.ipfs.dweb.link/`, file],
    [oldFolder, oldFolder],
    [`ipfs://${oldFolder}`, oldFolder],
    [`https://ipfs.io/ipfs/${oldFolder}/images/1.png`, `${oldFolder}/images/1.png`],
    [`ipfs://${folder}/my%20cat_1-2.~x.png`, `${folder}/my%20cat_1-2.~x.png`],
    [`https://ipfs.io/ipfs/${folder}/my cat.png`, `${folder}/my%20cat.png`],
    [`https://${folder}.ipfs.dweb.link/1.png`, `${folder}/1.png`],
    ['k2jmtxw8rjh1z69c6not3wtdxb0u3urbzhyll1t9jg6ox26dhi5sfi1m', folder],
    [base58btc.encode(CID.parse(file).bytes), file],
  ])('%s is known as %s', (text, cid) => {
    expect(parseCid(text)).toBe(cid)
  })

  test.each([
    ['nothing', ''],
    ['words', 'my cat'],
    ['a web address', 'https://example.com/cat.png'],
    ['a CID elsewhere in an address', `https://example.com/x/ipfs/${file}`],
    ['a CID in a query', `https://example.com/?/ipfs/${file}`],
    ['a CID as a host that is no gateway’s', `https://${file}.example.com/`],
    ['a CID as a name and password', `https://${file}.ipfs@example.com/`],
    ['another scheme', `ftp://ipfs.io/ipfs/${file}`],
    ['a script', `javascript:alert('/ipfs/${file}')`],
    ['a name that changes', `ipns://${file}`],
    ['a name that changes, at a gateway', `https://ipfs.io/ipns/${file}`],
    ['a CID with a letter less', file.slice(0, -1)],
    ['a CID with a letter more', `${file}a`],
    ['a CID with another last letter', `${oldFolder.slice(0, -1)}0`],
    ['two CIDs', `${file} ${file}`],
    ['a path into a file', `ipfs://${file}/1.png`],
    ['a path up', `ipfs://${folder}/../x`],
    ['a path of dots', `ipfs://${folder}/a/./b`],
    ['an empty step', `ipfs://${folder}/a//b`],
    ['a path with markup', `ipfs://${folder}/<b>`],
    ['a path with quotes', `ipfs://${folder}/a"b`],
    ['a path with a line break', `ipfs://${folder}/a\nb`],
    ['a path with a hidden step', `ipfs://${folder}/a%2F..%2Fb`],
    ['a query behind ipfs://', `ipfs://${folder}?x`],
    ['the key of a name', 'bafzaajaiaejcbzdibmxyzdjbbehgbmpgnlvncbz2dx5jkwsxvxfuzf3sgb4bqcqm'],
    ['the older key of a name', otherCodec(0x72)],
    ['data that is no file', otherCodec(0x71)],
    ['bytes that are their own digest', 'bafkqaddimvwgy3zao5xxe3debi'],
    ['a text far too long', `ipfs://${folder}/${'a'.repeat(1_000)}`],
  ])('%s is not taken for one', (_what, text) => {
    expect(parseCid(text)).toBeUndefined()
  })

  test('whatever is written, the answer is a CID with harmless characters, or none', () => {
    const within = fc.constantFrom('', 'ipfs://', '/ipfs/', 'https://ipfs.io/ipfs/', 'https://')
    const cid = fc.constantFrom('', file, folder, oldFolder, `${folder}/`, `${file}.ipfs.`)
    fc.assert(
      fc.property(within, cid, hostileText, (start, middle, end) => {
        const found = parseCid(`${start}${middle}${end}`)
        if (found === undefined) return
        expect(found).toMatch(/^(?:baf[a-z2-7]+|Qm[A-Za-z0-9]{44})(?:\/(?:[\w.~-]|%20)+)*$/u)
        expect(parseCid(found)).toBe(found)
      }),
      { numRuns: 2_000 },
    )
  })

  test('any spelling of a CID leads to the same text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), async (bytes) => {
        const cid = await rawCid(bytes)
        const parsed = CID.parse(cid)
        for (const spelling of [parsed.toString(base58btc), parsed.toString(base36)]) {
          expect(parseCid(spelling)).toBe(cid)
          expect(parseCid(`https://ipfs.io/ipfs/${spelling}`)).toBe(cid)
        }
        expect(parseCid(`https://${parsed.toString(base36)}.ipfs.dweb.link`)).toBe(cid)
      }),
    )
  })
})
