import { alerts } from './alerts.ts'
import { asset } from './asset.ts'
import { assets } from './assets.ts'
import { auction } from './auction.ts'
import { cancel } from './cancel.ts'
import { follow } from './follow.ts'
import { help } from './help.ts'
import { launch, launching } from './launch.ts'
import { launches } from './launches.ts'
import { metadata } from './metadata.ts'
import { search } from './search.ts'
import { start } from './start.ts'

const helpCommands = [
  search,
  asset,
  assets,
  auction,
  alerts,
  launch,
  launches,
  metadata,
  cancel,
  start,
]

/** Every command, in the order of /help; those that only buttons use come last. */
export const commands = [...helpCommands, help(helpCommands), follow, launching]
