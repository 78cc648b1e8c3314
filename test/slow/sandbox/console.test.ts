import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { World } from '../../../sandbox/api/world.ts'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { type ConsoleOptions, ConsoleServer } from '../../../sandbox/console/server.ts'
import type { BotStatus, ShellState } from '../../../sandbox/console/state.ts'
import { Faults } from '../../../sandbox/faults.ts'
import { type Listening, listen } from '../../../sandbox/http.ts'
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

async function start(options: Partial<ConsoleOptions> = {}) {
  const faults = new Faults()
  const world = new World({ chains: [8453], seed: 1, now: Date.now(), population: 10 })
  const listeners = new Set<(status: BotStatus) => void>()
  const bot = {
    status: { state: 'starting' } as BotStatus,
    subscribe: (listener: (status: BotStatus) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    become: (status: BotStatus) => {
      bot.status = status
      for (const listener of listeners) listener(status)
    },
  }
  const panel = (name: string) => new Hono().all('/state', (context) => context.text(name))
  const server = await ConsoleServer.start({
    panels: { telegram: panel('telegram'), discord: panel('discord') },
    faults,
    world,
    bot,
    ...options,
  })
  stops.push(() => server.stop())
  return { server, faults, world, bot, listeners }
}

async function set(server: ConsoleServer, setting: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(setting) }
  return (await fetch(`${server.url}/shell`, init)).status
}

