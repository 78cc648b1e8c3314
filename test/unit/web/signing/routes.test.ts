import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { other, wallet } from './payload.ts'
import { linkToken, type Site, startSite } from './site.ts'

let site: Site

beforeAll(async () => {
  site = await startSite({ pageOrigin: 'https://sign.operator.example' })
})
afterAll(() => site.stop())

const get = (path: string, init?: RequestInit) => fetch(`${site.url}/s/${path}`, init)
const hash = `0x${'ab'.repeat(32)}`

function post(path: string, body: string, headers: Record<string, string> = {}) {
  const usual = { 'content-type': 'application/json', origin: site.url }
  return get(path, { method: 'POST', body, headers: { ...usual, ...headers } })
}

const claim = (account: string = other) => JSON.stringify({ account })

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('headers', () => {
  test('the policy is on everything under /s, also on refusals', async () => {
    const token = site.add()
    const paths = [
      token,
      `${token}/request`,
      `${token}/qr.svg`,
      'x',
      'assets/none',
      `${linkToken()}/request`,
      'a/b/c',
    ]
    for (const path of paths) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy'), path).toBe(policy)
      expect(headers.get('cache-control'), path).toBe('no-store')
      expect(headers.get('referrer-policy'), path).toBe('no-referrer')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin-allow-popups')
      expect(headers.get('permissions-policy'), path).toContain('camera=()')
    }
  })

  test('https is kept only where the public address has it', async () => {
    const secure = await startSite({ publicUrl: 'https://gavel.example' })
    const strict = await fetch(`${secure.url}/s/${secure.add()}`)
    await secure.stop()
    expect(strict.headers.get('strict-transport-security')).toContain('max-age=')
    expect((await get(site.add())).headers.get('strict-transport-security')).toBeNull()
  })

  test('scripts and styles are named by their content and may be kept', async () => {
    const shell = await (await get(site.add())).text()
    const names = [...shell.matchAll(/assets\/((?:main|style)-[0-9a-f]{16}\.(?:js|css))/gu)]
    expect(names).toHaveLength(2)
    for (const [, name = ''] of names) {
      const { status, headers } = await get(`assets/${name}`)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toContain('immutable')
      expect(headers.get('content-security-policy')).toBe(policy)
    }
    expect((await get('assets/index.html')).status).toBe(404)
  })
})

