import {
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
  InteractionResponseType,
} from 'discord-api-types/v10'
import { type Dispatcher, Pool } from 'undici'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { discordSettings, sayReady, slashCommand } from './answer.ts'

// A minimal bot: the gateway's frames and one REST call, without resuming or rate limits.
const frame = z.discriminatedUnion('op', [
  z.object({
    op: z.literal(GatewayOpcodes.Hello),
    d: z.object({ heartbeat_interval: z.number() }),
  }),
  z.object({
    op: z.literal(GatewayOpcodes.Dispatch),
    s: z.number(),
    t: z.string(),
    d: z.looseObject({}),
  }),
  z.object({ op: z.literal(GatewayOpcodes.HeartbeatAck) }),
])
const ready = z.object({ application: z.object({ id: z.string() }) })
const interaction = z.object({ id: z.string(), token: z.string() })
const gateway = z.object({ url: z.string() })

const settings = discordSettings()
const answer = JSON.stringify({
  type: InteractionResponseType.ChannelMessageWithSource,
  data: settings.answer,
})
const api = new URL(settings.api)
const pool = new Pool(api.origin, { connections: 256 })

async function call(method: Dispatcher.HttpMethod, path: string, body?: string): Promise<string> {
  const response = await pool.request({
    path: `${api.pathname}/v10${path}`,
    method,
    headers: {
      authorization: `Bot ${settings.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ?? null,
  })
  return response.body.text()
}

async function onReady(data: unknown): Promise<void> {
  const { application } = ready.parse(data)
  await call('PUT', `/applications/${application.id}/commands`, JSON.stringify([slashCommand]))
  sayReady()
}

function onInteraction(data: unknown): void {
  const { id, token } = interaction.parse(data)
  void call('POST', `/interactions/${id}/${token}/callback`, answer)
}

const { url } = gateway.parse(JSON.parse(await call('GET', '/gateway/bot')))
const socket = new WebSocket(`${url}?v=10&encoding=json`)
let sequence: number | null = null

function say(op: GatewayOpcodes, d: unknown): void {
  socket.send(JSON.stringify({ op, d }))
}

socket.on('message', (data) => {
  const received = frame.parse(JSON.parse(String(data)))
  if (received.op === GatewayOpcodes.HeartbeatAck) return
  if (received.op === GatewayOpcodes.Hello) {
    setInterval(() => say(GatewayOpcodes.Heartbeat, sequence), received.d.heartbeat_interval)
    say(GatewayOpcodes.Identify, {
      token: settings.token,
      intents: GatewayIntentBits.Guilds,
      properties: { os: 'linux', browser: 'bench', device: 'bench' },
    })
    return
  }
  sequence = received.s
  if (received.t === GatewayDispatchEvents.Ready) void onReady(received.d)
  if (received.t === GatewayDispatchEvents.InteractionCreate) onInteraction(received.d)
})

process.on('SIGTERM', () => process.exit(0))
