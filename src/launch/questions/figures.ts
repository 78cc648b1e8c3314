import { formatUnits, parseUnits } from 'viem/utils'
import { UserError } from '../../errors.ts'

const plain = /^(?<whole>\d{1,30})(?:\.(?<part>\d+))?$/u
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u

const times: Readonly<Record<string, bigint>> = {
  k: 10n ** 3n,
  thousand: 10n ** 3n,
  m: 10n ** 6n,
  million: 10n ** 6n,
  b: 10n ** 9n,
  billion: 10n ** 9n,
}
const scaled = /^(?<number>.*?)\s*(?<scale>k|thousand|m|million|b|billion)$/isu

/**
 * A number of tokens as a plain decimal string: above zero, with 18 decimals at most. Takes 1,000,000 and 1M too.
 * @throws UserError
 */
export function readAmount(text: string): string {
  const { number = text, scale = '' } = scaled.exec(text)?.groups ?? {}
  const digits = grouped.test(number) ? number.replaceAll(',', '') : number
  const groups = plain.exec(digits)?.groups
  if (groups === undefined) {
    throw new UserError(
      'write the number of tokens in digits, such as 1000000 tokens or 2.5 tokens.',
    )
  }
  if ((groups.part ?? '').length > 18) throw new UserError('a token has at most 18 decimals.')
  const amount = parseUnits(digits, 18) * (times[scale.toLowerCase()] ?? 1n)
  if (amount === 0n) throw new UserError('the number of tokens must be more than 0.')
  return formatUnits(amount, 18)
}

/**
 * A percentage, without its sign, as an 18-decimal fraction of one: 35 gives 350000000000000000.
 * @throws UserError where it is not above 0 and up to 100, or has more decimals than can be kept exactly
 */
export function readPercent(text: string): bigint {
  const groups = plain.exec(text)?.groups
  if (groups === undefined) {
    throw new UserError('write the percentage in digits, such as 5% or 2.5%.')
  }
  if ((groups.part ?? '').length > 16) throw new UserError('a percentage has at most 16 decimals.')
  const share = parseUnits(text, 16)
  if (share === 0n) throw new UserError('a percentage must be more than 0.')
  if (share > 10n ** 18n) throw new UserError('a percentage can’t be over 100.')
  return share
}

/** An 18-decimal fraction of one in per cent, without the sign: 350000000000000000 gives 35. */
export function formatPercent(share: bigint): string {
  return formatUnits(share, 16)
}
