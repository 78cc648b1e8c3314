import { admin } from './admin.ts'
import { alerts } from './alerts.ts'
import { announce } from './announce.ts'
import { asset } from './asset.ts'
import { assets } from './assets.ts'
import { auction } from './auction.ts'
import { by } from './by.ts'
import { creators } from './creators.ts'
import { follow } from './follow.ts'
import { help } from './help.ts'
import { cancel, launch, launches, launching, metadata } from './launch.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { share } from './share.ts'
import { start } from './start.ts'
import { top } from './top.ts'
import { unwatch, watch, watchlist } from './watchlist.ts'

const helpCommands = [
  search,
  asset,
  assets,
  top,
  auction,
  watchlist,
  alerts,
  launch,
  launches,
  metadata,
  cancel,
  settings,
  start,
]

/** Every command, in the order of /help, and then those that only buttons use, and that for administrators. */
export const commands = [
  ...helpCommands,
  help(helpCommands),
  follow,
  by,
  creators,
  watch,
  unwatch,
  share,
  launching,
  announce,
  admin,
]
