import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { t } from '../../../src/core/view.ts'
import { call } from '../../slow/sandbox/discord-bot.ts'
import { type Connection, connection, startServer, token } from './discord-chat.ts'

let server: DiscordServer
let open: Connection | undefined
beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  await open?.platform.stop()
  await server.stop()
})

const asBot = { Authorization: `Bot ${token}` }
const me = '/applications/@me'
const description = plainText(t('profile-description'), 'en')
const forPeople = { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } }
const ours = {
  0: {
    oauth2_install_params: { scopes: ['bot', 'applications.commands'], permissions: '2147503104' },
  },
  1: forPeople,
}

async function start(): Promise<Connection> {
  await open?.platform.stop()
  open = connection(server.root)
  await open.platform.start()
  return open
}

const changes = () =>
  server.calls.filter(({ method, path }) => method === 'PATCH' && path.endsWith(me))

async function profile() {
  const schema = z.object({ description: z.string(), integration_types_config: z.unknown() })
  return schema.parse((await call(server, `GET ${me}`, undefined, asBot)).json)
}

test('an application as Discord makes it gets a description, and is added to servers as a bot, and by people for themselves', async () => {
  await start()
  await expect.poll(profile).toEqual({ description, integration_types_config: ours })
  expect(description.length).toBeLessThanOrEqual(400)
  await start()
  await expect.poll(() => open?.platform.state()).toBe('connected')
  expect(changes()).toHaveLength(1)
})

test('the operator’s description stays, and so do further permissions', async () => {
  const more = { scopes: ['bot', 'applications.commands'], permissions: String(2147503104 + 8) }
  const own = {
    description: 'Our bot',
    integration_types_config: { 0: { oauth2_install_params: more }, 1: forPeople },
  }
  await call(server, `PATCH ${me}`, own, asBot)
  await start()
  await expect.poll(() => open?.platform.state()).toBe('connected')
  expect(changes()).toHaveLength(1)
  expect(await profile()).toEqual(own)
})

test('further permissions stay where people could not add the bot for themselves yet', async () => {
  const more = { scopes: ['bot', 'applications.commands'], permissions: String(2147503104 + 8) }
  const alone = { 0: { oauth2_install_params: more } }
  await call(server, `PATCH ${me}`, { description, integration_types_config: alone }, asBot)
  await start()
  const both = { ...alone, 1: forPeople }
  await expect.poll(profile).toEqual({ description, integration_types_config: both })
})

test('a refusal is logged once, and the bot starts', async () => {
  server.faults.set({ kind: 'status', status: 400, match: 'PATCH /applications/@me' })
  const { log } = await start()
  await expect.poll(() => log.of('warn')).toHaveLength(1)
  expect(log.of('warn')[0]).toContain('profile could not be set')
  await expect.poll(() => open?.platform.state()).toBe('connected')
})
