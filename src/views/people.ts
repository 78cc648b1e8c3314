import type { Figures } from '../api/figures.ts'
import { decimal } from '../api/number.ts'
import type { Asset, BaseToken } from '../api/schema.ts'
import { isNobody } from '../chain/address.ts'
import type { Chain } from '../chain/chains.ts'
import { harmless, shorten } from '../core/text.ts'
import type { Block, Span } from '../core/view.ts'
import { addressSpan } from './token.ts'

const maxLinks = 6
const maxVesting = 3
const maxCategories = 6
const maxHost = 40

/** The token's creator, its beneficiaries and its links. */
export function peopleBlock(
  asset: Asset,
  token: BaseToken | undefined,
  facts: Figures,
  chain: Chain,
): Block {
  const fields: [string, Span[]][] = []
  const add = (label: string, value: Span[]) => value.length > 0 && fields.push([label, value])
  const address = (value: string | undefined) =>
    value === undefined || isNobody(value) ? [] : [addressSpan(chain, value)]
  add('Created', facts.createdAt === undefined ? [] : [{ time: facts.createdAt, as: 'relative' }])
  add('Creator', address(token?.token_creator_address))
  add('Fee receiver', address(token?.token_fee_receiver_address))
  add('Vesting', vesting(token, chain))
  add('Categories', categories(asset))
  add('Links', links(token))
  return { kind: 'fields', fields }
}

function vesting(token: BaseToken | undefined, chain: Chain): Span[] {
  const detailed = token?.token_uri_data?.vesting_recipients ?? []
  const recipients =
    detailed.length > 0
      ? detailed
      : (token?.token_vesting_recipient_addresses ?? []).map((address) => ({ address }))
  const valid = recipients.flatMap((recipient) => {
    if (recipient.address === undefined) return []
    const share = 'percentage' in recipient ? percentage(recipient.percentage) : undefined
    return [{ address: recipient.address, share }]
  })
  const shown = valid
    .slice(0, maxVesting)
    .flatMap(({ address, share }, index): Span[] => [
      ...(index > 0 ? [', '] : []),
      addressSpan(chain, address),
      ...(share === undefined ? [] : [` ${share} %`]),
    ])
  return valid.length > maxVesting ? [...shown, ` and ${valid.length - maxVesting} more`] : shown
}

/** A share from 0 to 100 without its sign; undefined for anything else. */
function percentage(text: string | undefined): string | undefined {
  const share = text?.replace(/\s*%$/u, '')
  const value = decimal(share)
  return value?.gte(0) && value.lte(100) ? value.toFixed() : undefined
}

function categories(asset: Asset): Span[] {
  const names = (asset.asset_categories ?? []).map((name) => shorten(harmless(name).trim(), 32))
  const shown = names.filter((name) => name !== '').slice(0, maxCategories)
  return shown.length > 0 ? [shown.join(', ')] : []
}

/** Only https links, labelled with their host in ASCII: a label by a third party could name another site. */
function links(token: BaseToken | undefined): Span[] {
  return (token?.token_uri_data?.social_links ?? [])
    .map(({ url }) => httpsUrl(url))
    .filter((url) => url !== undefined)
    .slice(0, maxLinks)
    .flatMap((url, index): Span[] => [
      ...(index > 0 ? [' · '] : []),
      { link: shownHost(url), url: url.href },
    ])
}

/** A long host is cut at its start, as the end says whose it is. */
function shownHost({ host }: URL): string {
  return host.length <= maxHost ? host : `…${host.slice(1 - maxHost)}`
}

const domain = /^(?:[a-z0-9_-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/u
/** Hosts whose links open a chat or an app instead of a picture. */
const messengers = /(?:^|\.)(?:t\.me|telegram\.(?:me|org|dog)|tg\.dev|discord\.(?:gg|com))$/u
const picturePath = /\.(?:png|jpe?g|webp|gif|avif)$|\/ipfs\//iu

/** An https URL of a domain, without credentials, of at most 512 characters; undefined for anything else. */
export function httpsUrl(text: string | undefined): URL | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (url?.protocol !== 'https:' || url.username || url.password || url.href.length > 512) {
    return undefined
  }
  return domain.test(url.hostname) ? url : undefined
}

/**
 * An https URL that can only be a picture. For any other page a platform would show a preview with title and text by
 * its owner, as if it were part of our message.
 */
export function pictureUrl(text: string | undefined): URL | undefined {
  const url = httpsUrl(text)
  return url && picturePath.test(url.pathname) && !messengers.test(url.hostname) ? url : undefined
}
