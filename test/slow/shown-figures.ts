import type { TokenTruth } from '../../sandbox/api/token.ts'

/** A figure that people read, by what it is. */
export type ShownFigures = Partial<Record<Figure, string>>
export const figureNames = [
  'price',
  'change',
  'marketCap',
  'liquidity',
  'volume',
  'progress',
  'sold',
  'toSell',
  'raised',
  'min',
  'max',
] as const
export type Figure = (typeof figureNames)[number]

const number = String.raw`[<>]?\$?[\d.,₀₁₂₃₄₅₆₇₈₉]+[KMBT]?(?: [A-Z0-9x…]+)?`

const patterns: Readonly<Record<Figure, RegExp>> = {
  price: new RegExp(`^(?:Price: )?(${number})(?: {1,2}[▲▼0]| · MC|$)`, 'mu'),
  change: /^(?:Price: )?[<>\d$].*?([▲▼]? ?[\d.,]+[KMBT]? ?%) \(24h\)/mu,
  marketCap: new RegExp(`(?:Market cap:?|MC) (${number})`, 'u'),
  liquidity: new RegExp(`Liquidity:? (${number})`, 'u'),
  volume: new RegExp(`Volume \\(24h\\):? (${number})`, 'u'),
  progress: /([<\d][\d.]* ?%) sold/u,
  sold: /^Sold: ([\d.,]+[KMBT]?)/mu,
  toSell: /^Sold: [\d.,]+[KMBT]? of ([\d.,]+[KMBT]?)/mu,
  raised: new RegExp(`^(?:Proceeds|Raised): (${number})`, 'mu'),
  min: new RegExp(`\\(min (${number})`, 'u'),
  max: new RegExp(`max (${number})\\)`, 'u'),
}

/** In a line of a list: behind its name and symbol. */
const inList: Partial<Record<Figure, RegExp>> = {
  marketCap: new RegExp(`^1\\. .* · (${number})(?: · [^·]*)?$`, 'mu'),
}

/** The figures in a text that people read. */
export function figuresIn(text: string): ShownFigures {
  const found = figureNames.flatMap((figure) => {
    const [, said] = patterns[figure].exec(text) ?? inList[figure]?.exec(text) ?? []
    return said === undefined ? [] : [[figure, said] as const]
  })
  return Object.fromEntries(found)
}

/** What a figure says is true of a token, in the currency in which it is shown. */
function truthOf(figure: Figure, said: string, truth: TokenTruth): number {
  const perQuote = Number(truth.priceInQuote) / Number(truth.priceUsd)
  const inDollars = (usd: string) => (said.includes('$') ? Number(usd) : Number(usd) * perQuote)
  const inQuote = (quote: string) => (said.includes('$') ? Number(quote) / perQuote : Number(quote))
  const values: Record<Figure, number> = {
    price: inDollars(truth.priceUsd),
    marketCap: inDollars(truth.marketCapUsd),
    liquidity: inDollars(truth.liquidityUsd),
    volume: inDollars(truth.volumeUsd),
    change: Number(truth.change) * 100,
    progress: Number(truth.progress) * 100,
    sold: Number(truth.sold),
    toSell: Number(truth.toSell),
    raised: inQuote(truth.raised),
    min: inQuote(truth.minRaised),
    max: inQuote(truth.maxRaised),
  }
  return values[figure]
}

/** Why what people read is not true; undefined where it is, to the digits that are shown. */
export function falsehood(figure: Figure, said: string, truth: TokenTruth): string | undefined {
  const real = truthOf(figure, said, truth)
  const read = readNumber(said)
  // Shares are cut to whole percent, changes rounded to tenths, and what an API writes has a last digit, too.
  // A price in USDC in its base units has six digits behind the point; amounts of dollars have cents.
  const cents = said.includes('$') ? 0.005 : 0
  const slack: Partial<Record<Figure, number>> = {
    progress: 1,
    change: 0.06,
    price: said.includes('USDC') ? 5e-7 : 0,
    marketCap: cents,
    liquidity: cents,
    volume: cents,
  }
  const isRight = said.startsWith('<')
    ? real <= read * 1.01
    : Math.abs(read - real) <= Math.abs(real) * 0.01 + (slack[figure] ?? 0)
  return isRight ? undefined : `${figure} reads ${said}, but is ${real}`
}

const scales: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }

/** The number in what people read: `$0.0₆1234`, `1.23M`, `▼ 3.1%`. */
function readNumber(said: string): number {
  const sign = said.includes('▼') ? -1 : 1
  const [, digits = '', zeros = '', rest = '', scale = ''] =
    /([\d.,]+)([₀-₉]*)(\d*)([KMBT]?)/u.exec(said) ?? []
  const count = [...zeros].reduce((sum, each) => sum * 10 + '₀₁₂₃₄₅₆₇₈₉'.indexOf(each), 0)
  // "0.0₆1234" has its first zero written out.
  const text = zeros === '' ? digits : `0.${'0'.repeat(count)}${rest}`
  return sign * Number(text.replaceAll(',', '')) * (scales[scale] ?? 1)
}
