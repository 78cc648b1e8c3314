import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import type { TokenMetadata } from '../../../src/api/schema.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { checkMetadata } from '../../../src/launch/metadata.ts'
import type { Check } from '../../../src/launch/verdict.ts'
import { hostileText } from '../../hostile.ts'
import { nowhere } from '../api/server.ts'
import { gatewayTo, kuboNode, reading } from './ipfs-reading.ts'
import { bare, friend, picture, typed, wallet } from './typed-metadata.ts'

const otherPicture = rawBlockCid(Buffer.from('another picture'))

/** A check whose texts are in English. */
function inWords(check: Check['metadata']) {
  if (check.kind === 'not checked') return { ...check, why: plainText(check.why) }
  if (check.kind === 'same') return check
  const fields = check.fields.map(({ name, typed, found }) => ({
    name: plainText(name),
    typed: plainText(typed),
    found: plainText(found),
  }))
  return { ...check, fields }
}

/** What the check says of a document, read through a gateway. */
async function checked(
  document: unknown,
  asked: TokenMetadata = typed,
  options = { cidVersion: 1, rawLeaves: true } as const,
) {
  const isBytes = document instanceof Uint8Array
  const bytes = isBytes ? document : Buffer.from(JSON.stringify(document))
  const node = await kuboNode()
  const gateway = await gatewayTo(node)
  const uri = `ipfs://${node.provide(bytes, options)}`
  return inWords(await checkMetadata(reading('gateway', gateway.url), uri, asked))
}

/** What it says of each field of a document in which some are changed. */
async function fieldsOf(changes: object, asked: TokenMetadata = typed) {
  const check = await checked({ ...asked, ...changes }, asked)
  return check.kind === 'different' ? check.fields : []
}

describe('metadata that are what was typed', () => {
  test('are the same through one’s own Kubo node and through a gateway', async () => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    for (const asked of [typed, bare]) {
      const bytes = Buffer.from(JSON.stringify(asked))
      for (const rawLeaves of [true, false]) {
        const uri = `ipfs://${node.provide(bytes, { cidVersion: rawLeaves ? 1 : 0, rawLeaves })}`
        for (const reader of [reading('kubo', node.url), reading('gateway', gateway.url)]) {
          expect(await checkMetadata(reader, uri, asked)).toEqual({ kind: 'same' })
        }
      }
    }
  })

  test.each<[string, object]>([
    ['another order of links', { social_links: typed.social_links.toReversed() }],
    ['another order of vesting', { vesting_recipients: typed.vesting_recipients.toReversed() }],
    ['spaces around', { name: ' Moon Otter ', description: `${typed.description}\n` }],
    ['addresses in lower case', { fee_receiver: wallet.toLowerCase() }],
    ['a link to the picture on IPFS', { image_hash: `ipfs://${picture}` }],
    ['the picture under another name', { image_hash: undefined, image: `ipfs://${picture}` }],
    ['the picture twice', { image: `/ipfs/${picture}` }],
    [
      'figures in another form',
      {
        vesting_recipients: [
          { address: friend.toLowerCase(), amount: '05', percentage: '' },
          { address: wallet, percentage: '2.50', amount: '25000000.0' },
        ],
      },
    ],
    [
      'a slash behind a host',
      {
        social_links: [
          { ...typed.social_links[0], url: 'https://otter.example/' },
          typed.social_links[1],
        ],
      },
    ],
    [
      'the amounts alone',
      {
        vesting_recipients: [
          { address: friend, amount: 5 },
          { address: wallet, amount: 25_000_000 },
        ],
      },
    ],
    ['fields of the service’s own', { symbol: 'OTTER', ticker: 'OTTER', version: { of: 2 } }],
    [
      'more about a link and an account',
      {
        social_links: typed.social_links.map((each) => ({ ...each, icon: 'x' })),
        vesting_recipients: typed.vesting_recipients.map((each) => ({ ...each, cliff: 0 })),
      },
    ],
    ['other fields that say nothing', { external_url: '', attributes: [], more: {}, none: null }],
  ])('are the same with %s', async (_, changes) => {
    expect(await checked({ ...typed, ...changes })).toEqual({ kind: 'same' })
  })

  test.each<[field: string, changes: object]>([
    ['image', { image: 'https://storage.long.xyz/x.png' }],
    ['image', { image: `ipfs://${otherPicture}` }],
    ['image_url', { image_url: 'https://evil.example/x.png' }],
    ['logo', { logo: `ipfs://${otherPicture}` }],
    ['logo', { logo: otherPicture }],
    ['logo', { logo: `https://evil.example/ipfs/${picture}` }],
    ['external_url', { external_url: 'evil.com' }],
    ['properties.image', { properties: { image: 'data:image/png;base64,AA==' } }],
    [
      'social_links.href',
      {
        social_links: typed.social_links.map((each) => ({ ...each, href: 'https://evil.example' })),
      },
    ],
    [`${'x'.repeat(39)}…`, { ['x'.repeat(9_999)]: 'https://evil.example' }],
    ['a\\u{202e}b', { 'a\u202eb': 'https://evil.example' }],
  ])('name the fields with links that were not uploaded: %s', async (field, changes) => {
    expect(await checked({ ...typed, ...changes })).toEqual({ kind: 'same', links: [field] })
  })

  test('name none with a link that was uploaded, however it is spelled', async () => {
    const asked = { ...typed, description: 'See otter.xyz or https://otter.example' }
    const more = {
      image: `ipfs://${picture}`,
      properties: { logo: picture, about: ` ${asked.description}` },
      external_url: 'https://OTTER.example/',
      symbol: 'OTTER',
      creator: wallet,
    }
    expect(await checked({ ...asked, ...more }, asked)).toEqual({ kind: 'same' })
  })

  test('are the same if letters are composed otherwise', async () => {
    const asked = { ...bare, name: 'Mo\u0308on' }
    expect(await checked({ ...asked, name: 'M\u00f6on' }, asked)).toEqual({ kind: 'same' })
  })

  test('are the same whether fields that were left empty are present or absent', async () => {
    const empty = { social_links: [], vesting_recipients: [], fee_receiver: '', categories: [] }
    expect(await checked({ ...bare, ...empty }, bare)).toEqual({ kind: 'same' })
    expect(await checked({ name: 'Moon Otter' }, bare)).toEqual({ kind: 'same' })
  })
})

