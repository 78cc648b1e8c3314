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

/** A parsed line of `/alerts`, with what its subcommands need. */
export interface AlertsRequest {
  args: Arguments<typeof alertsParams>
  /** The words after the subcommand. */
  words: readonly string[]
  services: Services
  permissions: Permissions
  line: AlertsLine
  /** The title of the other chat that is being set up; undefined for the chat of the line. */
  chatName: string | undefined
}

/**
 * The options of a rule, with the asset's address and chain resolved; a view that asks if several assets fit.
 * @throws UserError if the options don't fit the kinds, or there is no such asset
 */
export async function optionsOf(
  { args, services, line }: AlertsRequest,
  kinds: readonly Kind[],
  words: string,
): Promise<RuleOptions | View> {
  const { what: _, in: __, page: ___, asset: term, chain: chainOption, ...rest } = args
  const chain = chainOption === 'any' ? anyChain : chainOption?.id
  const { category: typed } = rest
  const category = typed === undefined ? undefined : await meantCategory(typed, services)
  const options: RuleOptions = { ...rest, chain, category }
  if (term === undefined) return options
  // Check first, so that nobody chooses an asset only to be refused afterwards.
  refuseUnfit(kinds, { ...options, asset: term })
  const lineFor = (asset: string, on: number) =>
    line(words, optionsInLine({ ...options, asset, chain: on }))
  const found = await meantAsset(
    term,
    chainOption === 'any' ? undefined : chainOption,
    lineFor,
    services,
  )
  if ('title' in found) return found
  return { ...options, asset: found.asset.asset_address, chain: found.chain.id }
}
