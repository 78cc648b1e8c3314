import { readFileSync } from 'node:fs'
import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord-api-types/v10'
import { Pool } from 'undici'
import { z } from 'zod'

/** Settings of the baselines; a bot gets only those of its platform. */
const settings = z.object({
  TELEGRAM_TOKEN: z.string().default(''),
  TELEGRAM_API_ROOT: z.string().default(''),
  DISCORD_TOKEN: z.string().default(''),
  DISCORD_API_ROOT: z.string().default(''),
  /** A JSON file with the message to answer with: the body of a card that Gavel sent. */
  BENCH_ANSWER: z.string().transform((file): unknown => JSON.parse(readFileSync(file, 'utf8'))),
})

const telegramMessage = z.looseObject({ text: z.string() })
const discordMessage = z.looseObject({ flags: z.number(), components: z.array(z.looseObject({})) })

export function telegramSettings() {
  const { TELEGRAM_TOKEN, TELEGRAM_API_ROOT, BENCH_ANSWER } = settings.parse(process.env)
  const answer = telegramMessage.parse(BENCH_ANSWER)
  return { token: TELEGRAM_TOKEN, apiRoot: TELEGRAM_API_ROOT, answer }
}

export function discordSettings() {
  const { DISCORD_TOKEN, DISCORD_API_ROOT, BENCH_ANSWER } = settings.parse(process.env)
  const answer = discordMessage.parse(BENCH_ANSWER)
  return { token: DISCORD_TOKEN, api: DISCORD_API_ROOT, answer }
}

const api = z.object({ API_BASE_URL: z.url(), API_KEY: z.string(), CHAINS: z.string() })

/**
 * Returns what a baseline does before it answers a command for an asset: nothing, or with BENCH_ASKS the one request to the API
 * that no card can do without, and the parsing of its JSON.
 */
export function askingApi(): (address: string) => Promise<unknown> {
  if (!process.env.BENCH_ASKS) return async () => undefined
  const { API_BASE_URL, API_KEY, CHAINS } = api.parse(process.env)
  const { origin, pathname } = new URL(API_BASE_URL)
  const pool = new Pool(origin, { connections: 32 })
  return async (address) => {
    const { body } = await pool.request({
      path: `${pathname}/assets/${address}?chain_id=${CHAINS}`,
      method: 'GET',
      headers: { 'x-api-key': API_KEY },
    })
    return body.json()
  }
}

/** Prints the line that reports that commands are answered from now on. */
export function sayReady(): void {
  process.stdout.write('{"msg":"ready"}\n')
}

/** The only command of the baselines, as Discord registers it. */
export const slashCommand = {
  type: ApplicationCommandType.ChatInput,
  name: 'asset',
  description: 'Show one asset',
  options: [
    {
      type: ApplicationCommandOptionType.String,
      name: 'asset',
      description: 'Address, symbol or name',
      required: true,
    },
  ],
} as const