describe('the console', () => {
  it('serves the page, its scripts and styles and both panels, none of it cacheable', async () => {
    const { server } = await start()
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/assets/main.js', 'text/javascript'],
      ['/assets/theme.js', 'text/javascript'],
      ['/assets/style.css', 'text/css'],
      ['/picture.svg?of=x', 'image/svg+xml'],
      ['/telegram/state', 'text/plain'],
      ['/discord/state', 'text/plain'],
    ]) {
      const response = await fetch(`${server.url}${path}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain(type)
      expect(response.headers.get('cache-control')).toBe('no-store')
      await response.arrayBuffer()
    }
  })

  it('lets no foreign script run on the page', async () => {
    const { server } = await start()
    const response = await fetch(server.url)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    const html = await response.text()
    expect(html).toContain('<title>Gavel sandbox</title>')
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(html).not.toMatch(/ style=|<script>/)
  })

  it('refuses a host name that is not this machine’s own', async () => {
    const { server } = await start()
    const port = new URL(server.url).port
    const status = async (host: string) => {
      const answer = await request(`${server.url}/telegram/state`, { headers: { host } })
      await answer.body.dump()
      return answer.statusCode
    }
    expect(await status(`127.0.0.1:${port}`)).toBe(200)
    expect(await status(`localhost:${port}`)).toBe(200)
    expect(await status(`rebound.example:${port}`)).toBe(403)
    expect(await status(`127.0.0.1.evil.example:${port}`)).toBe(403)
  })

  it('refuses requests of other pages, for itself and for both panels', async () => {
    const { server, faults } = await start()
    for (const path of ['/shell', '/telegram/state', '/discord/state']) {
      const post = async (headers: Record<string, string>) => {
        const init = { method: 'POST', headers, body: '{"mode":"down"}' }
        const response = await fetch(`${server.url}${path}`, init)
        await response.arrayBuffer()
        return response.status
      }
      const json = { 'content-type': 'application/json' }
      expect(await post({ ...json, origin: 'https://evil.example' })).toBe(403)
      expect(await post({ ...json, origin: 'null' })).toBe(403)
      expect(await post({ 'content-type': 'text/plain' })).toBe(415)
      expect(faults.take('/assets/')).toBeUndefined()
      expect(await post({ ...json, origin: server.url })).toBe(200)
      faults.clear()
    }
  })

  it('switches how the API behaves', async () => {
    const { server, faults } = await start()
    expect(await set(server, { mode: 'rate-limited' })).toBe(200)
    expect(faults.take('/assets/')).toMatchObject({ kind: '429' })
    expect(await set(server, { mode: 'html' })).toBe(200)
    expect(faults.take('/assets/')).toMatchObject({ kind: 'html' })
    expect(await set(server, { mode: 'forbidden' })).toBe(200)
    expect(faults.take('/assets/')).toMatchObject({ kind: 'status', status: 403 })
    for (const unknown of ['upside down', 'toString']) {
      expect(await set(server, { mode: unknown })).toBe(400)
    }
    expect(await set(server, { mode: 'normal' })).toBe(200)
    expect(faults.take('/assets/')).toBeUndefined()
  })

  it('speeds auctions up by the steps of the slider alone', async () => {
    const { server, world } = await start()
    expect(await set(server, { speed: 300 })).toBe(200)
    expect(world.speed).toBe(300)
    for (const unknown of [2, 0, -10, '10', null]) {
      expect(await set(server, { speed: unknown })).toBe(400)
    }
    expect(world.speed).toBe(300)
    expect(await set(server, { speed: 1 })).toBe(200)
    expect(world.speed).toBe(1)
  })

  it('pushes the state of the bot and of the API as they change', async () => {
    const { server, bot } = await start()
    const { body } = await fetch(`${server.url}/shell/events`)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const next = async (): Promise<ShellState> => {
      while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? ''
      const event = text.slice(0, text.indexOf('\n\n'))
      text = text.slice(event.length + 2)
      if (event === ':') return next()
      return JSON.parse(event.replace(/^data: /, ''))
    }
    expect(await next()).toEqual({ bot: { state: 'starting' }, mode: 'normal', speed: 1 })
    bot.become({ state: 'ready' })
    expect(await next()).toEqual({ bot: { state: 'ready' }, mode: 'normal', speed: 1 })
    await set(server, { mode: 'slow' })
    expect(await next()).toEqual({ bot: { state: 'ready' }, mode: 'slow', speed: 1 })
    expect(await set(server, { speed: 60 })).toBe(200)
    expect(await next()).toEqual({ bot: { state: 'ready' }, mode: 'slow', speed: 60 })
    await reader?.cancel()
  })

  it('uses the next port if the requested one is in use', async () => {
    const first = await start()
    const port = Number(new URL(first.server.url).port)
    const second = await start({ port })
    const taken = Number(new URL(second.server.url).port)
    expect(taken).toBeGreaterThan(port)
    expect(taken).toBeLessThan(port + 20)
  })

  it('closes open event streams when it stops', async () => {
    const { server, listeners } = await start()
    const response = await fetch(`${server.url}/shell/events`)
    await server.stop()
    stops.splice(0)
    await expect(response.text()).rejects.toThrow()
    expect(listeners.size).toBe(0)
  })
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
      origin: context.req.header('origin'),
      type: context.req.header('content-type'),
    }),
  )
  app.get('/healthz', (context) => context.text('ok'))
  const bot = await listen(app.fetch)
  stops.push(() => bot.stop())
  return bot
}

/** The console in front of a bot's own pages, and where it is. */
async function startPages(parts: { bot?: boolean; wallet?: boolean } = {}): Promise<string> {
  const bot = parts.bot === false ? undefined : await startBot()
  const accounts = chain.accounts.map(({ address }) => address)
  const routes = await walletRoutes({ rpcUrl: chain.rpcUrl, chain: 8453, accounts })
  const { server } = await start({
    bot: {
      status: { state: 'ready' },
      subscribe: () => () => undefined,
      current: bot && { healthUrl: `http://127.0.0.1:${bot.port}/healthz` },
    },
    wallet: parts.wallet === false ? undefined : { routes, accounts },
    pictures: (cid) =>
      cid === 'bafk' ? { type: 'image/webp', bytes: Buffer.from('x') } : undefined,
  })
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
    const answer = await fetch(`${await startPages()}/s/token-1?a=b`)
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

  it('are not changed without a wallet, or if they are no page', async () => {
    const without = await (await fetch(`${await startPages({ wallet: false })}/s/token-1`)).text()
    expect(without).not.toContain('wallet.js')
    const file = await fetch(`${await startPages()}/s/assets/page.js`)
    expect(await file.text()).toBe('"<head>"')
    expect(file.headers.get('cache-control')).toBe('immutable')
  })

  it('receive requests as they were sent', async () => {
    const url = await startPages()
    const init = { method: 'POST', headers: { ...json, origin: url }, body: '{"hash":"0x1"}' }
    expect(await (await fetch(`${url}/s/token-1/report`, init)).json()).toEqual({
      body: '{"hash":"0x1"}',
      origin: url,
      type: 'application/json',
    })
  })

  it('redirect where the bot does, and reach no other path of the bot', async () => {
    const url = await startPages()
    const away = await fetch(`${url}/s/token-1/away`, { redirect: 'manual' })
    expect(away.headers.get('location')).toBe('https://elsewhere.example/')
    expect((await fetch(`${url}/healthz`)).status).toBe(404)
    // fetch would tidy the path up before sending it.
    for (const path of ['/s/../healthz', '/s/%2e%2e/healthz', '/s/..%2fhealthz']) {
      expect(await untidied(url, path)).not.toBe('ok')
    }
  })

  it('are refused to a host name that is not this machine’s, and missing without a bot', async () => {
    const url = await startPages()
    const host = `rebound.example:${new URL(url).port}`
    const rebound = await request(`${url}/s/token-1`, { headers: { host } })
    await rebound.body.dump()
    expect(rebound.statusCode).toBe(403)
    expect((await fetch(`${await startPages({ bot: false })}/s/token-1`)).status).toBe(502)
  })

  it('leave the console’s own headers as they are', async () => {
    const url = await startPages()
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

  it('is a script with access to the chain for a wallet’s requests', async () => {
    const url = await startPages()
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

  it('answers only pages of this origin', async () => {
    const url = await startPages()
    expect((await rpc(url, 'eth_chainId', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await rpc(url, 'eth_chainId', { 'content-type': 'text/plain' })).status).toBe(415)
    const none = await startPages({ wallet: false })
    expect((await fetch(`${none}/wallet.js`)).status).toBe(404)
    expect((await rpc(none, 'eth_chainId')).status).toBe(404)
  })
})

describe('pictures', () => {
  it('are the published ones if known, else drawn', async () => {
    const url = await startPages()
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
