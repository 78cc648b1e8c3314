import { join } from 'node:path'
import type { Run } from '../markdown.ts'
import { type Check, checks, type ScalePlan } from './checks.ts'
import { type DatabaseFigures, measureDatabase } from './database.ts'

/** The same in every run, so that figures change with the code alone. */
const seed = 20_261_122
/** By how much the model may be off. */
export const tolerance = 0.05

/** What was computed, played and measured of growth. */
export interface ScaleReport extends Run {
  seed: number
  checks: Check[]
  database: DatabaseFigures
}

/** Plays what the model predicts, and measures the rows it counts. @throws where the model is off by more than it may be */
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

/** The model's share too much, or too little. */
export function errorOf({ model, simulated }: Check): number {
  return model / simulated - 1
}
