import type { Figure } from './view.ts'

/** Digits of the count of zeros in a small price. */
const subscripts = '₀₁₂₃₄₅₆₇₈₉'
/** From this many zeros after the point on, a small price shows their count instead. */
const countedZeros = 4
/** Rounded to three digits, this is 1000 trillion, which has no short form. */
const pastTrillions = 999_500_000_000_000n

/** Turkish abbreviates thousands with the B that crypto's readers take for billions: it gets K, M, B and T as English. */
const lettersOf: Readonly<Record<string, string>> = { tr: 'en' }

/** The sign between the whole number and its fraction. */
export function decimalSign(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** The formats of one language. */
function formatsOf(locale: string) {
  const decimal = decimalSign(locale)
  const compact = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(lettersOf[locale] ?? locale, {
      notation: 'compact',
      maximumSignificantDigits: 3,
      ...options,
    })
    if (!(locale in lettersOf)) return format
    return {
      format: (value: number | bigint | `${number}`) =>
        format
          .formatToParts(value)
          .map(({ type, value: text }) => (type === 'decimal' ? decimal : text))
          .join(''),
    }
  }
  return {
    decimal,
    grouped: new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    whole: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
    significant: new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 }),
    compact: compact({}),
    wholePercent: new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: 0,
      roundingMode: 'floor',
    }),
    change: new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'never',
    }),
    bigChange: compact({ style: 'percent', signDisplay: 'never' }),
  }
}

type Formats = ReturnType<typeof formatsOf>

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/u.test(text)
}

// Intl formats decimal texts exactly; converting to a number would lose digits.
function formatted(format: { format(text: `${number}`): string }, text: string): string {
  if (!isDecimal(text)) throw new TypeError(`not a decimal text: ${text}`)
  return format.format(text)
}

function isZero(decimal: string): boolean {
  return /^-?0(?:\.0*)?$/u.test(decimal)
}

/** A price: `4,321.50`, `0.1234`, and from four zeros on `0.0₆1234`. Takes a decimal text that is not negative. */
export function price(decimal: string): Figure {
  return { number: decimal, as: 'price' }
}

/** A number with all its digits: `1,500,000`, `0.00000015`. Takes a decimal text that is not negative. */
export function exactly(decimal: string): Figure {
  return { number: decimal, as: 'exact' }
}

/**
 * An amount to three significant digits: `1.23M`. Zero is `0`, less than a hundredth `<0.01`, and more than trillions
 * `>999T`. In dollars, from a cent to a thousand it has cents: `$12.30`. Takes a decimal text that is not negative.
 */
export function amount(decimal: string): Figure {
  return { number: decimal, as: 'amount' }
}

/** A change, given as a ratio: `▲ 15.4%`, `▼ 3%`, `0%`, `▲ <0.1%`. */
export function changePercent(ratio: string): Figure {
  return { number: ratio, as: 'change' }
}

/** Progress (0 to 1) in full percent, rounded down: `100%` only if everything is sold, `<1%` if less than that is. */
export function progressPercent(ratio: string): Figure {
  return { number: ratio, as: 'share' }
}

/** Whole percent: `25%`. */
export function percent(value: number): Figure {
  return progressPercent(String(value / 100))
}

/** A price or an amount in dollars: `$0.1234`, `<$0.01`. */
export function inDollars(figure: Figure): Figure {
  return { ...figure, dollars: true }
}

/**
 * Makes the function that writes figures in a language.
 * @example
 *   figureFormatter('en')(inDollars(amount('1234567'))) // '$1.23M'
 */
export function figureFormatter(locale: string): (figure: Figure) => string {
  const formats = formatsOf(locale)
  return ({ number, as, dollars }) => {
    const write = dollars && as === 'amount' ? dollarText : writers[as]
    const text = write(number, formats)
    // Spanish and Russian have a space before the sign by the book, and people who write of tokens have none.
    if (text.endsWith('%')) return text.replace(/(\d)\p{Z}%/u, '$1%')
    return dollars ? text.replace(/^[<>]?/u, '$&$$') : text
  }
}

const writers: Record<Figure['as'], (decimal: string, formats: Formats) => string> = {
  price: priceText,
  amount: amountText,
  exact: exactText,
  change: changeText,
  share: shareText,
}

function priceText(decimal: string, formats: Formats): string {
  if (isZero(decimal)) return '0'
  const [integer = '0', fraction = ''] = decimal.split('.')
  if (integer.length > 9) return amountText(decimal, formats)
  if (!/^0+$/u.test(integer)) return formatted(formats.grouped, decimal)
  const zeros = /^0*/u.exec(fraction)?.[0].length ?? 0
  if (zeros < countedZeros) return formatted(formats.significant, decimal)
  const digits = fraction.slice(zeros, zeros + 4).replace(/0+$/u, '')
  const count = [...String(zeros)].map((digit) => subscripts[Number(digit)]).join('')
  return `0${formats.decimal}0${count}${digits}`
}

function exactText(decimal: string, formats: Formats): string {
  const [integer = '0', fraction = ''] = decimal.split('.')
  const digits = fraction.replace(/0+$/u, '')
  const whole = formats.whole.format(BigInt(integer))
  return whole + (digits === '' ? '' : `${formats.decimal}${digits}`)
}

function amountText(decimal: string, { compact }: Formats): string {
  if (isZero(decimal)) return '0'
  const [integer = '0', fraction = ''] = decimal.split('.')
  const underHundredth = /^0+$/u.test(integer) && fraction.padEnd(2, '0').startsWith('00')
  if (underHundredth) return `<${compact.format(0.01)}`
  if (BigInt(integer) >= pastTrillions) return `>${compact.format(999_000_000_000_000)}`
  return formatted(compact, decimal)
}

/** An amount of dollars, without the sign: people read `0.244` as a price. */
function dollarText(decimal: string, formats: Formats): string {
  const text = amountText(decimal, formats)
  const [integer = '0'] = decimal.split('.')
  if (isZero(decimal) || text.startsWith('<') || BigInt(integer) >= 1000n) return text
  const withCents = formatted(formats.grouped, decimal)
  return withCents === formats.grouped.format(1000) ? text : withCents
}

function changeText(ratio: string, { change, bigChange }: Formats): string {
  if (isZero(ratio)) return change.format(0)
  const arrow = ratio.startsWith('-') ? '▼' : '▲'
  const [integer = '0'] = ratio.replace('-', '').split('.')
  if (BigInt(integer) >= pastTrillions / 100n)
    return `${arrow} >${bigChange.format(9_990_000_000_000)}`
  const text = formatted(integer.length > 1 ? bigChange : change, ratio)
  return `${arrow} ${text === change.format(0) ? `<${change.format(0.001)}` : text}`
}

function shareText(ratio: string, { wholePercent }: Formats): string {
  const zero = wholePercent.format(0)
  if (isZero(ratio)) return zero
  const text = formatted(wholePercent, ratio)
  return text === zero ? `<${wholePercent.format(0.01)}` : text
}
