import { graduationPool, poolName, statusOf } from '../api/asset.ts'
import type { Asset } from '../api/schema.ts'
import { isAddress } from '../chain/address.ts'
import { type Chain, tokenUrl } from '../chain/chains.ts'
import { plainText } from '../core/catalogue.ts'
import { httpsUrl } from '../core/https-url.ts'
import type { Button, View } from '../core/view.ts'
import type { Link } from '../setting-forms.ts'
import { tokenName, tokenSymbol } from './token.ts'

const placeholder = /\{(?<name>[^{}]*)\}/gu

/** Adds a row with the operator's links below a view about an asset. One whose pool is unknown is left out. */
export function withLinks(view: View, asset: Asset, chain: Chain, links: readonly Link[]): View {
  const buttons = links.flatMap((link) => linkButton(link, asset, chain))
  return buttons.length === 0 ? view : { ...view, buttons: [...(view.buttons ?? []), buttons] }
}

function linkButton({ label, url, chains, status }: Link, asset: Asset, chain: Chain): Button[] {
  const current = statusOf(asset)
  if (chains && !chains.includes(chain.id)) return []
  if (status && !status.some((each) => each === current)) return []
  const pool = graduationPool(asset) ?? asset.auction_pool
  const values: Record<string, string | undefined> = {
    address: isAddress(asset.asset_address) ? asset.asset_address : undefined,
    pool: pool && poolName(pool),
    chain: chain.slug,
    chainId: String(chain.id),
  }
  let isWhole = true
  const filled = url.replaceAll(placeholder, (_, name: string) => {
    const value = values[name]
    isWhole &&= value !== undefined
    return encodeURIComponent(value ?? '')
  })
  const target = isWhole ? httpsUrl(filled) : undefined
  return target ? [{ label, url: target.href }] : []
}

/** Discord's limit for the address of a button; Telegram's is higher. */
const maxUrl = 512

/** A token that is shared, as far as it is known: one that was launched a moment ago is not listed yet. */
interface SharedToken {
  address: string
  name?: string | undefined
  symbol?: string | undefined
}

/**
 * Links that open a post about a token, to be sent by the person; on Telegram the card itself, by inline mode. None if no page
 * about the token is known.
 */
export function shareButtons({ address, name, symbol }: SharedToken, chain: Chain): Button[] {
  const url = tokenUrl(chain, address)
  if (url === undefined) return []
  const shownName = inert(name === undefined ? '' : plainText(tokenName(name)))
  const shownSymbol = inert(tokenSymbol(symbol) ?? '')
  const texts = [`${shownName} ${shownSymbol}`, shownSymbol, shownName].map((text) => text.trim())
  const links = [...texts, '']
    .map((text) => linksOf(url, text))
    .find((all) => all.every((link) => link.length <= maxUrl))
  const [telegram = '', x = '', farcaster = ''] = links ?? []
  return [
    { label: 'Telegram', url: telegram, inline: address },
    { label: 'X', url: x },
    { label: 'Farcaster', url: farcaster },
  ]
}

/**
 * A stranger's words for a post that another person sends, without mentions, tags or links. A ticker's $ stays.
 */
function inert(text: string): string {
  return text
    .replace(/[@#:/\\.＠＃]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
}

/**
 * Pages where a post is written:
 * https://core.telegram.org/widgets/share, https://docs.x.com/x-for-websites/tweet-button/guides/web-intent,
 * https://docs.farcaster.xyz/reference/farcaster/intent-urls
 */
function linksOf(url: string, text: string): string[] {
  return [
    `https://t.me/share/url?${query({ url, text })}`,
    `https://x.com/intent/post?${query({ text, url })}`,
    `https://farcaster.xyz/~/compose?${query({ text, 'embeds[]': url })}`,
  ]
}

/** Blanks are %20: Telegram's page shows a plus as it is. */
function query(values: Record<string, string>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}
