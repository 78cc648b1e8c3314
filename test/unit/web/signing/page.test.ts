import sharp from 'sharp'
import { expect, test } from 'vitest'
import { shortDigest } from '../../../../src/chain/airlock/calldata.ts'
import { becomes, connected, Visits } from './browser.ts'
import { other, requestFor, signingRequest, wallet } from './payload.ts'

// The page's main promises; all others are in test/slow/signing-page.test.ts.
const visits = new Visits()

const hash = `0x${'ab'.repeat(32)}` as const
const accepted = { eth_sendTransaction: { result: hash } }

test('what will be created is read from the calldata, with creator, chain and picture', async () => {
  const red = { width: 8, height: 8, channels: 3, background: 'red' } as const
  const bytes = new Uint8Array(await sharp({ create: red }).png().toBuffer())
  const { check } = signingRequest()
  const request = signingRequest({
    picture: true,
    ...(check && { check: { ...check, picture: 'not read back' } }),
  })
  const picture = { name: 'a.png', type: 'image/png', bytes }
  const { page } = await visits.open({ token: visits.site.add(request, picture) })
  await page.getByRole('heading', { name: 'Moon Otter' }).waitFor()
  await becomes(page, 'document.querySelector("img.picture")?.naturalWidth === 8')
  await page.getByText('Full digest and calldata').click()
  const text = await page.locator('#summary').innerText()
  const { digest, data, uri, to, token = '' } = request
  const short = shortDigest(digest)
  for (const words of [short, digest, data, uri, to, token, wallet, 'OTTER', '1,000,000,000']) {
    expect(text).toContain(words)
  }
  expect(text).toContain('uploaded; not read back, so nobody checked that it is yours')
  expect(text).toContain('Base Sepolia (chain ID 84532)')
  expect(text).not.toContain('Not verified')
  expect(await page.locator('footer').innerText()).toContain('Value: 0.')
  expect(await page.locator('#expiry').innerText()).toMatch(/Link expires in (?:59:\d\d|1 h)/u)
  // What the person has opened stays open when the page is drawn again.
  await page.clock.runFor(25_000)
  expect(await page.locator('#summary').innerText()).toContain(data)
})

test('what is not verified says why, promises little, and can be signed', async () => {
  const page = await visits.open({ request: await requestFor('0x12345678') })
  await page.sees('it calls 0x12345678, which is not a known way to launch a token')
  await page.sees('name and ticker are only what was typed in the chat')
  await page.connect('Not verified')
  await page.button('Sign and launch').waitFor()
  expect(await page.page.getByText('approves nothing').count()).toBe(0)
})

test('nothing in the page’s URL changes what is sent: the stored payload, from the account', async () => {
  const request = signingRequest()
  const query = `?to=${other}&data=0x00&value=1#data=0x00`
  const page = await visits.open({ request, query, wallets: [connected(wallet, accepted)] })
  await page.connect()
  await page.sign()
  await page.step('Sent')
  const { to, data } = request
  expect(await page.sent()).toEqual([{ from: wallet, to, data, value: '0x0', chainId: '0x14a34' }])
  expect(visits.service.reports.filter(({ token }) => token === page.token)).toEqual([
    { token: page.token, account: wallet, hash },
  ])
})
