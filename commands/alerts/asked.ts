import type { Permissions } from '../../src/alerts/permission.ts'
import type { Kind } from '../../src/alerts/rule.ts'
import { anyChain, type RuleOptions, refuseUnfit } from '../../src/alerts/rules.ts'
import type { AlertsLine } from '../../src/alerts/views/rule.ts'
import type { Arguments } from '../../src/core/command.ts'
import type { View } from '../../src/core/view.ts'
import type { Services } from '../services.ts'
import { meantAsset } from './asset.ts'
import { meantCategory } from './category.ts'
import type { alertsParams } from './params.ts'
import { optionsInLine } from './presets.ts'

/** A line of the command as it is carried out. */
export interface Asked {
  args: Arguments<typeof alertsParams>
  /** What stands behind the first word. */
  words: readonly string[]
  services: Services
  permissions: Permissions
  line: AlertsLine
  /** How another chat is called that is set up. */
  place: string | undefined
}

/** The options of a rule, its asset found; a view where it is not clear which one is meant. */
export async function optionsOf(
  { args, services, line }: Asked,
  kinds: readonly Kind[],
  words: string,
): Promise<RuleOptions | View> {
  const { what: _, in: __, page: ___, asset: term, chain: where, ...rest } = args
  const chain = where === 'any' ? anyChain : where?.id
  const { category: typed } = rest
  const category = typed === undefined ? undefined : await meantCategory(typed, services)
  const options: RuleOptions = { ...rest, chain, category }
  if (term === undefined) return options
  // Nobody chooses an asset only to be refused after that.
  refuseUnfit(kinds, { ...options, asset: term })
  const again = (asset: string, on: number) =>
    line(words, optionsInLine({ ...options, asset, chain: on }))
  const found = await meantAsset(term, where === 'any' ? undefined : where, again, services)
  if ('title' in found) return found
  return { ...options, asset: found.asset.asset_address, chain: found.chain.id }
}
