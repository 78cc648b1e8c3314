import { readFileSync } from 'node:fs'
import { z } from 'zod'

const manifestSchema = z.object({ version: z.string() })

/** The version of the bot, as package.json says it. */
export const { version } = manifestSchema.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
)
