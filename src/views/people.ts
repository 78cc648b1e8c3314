import type { Figures } from '../api/figures.ts'
import type { Asset, BaseToken } from '../api/schema.ts'
import type { Chain } from '../chain/chains.ts'
import { harmless, shorten } from '../chat/text.ts'
import type { Block, Span } from '../chat/view.ts'
import { addressSpan } from './token.ts'

/** How contracts write that there is nobody. */
const zeroAddress = /^0x0{40}$/u
const mostLinks = 6
const mostVesting = 3
const mostCategories = 6

/** Who made the token and who gains by it, and where it is talked about. */
export function peopleBlock(
  asset: Asset,
  token: BaseToken | undefined,
  facts: Figures,
  chain: Chain,
): Block {
  const fields: [string, Span[]][] = []
  const add = (label: string, value: Span[]) => value.length > 0 && fields.push([label, value])
  const address = (value: string | undefined) =>
    value === undefined || zeroAddress.test(value) ? [] : [addressSpan(chain, value)]
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
  const known = recipients.flatMap((recipient) => {
    const share = 'percentage' in recipient ? recipient.percentage : undefined
    if (recipient.address === undefined) return []
    return [{ address: recipient.address, share: share?.replace(/\s*%$/u, '') }]
  })
  const shown = known
    .slice(0, mostVesting)
    .flatMap(({ address, share }, index): Span[] => [
      ...(index > 0 ? [', '] : []),
      addressSpan(chain, address),
      ...(share === undefined ? [] : [` ${shorten(share, 12)} %`]),
    ])
  return known.length > mostVesting ? [...shown, ` and ${known.length - mostVesting} more`] : shown
}

function categories(asset: Asset): Span[] {
  const names = (asset.asset_categories ?? []).map((name) => shorten(harmless(name).trim(), 32))
  const shown = names.filter((name) => name !== '').slice(0, mostCategories)
  return shown.length > 0 ? [shown.join(', ')] : []
}

/** Only https, and under the host's own name: a label by a stranger could claim to lead elsewhere. */
function links(token: BaseToken | undefined): Span[] {
  return (token?.token_uri_data?.social_links ?? [])
    .map(({ url }) => httpsUrl(url))
    .filter((url) => url !== undefined)
    .slice(0, mostLinks)
    .flatMap((url, index): Span[] => [
      ...(index > 0 ? [' · '] : []),
      { link: shorten(url.host, 40), url: url.href },
    ])
}

const domain = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/u

/** An https URL of a domain, without credentials, short enough for every platform; anything else is absent. */
export function httpsUrl(text: string | undefined): URL | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (url?.protocol !== 'https:' || url.username || url.password || url.href.length > 512) {
    return undefined
  }
  return domain.test(url.hostname) ? url : undefined
}
