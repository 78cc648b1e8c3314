import { z } from 'zod'
import { Exposition } from '../unit/metrics/exposition.ts'
import type { Town } from './town.ts'

const readyAnswer = z.object({ status: z.string(), parts: z.record(z.string(), z.string()) })

/** What a page of the bot's server says. */
export async function page(town: Town, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(new URL(path, town.bot.healthUrl))
  return { status: answer.status, text: await answer.text() }
}

/** The figures as a scrape finds them. */
export async function figures(town: Town): Promise<Exposition> {
  return new Exposition((await page(town, '/metrics')).text)
}

/** What /readyz says, with its status. */
export async function readiness(town: Town) {
  const { status: code, text } = await page(town, '/readyz')
  return { code, ...readyAnswer.parse(JSON.parse(text)) }
}
