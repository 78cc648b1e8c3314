import type { Money } from '../api/units.ts'

/** News and histories hold no longer numbers; only an interface gone wrong gives one. */
const mostDigits = 120

/** The amount as it can be stored; absent where it is no sensible length. */
export function storable(money: Money | undefined): Money | undefined {
  return money && money.amount.length <= mostDigits ? money : undefined
}

/** A ratio as it can be stored: cut, so that a share is never more than it was. */
export function storableShare(share: string | undefined): string | undefined {
  return share?.slice(0, mostDigits)
}
