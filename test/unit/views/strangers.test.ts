import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Span } from '../../../src/core/view.ts'
import { assetView } from '../../../src/views/asset.ts'
import { hostileText } from '../../hostile.ts'
import { cardParts, fullAsset, paths, withValue } from './sample.ts'
import { shown } from './shown.ts'

const card = (wire: object) => assetView(cardParts(wire))
const live = withValue(fullAsset, ['graduation_pool'], undefined)
const tokenPath = ['auction_pool', 'base_token']
const withToken = (field: string, value: unknown) => withValue(live, [...tokenPath, field], value)

test.each([
  ['', '', 'Unnamed'],
  ['\u200b\u2060', '\u202e', 'Unnamed'],
  ['\u0301\ufe0f', '$$$', 'Unnamed'],
  ['Two\nLines', '$OTTER', 'Two Lines $OTTER'],
  ['Safe \u202egnp.exe', '$$OTTER', 'Safe gnp.exe $OTTER'],
  ['x'.repeat(300), 'Y'.repeat(300), `${'x'.repeat(47)}… $${'Y'.repeat(15)}…`],
])('the name %j and the symbol %j', (name, symbol, title) => {
  const named = withToken('token_uri_data', undefined)
  const wire = withValue(
    withValue(named, [...tokenPath, 'token_name'], name),
    [...tokenPath, 'token_symbol'],
    symbol,
  )
  expect(shown(card(wire))[0]).toBe(title)
})

test('a name that stands only in the token’s metadata is used', () => {
  const nameless = withToken('token_name', undefined)
  expect(shown(card(nameless))[0]).toBe('Moon Otter $OTTER')
})

test('a long description is shortened', () => {
  const text = 'otter '.repeat(200)
  const line = shown(card(withToken('token_description', text))).at(-2)
  expect(line).toHaveLength(280)
  expect(line?.endsWith('…')).toBe(true)
})

const links = (...urls: string[]) => {
  const value = urls.map((url) => ({ label: 'Official', url }))
  const wire = withValue(live, [...tokenPath, 'token_uri_data', 'social_links'], value)
  return card(wire)
    .blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : []))
    .filter(([label]) => label === 'Links')
    .flatMap(([, value]): Span[] => value)
}

test('a link is shown by its host, whatever it is called', () => {
  expect(links('https://Moon.Example/a?b=c#d')).toEqual([
    { link: 'moon.example', url: 'https://moon.example/a?b=c#d' },
  ])
  expect(links('https://bücher.example:8443/')).toEqual([
    { link: 'xn--bcher-kva.example:8443', url: 'https://xn--bcher-kva.example:8443/' },
  ])
  // The first letter is Cyrillic.
  expect(links('https://\u0430pple.example:443/')).toEqual([
    { link: 'xn--pple-43d.example', url: 'https://xn--pple-43d.example/' },
  ])
})

test('of a long host the end is shown, which says whose it is', () => {
  const host = `gavel.example.${'login-'.repeat(6)}a.evil.example`
  expect(links(`https://${host}/`)).toEqual([
    { link: `…${host.slice(-39)}`, url: `https://${host}/` },
  ])
})

test.each([
  'http://plain.example/',
  'javascript:alert(document.cookie)',
  'data:text/html,x',
  'tg://user?id=1',
  'ftp://files.example/',
  'https://gavel.example@evil.example/',
  'https://user:password@evil.example/',
  'https://localhost/',
  'https://[::1]/',
  'https://a{b}.example/',
  'ht!tp:/not a url',
  'moon.example',
  `https://long.example/${'x'.repeat(500)}`,
  '',
])('%s is no link', (url) => {
  expect(links(url)).toEqual([])
})

test('at most six links are shown', () => {
  const urls = Array.from({ length: 20 }, (_, index) => `https://s${index}.example/`)
  expect(links(...urls).filter((span) => typeof span === 'object')).toHaveLength(6)
})

test.each(['http://images.example/x.png', 'javascript:x', 'https://a:b@c.example/x', 'ipfs://x'])(
  '%s is no picture',
  (url) => {
    expect(card(withToken('token_image_public_url', url)).image).toBeUndefined()
  },
)

test('vesting names three recipients and counts the others', () => {
  const recipients = [1, 2, 3, 4, 5].map((digit) => `0x${String(digit).repeat(40)}`)
  const wire = withValue(
    withToken('token_vesting_recipient_addresses', recipients),
    [...tokenPath, 'token_uri_data', 'vesting_recipients'],
    [],
  )
  expect(shown(card(wire))).toContain('Vesting: 0x1111…1111, 0x2222…2222, 0x3333…3333 and 2 more')
})

test('no text in any field, or in all of them, makes the card fail or puts a link in it that is not https', () => {
  const fields = paths(fullAsset).filter((path) => path.join() !== 'asset_address')
  const changes = fc.array(fc.tuple(fc.constantFrom(...fields), hostileText), { maxLength: 12 })
  fc.assert(
    fc.property(changes, fc.constantFrom('live', 'graduated', 'incoming'), (values, status) => {
      let wire: typeof fullAsset = { ...fullAsset, asset_status: status }
      // The outer fields last, so that there is still something to put the inner ones into.
      for (const [path, value] of values.sort(([one], [other]) => other.length - one.length)) {
        wire = withValue(wire, path, value)
      }
      const view = card(wire)
      const urls = JSON.stringify(view).match(/"(?:url|image)":"[^"]*/gu) ?? []
      for (const url of urls) expect(url).toMatch(/"(?:url|image)":"https:\/\/[a-z0-9_-]/u)
      expect(shown(view).join()).not.toMatch(/undefined|NaN|\[object|function/u)
    }),
    { numRuns: 200 },
  )
})
