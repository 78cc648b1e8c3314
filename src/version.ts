import { readFileSync } from 'node:fs'
import { z } from 'zod'

const manifestSchema = z.object({
  version: z.string(),
  repository: z.object({ url: z.url() }).optional(),
})

const manifest = manifestSchema.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
)

/** The version of the bot, as package.json says it. */
export const { version } = manifest

/**
 * Tells a service who calls it: `Gavel/0.1.0 (+https://gavel.example.org)`.
 * @param operator where the operator is reached; the repository, if package.json names one, without it
 */
export function userAgent(operator = manifest.repository?.url): string {
  // A header takes no other letters than those of ASCII, as URLs have them.
  return `Gavel/${version}${operator === undefined ? '' : ` (+${new URL(operator).href.replace(/\/$/u, '')})`}`
}
