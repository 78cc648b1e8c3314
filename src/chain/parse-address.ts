import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import { checksummed } from './address.ts'

/**
 * Parses an address and returns it with its checksum. All lower or all upper case is accepted unchecked (EIP-55); mixed
 * case must match.
 * @throws UserError that names the fault
 */
export function parseAddress(raw: string): `0x${string}` {
  const text = raw.trim()
  const digits = text.slice(2)
  if (!/^0x/iu.test(text)) {
    throw new UserError(t('address-start'))
  }
  if (!/^[0-9a-f]*$/iu.test(digits)) {
    throw new UserError(t('address-digits'))
  }
  if (digits.length !== 40) {
    throw new UserError(t('address-length', { length: digits.length }))
  }
  const address = checksummed(text)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (oneCase || address === `0x${digits}`) return address
  throw new UserError(t('address-checksum'))
}
