import { join } from 'node:path'
import type { Run } from '../markdown.ts'
import { type Check, checks, type ScalePlan } from './checks.ts'
import { type DatabaseFigures, measureDatabase } from './database.ts'

/** Fixed, so that figures change only with the code. */
const seed = 20_261_122
/** Max relative error of the model. */
export const tolerance = 0.05

/** Results of the scale study: computed, simulated and measured. */
export interface ScaleReport extends Run {
  seed: number
  checks: Check[]
  database: DatabaseFigures
}

/**
 * Simulates what the model predicts, and measures the rows that it counts.
 * @throws Error if the model is off by more than `tolerance`
 */
export async function measureScale(
  folder: string,
  plan: ScalePlan,
  say: (step: string) => void,
): Promise<Pick<ScaleReport, 'seed' | 'checks' | 'database'>> {
  say('the model’s predictions are played')
  const played = await checks(plan, seed)
  const wrong = played.find((check) => !(Math.abs(errorOf(check)) <= tolerance))
  if (wrong) {
    throw new Error(
      `the model says ${wrong.model}, and it came to ${wrong.simulated}: ${wrong.what}`,
    )
  }
  say('rows of the database')
  const database = await measureDatabase(join(folder, 'scale.db'), plan)
  return { seed, checks: played, database }
}

/** Returns the model's relative error. */
export function errorOf({ model, simulated }: Check): number {
  return model / simulated - 1
}
