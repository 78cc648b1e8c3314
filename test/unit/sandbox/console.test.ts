import { Hono } from 'hono'
import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { ConsoleServer } from '../../../sandbox/console/server.ts'
import type { BotStatus, ShellState } from '../../../sandbox/console/state.ts'
import { Faults } from '../../../sandbox/faults.ts'
import { World } from '../../../sandbox/interface/world.ts'

const running: ConsoleServer[] = []

async function start(port?: number) {
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
    ...(port === undefined ? {} : { port }),
    panels: { telegram: panel('telegram'), discord: panel('discord') },
    faults,
    world,
    bot,
  })
  running.push(server)
  return { server, faults, world, bot, listeners }
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function set(server: ConsoleServer, setting: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(setting) }
  return (await fetch(`${server.url}/shell`, init)).status
}

describe('the console', () => {
  it('serves the page, its scripts and styles and both panels, none of it to be kept', async () => {
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

  it('lets nothing from elsewhere run on the page', async () => {
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

  it('refuses what another page could send, for itself and for both panels', async () => {
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

  it('switches how the interface behaves', async () => {
    const { server, faults } = await start()
    expect(await set(server, { mode: 'rate-limited' })).toBe(200)
    expect(faults.take('/assets/')).toMatchObject({ kind: '429' })
    expect(await set(server, { mode: 'html' })).toBe(200)
    expect(faults.take('/assets/')).toMatchObject({ kind: 'html' })
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

  it('pushes the state of the bot and of the interface as they change', async () => {
    const { server, bot } = await start()
    const { body } = await fetch(`${server.url}/shell/events`)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const next = async (): Promise<ShellState> => {
      while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? ''
      const event = text.slice(0, text.indexOf('\n\n'))
      text = text.slice(event.length + 2)
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

  it('takes the next port where the asked one is taken', async () => {
    const first = await start()
    const port = Number(new URL(first.server.url).port)
    const second = await start(port)
    const taken = Number(new URL(second.server.url).port)
    expect(taken).toBeGreaterThan(port)
    expect(taken).toBeLessThan(port + 20)
  })

  it('closes open event streams when it stops', async () => {
    const { server, listeners } = await start()
    const response = await fetch(`${server.url}/shell/events`)
    await server.stop()
    running.splice(0)
    await expect(response.text()).rejects.toThrow()
    expect(listeners.size).toBe(0)
  })
})
