import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundlePage } from '../../../../src/web/signing/bundle.ts'
import { walletLinks } from '../../../../src/web/signing/page/wallet-links.ts'

const limit = 70 * 1024

test('page, script and styles are at most 70 kB gzip', async ({ annotate }) => {
  const files = [...(await bundlePage())]
  const sizes = files.map(([name, { content }]) => [name, gzipSync(content).length] as const)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  await annotate(`${total} bytes gzip: ${sizes.map((each) => each.join(' ')).join(', ')}`)
  expect(sizes.map(([name]) => name.replace(/-[0-9a-f]{16}/u, '')).sort()).toEqual([
    'index.html',
    'main.js',
    'style.css',
  ])
  expect(total).toBeLessThanOrEqual(limit)
})

test('the bundle is the same each time, so that its names are', async () => {
  const [one, other] = await Promise.all([bundlePage(), bundlePage()])
  expect([...one.keys()]).toEqual([...other.keys()])
})

test('the page asks nobody but its own server for anything', async () => {
  for (const { content } of (await bundlePage()).values()) {
    expect(content).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u)
    expect(content).not.toMatch(/@import|url\(/u)
  }
})

test('links into wallets carry the whole address of the page, encoded as each wants it', () => {
  const page = 'https://gavel.example/s/abcdefghijklmnopqrstuv'
  const whole = 'https%3A%2F%2Fgavel.example%2Fs%2Fabcdefghijklmnopqrstuv'
  expect(walletLinks(`${page}?utm=1#x`).map(({ href }) => href)).toEqual([
    'https://link.metamask.io/dapp/gavel.example/s/abcdefghijklmnopqrstuv',
    `https://go.cb-w.com/dapp?cb_url=${whole}`,
    `https://link.trustwallet.com/open_url?coin_id=60&url=${whole}`,
    `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${whole}`)}`,
    `https://go.rabby.io/mobile/?_cmd=open-dapp&dapp=${whole}`,
  ])
})
