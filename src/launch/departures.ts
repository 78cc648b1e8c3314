import { parseUnits } from 'viem/utils'
import type { PoolData } from '../chain/launch/pool-data.ts'
import type { LaunchTerms } from '../chain/launch/terms.ts'
import type { Answers } from './draft.ts'
import { promisedFees } from './fee-shares.ts'

/** Something that a payload gives otherwise than it was confirmed. */
export interface Departure {
  of: 'fees' | 'vesting'
  /** `others`: all those whom nobody asked for. `all`: everybody together. */
  who: 'you' | 'others' | 'all' | `0x${string}`
  /** Fees are 18-decimal fractions of one, vesting is in base units. What `others` get: at most. */
  asked: bigint
  /** Undefined where the data don't tell. */
  gets: bigint | undefined
}

const percentDecimals = 16
const tokenDecimals = 18
const whole = 10n ** 18n

/** Where the terms of a payload depart from the answers that were confirmed; what can't be read is not compared. */
export function departures(answers: Answers, { token, pool, supply }: LaunchTerms): Departure[] {
  return [
    ...(pool ? ofFees(answers, pool) : []),
    ...(token ? ofVesting(answers, new Sums(token.vesting.map(vested)), supply) : []),
  ]
}

const vested = ({ recipient, amount }: { recipient: string; amount: bigint }) =>
  [recipient, amount] as const

/** What each account gets in all, whatever the case of its letters. */
class Sums {
  readonly #sums = new Map<string, bigint>()

  constructor(parts: Iterable<readonly [account: string, part: bigint]>) {
    for (const [account, part] of parts) {
      this.#sums.set(account.toLowerCase(), this.of(account) + part)
    }
  }

  of(account: string): bigint {
    return this.#sums.get(account.toLowerCase()) ?? 0n
  }

  /** What these get together, each counted once. */
  together(accounts: readonly string[]): bigint {
    const each = new Set(accounts.map((account) => account.toLowerCase()))
    return [...each].reduce((sum, account) => sum + this.of(account), 0n)
  }

  get all(): bigint {
    return this.together([...this.#sums.keys()])
  }
}

function ofFees(answers: Answers, { beneficiaries }: PoolData): Departure[] {
  const promised = promisedFees(answers)
  const named = promised.others.map(({ beneficiary }) => beneficiary)
  const asked = new Sums(promised.others.map(({ beneficiary, shares }) => [beneficiary, shares]))
  if (beneficiaries === undefined) {
    return named.map((who) => ({ of: 'fees', who, asked: asked.of(who), gets: undefined }))
  }
  const given = new Sums(beneficiaries.map(({ beneficiary, shares }) => [beneficiary, shares]))
  // The fee receiver is named in the metadata alone: what it gets is not what was promised to the wallet.
  const own = ownOf(answers)
  const ownGets = given.together(own)
  const others = given.all - given.together([...own, ...named])
  const found: (Departure | false)[] = [
    ownGets < promised.own && { of: 'fees', who: 'you', asked: promised.own, gets: ownGets },
    others > promised.protocol && {
      of: 'fees',
      who: 'others',
      asked: promised.protocol,
      gets: others,
    },
    // Shares of more than one are less than they seem.
    given.all > promised.whole && {
      of: 'fees',
      who: 'all',
      asked: promised.whole,
      gets: given.all,
    },
    ...named.map(
      (who): Departure | false =>
        given.of(who) < asked.of(who) && {
          of: 'fees',
          who,
          asked: asked.of(who),
          gets: given.of(who),
        },
    ),
  ]
  return found.filter((each) => each !== false)
}

function ofVesting(answers: Answers, given: Sums, supply: bigint): Departure[] {
  const { vesting = [], wallet } = answers
  const asked = new Sums(vesting.map((each) => [each.address, amountOf(each, supply)]))
  const own = ownOf(answers)
  const named = vesting.map(({ address }) => address)
  const others = given.all - given.together([...own, ...named])
  const isOwn = (account: string) => account.toLowerCase() === wallet?.toLowerCase()
  // More for somebody else is not what was confirmed either.
  const differs = (account: string) =>
    given.of(account) < asked.of(account) ||
    (!isOwn(account) && given.of(account) > asked.of(account))
  return [
    ...(others > 0n ? [{ of: 'vesting', who: 'others', asked: 0n, gets: others } as const] : []),
    ...named
      .filter(differs)
      .map((who) => ({ of: 'vesting', who, asked: asked.of(who), gets: given.of(who) }) as const),
  ]
}

function ownOf({ wallet }: Answers): string[] {
  return wallet === undefined ? [] : [wallet]
}

type Recipient = NonNullable<Answers['vesting']>[number]

function amountOf({ amount, percentage }: Recipient, supply: bigint): bigint {
  return amount === undefined
    ? (supply * parseUnits(percentage ?? '0', percentDecimals)) / whole
    : parseUnits(amount, tokenDecimals)
}
