import { type Context, ownChat } from '../src/core/command.ts'
import type { View } from '../src/core/view.ts'
import { findAsset } from './lookup.ts'
import type { Services } from './services.ts'

const address = /(?<![\w/.=-])0x[0-9a-f]{40}(?!\w)/iu
const ticker = /(?<![\w$])\$(?<symbol>[a-z][a-z0-9]{1,15})(?!\w)/iu
/** Longer messages are not examined: they are about something else. */
const maxLength = 1_000

/**
 * Looks up the card of the first token that a message in a group names: by its address, or by a ticker that it alone has. Once
 * a minute for each token and chat. Undefined if there is none, or the chat has not turned this on. The work throws ApiError, or
 * UserError if there is no such token.
 */
export function overheardCard(
  text: string,
  services: Services,
  context: Context,
): (() => Promise<View | undefined>) | undefined {
  const { chatSettings, shownCards, cards } = services
  const platform = context.platform.name
  const chat = `${platform} ${ownChat(context)}`
  if (text.length > maxLength || !chatSettings.of(platform, ownChat(context)).cards)
    return undefined
  const term = address.exec(text)?.[0] ?? ticker.exec(text)?.groups?.symbol
  // A token that does not exist is looked up once a minute, too.
  if (term === undefined || shownCards.noteShown(chat, term)) return undefined
  return async () => {
    const found = await findAsset(term, undefined, services)
    if ('choices' in found) return undefined
    const { read, chain } = found
    const { asset_address: token } = read.value
    if (token.toLowerCase() !== term.toLowerCase() && shownCards.noteShown(chat, token)) {
      return undefined
    }
    return cards.pictured(read, chain, context.locale)
  }
}
