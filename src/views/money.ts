import { type Asset, differ } from '../api/schema.ts'
import type { Money } from '../api/units.ts'
import { isNobody, shortAddress } from '../chain/address.ts'
import { type Chain, numeraireSymbol, wrappedCoin } from '../chain/chains.ts'
import { amount, inDollars, price } from '../core/number.ts'
import { harmless } from '../core/text.ts'
import { type Figure, type Text, t } from '../core/view.ts'
import { isQuoteSymbol } from './lookalike.ts'
import { tokenSymbol } from './token.ts'

/** An asset's data about its quote token. */
export type Quoted = Pick<Asset, 'asset_numeraire_address' | 'quote_symbol'>

/** A price in dollars, or in the quote token with its symbol or shortened address. */
export function priceText(money: Money, chain: Chain, quoted: Quoted): Text {
  return inCurrency(price(money.amount), money, chain, quoted)
}

/** An amount of money, in the same currencies. */
export function moneyText(money: Money, chain: Chain, quoted: Quoted): Text {
  return inCurrency(amount(money.amount), money, chain, quoted)
}

function inCurrency(figure: Figure, { currency }: Money, chain: Chain, quoted: Quoted): Text {
  if (currency === 'usd') return inDollars(figure)
  const address = quoted.asset_numeraire_address ?? ''
  const symbol = quoteSymbol(quoted, chain) ?? shortAddress(harmless(address))
  return symbol === '' ? figure : t('money-in-token', { amount: figure, symbol })
}

/**
 * The symbol of the token that an asset is sold for: that of a well-known one, or `$SYMBOL` of another one, whose creator chose
 * it. Undefined if it is unknown, or imitates another's.
 */
export function quoteSymbol(quoted: Quoted, chain: Chain): string | undefined {
  const known = numeraireSymbol(chain, quoted.asset_numeraire_address)
  const launched = tokenSymbol(quoted.quote_symbol)
  if (known !== undefined || launched === undefined) return known
  return isQuoteSymbol(launched.slice(1), chain) ? launched : undefined
}

/** Says which token an asset is sold for, in a line of its own; nothing if that is unknown, or goes without saying. */
export function quoteLines(quoted: Quoted, chain: Chain): [Text][] {
  const symbol = unusualSymbol(quoted, chain)
  return symbol === undefined ? [] : [[t('asset-priced-in', { symbol })]]
}

/** The same in a line about an asset. */
export function quoteDetails(quoted: Quoted, chain: Chain): Text[] {
  const symbol = unusualSymbol(quoted, chain)
  return symbol === undefined ? [] : [t('list-priced-in', { symbol })]
}

/** The symbol of a quote token, unless it is the chain's own coin, wrapped or not: one rule for all chains needs no legend. */
function unusualSymbol(quoted: Quoted, chain: Chain): string | undefined {
  const address = quoted.asset_numeraire_address ?? ''
  const isCoin = isNobody(address) || !differ(address, wrappedCoin(chain) ?? '')
  return isCoin ? undefined : quoteSymbol(quoted, chain)
}
