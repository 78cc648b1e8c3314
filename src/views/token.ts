import { baseToken, statusOf } from '../api/asset.ts'
import { type Asset, isStatus } from '../api/schema.ts'
import type { Money } from '../api/units.ts'
import { isAddress, shortAddress } from '../chain/address.ts'
import { addressUrl, type Chain, numeraireSymbol } from '../chain/chains.ts'
import { harmless, shorten } from '../core/text.ts'
import type { Span } from '../core/view.ts'
import { amount, price } from './number.ts'

export const maxName = 48

const maxSymbol = 16

/** A name as one short harmless line; `Unnamed` if nothing visible is left. */
export function tokenName(name: string | undefined): string {
  return shorten(harmless(name ?? '').trim(), maxName) || 'Unnamed'
}

/** `$SYMBOL`; undefined if nothing visible is left. */
export function tokenSymbol(symbol: string | undefined): string | undefined {
  const shown = shorten(
    harmless(symbol ?? '')
      .trim()
      .replace(/^\$+/u, ''),
    maxSymbol,
  )
  return shown === '' ? undefined : `$${shown}`
}

/** Name and symbol for lists and choices, such as `Moon Otter $OTTER`. */
export function tokenLabel(asset: Asset): string {
  const token = baseToken(asset)
  const symbol = tokenSymbol(token?.token_symbol)
  return [tokenName(token?.token_name), symbol].filter(Boolean).join(' ')
}

/** A shortened address, linked to the chain's explorer if it has one. */
export function addressSpan(chain: Chain, address: string): Span {
  const plain = harmless(address).trim()
  const url = isAddress(plain) ? addressUrl(chain, plain) : undefined
  const shown = shorten(shortAddress(plain), 20)
  return url === undefined ? { code: shown } : { link: shown, url }
}

/** A price in dollars, or in the numeraire with its symbol or shortened address. */
export function priceText(money: Money, chain: Chain, numeraire: string | undefined): string {
  return inCurrency(price(money.amount), money, chain, numeraire)
}

/** An amount of money, in the same currencies. */
export function moneyText(money: Money, chain: Chain, numeraire: string | undefined): string {
  return inCurrency(amount(money.amount), money, chain, numeraire)
}

function inCurrency(
  number: string,
  { currency }: Money,
  chain: Chain,
  numeraire: string | undefined,
): string {
  if (currency === 'usd') return number.replace(/^([<>]?)/u, '$1$')
  const symbol = numeraireSymbol(chain, numeraire) ?? shortAddress(harmless(numeraire ?? ''))
  return `${number} ${symbol}`.trim()
}

const statuses: ReadonlyMap<string, { mark: string; word: string }> = new Map([
  ['live', { mark: '🟢', word: 'Live' }],
  ['incoming', { mark: '🕒', word: 'Incoming' }],
  ['graduated', { mark: '🎓', word: 'Graduated' }],
  ['stall', { mark: '⏸️', word: 'Stalled' }],
  ['ended', { mark: '⏹️', word: 'Ended' }],
])

/** The status with its sign, such as `🟢 Live`; a status that the bot does not know is shown as it is. */
export function statusText(asset: Asset): string | undefined {
  const status = statuses.get(statusOf(asset) ?? '')
  const raw = unknownWord(asset)
  if (!status) return raw
  return `${status.mark} ${status.word}${raw === undefined ? '' : ` (${raw})`}`
}

/** The status without its sign. */
export function statusWord(asset: Asset): string | undefined {
  return statuses.get(statusOf(asset) ?? '')?.word ?? unknownWord(asset)
}

/** The sign of a status, for a line of a list. */
export function statusMark(asset: Asset): string | undefined {
  return statuses.get(statusOf(asset) ?? '')?.mark
}

function unknownWord({ asset_status: raw }: Asset): string | undefined {
  if (raw === undefined || isStatus(raw.toLowerCase())) return undefined
  return shorten(harmless(raw).trim(), 24) || undefined
}

/** The chain and status of an asset, such as `Base · 🟢 Live`. */
export function whereAndHow(asset: Asset, chain: Chain): string {
  const status = statusText(asset)
  return status === undefined ? chain.name : `${chain.name} · ${status}`
}
