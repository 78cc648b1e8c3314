import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainText } from '../../../../src/core/catalogue.ts'
import { t } from '../../../../src/core/view.ts'
import { requestSchema } from '../../../../src/launch/signing-wire.ts'
import { walletLinks } from '../../../../src/web/signing/page/wallet-links.ts'
import { bundlePage } from '../../../../src/web/signing/routes.ts'
import { other, signingRequest, wallet } from './payload.ts'
import { linkToken, type Site, startSite } from './site.ts'

let site: Site
let now = 0
const operatorsPage = 'https://sign.operator.example'

beforeAll(async () => {
  site = await startSite({ pageOrigin: operatorsPage, now: () => now })
})
afterAll(() => site.stop())

const get = (path: string, init?: RequestInit) => fetch(`${site.url}/s/${path}`, init)
const statusOf = async (path: string) => (await get(path)).status
const hash = `0x${'ab'.repeat(32)}`

function post(path: string, body: object | string, headers: Record<string, string> = {}) {
  const usual = { 'content-type': 'application/json', origin: site.url }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return get(path, { method: 'POST', body: text, headers: { ...usual, ...headers } })
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('the page', () => {
  test('with its script and style is at most 70 kB gzip, and loads everything from its own server', async ({
    annotate,
  }) => {
    const files = [...(await bundlePage())]
    const shell = await (await get(site.add())).text()
    const sizes = files.map(([name, { content }]) => {
      // As it is sent, with its texts.
      const sent = name === 'index.html' ? shell : content
      return [name, gzipSync(sent).length] as const
    })
    const total = sizes.reduce((sum, [, size]) => sum + size, 0)
    await annotate(`${total} bytes gzip: ${sizes.map((each) => each.join(' ')).join(', ')}`)
    const names = files.map(([name]) => name.replace(/-[0-9a-f]{16}/u, ''))
    expect(names.sort()).toEqual(['index.html', 'main.js', 'style.css'])
    expect(total).toBeLessThanOrEqual(70 * 1024)
    for (const content of [shell, ...files.map(([, { content }]) => content)]) {
      expect(content).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u)
      expect(content).not.toMatch(/@import|url\(/u)
    }
    // Browsers keep files by name.
    expect([...(await bundlePage()).keys()]).toEqual(files.map(([name]) => name))
  })

  // The bundler leaves what its target lacks to RegExp, which throws in wallets' browsers of before 2023.
  test('has no regular expression that old browsers can’t parse', async () => {
    const script = [...(await bundlePage()).values()].map(({ content }) => content).join('\n')
    expect(script).toContain('new RegExp(')
    expect(script).not.toMatch(/new RegExp\("[^"]*"/u)
    expect(script).not.toMatch(/\(\?<[=!]/u)
  })

  test('is the same for every token, and names scripts and styles by content', async () => {
    const token = site.add()
    const [shell = '', another] = await Promise.all(
      [token, linkToken()].map(async (each) => (await get(each)).text()),
    )
    expect(shell).toBe(another)
    expect(shell).not.toContain(token)
    expect(shell).not.toMatch(/<script>|<style|style=| on\w+=/u)
    const names = [...shell.matchAll(/assets\/((?:main|style)-[0-9a-f]{16}\.(?:js|css))/gu)]
    expect(names).toHaveLength(2)
    for (const [, name = ''] of names) {
      const { status, headers } = await get(`assets/${name}`)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toContain('immutable')
      expect(headers.get('content-security-policy')).toBe(policy)
    }
    expect(await statusOf('assets/index.html')).toBe(404)
  })

  test('has links into wallets with its full URL, encoded as each expects', () => {
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
})

describe('headers', () => {
  test('are on everything under /s, also on refusals', async () => {
    const token = site.add()
    const links = [token, `${token}/request`, `${token}/qr.svg`, `${linkToken()}/request`]
    for (const path of [...links, 'x', 'assets/none', 'a/b/c']) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy'), path).toBe(policy)
      expect(headers.get('cache-control'), path).toBe('no-store')
      expect(headers.get('referrer-policy'), path).toBe('no-referrer')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin-allow-popups')
      expect(headers.get('permissions-policy'), path).toContain('camera=()')
      expect(headers.get('strict-transport-security'), path).toBeNull()
    }
  })

  test('require https only if the public address has it', async () => {
    const secure = await startSite({ publicUrl: 'https://gavel.example' })
    const { headers } = await fetch(`${secure.url}/s/${secure.add()}`)
    await secure.stop()
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })

  test('let only the operator’s own page read the payload, and nothing else', async () => {
    const token = site.add()
    const allowed = async (name: string, origin: string) => {
      const { headers } = await get(`${token}/${name}`, { headers: { origin } })
      return headers.get('access-control-allow-origin')
    }
    expect(await allowed('request', operatorsPage)).toBe(operatorsPage)
    expect(await allowed('request', 'https://evil.example')).toBeNull()
    expect(await allowed('progress', operatorsPage)).toBeNull()
  })
})

describe('a link', () => {
  test('is not used up by ten reads, nor by HEAD', async () => {
    const token = site.add()
    for (let visit = 0; visit < 10; visit += 1) {
      expect(await statusOf(token)).toBe(200)
      expect(await statusOf(`${token}/request`)).toBe(200)
      expect((await get(token, { method: 'HEAD' })).status).toBe(200)
    }
    const head = await get(`${token}/request`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(await (await get(`${token}/request`)).json()).toMatchObject({ state: 'open', wallet })
    expect(site.service.claims).toEqual([])
  })

  test.each([
    'short',
    'has.dot.in.it.and.is.long.enough',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd%2f',
    'a'.repeat(31),
    'a'.repeat(33),
    'a'.repeat(128),
  ])('such as %s is invalid, and the service is not asked', async (token) => {
    site.service.fault = new Error('asked')
    const statuses = await Promise.all([`${token}/request`, `${token}/qr.svg`, token].map(statusOf))
    site.service.fault = undefined
    expect(statuses).toEqual([404, 404, 404])
  })

  test('that does not exist is 404 and says what to do', async () => {
    const answer = await get(`${linkToken()}/request`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: expect.stringContaining('/launches') })
    const russian = await get(`${linkToken()}/request`, {
      headers: { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' },
    })
    expect(await russian.json()).toEqual({ error: expect.stringContaining('Вернитесь в чат') })
    const code = await get(`${linkToken()}/qr.svg`)
    expect([code.status, code.headers.get('content-type')]).toEqual([404, 'application/json'])
  })

  test('has reasons in the browser’s language, and finished words as they are', async () => {
    const { check } = signingRequest()
    if (!check) throw new Error('no check')
    const why = t('metadata-other-bytes')
    const reason = t('refused-by-contract', { why: t('refused-start-passed') })
    const token = site.add({
      simulation: { kind: 'failed', reason },
      check: { ...check, metadata: { kind: 'not checked', why }, doubts: ['too old'] },
    })
    const answer = async (language: string) => {
      const headers = { 'accept-language': language }
      return requestSchema.parse(await (await get(`${token}/request`, { headers })).json())
    }
    for (const [tag, locale] of [
      ['en-US', 'en'],
      ['tr-TR', 'tr'],
    ] as const) {
      expect(await answer(tag)).toMatchObject({
        simulation: { reason: plainText(reason, locale) },
        check: { metadata: { why: plainText(why, locale) }, doubts: ['too old'] },
      })
    }
  })

  test.each(['expired', 'revoked'] as const)(
    'that is %s is 410 and says what to do',
    async (state) => {
      const token = site.add()
      site.service.close(token, { state })
      for (const name of ['request', 'progress', 'picture', 'qr.svg']) {
        const answer = await get(`${token}/${name}`)
        expect(answer.status).toBe(410)
        expect(await answer.json()).toEqual({ state, error: expect.stringContaining('/launches') })
      }
      expect((await post(`${token}/claim`, { account: other })).status).toBe(410)
    },
  )

  test('whose token is launched links to it', async () => {
    const token = site.add()
    const launched = { state: 'launched', token: other } as const
    site.service.close(token, launched)
    const answer = await get(`${token}/request`)
    expect([answer.status, await answer.json()]).toEqual([200, launched])
  })

  test('has a QR code of its public address, and its picture, unless that could contain scripts', async () => {
    const bytes = new Uint8Array([1, 2, 3])
    const painted = site.add({}, { name: 'a', type: 'image/webp', bytes })
    const code = await get(`${painted}/qr.svg`)
    expect(code.headers.get('content-type')).toBe('image/svg+xml')
    expect(await code.text()).toMatch(/^<svg /u)
    const answer = await get(`${painted}/picture`)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    const running = site.add({}, { name: 'a', type: 'image/svg+xml', bytes })
    expect(await statusOf(`${running}/picture`)).toBe(404)
  })
})

describe('a request of the page', () => {
  const claim = { account: other }

  test('reaches the service', async () => {
    const token = site.add()
    const claimed = await post(`${token}/claim`, claim)
    expect(await claimed.json()).toMatchObject({ signers: [{ account: other, state: 'asked' }] })
    const reported = await post(`${token}/report`, { account: wallet, hash })
    expect(await reported.json()).toMatchObject({ transaction: { hash } })
    expect(site.service.reports.at(-1)).toEqual({ token, account: wallet, hash })
    // Behind a proxy of another name the browser says that it is this page.
    const proxied = { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' }
    expect((await post(`${token}/claim`, claim, proxied)).status).toBe(200)
  })

  test.each<[what: string, body: object | string, headers: Record<string, string>, status: number]>(
    [
      ['from another origin', claim, { origin: 'https://evil.example' }, 403],
      ['from no page that can be told', claim, { origin: '' }, 403],
      ['from a page of nobody', claim, { origin: 'null' }, 403],
      [
        'from another site, as the browser says',
        claim,
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        403,
      ],
      ['from the operator’s page', claim, { origin: operatorsPage }, 403],
      ['that is text', claim, { 'content-type': 'text/plain' }, 415],
      ['that is a form', 'account=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['over 2 kB', { ...claim, more: 'x'.repeat(2100) }, {}, 413],
      ['that is broken JSON', '{"account"', {}, 400],
      ['without an account', {}, {}, 400],
      ['with a wrong account', { account: '0x12' }, {}, 400],
      ['with more than is asked', { ...claim, data: '0x00' }, {}, 400],
      ['that is a list', [], {}, 400],
    ],
  )('%s is refused', async (_, body, headers, status) => {
    const token = site.add()
    const answer = await post(`${token}/claim`, body, headers)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ error: expect.any(String) })
    expect(site.service.claims.some((each) => each.token === token)).toBe(false)
  })

  test('over 2 kB in pieces is refused too', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(1500))
    const body = new ReadableStream({
      start(controller) {
        for (let piece = 0; piece < 3; piece += 1) controller.enqueue(chunk)
        controller.close()
      },
    })
    const headers = { 'content-type': 'application/json', origin: site.url }
    const init = { method: 'POST', body, headers, duplex: 'half' as const }
    expect((await get(`${site.add()}/report`, init)).status).toBe(413)
  })
})

describe('too many requests', () => {
  const many = (path: () => string, count = 260) =>
    Promise.all(Array.from({ length: count }, () => statusOf(path())))

  test('of one link are 429 with an explanation, and other links go on', async () => {
    const [busy, calm] = [site.add(), site.add()]
    const statuses = await many(() => `${busy}/progress`)
    expect(statuses.filter((status) => status === 200)).toHaveLength(240)
    const refused = await get(`${busy}/progress`)
    const error = expect.stringContaining('minute')
    expect([refused.status, await refused.json()]).toEqual([429, { error }])
    expect(await statusOf(`${calm}/progress`)).toBe(200)
    now += 250
    expect(await statusOf(`${busy}/progress`)).toBe(200)
    expect(await statusOf(`${busy}/progress`)).toBe(429)
  })

  test('polling of one link leaves its launcher’s own limit alone', async () => {
    const token = site.add({}, { name: 'a', type: 'image/webp', bytes: new Uint8Array([1]) })
    for (const name of ['progress', 'qr.svg', 'picture']) {
      expect(await many(() => `${token}/${name}`)).toContain(429)
    }
    const report = { account: wallet, hash }
    expect(await statusOf(`${token}/request`)).toBe(200)
    expect((await post(`${token}/claim`, { account: other })).status).toBe(200)
    expect((await post(`${token}/report`, report)).status).toBe(200)
    expect(await many(() => `${token}/request`)).toContain(429)
    expect((await post(`${token}/report`, report)).status).toBe(200)
  })

  test('guessing tokens is 429; existing and later links go on', async () => {
    const guessed = linkToken()
    now += 60_000
    const statuses = await many(() => `${guessed}/request`)
    expect(statuses.filter((status) => status === 404)).toHaveLength(120)
    expect(statuses).toContain(429)
    expect(await many(() => `${linkToken()}/request`)).toContain(429)
    site.service.entries.set(guessed, { request: signingRequest() })
    expect(await statusOf(`${guessed}/request`)).toBe(200)
  })
})

test('a fault of the service is answered with a sentence, not a stack', async () => {
  const token = site.add()
  site.service.fault = new Error('SELECT secret FROM links')
  const answer = await get(`${token}/request`)
  site.service.fault = undefined
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-security-policy')).toBe(policy)
  expect(await answer.text()).not.toMatch(/SELECT|at /u)
})
