import { z } from 'zod'
import { Exposition } from '../unit/metrics/exposition.ts'
import type { Harness } from './harness.ts'

const readyAnswer = z.object({ status: z.string(), parts: z.record(z.string(), z.string()) })

/** What a page of the bot's server says. */
export async function page(
  harness: Harness,
  path: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(new URL(path, harness.bot.healthUrl))
  return { status: answer.status, text: await answer.text() }
}

/** The figures as a scrape finds them. */
export async function figures(harness: Harness): Promise<Exposition> {
  return new Exposition((await page(harness, '/metrics')).text)
}

/** What /readyz says, with its status. */
export async function readiness(harness: Harness) {
  const { status: code, text } = await page(harness, '/readyz')
  return { code, ...readyAnswer.parse(JSON.parse(text)) }
}
