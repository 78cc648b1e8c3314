import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { tryAddress } from '../../../src/doctor/connections.ts'
import { createLogger } from '../../../src/log.ts'
import { identityHeader, identityOf } from '../../../src/web/identity.ts'
import { freePort } from '../../free-port.ts'
import { needed } from '../../settings.ts'

const log = createLogger('silent', [])
const identity = identityOf(['a secret'])

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** What a proxy does to a request or an answer on its way to a port. */
interface Proxying {
  request?: (headers: Headers) => void
  answer?: (headers: Headers) => void
}

async function proxyTo(port: number, { request, answer }: Proxying = {}): Promise<number> {
  return listen(async (asked, response) => {
    const headers = new Headers()
    for (const [name, value] of Object.entries(asked.headers)) headers.set(name, String(value))
    headers.delete('connection')
    request?.(headers)
    const there = await fetch(`http://127.0.0.1:${port}${asked.url}`, { headers })
    const given = new Headers(there.headers)
    given.delete('transfer-encoding')
    answer?.(given)
    response.writeHead(there.status, Object.fromEntries(given)).end(await there.text())
  })
}

/** The lines on PORT and PUBLIC_URL, which leads to `publicPort`. */
async function linesOf(port: number, publicPort: number): Promise<string[]> {
  const url = `http://127.0.0.1:${publicPort}`
  const env = { ...needed, PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url }
  const findings = await tryAddress(await readConfig(env), identity, log)
  return findings.map(({ setting, verdict, detail }) => `${setting} ${verdict}: ${detail}`)
}

async function behind(proxying: Proxying): Promise<string | undefined> {
  const port = await freePort()
  return (await linesOf(port, await proxyTo(port, proxying)))[1]
}

test('a proxy that passes all on leads here', async () => {
  expect(await behind({})).toMatch(/^PUBLIC_URL ok: .* leads here$/u)
})

test('a proxy that drops a header of Telegram’s, or changes one of the answer, is named', async () => {
  const dropped = await behind({ request: (headers) => headers.delete(identityHeader) })
  expect(dropped).toMatch(/^PUBLIC_URL wrong: .* drops the header x-telegram-bot-api-secret-token/u)
  const changed = await behind({ answer: (headers) => headers.set('cache-control', 'max-age=60') })
  expect(changed).toMatch(/^PUBLIC_URL wrong: .* changes headers: pass cache-control on/u)
})

test('a proxy that reaches nothing, an address that sends on, and one of another bot are told apart', async () => {
  const port = await freePort()
  const broken = await listen((_, response) => void response.writeHead(502).end())
  const sends = await listen((_, response) => {
    response.writeHead(301, { location: 'https://www.example.org/' }).end()
  })
  const another = identityOf(['another secret'])
  const other = await listen(({ url = '', headers }, response) => {
    const nonce = url.split('/').at(-1) ?? ''
    response.end(another(nonce, String(headers[identityHeader])))
  })
  expect((await linesOf(port, broken))[1]).toContain(`does not reach PORT ${port} (status 502)`)
  expect((await linesOf(port, sends))[1]).toContain('sends on to https://www.example.org')
  expect((await linesOf(port, other))[1]).toContain('something else answers')
})

test('a port that another program has is wrong, and nothing is asked through the public address', async () => {
  const other = await listen((_, response) => void response.end('hello'))
  expect(await linesOf(other, other)).toEqual([
    `PORT wrong: PORT ${other} of HOST 127.0.0.1 is not available. Set another one.`,
  ])
})

test('the port is free again afterwards', async () => {
  const port = await freePort()
  await linesOf(port, port)
  expect((await linesOf(port, port))[0]).toBe(`PORT ok: ${port} is free`)
})

test('an answer without end is not read to it', async () => {
  const port = await freePort()
  let written = 0
  const endless = await listen((_, response) => {
    const write = () => {
      written += 65_536
      if (response.write('x'.repeat(65_536))) setImmediate(write)
      else response.once('drain', write)
    }
    write()
    response.once('close', () => response.removeListener('drain', write))
  })
  expect((await linesOf(port, endless))[1]).toContain('something else answers')
  expect(written).toBeLessThan(10_000_000)
})