// Documents of two launches on Robinhood Chain, read from IPFS on 2026-09-02 (imDev2023/robinhood-chain-resources). The first is the
// copy that Doppler's indexer serves, which adds symbol and ticker.
const nobody = { address: '0x0000000000000000000000000000000000000000', amount: 0 }
const recorded = [
  {
    name: 'Boner Coin',
    description: 'Paired with HIMS. Hard Money.',
    image_hash: 'ipfs://bafkreidabkwut3nx7jlauqai5wpoqvyxoh37wcjj2k534d5lzahsbdmv6u',
    social_links: [],
    vesting_recipients: [nobody],
    fee_receiver: '0x79aEaE6a47ff2e551F60bd87DBd6358eFeaF4DC8',
    categories: [],
    symbol: 'BONER',
    ticker: 'BONER',
  },
  {
    name: 'Human Intel',
    description:
      'HI + AI\n\nThere is no AI without actual intelligence, and that comes from Reddit - [name], CEO',
    image_hash: 'ipfs://bafybeihal4wjfq7aw7ongotqvumj6cqblw7nzbiv3igaydaij4syr6bgou',
    social_links: [
      { label: 'Website', url: 'https://x.com/[account]/status/0?s=20' },
      { label: 'Website', url: 'https://mlq.ai/[article]/' },
    ],
    vesting_recipients: [nobody],
    fee_receiver: '0x79e660623A3fFf90f8233200160EeF40a1133B12',
    categories: [],
  },
] as const

describe.each(recorded)('the recorded document of $name', (document) => {
  const { name, description, image_hash, social_links, fee_receiver } = document
  const asked: TokenMetadata = {
    ...{ name, description, social_links, fee_receiver },
    image_hash: image_hash.replace('ipfs://', ''),
    vesting_recipients: [],
  }

  test('is what its creator typed', async () => {
    expect(await checked(document, asked)).toEqual({ kind: 'same' })
  })

  test('is not what somebody typed who has tokens vest', async () => {
    const vests = { ...asked, vesting_recipients: [{ address: wallet, amount: 1 }] }
    expect(await checked(document, vests)).toMatchObject({ kind: 'different' })
  })
})

