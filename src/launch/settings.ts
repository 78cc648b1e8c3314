import type { Address } from 'viem'
import { z } from 'zod'
import type { ModuleEntry } from '../chain/airlock/modules.ts'
import type { Launcher } from '../chain/chains.ts'
import { ConfigError } from '../config.ts'
import { readAsked } from './table.ts'

/** One entry of TEMPLATES, as the operator wrote it. */
export interface Template {
  id: string
  label: string
  chain: number
  about?: string | undefined
  /**
   * The share of the fees that a request gives away to the last unit, in percent as a decimal text; absent: nobody knows.
   */
  openShare?: string | undefined
  /** The values that every payload of it must have, by row; `npm run doctor -- template NAME` writes it. */
  expects?: Readonly<Record<string, unknown>> | undefined
  /** The integrator's name to show beside the address, from the API: it is trusted with nothing. */
  integrator?: Address | undefined
}

/** The operator's settings for launches. */
export interface LaunchSettings {
  /** If empty nothing can be launched, and /launch says so. */
  templates: readonly Template[]
  /** By chain id. */
  launchers: Readonly<Record<number, Launcher>>
  /** The operator's additional modules, by chain id. */
  modules: Readonly<Record<number, readonly ModuleEntry[]>>
  /** The pattern that a whole symbol must match; `typed` is the operator's own, as it was written. */
  symbol: { pattern: RegExp; typed?: string }
  /** The integrator that every payload must name, if the operator set one. */
  integrator: Address | undefined
  /** Base URL of the bot's own pages, without a trailing slash. */
  publicUrl: string | undefined
  /** URL of the operator's own signing page, with the placeholders {token}, {chain}, {to} and {digest}. */
  signingUrlTemplate: string | undefined
}

/**
 * Checks what the templates pin.
 * @throws ConfigError
 */
export function checkTemplates(templates: readonly Template[]): void {
  const problem = templatesProblem(templates)
  if (problem !== undefined) throw new ConfigError(new Map([['TEMPLATES', problem]]))
}

/** The problem of what the templates pin, if there is one: `expects` names rows of a launch, each in its form. */
export function templatesProblem(templates: readonly Template[]): string | undefined {
  for (const [index, { expects }] of templates.entries()) {
    const read = readAsked(withoutAskedLine(expects ?? {}))
    if ('wrong' in read) return `${index}.expects: ${read.wrong}`
  }
  return undefined
}

/** Removes the line to `asked` from vesting: it has no amount and is no row of the table. */
function withoutAskedLine(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { vesting, ...rest } = given
  const lines = z.array(z.looseObject({ to: z.string() })).safeParse(vesting).data
  return lines ? { ...rest, vesting: lines.filter(({ to }) => to !== 'asked') } : given
}
