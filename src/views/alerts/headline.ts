import type { NewsBody, NewsBodyOf } from '../../alerts/news.ts'
import { decimal } from '../../api/number.ts'
import type { Asset } from '../../api/schema.ts'
import type { Money, Units } from '../../api/units.ts'
import { chainById } from '../../chain/chains.ts'
import type { Span, Tone } from '../../chat/view.ts'
import { changePercent, progressPercent } from '../number.ts'
import { moneyText, priceText, tokenLabel } from '../token.ts'

/** News as it is told: on which chain, and when it is read. */
export interface Told<B extends NewsBody = NewsBody> {
  body: B
  chain: number
  units: Units
  /** Unix seconds. */
  now: number
}

/** Seconds; what is further off goes by hours, of which there are two at least. */
const soon = 5400

/** What happened, in front of the name of whom it happened to. */
export interface Headline {
  mark: string
  words: string
  tone: Tone
}

/** News about one asset. */
export type AssetNews = Exclude<NewsBody, { kind: 'digest' }>

/** What happened, without the name. */
export function headline({
  body,
  chain,
  now,
}: Pick<Told<AssetNews>, 'body' | 'chain' | 'now'>): Headline {
  switch (body.kind) {
    case 'live':
      return { mark: '🟢', words: 'Live now', tone: 'good' }
    case 'incoming':
      return { mark: '🕒', words: 'Coming up', tone: 'neutral' }
    case 'progress':
      return soldHeadline(body.to)
    case 'ending':
      return { mark: '⏳', words: endingWords(body.endsAt - now), tone: 'neutral' }
    case 'graduated':
      return { mark: '🎓', words: 'Graduated', tone: 'good' }
    case 'price':
    case 'mcap':
      return moveHeadline(body, chain)
  }
}

/** `🟢 Live now: Moon Otter $OTTER` */
export function headlineSpans({ mark, words }: Headline, asset: Asset): Span[] {
  return [`${mark} ${words}: `, tokenLabel(asset)]
}

/** Soon is what can't be put off. */
function endingWords(left: number): string {
  return left <= soon ? 'Ending soon' : `Ends in ${Math.round(left / 3600)} hours`
}

function soldHeadline(sold: string): Headline {
  if (sold === '1') return { mark: '✅', words: 'Sold out', tone: 'good' }
  return { mark: '📈', words: `${progressPercent(sold)} sold`, tone: 'good' }
}

type Move = NewsBodyOf<'price' | 'mcap'>

function moveHeadline(body: Move, chain: number): Headline {
  const up = body.direction === 'up'
  const tone = up ? 'good' : 'neutral'
  const mark = up ? '▲' : '▼'
  const what = body.kind === 'price' ? 'Price' : 'Market cap'
  if (body.by === 'crossing') {
    const words = `${what} ${up ? 'above' : 'below'} ${moveMoney(body, body.reference, chain)}`
    return { mark, words, tone }
  }
  const change = changeBetween(body.reference, body.value)?.replace(/^[▲▼] /u, '')
  const by = change === undefined ? (up ? 'up' : 'down') : `${up ? 'up' : 'down'} ${change}`
  return { mark, words: `${what} ${by}`, tone }
}

/** An amount as its kind is written: prices with all their zeros, market caps in short. */
export function moveMoney({ kind, asset }: Move, money: Money, chain: number): string {
  const write = kind === 'price' ? priceText : moneyText
  return write(money, chainById(chain), asset.asset_numeraire_address)
}

/** The change from one amount to another as in `▲ 12.4 %`; absent where it has no meaning. */
export function changeBetween(before: Money, after: Money): string | undefined {
  const [from, to] = [decimal(before.amount), decimal(after.amount)]
  if (!from?.gt(0) || !to || before.currency !== after.currency) return undefined
  return changePercent(to.minus(from).div(from).toFixed())
}
