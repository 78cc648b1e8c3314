import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { other, signingRequest, wallet } from './payload.ts'
import { linkToken, type Site, startSite } from './site.ts'

let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const get = (path: string, init?: RequestInit) => fetch(`${site.url}/s/${path}`, init)

function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json', origin: site.url }
  return get(path, { method: 'POST', body: JSON.stringify(body), headers })
}

describe('too much', () => {
  test('of one link is 429 in words, and others go on', async () => {
    const [busy, calm] = [site.add(), site.add()]
    const answers = await Promise.all(
      Array.from({ length: 260 }, async () => (await get(`${busy}/progress`)).status),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(240)
    const refused = await get(`${busy}/progress`)
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: expect.stringContaining('minute') },
    ])
    expect((await get(`${calm}/progress`)).status).toBe(200)
  })

  test('polling of one link takes nothing from what its launcher does', async () => {
    const token = site.add({}, { name: 'a', type: 'image/webp', bytes: new Uint8Array([1]) })
    const polls = (name: string) =>
      Promise.all(Array.from({ length: 260 }, async () => (await get(`${token}/${name}`)).status))
    expect(await polls('progress')).toContain(429)
    expect(await polls('qr.svg')).toContain(429)
    expect(await polls('picture')).toContain(429)
    const report = { account: wallet, hash: `0x${'ab'.repeat(32)}` }
    const own = [
      await get(`${token}/request`),
      await post(`${token}/claim`, { account: other }),
      await post(`${token}/report`, report),
    ]
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await polls('request')).toContain(429)
    expect((await post(`${token}/report`, report)).status).toBe(200)
  })

  test('of the QR codes of one link is 429 too', async () => {
    const token = site.add()
    const statuses: number[] = []
    for (let count = 0; count < 245; count += 1) {
      statuses.push((await get(`${token}/qr.svg`)).status)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  test('guessing is 429, and links that exist go on', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await get(`${linkToken()}/request`)).status),
    )
    expect(statuses).toContain(429)
    expect(statuses).toContain(404)
    expect((await get(`${site.add()}/request`)).status).toBe(200)
  })
})

test('guesses are not counted against a link that is made later', async () => {
  const token = linkToken()
  for (let guess = 0; guess < 250; guess += 1) await get(`${token}/request`)
  site.signingService.entries.set(token, { request: signingRequest() })
  expect((await get(`${token}/request`)).status).toBe(200)
})
