import { baseToken } from '../api/asset.ts'
import type { Asset, BaseToken } from '../api/schema.ts'
import { Decimal, decimal } from '../api/units.ts'
import { isAddress, isNobody } from '../chain/address.ts'
import { exactly } from '../core/number.ts'
import { type Span, type Text, t } from '../core/view.ts'
import { tokenSymbol } from './token.ts'

/** A number of tokens; there may be more if the API's list of them was full. */
interface Count {
  count: number
  hasMore: boolean
}

type Share = NonNullable<ReturnType<typeof decimal>>

/** What the API says elsewhere of a token's creator and symbol; absent parts are unknown. */
export interface Risk {
  /** The creator's other tokens on the chain, and how many of them graduated and how many ended without that. */
  others?: Count & { graduated: number; failed: number }
  /** Other tokens on the chain with the same symbol. */
  alike?: Count
}

/** The token's creator; undefined if the API names none. */
export function creatorOf(asset: Asset): string | undefined {
  const creator = baseToken(asset)?.token_creator_address
  return creator !== undefined && isAddress(creator) && !isNobody(creator) ? creator : undefined
}

/** The symbol as people compare it; undefined if there is none. */
export function symbolKey(asset: Asset): string | undefined {
  return tokenSymbol(baseToken(asset)?.token_symbol)?.toLowerCase()
}

/** Two lines at most: the creator's other tokens and what is vested; other tokens with the same symbol. */
export function riskLines(asset: Asset, risk: Risk | undefined): Span[][] {
  const { others, alike } = risk ?? {}
  const record = [...(others ? recordTexts(others) : []), ...vestedTexts(asset)]
  const symbol = tokenSymbol(baseToken(asset)?.token_symbol)
  return [
    record.flatMap((text, index): Span[] => (index === 0 ? [text] : [' · ', text])),
    alike && alike.count > 0 && symbol !== undefined ? [alikeText(alike, symbol)] : [],
  ].filter((line) => line.length > 0)
}

function recordTexts({ count, hasMore, graduated, failed }: NonNullable<Risk['others']>): Text[] {
  if (count === 0) return hasMore ? [] : [t('risk-first')]
  return [
    hasMore ? t('risk-others-at-least', { count }) : t('risk-others', { count }),
    ...(graduated > 0 ? [t('risk-graduated', { count: graduated })] : []),
    ...(failed > 0 ? [t('risk-failed', { count: failed })] : []),
  ]
}

function alikeText({ count, hasMore }: Count, symbol: string): Text {
  return hasMore ? t('risk-alike-at-least', { count, symbol }) : t('risk-alike', { count, symbol })
}

/** The share of the supply that is vested, and how much of it the creator gets; nothing if a share is unknown. */
function vestedTexts(asset: Asset): Text[] {
  const token = baseToken(asset)
  const shares = (token?.token_uri_data?.vesting_recipients ?? []).map((recipient) => ({
    address: recipient.address?.toLowerCase(),
    share: percentage(recipient.percentage),
  }))
  const known = shares.flatMap(({ address, share }) => (share ? [{ address, share }] : []))
  if (known.length === 0 || known.length < shares.length) return []
  const total = sum(known)
  if (total.lte(0) || total.gt(100)) return []
  const creator = creatorOf(asset)?.toLowerCase()
  const own = sum(known.filter(({ address }) => address !== undefined && address === creator))
  const share = exactly(total.toFixed())
  return own.gt(0)
    ? [t('risk-vested-own', { share, own: exactly(own.toFixed()) })]
    : [t('risk-vested', { share })]
}

function sum(shares: readonly { share: Share }[]): Share {
  return shares.reduce((total, { share }) => total.plus(share), new Decimal(0))
}

type Vesting = NonNullable<NonNullable<BaseToken['token_uri_data']>['vesting_recipients']>[number]

/** A share from 0 to 100; undefined for anything else. */
export function percentage(text: Vesting['percentage']): Share | undefined {
  const value = decimal(text?.replace(/\s*%$/u, ''))
  return value?.gte(0) && value.lte(100) ? value : undefined
}
