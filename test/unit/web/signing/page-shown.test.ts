import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../../../sandbox/browser.ts'
import { calldataDigest, shortDigest } from '../../../../src/chain/airlock/calldata.ts'
import type { SigningRequest } from '../../../../src/launch/signing-wire.ts'
import { launchCalldata, other, otter, requestFor, signingRequest, wallet } from './payload.ts'
import { type Site, startSite } from './site.ts'
import { connected, withTableWallet } from './table-wallet.ts'
import { stage, Visits } from './visit.ts'

let site: Site
let browser: Browser
let visits: Visits

beforeAll(async () => {
  ;[site, browser] = await Promise.all([startSite(), launchBrowser()])
  visits = new Visits(browser)
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})
afterEach(() => visits.end())

const at = (token: string) => `${site.url}/s/${token}`

/** A link to just this request. */
function add(request: SigningRequest): string {
  const token = site.add()
  site.signingService.entries.set(token, { request })
  return token
}

describe('what will be created', () => {
  test('is read from the calldata, with who and where', async () => {
    const request = signingRequest()
    const page = await visits.open(at(site.add(request)))
    const summary = page.locator('#summary')
    await summary.getByRole('heading', { name: 'Moon Otter' }).waitFor()
    const text = await summary.innerText()
    for (const words of [
      'OTTER',
      'Base Sepolia (chain id 84532)',
      '1,000,000,000',
      'Who gets the fees',
      shortDigest(request.digest),
      wallet,
      request.to,
      request.token ?? '',
    ]) {
      expect(text).toContain(words)
    }
    expect(text).not.toContain('Not verified')
    expect(await page.locator('footer').innerText()).toContain('Value: 0.')
    expect(await page.locator('#expiry').innerText()).toMatch(/Link expires in (?:59:\d\d|1 h)/u)
  })

  test('has its picture, and digest and calldata whole on demand', async () => {
    const png = await sharp({
      create: { width: 8, height: 8, channels: 3, background: 'red' },
    }).png()
    const bytes = new Uint8Array(await png.toBuffer())
    const request = signingRequest({ picture: true })
    const page = await visits.open(
      at(site.add(request, { name: 'a.png', type: 'image/png', bytes })),
    )
    const picture = page.getByAltText('The picture of the token')
    await picture.waitFor()
    await page.waitForFunction('document.querySelector("img.picture").naturalWidth === 8')
    await page.getByText('Whole digest and calldata').click()
    const details = await page.locator('#summary details').innerText()
    expect(details).toContain(request.digest)
    expect(details).toContain(request.data)
    expect(details).toContain(request.uri)
  })

  test.each([
    ['it was not rehearsed', { kind: 'none' }, 'Not rehearsed on the chain'],
    ['the chain would not take it', { kind: 'failed', reason: 'paused' }, 'failed: paused'],
  ] as const)('says so where %s', async (_, simulation, words) => {
    const page = await visits.open(at(site.add({ simulation })))
    await page.locator('#summary').getByText(words).waitFor()
  })

  test('that is not verified says why, promises little, and can be signed', async () => {
    const request = await requestFor('0x12345678')
    const page = await visits.open(at(site.add(request)), withTableWallet(connected(wallet)))
    await page.getByText('it calls 0x12345678, which is no known way to launch a token').waitFor()
    await page.getByText('name and symbol are only what was typed in the chat').waitFor()
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Not verified')
    await page.getByRole('button', { name: 'Sign and launch' }).waitFor()
    expect(await page.getByText('approves nothing').count()).toBe(0)
  })

  test('by an earlier version of the bot is not verified', async () => {
    const { check: _, ...request } = signingRequest({ verified: false })
    const page = await visits.open(at(add(request)), withTableWallet(connected(wallet)))
    await page.getByText('it was built by an earlier version of this bot').waitFor()
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Not verified')
  })
})

