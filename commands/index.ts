import { alerts } from './alerts.ts'
import { asset } from './asset.ts'
import { assets } from './assets.ts'
import { auction } from './auction.ts'
import { follow } from './follow.ts'
import { help } from './help.ts'
import { cancel, launch, launches, launching, metadata } from './launch.ts'
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
