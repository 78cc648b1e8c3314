import { asset } from './asset.ts'
import { assets } from './assets.ts'
import { auction } from './auction.ts'
import { help } from './help.ts'
import { search } from './search.ts'
import { start } from './start.ts'

const explained = [search, asset, assets, auction, start]

/** Every command, in the order of /help. */
export const commands = [...explained, help(explained)]
