import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Settings of the bare bots; each gets only those of its platform. */
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

/** Prints the line that reports that commands are answered from now on. */
export function sayReady(): void {
  process.stdout.write('{"msg":"ready"}\n')
}
