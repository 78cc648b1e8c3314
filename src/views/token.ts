import { baseToken, statusOf } from '../api/asset.ts'
import { type Asset, isStatus } from '../api/schema.ts'
import { isAddress, shortAddress } from '../chain/address.ts'
import { addressUrl, type Chain } from '../chain/chains.ts'
import { harmless, shorten } from '../core/text.ts'
import { type Message, type Span, type Text, t } from '../core/view.ts'

export const maxName = 48

const maxSymbol = 16

/** A name as one short harmless line; "Unnamed" if nothing visible is left. */
export function tokenName(name: string | undefined): Text {
  return shorten(harmless(name ?? '').trim(), maxName) || t('token-unnamed')
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
export function tokenLabel(asset: Asset): Text {
  const token = baseToken(asset)
  return nameAndSymbol(token?.token_name, token?.token_symbol)
}

/** The same for any name and symbol; either may be absent. */
export function nameAndSymbol(name: string | undefined, symbol: string | undefined): Text {
  const shownName = tokenName(name)
  const shownSymbol = tokenSymbol(symbol)
  if (shownSymbol === undefined) return shownName
  if (typeof shownName === 'string') return `${shownName} ${shownSymbol}`
  return t('token-unnamed-with-symbol', { symbol: shownSymbol })
}

/** A shortened address, linked to the chain's explorer if it has one. */
export function addressSpan(chain: Chain, address: string): Span {
  const plain = harmless(address).trim()
  const url = isAddress(plain) ? addressUrl(chain, plain) : undefined
  const shown = shorten(shortAddress(plain), 20)
  return url === undefined ? { code: shown } : { link: shown, url }
}

interface StatusTexts {
  /** Its sign, for a line of a list. */
  mark: string
  /** With its sign. */
  text: Message
  word: Message
}

const statuses: ReadonlyMap<string, StatusTexts> = new Map([
  ['live', { mark: '🟢', text: t('status-live'), word: t('status-live-word') }],
  ['incoming', { mark: '🕒', text: t('status-upcoming'), word: t('status-upcoming-word') }],
  ['graduated', { mark: '🎓', text: t('status-graduated'), word: t('status-graduated-word') }],
  ['stall', { mark: '⏸️', text: t('status-failed'), word: t('status-failed-word') }],
  ['ended', { mark: '⏹️', text: t('status-ended'), word: t('status-ended-word') }],
])

/** The status with its sign, such as `🟢 Live`; a status that the bot does not know is shown as it is. */
export function statusText(asset: Asset): Text | undefined {
  const status = statuses.get(statusOf(asset) ?? '')?.text
  const reported = unknownWord(asset)
  if (!status || reported === undefined) return status ?? reported
  return t('status-as-reported', { status, reported })
}

/** The status without its sign. */
export function statusWord(asset: Asset): Text | undefined {
  return statuses.get(statusOf(asset) ?? '')?.word ?? unknownWord(asset)
}

/** The sign of a status, for a line of a list. */
export function statusMark(asset: Asset): string | undefined {
  return statuses.get(statusOf(asset) ?? '')?.mark
}

/** The text in place of the status of a token that the API calls a fake. */
export const fakeStatus: StatusTexts = {
  mark: '🔴',
  text: t('status-fake'),
  word: t('status-fake-word'),
}

function unknownWord({ asset_status: raw }: Asset): string | undefined {
  if (raw === undefined || isStatus(raw.toLowerCase())) return undefined
  return shorten(harmless(raw).trim(), 24) || undefined
}

/** The chain's name; of a testnet with a warning, since nothing there has any worth. */
export function chainName({ name, testnet }: Chain): Text {
  return testnet ? t('chain-testnet', { name }) : name
}

/** The chain and status of an asset, such as `Base · 🟢 Live`. */
export function whereAndHow(asset: Asset, chain: Chain, isFake = false): Text {
  const status = isFake ? fakeStatus.text : statusText(asset)
  return status === undefined
    ? chainName(chain)
    : t('asset-where', { chain: chainName(chain), status })
}
