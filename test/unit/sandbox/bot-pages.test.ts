import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { ConsoleServer } from '../../../sandbox/console/server.ts'
import { Faults } from '../../../sandbox/faults.ts'
import { type Listening, listen } from '../../../sandbox/http.ts'
import { World } from '../../../sandbox/interface/world.ts'
import { walletRoutes } from '../../../sandbox/wallet/server.ts'

const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
let chain: LocalChain
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  chain = await startChain({ chainId: 8453, launcher: { to: airlock, airlock } })
})
afterAll(() => chain?.stop())
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** What the bot's own pages look like from afar. */
async function startBot(): Promise<Listening> {
  const app = new Hono()
  app.get('/s/:token', (context) =>
    context.html('<!doctype html><html><head lang="en"><title>Sign</title></head></html>', 200, {
      'content-security-policy': "default-src 'none'; script-src 'self'",
      'x-bot': context.req.param('token'),
    }),
  )
  app.get('/s/assets/page.js', (context) =>
    context.body('"<head>"', 200, {
      'content-type': 'text/javascript',
      'cache-control': 'immutable',
    }),
  )
  app.get('/s/:token/away', (context) => context.redirect('https://elsewhere.example/'))
  app.post('/s/:token/report', async (context) =>
    context.json({
      body: await context.req.text(),
      host: context.req.header('host'),
      origin: context.req.header('origin'),
      type: context.req.header('content-type'),
    }),
  )
  app.get('/healthz', (context) => context.text('ok'))
  const bot = await listen(app.fetch)
  stops.push(() => bot.stop())
  return bot
}

async function start(options: { bot?: boolean; wallet?: boolean } = {}): Promise<string> {
  const { bot: running = true, wallet = true } = options
  const bot = running ? await startBot() : undefined
  const accounts = chain.accounts.map(({ address }) => address)
  const routes = await walletRoutes({ rpcUrl: chain.rpcUrl, chain: 8453, accounts })
  const healthUrl = `http://127.0.0.1:${bot?.port}/healthz`
  const gone = Promise.resolve({ code: 0, signal: null })
  const current = { pid: 1, logs: [], healthUrl, exited: gone, stop: () => gone, kill: () => gone }
  const server = await ConsoleServer.start({
    panels: { telegram: new Hono(), discord: new Hono() },
    faults: new Faults(),
    world: new World({ chains: [], seed: 1, now: 0 }),
    bot: {
      status: { state: 'ready' },
      subscribe: () => () => undefined,
      current: bot && current,
    },
    wallet: wallet ? { routes, accounts } : undefined,
    pictures: (cid) =>
      cid === 'bafk' ? { type: 'image/webp', bytes: Buffer.from('x') } : undefined,
  })
  stops.push(() => server.stop())
  return server.url
}

/** What a path leads to that is sent as it is; fetch and undici would tidy it up. */
async function untidied(url: string, path: string): Promise<string> {
  const { hostname: host, port } = new URL(url)
  const [answer] = await once(get({ host, port, path }), 'response')
  return await text(answer)
}

const json = { 'content-type': 'application/json' }

describe('the bot’s pages through the console', () => {
  it('are the bot’s own, with the wallet’s script before theirs', async () => {
    const answer = await fetch(`${await start()}/s/token-1?a=b`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-bot')).toBe('token-1')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'",
    )
    expect(answer.headers.get('cross-origin-opener-policy')).toBeNull()
    expect(await answer.text()).toBe(
      '<!doctype html><html><head lang="en"><script src="/wallet.js"></script><title>Sign</title></head></html>',
    )
  })

  it('are not touched where there is no wallet, nor where they are no page', async () => {
    const without = await (await fetch(`${await start({ wallet: false })}/s/token-1`)).text()
    expect(without).not.toContain('wallet.js')
    const file = await fetch(`${await start()}/s/assets/page.js`)
    expect(await file.text()).toBe('"<head>"')
    expect(file.headers.get('cache-control')).toBe('immutable')
  })

  it('hear what was sent, from where, in the words in which it was sent', async () => {
    const url = await start()
    const init = { method: 'POST', headers: { ...json, origin: url }, body: '{"hash":"0x1"}' }
    expect(await (await fetch(`${url}/s/token-1/report`, init)).json()).toEqual({
      body: '{"hash":"0x1"}',
      host: new URL(url).host,
      origin: url,
      type: 'application/json',
    })
  })

  it('lead where the bot leads, and nowhere else of the bot', async () => {
    const url = await start()
    const away = await fetch(`${url}/s/token-1/away`, { redirect: 'manual' })
    expect(away.headers.get('location')).toBe('https://elsewhere.example/')
    expect((await fetch(`${url}/healthz`)).status).toBe(404)
    // fetch would tidy the path up before sending it.
    for (const path of ['/s/../healthz', '/s/%2e%2e/healthz', '/s/..%2fhealthz']) {
      expect(await untidied(url, path)).not.toBe('ok')
    }
  })

  it('are refused to a host name that is not this machine’s, and missing without a bot', async () => {
    const url = await start()
    const host = `rebound.example:${new URL(url).port}`
    const rebound = await request(`${url}/s/token-1`, { headers: { host } })
    await rebound.body.dump()
    expect(rebound.statusCode).toBe(403)
    expect((await fetch(`${await start({ bot: false })}/s/token-1`)).status).toBe(502)
  })

  it('take nothing away from the guards of the console’s own pages', async () => {
    const url = await start()
    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).not.toContain('wallet.js')
  })
})

describe('the wallet through the console', () => {
  async function rpc(url: string, method: string, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
    const init = { method: 'POST', headers: { ...json, ...headers }, body }
    const answer = await fetch(`${url}/wallet/rpc`, init)
    return { status: answer.status, text: await answer.text() }
  }

  it('is a script, and has a line to the chain for what a wallet asks', async () => {
    const url = await start()
    const script = await fetch(`${url}/wallet.js`)
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect(await script.text()).toContain('eip6963:announceProvider')
    expect(JSON.parse((await rpc(url, 'eth_chainId')).text)).toMatchObject({ result: '0x2105' })
    for (const method of ['anvil_setBalance', 'evm_mine', 'eth_sendRawTransaction', 'eth_sign']) {
      expect(JSON.parse((await rpc(url, method)).text)).toMatchObject({ error: { code: -32601 } })
    }
    const malformed = await fetch(`${url}/wallet/rpc`, { method: 'POST', headers: json, body: '[' })
    expect(malformed.status).toBe(400)
  })

  it('answers no page but those of this origin', async () => {
    const url = await start()
    expect((await rpc(url, 'eth_chainId', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await rpc(url, 'eth_chainId', { 'content-type': 'text/plain' })).status).toBe(415)
    const none = await start({ wallet: false })
    expect((await fetch(`${none}/wallet.js`)).status).toBe(404)
    expect((await rpc(none, 'eth_chainId')).status).toBe(404)
  })
})

describe('pictures', () => {
  it('are the published ones where they are known, and drawn where not', async () => {
    const url = await start()
    const at = (of: string) => fetch(`${url}/picture.svg?of=${encodeURIComponent(of)}`)
    const known = await at('https://pictures.example/ipfs/bafk')
    expect(known.headers.get('content-type')).toBe('image/webp')
    expect(await known.text()).toBe('x')
    const unknown = await at('https://pictures.example/ipfs/bafkother')
    expect(unknown.headers.get('content-type')).toBe('image/svg+xml')
    const sample = await fetch(`${url}/sample.png`)
    const head = Buffer.from(await sample.arrayBuffer()).subarray(1, 4)
    expect(head.toString()).toBe('PNG')
  })
})