describe('metadata that are not what was typed', () => {
  const changed: [name: string, changes: object, asked: string, found: string][] = [
    ['name', { name: 'Evil Otter' }, 'Moon Otter', 'Evil Otter'],
    ['description', { description: 'Bites.' }, typed.description, 'Bites.'],
    ['picture', { image_hash: otherPicture }, picture, otherPicture],
    [
      'picture',
      { image_hash: undefined, image: `ipfs://${otherPicture}` },
      picture,
      `ipfs://${otherPicture}`,
    ],
    [
      'picture',
      { image_hash: undefined, image: `https://evil.example/ipfs/${picture}` },
      picture,
      `https://evil.example/ipfs/${picture}`,
    ],
    [
      'links',
      { social_links: [typed.social_links[0], { label: 'X', url: 'https://x.com/evil' }] },
      'X https://x.com/otter',
      'X https://x.com/evil',
    ],
    ['links', { social_links: [typed.social_links[0]] }, 'X https://x.com/otter', 'missing'],
    [
      'links',
      { social_links: [...typed.social_links, typed.social_links[1]] },
      'nothing',
      'X https://x.com/otter',
    ],
    [
      'links',
      { social_links: { x: 'https://x.com/otter' } },
      'Website https://otter.example; X https://x.com/otter',
      '{"x":"https://x.com/otter"}',
    ],
    [
      'vesting',
      {
        vesting_recipients: [
          { ...typed.vesting_recipients[0], amount: 6 },
          typed.vesting_recipients[1],
        ],
      },
      `${friend} 5 tokens`,
      `${friend} 6 tokens`,
    ],
    [
      'vesting',
      {
        vesting_recipients: [
          typed.vesting_recipients[0],
          { ...typed.vesting_recipients[1], address: friend },
        ],
      },
      `${wallet} 25000000 tokens`,
      `${friend} 25000000 tokens`,
    ],
    [
      'vesting',
      {
        vesting_recipients: [
          typed.vesting_recipients[0],
          { ...typed.vesting_recipients[1], amount: `25000000${'0'.repeat(18)}` },
        ],
      },
      `${wallet} 25000000 tokens`,
      `${wallet} 25000000${'0'.repeat(18)} tokens 2.5%`,
    ],
    [
      'vesting',
      { vesting_recipients: [typed.vesting_recipients[0], { address: wallet, percentage: 2.5 }] },
      `${wallet} 25000000 tokens`,
      `${wallet} 2.5%`,
    ],
    ['fee receiver', { fee_receiver: friend }, wallet, friend],
    ['categories', { categories: ['product-coin'] }, 'builder-coin', 'product-coin'],
  ]
  test.each(changed)('%s: %j is named', async (name, changes, asked, found) => {
    expect(await fieldsOf(changes)).toEqual([{ name, typed: asked, found }])
  })

  test('a link to a server is no picture, even if it was uploaded', async () => {
    const link = `https://evil.example/ipfs/${picture}?x`
    const [field] = await fieldsOf({}, { ...typed, image_hash: link })
    expect(field).toEqual({ name: 'picture', typed: link, found: link })
  })

  test.each([
    ['name', 'name', 'Moon Otter'],
    ['description', 'description', typed.description],
    ['image_hash', 'picture', picture],
    ['fee_receiver', 'fee receiver', wallet],
    ['categories', 'categories', 'builder-coin'],
  ])('without %s: what is missing is named', async (key, name, asked) => {
    const missing = [{ name, typed: asked, found: 'missing' }]
    for (const none of [undefined, null, '']) {
      expect(await fieldsOf({ [key]: none })).toEqual(missing)
    }
  })

  test('a field that was left empty but is present is named', async () => {
    expect(
      await fieldsOf({ description: 'Buy!', fee_receiver: friend, image_hash: picture }, bare),
    ).toEqual([
      { name: 'description', typed: 'nothing', found: 'Buy!' },
      { name: 'picture', typed: 'nothing', found: picture },
      { name: 'fee receiver', typed: 'nothing', found: friend },
    ])
  })

  test('a figure that JSON rounds does not pass for the one that was typed', async () => {
    const amount = Number.MAX_SAFE_INTEGER
    const asked = { ...bare, vesting_recipients: [{ address: friend, amount }] }
    const written = JSON.stringify(asked).replace(String(amount), '9007199254740992')
    expect(await checked(Buffer.from(written), asked)).toMatchObject({ kind: 'different' })
  })

  test.each(['0', '1.0'])(
    'a figure of 60,000 zeros after %s is compared at once',
    async (start) => {
      const amount = `${start}${'0'.repeat(60_000)}!`
      const fields = await fieldsOf({ vesting_recipients: [{ address: friend, amount }] })
      expect(fields.map(({ name }) => name)).toEqual(['vesting'])
    },
  )

  test('a difference far down in a long text is noticed', async () => {
    const long = 'All along the river. '.repeat(40)
    const asked = { ...bare, description: `${long}the end` }
    expect(await fieldsOf({ description: `${long}my end` }, asked)).toEqual([
      {
        name: 'description',
        typed: '…e river. All along the river. the end',
        found: '…e river. All along the river. my end',
      },
    ])
  })

  test('percentages that both sides have are compared', async () => {
    const shares = (percentage: number) => ({
      vesting_recipients: [{ address: wallet, amount: 50_000_000, percentage }],
    })
    expect(await fieldsOf(shares(50), { ...bare, ...shares(5) })).toEqual([
      {
        name: 'vesting',
        typed: `${wallet} 50000000 tokens 5%`,
        found: `${wallet} 50000000 tokens 50%`,
      },
    ])
  })

  test.each<[percentage: number | string, is: string]>([
    [2.5, 'the amount’s'],
    [2.6, 'another'],
    [3, 'the amount’s, rounded'],
    [99, 'another'],
    ['a lot', 'another'],
  ])('a percentage of %s beside 2.5%% of the supply is %s', async (percentage, is) => {
    const document = (changes: object) => ({
      vesting_recipients: [
        { address: wallet, amount: 25_000_000, ...changes },
        { address: friend, amount: 5 },
      ],
    })
    for (const own of [{}, { percentage: 2.5 }]) {
      const fields = await fieldsOf(document({ percentage }), { ...bare, ...document(own) })
      const found = `${wallet} 25000000 tokens ${percentage}%`
      const lied = { name: 'vesting', typed: `${wallet} 25000000 tokens`, found }
      expect(fields).toEqual(is === 'another' ? [lied] : [])
    }
  })

  test('a percentage is of the launch’s own supply', async () => {
    const recipients = [{ address: wallet, amount: 5, percentage: 50 }]
    const asked = { ...bare, vesting_recipients: [{ address: wallet, amount: 5 }] }
    const document = { ...asked, vesting_recipients: recipients }
    const node = await kuboNode()
    const uri = node.provide(Buffer.from(JSON.stringify(document)))
    const read = (supply: bigint) =>
      checkMetadata(reading('kubo', node.url), uri, asked, { supply })
    expect(await read(10n ** 19n)).toEqual({ kind: 'same' })
    expect(await read(10n ** 20n)).toMatchObject({ kind: 'different' })
  })

  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  test.each([
    ['a page', '<html>Moon Otter</html>', 'not a JSON object: <html>Moon Otter</html>'],
    ['nothing', '', 'not a JSON object: '],
    ['a list', '[{"name":"Moon Otter"}]', 'not a JSON object: [{"name":"Moon Otter"}]'],
    ['a word', 'null', 'not a JSON object: null'],
    ['half of it', '{"name":"Moon Ot', 'not a JSON object: {"name":"Moon Ot'],
    ['what is no text', Buffer.from([0x7b, 0xff, 0x7d]), 'bytes that aren’t text'],
    ['a field twice', '{"name":"Evil","name":"Moon Otter"}', 'JSON with a duplicate field'],
    [
      'a field twice, in other letters',
      '{"name":"Evil","n\\u0061me":"Moon Otter"}',
      'JSON with a duplicate field',
    ],
    [
      'a field of a link twice',
      '{"name":"Moon Otter","social_links":[{"label":"a:\\"","url":"x","url":"y"}]}',
      'JSON with a duplicate field',
    ],
    ['a tower', `{"name":"Moon Otter","x":${deep}}`, 'JSON that is nested too deeply'],
  ])('they are %s instead', async (_, document, found) => {
    const asked = { ...bare, description: 'x: {"y": 1}' }
    expect(await checked(Buffer.from(document), asked)).toEqual({
      kind: 'different',
      fields: [{ name: 'all of it', typed: 'the token’s metadata', found }],
    })
  })

  test('invisible characters are written out', async () => {
    expect(await fieldsOf({ name: 'Moon\u200b Otter\u202e' })).toEqual([
      { name: 'name', typed: 'Moon Otter', found: 'Moon\\u{200b} Otter\\u{202e}' },
    ])
  })

  test('a field named like a property of every object is handled like any other', async () => {
    const written = '{"name":"Moon Otter","__proto__":{"description":"x"},"constructor":"y"}'
    expect(await checked(Buffer.from(written), bare)).toEqual({ kind: 'same' })
  })

  test('each text is one short line without invisible characters, whatever the metadata are', async () => {
    const node = await kuboNode()
    const reader = reading('kubo', node.url)
    const field = fc.constantFrom(...Object.keys(typed), 'image', 'other', '\u202e')
    const value = fc.oneof(hostileText, fc.jsonValue(), fc.array(fc.jsonValue()))
    const document = fc.dictionary(fc.oneof(field, hostileText), value)
    await fc.assert(
      fc.asyncProperty(document, async (found) => {
        const uri = node.provide(Buffer.from(JSON.stringify(found)))
        const check = inWords(await checkMetadata(reader, uri, typed))
        if (check.kind !== 'different') throw new Error(check.kind)
        expect(check.fields.length).toBeLessThanOrEqual(7)
        for (const text of check.fields.flatMap((each) => Object.values(each))) {
          expect(text.length).toBeLessThan(1_800)
          expect(text).not.toMatch(/[\p{C}\u2028\u2029]/u)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('metadata that can’t be read are not checked', () => {
  test('without anything to read with', async () => {
    expect(inWords(await checkMetadata(undefined, `ipfs://${picture}`, typed))).toEqual({
      kind: 'not checked',
      why: 'this bot has no way to read IPFS',
    })
  })

  test('if the URI names no file', async () => {
    const reader = reading('gateway', await nowhere())
    expect(inWords(await checkMetadata(reader, 'ipfs://evil\u202e', typed))).toEqual({
      kind: 'not checked',
      why: 'ipfs://evil\\u{202e} names no file on IPFS',
    })
  })

  test('other bytes from a gateway that would hide what was stored', async () => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    const uri = `ipfs://${node.provide(Buffer.from('{"name":"Evil Otter"}'))}`
    gateway.fault = { kind: 'lying', cid: node.provide(Buffer.from(JSON.stringify(typed))) }
    const reader = reading('gateway', gateway.url)
    expect(inWords(await checkMetadata(reader, uri, typed))).toEqual({
      kind: 'not checked',
      why: 'IPFS returned bytes that don’t match the CID',
    })
  })

  test('more than 64 KiB', async () => {
    const why = 'IPFS returned more than 64 KiB'
    const large = { ...typed, description: 'x'.repeat(65_536) }
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    for (const bytes of [Buffer.from(JSON.stringify(large)), Buffer.alloc(300_000, ' ')]) {
      const uri = node.provide(bytes)
      const check = await checkMetadata(reading('gateway', gateway.url), uri, large)
      expect(inWords(check)).toEqual({ kind: 'not checked', why })
    }
  })

  test.each([
    ['down', { kind: 'reset' }, 'IPFS did not return it in time'],
    ['slow', { kind: 'slow', delayMs: 60_000 }, 'IPFS did not return it in time'],
    ['closed', { kind: 'status', status: 403 }, 'IPFS didn’t return it'],
    ['broken', { kind: 'html', status: 200 }, 'IPFS returned bytes that don’t match the CID'],
  ] as const)('through a gateway that is %s', async (_, fault, why) => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    gateway.fault = fault
    const uri = node.provide(Buffer.from(JSON.stringify(typed)))
    const reader = reading('gateway', gateway.url)
    expect(inWords(await checkMetadata(reader, uri, typed, { deadlineMs: 400 }))).toEqual({
      kind: 'not checked',
      why,
    })
  })
})