describe('what the bot says and the calldata does not', () => {
  const honest = () => signingRequest()
  const others = { name: 'Sun Otter', symbol: 'SUN', uri: 'ipfs://bafkother' }
  test.each([
    ['digest', { digest: `0x${'11'.repeat(32)}` as const }, 'Calldata digest'],
    [
      'name',
      { name: others.name },
      'Name: the transaction has “Moon Otter”, the bot said “Sun Otter”',
    ],
    ['symbol', { symbol: others.symbol }, 'Symbol: '],
    ['metadata', { uri: others.uri }, 'Metadata: '],
    [
      'name but for what is not seen',
      { name: 'Moon\u200b Otter' },
      'the bot said “Moon\\u{200b} Otter”',
    ],
  ])('blocks signing when it is the %s', async (_, change, words) => {
    const token = site.add({ ...honest(), ...change })
    const page = await visits.open(at(token), withTableWallet(connected(wallet)))
    await stage(page, 'Do not sign this')
    await page.locator('#steps').getByText(words).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('blocks signing when other calldata is served under the digest', async () => {
    const data = launchCalldata({ ...otter, name: 'Moon 0tter' })
    const page = await visits.open(at(site.add({ ...honest(), data })))
    await stage(page, 'Do not sign this')
  })

  test('blocks signing when a launch that was verified is none', async () => {
    const data = '0x12345678'
    const request = signingRequest({ data, digest: calldataDigest(data) })
    const page = await visits.open(at(site.add(request)))
    await stage(page, 'Do not sign this')
    await page.getByText('it is verified, but it calls 0x12345678').waitFor()
  })
})

test('names by strangers stay text, on one line, and do not turn the page around', async () => {
  const words = {
    ...otter,
    name: '<img src=x onerror="window.hit=1"><script>window.hit=1</script>\u202egnihton',
    symbol: '"><b>X',
  }
  const request = await requestFor(launchCalldata(words), { words })
  const page = await visits.open(at(site.add(request)))
  await page.getByRole('heading', { name: '<img src=x onerror="window.hit=1">' }).waitFor()
  await page.getByText('characters that are not seen').waitFor()
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(await page.locator('h1').innerText()).not.toContain('\u202e')
})

describe('a link that can’t be used', () => {
  test.each(['expired', 'revoked'] as const)('because it is %s says what to do', async (state) => {
    const token = site.add()
    site.signingService.close(token, { state })
    const page = await visits.open(at(token))
    await stage(page, new RegExp(state, 'u'))
    await page.getByText('/launches').waitFor()
    expect(await page.locator('#summary').isHidden()).toBe(true)
  })

  test.each(['abcdefghijklmnopqrstuv', 'short'])(
    'because there is none such as %s says what to do',
    async (token) => {
      const page = await visits.open(at(token))
      await stage(page, 'No such link')
      await page.getByText('/launches').waitFor()
    },
  )

  test('because its token is launched shows that', async () => {
    const token = site.add()
    site.signingService.close(token, {
      state: 'launched',
      token: other,
      explorer: 'https://basescan.org/token/1',
    })
    const page = await visits.open(at(token))
    await stage(page, 'Launched')
    await page.locator('#steps').getByText(other).waitFor()
    const link = page.getByRole('link', { name: 'See the token in the explorer' })
    expect(await link.getAttribute('href')).toBe('https://basescan.org/token/1')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  })

  test('because the bot does not answer can be tried again', async () => {
    const token = site.add()
    site.signingService.fault = new Error('down')
    const page = await visits.open(at(token))
    await stage(page, 'No answer')
    site.signingService.fault = undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Moon Otter' }).waitFor()
  })

  test('because it leads elsewhere than to a web page is not believed', async () => {
    const chain = { id: 84532, name: 'Base', coin: 'ETH', explorer: 'javascript:alert(1)//' }
    const page = await visits.open(at(site.add({ chain })))
    await stage(page, 'No answer')
  })
})

test('no other page can frame it', async () => {
  const token = site.add()
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><iframe src="${at(token)}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const context = await browser.newContext()
  const page = await context.newPage()
  const refused = page.waitForEvent('console', (message) => /frame-ancestors/u.test(message.text()))
  await page.goto(`http://127.0.0.1:${port}`)
  await refused
  expect(page.frames().map((frame) => frame.url())).not.toContain(at(token))
  await context.close()
  await new Promise((resolve) => server.close(resolve))
})

describe('it fits', () => {
  test.each([320, 375, 768, 1280])('a screen %i pixels wide, in both schemes', async (width) => {
    const seen: unknown[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visits.open(at(site.add()), undefined, {
        viewport: { width, height: 700 },
        colorScheme,
      })
      await stage(page, 'No wallet')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      seen.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    }
    expect(new Set(seen).size).toBe(2)
  })
})
