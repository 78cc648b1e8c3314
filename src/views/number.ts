const subscripts = '₀₁₂₃₄₅₆₇₈₉'
/** From this many zeros after the point on, a small price shows their count instead. */
const countedZeros = 4
/** Rounded to three digits, this is 1000 trillion, which has no short form. */
const pastTrillions = 999_500_000_000_000n

const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const significant = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const wholePercent = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 0,
  roundingMode: 'floor',
})
const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'never',
})
const bigChange = new Intl.NumberFormat('en', {
  style: 'percent',
  notation: 'compact',
  maximumSignificantDigits: 3,
  signDisplay: 'never',
})

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/u.test(text)
}

// Intl formats decimal texts exactly; converting to a number would lose digits.
function formatted(format: Intl.NumberFormat, text: string): string {
  if (!isDecimal(text)) throw new TypeError(`not a decimal text: ${text}`)
  return format.format(text)
}

function isZero(decimal: string): boolean {
  return /^-?0(?:\.0*)?$/u.test(decimal)
}

/**
 * Formats a price: `4,321.50`, `0.1234`, and from four zeros on `0.0₆1234`. Takes a decimal text that is not negative.
 */
export function price(decimal: string): string {
  if (isZero(decimal)) return '0'
  const [integer = '0', fraction = ''] = decimal.split('.')
  if (integer.length > 9) return amount(decimal)
  if (!/^0+$/u.test(integer)) return formatted(grouped, decimal)
  const zeros = /^0*/u.exec(fraction)?.[0].length ?? 0
  if (zeros < countedZeros) return formatted(significant, decimal)
  const digits = fraction.slice(zeros, zeros + 4).replace(/0+$/u, '')
  return `0.0${[...String(zeros)].map((digit) => subscripts[Number(digit)]).join('')}${digits}`
}

/** Formats a number with all its digits: `1,500,000`, `0.00000015`. Takes a decimal text that is not negative. */
export function exactly(decimal: string): string {
  const [integer = '0', fraction = ''] = decimal.split('.')
  const digits = fraction.replace(/0+$/u, '')
  return BigInt(integer).toLocaleString('en') + (digits === '' ? '' : `.${digits}`)
}

/**
 * Formats an amount to three significant digits: `1.23M`. Zero is `0`, less than a hundredth `<0.01`, and more than
 * trillions `>999T`. Takes a decimal text that is not negative.
 */
export function amount(decimal: string): string {
  if (isZero(decimal)) return '0'
  const [integer = '0', fraction = ''] = decimal.split('.')
  const underHundredth = /^0+$/u.test(integer) && fraction.padEnd(2, '0').startsWith('00')
  if (underHundredth) return '<0.01'
  if (BigInt(integer) >= pastTrillions) return '>999T'
  return formatted(compact, decimal)
}

/** Formats a change, given as a ratio: `▲ 15.4 %`, `▼ 3 %`, `0 %`, `▲ <0.1 %`. */
export function changePercent(ratio: string): string {
  if (isZero(ratio)) return '0 %'
  const arrow = ratio.startsWith('-') ? '▼' : '▲'
  const [integer = '0'] = ratio.replace('-', '').split('.')
  if (BigInt(integer) >= pastTrillions / 100n) return `${arrow} >999T %`
  const text = formatted(integer.length > 1 ? bigChange : change, ratio)
  return `${arrow} ${text === '0%' ? '<0.1 %' : text.replace('%', ' %')}`
}

/**
 * Formats progress (0 to 1) in full percent, rounded down: `100 %` only if everything is sold, `<1 %` if less than that
 * is.
 */
export function progressPercent(ratio: string): string {
  if (isZero(ratio)) return '0 %'
  const text = formatted(wholePercent, ratio)
  return text === '0%' ? '<1 %' : text.replace('%', ' %')
}