describe('a link', () => {
  test('has the same page for every token, which holds nothing of it', async () => {
    const token = site.add()
    const pages = await Promise.all(
      [token, linkToken()].map(async (each) => (await get(each)).text()),
    )
    expect(pages[0]).toBe(pages[1])
    expect(pages[0]).not.toContain(token)
    expect(pages[0]).not.toMatch(/<script>|<style|style=| on\w+=/u)
  })

  test('is not used up by looking at it ten times, nor by HEAD', async () => {
    const token = site.add()
    for (let visit = 0; visit < 10; visit += 1) {
      expect((await get(token)).status).toBe(200)
      expect((await get(`${token}/request`)).status).toBe(200)
      expect((await get(token, { method: 'HEAD' })).status).toBe(200)
    }
    const head = await get(`${token}/request`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(await (await get(`${token}/request`)).json()).toMatchObject({ state: 'open', wallet })
    expect(site.signingService.claims.concat()).toEqual([])
  })

  test.each([
    'short',
    'has.dot.in.it.and.is.long.enough',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd%2f',
    'a'.repeat(31),
    'a'.repeat(33),
    'a'.repeat(128),
  ])('such as %s is no token, and the desk is not asked', async (token) => {
    site.signingService.fault = new Error('asked')
    const answers = await Promise.all(
      [`${token}/request`, `${token}/qr.svg`, token].map((path) => get(path)),
    )
    site.signingService.fault = undefined
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  test('that does not exist is 404 and says what to do', async () => {
    const answer = await get(`${linkToken()}/request`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: expect.stringContaining('/launches') })
  })

  test.each(['expired', 'revoked'] as const)(
    'that is %s is 410 and says what to do',
    async (state) => {
      const token = site.add()
      site.signingService.close(token, { state })
      for (const name of ['request', 'progress', 'picture']) {
        const answer = await get(`${token}/${name}`)
        expect(answer.status).toBe(410)
        expect(await answer.json()).toEqual({ state, error: expect.stringContaining('/launches') })
      }
      const claimed = await post(`${token}/claim`, claim())
      expect(claimed.status).toBe(410)
    },
  )

  test('whose token is launched says where', async () => {
    const token = site.add()
    site.signingService.close(token, { state: 'launched', token: other })
    const answer = await get(`${token}/request`)
    expect([answer.status, await answer.json()]).toEqual([200, { state: 'launched', token: other }])
  })

  test('has a QR code of its public address', async () => {
    const answer = await get(`${site.add()}/qr.svg`)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(await answer.text()).toMatch(/^<svg /u)
  })

  test('that can’t be used any more, or that there is not, has no QR code', async () => {
    const token = site.add()
    site.signingService.close(token, { state: 'revoked' })
    const answers = await Promise.all(
      [token, linkToken()].map(async (each) => {
        const answer = await get(`${each}/qr.svg`)
        return [answer.status, answer.headers.get('content-type')]
      }),
    )
    expect(answers).toEqual([
      [410, 'application/json'],
      [404, 'application/json'],
    ])
  })

  test('has its picture, unless that is one that could run', async () => {
    const bytes = new Uint8Array([1, 2, 3])
    const painted = site.add({}, { name: 'a', type: 'image/webp', bytes })
    const answer = await get(`${painted}/picture`)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    const running = site.add({}, { name: 'a', type: 'image/svg+xml', bytes })
    expect((await get(`${running}/picture`)).status).toBe(404)
  })
})

describe('a message of the page', () => {
  test('reaches the desk', async () => {
    const token = site.add()
    const claimed = await post(`${token}/claim`, claim())
    expect(await claimed.json()).toMatchObject({ signers: [{ account: other, state: 'asked' }] })
    const reported = await post(`${token}/report`, JSON.stringify({ account: wallet, hash }))
    expect(await reported.json()).toMatchObject({ transaction: { hash } })
    expect(site.signingService.reports.at(-1)).toEqual({ token, account: wallet, hash })
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no page that can be told', { origin: '' }],
    ['a page of nobody', { origin: 'null' }],
    [
      'another site, as the browser says',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ],
    ['the operator’s page', { origin: 'https://sign.operator.example' }],
  ])('from %s is refused', async (_, headers) => {
    const token = site.add()
    expect((await post(`${token}/claim`, claim(), headers)).status).toBe(403)
    expect(site.signingService.claims.some((each) => each.token === token)).toBe(false)
  })

  test('from this page behind a proxy of another name is taken, when the browser says so', async () => {
    const headers = { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' }
    expect((await post(`${site.add()}/claim`, claim(), headers)).status).toBe(200)
  })

  test.each([
    ['text', claim(), { 'content-type': 'text/plain' }, 415],
    ['a form', 'account=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['over 2 kB', JSON.stringify({ account: other, more: 'x'.repeat(2100) }), {}, 413],
    ['broken JSON', '{"account"', {}, 400],
    ['no account', '{}', {}, 400],
    ['a wrong account', '{"account":"0x12"}', {}, 400],
    ['more than is asked', JSON.stringify({ account: other, data: '0x00' }), {}, 400],
    ['a list', '[]', {}, 400],
  ])('that is %s is refused', async (_, body, headers, status) => {
    const answer = await post(`${site.add()}/claim`, body, headers)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ error: expect.any(String) })
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

describe('the operator’s own page', () => {
  test('may read the request, and nobody else’s may', async () => {
    const token = site.add()
    const read = async (name: string, origin: string) => {
      const { headers } = await get(`${token}/${name}`, { headers: { origin } })
      return headers.get('access-control-allow-origin')
    }
    expect(await read('request', 'https://sign.operator.example')).toBe(
      'https://sign.operator.example',
    )
    expect(await read('request', 'https://evil.example')).toBeNull()
    expect(await read('progress', 'https://sign.operator.example')).toBeNull()
  })
})

test('a fault behind the page is a sentence, not a stack', async () => {
  const token = site.add()
  site.signingService.fault = new Error('SELECT secret FROM links')
  const answer = await get(`${token}/request`)
  site.signingService.fault = undefined
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-security-policy')).toBe(policy)
  expect(await answer.text()).not.toMatch(/SELECT|at /u)
})
