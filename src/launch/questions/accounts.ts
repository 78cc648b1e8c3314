import type { Address } from 'viem'
import { formatUnits, parseUnits } from 'viem/utils'
import { isNobody, shortAddress } from '../../chain/address.ts'
import { parseAddress } from '../../chain/chains.ts'
import { exactly } from '../../core/number.ts'
import { type Message, t } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import {
  ownShare,
  partOfToken,
  pinnedSupply,
  supplyOf,
  templateOf,
  tokensAsTyped,
  vestingRoom,
  vestingSchedule,
  wholeTokens,
} from '../build-inputs.ts'
import type { Answers } from '../draft.ts'
import type { Template } from '../settings.ts'
import { percentDecimals, tokenDecimals } from '../table/value.ts'
import {
  always,
  type Doubt,
  isAboutAccounts,
  never,
  ofLaunches,
  type Question,
  readList,
  rejectSecret,
  type Scope,
} from './question.ts'

type Recipient = NonNullable<Answers['vesting']>[number]

type Beneficiary = NonNullable<Answers['beneficiaries']>[number]

const maxEntries = 20

/** 0.1% of the supply; smaller vesting is probably a mistake. */
const minUsualShare = 10n ** 15n

const wholeSupply = 10n ** 18n

const exampleAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

/** The answer that means the wallet itself. */
const sameWallet = 'wallet'

export const wallet: Question = {
  id: 'wallet',
  label: t('launch-wallet'),
  names: ['wallet', 'my wallet', 'signer'],
  field: { kind: 'line', maxLength: 100, about: t('launch-wallet-form') },
  applies: ofLaunches,
  skipped: never,
  ask: ({ lastWallet, nameExample }) => ({
    words: [t('launch-wallet-question')],
    example: exampleAddress,
    allowed: orName(t('launch-wallet-allowed'), nameExample),
    ...(lastWallet && {
      choices: [
        {
          label: t('launch-wallet-again', { wallet: shortAddress(lastWallet) }),
          value: lastWallet,
        },
      ],
    }),
  }),
  hasAccounts: true,
  mayStore: isAboutAccounts,
  parse: (text) => ({ wallet: readAccount(text) }),
  text: ({ answers }) => answers.wallet,
}

export const feeReceiver: Question = {
  id: 'feeReceiver',
  label: t('launch-fee-receiver'),
  names: ['fee receiver', 'fees', 'fee', 'feereceiver', 'receiver'],
  field: {
    kind: 'line',
    maxLength: 100,
    about: t('launch-fee-receiver-form'),
  },
  isPreset: true,
  applies: always,
  skipped: ({ goal }) => (goal === 'metadata' ? { feeReceiver: null } : undefined),
  ask: ({ goal, nameExample }) => ({
    words: [t('launch-fee-receiver-question')],
    example: exampleAddress,
    allowed: orName(
      goal === 'launch' ? t('launch-fee-receiver-allowed') : t('launch-fee-receiver-address'),
      nameExample,
    ),
    ...(goal === 'launch' && {
      choices: [{ label: t('launch-fee-receiver-same'), value: sameWallet }],
    }),
  }),
  hasAccounts: true,
  mayStore: isAboutAccounts,
  parse: (text, { goal }) => {
    const same = /^(?:(?:the |my )?(?:same )?wallet|same|me|the same)\.?$/iu.test(text.trim())
    if (same && goal === 'launch') return { feeReceiver: null }
    return { feeReceiver: readAccount(text) }
  },
  text: ({ answers, goal }) => answers.feeReceiver ?? (goal === 'launch' ? sameWallet : ''),
}

export const vesting: Question = {
  id: 'vesting',
  label: t('launch-vesting'),
  names: ['vesting', 'vesting recipients'],
  field: {
    kind: 'paragraph',
    maxLength: 3_000,
    about: t('launch-vesting-form'),
  },
  applies: always,
  skipped: () => ({ vesting: [] }),
  ask: ({ answers, settings, nameExample }) => {
    const template = templateOf(answers, settings.templates)
    return {
      words: [vestingQuestion(template)],
      example: `${exampleAddress} 5%`,
      allowed: orName(
        t('launch-vesting-allowed', {
          max: maxEntries,
          percent: percentText(vestingRoom(template)),
        }),
        nameExample,
      ),
    }
  },
  hasAccounts: true,
  mayStore: isAboutAccounts,
  parse: (text, { answers, settings }) => ({
    vesting: readVesting(text, templateOf(answers, settings.templates)),
  }),
  doubts: {
    find: ({ answers, settings }) => {
      const supply = supplyOf(templateOf(answers, settings.templates))
      return (answers.vesting ?? []).flatMap((each) => doubtAbout(each, supply))
    },
    confirmLabel: t('launch-vesting-meant'),
  },
  text: ({ answers }) =>
    answers.vesting?.map((each) => `${each.address} ${shareOf(each)}`).join('\n'),
}

export const beneficiaries: Question = {
  id: 'beneficiaries',
  label: t('launch-beneficiaries'),
  names: ['beneficiaries', 'beneficiary', 'shares', 'fee split', 'split'],
  field: {
    kind: 'paragraph',
    maxLength: 3_000,
    about: t('launch-beneficiaries-form'),
  },
  // Some templates leave the creator no fees to share.
  applies: (scope) => ofLaunches(scope) && ownFees(scope) > 0n,
  skipped: () => ({ beneficiaries: [] }),
  ask: (scope) => {
    const own = percentText(ownFees(scope))
    return {
      words: [t('launch-beneficiaries-question', { own })],
      example: `${exampleAddress} 35%`,
      allowed: orName(
        t('launch-beneficiaries-allowed', { max: maxEntries, own }),
        scope.nameExample,
      ),
    }
  },
  hasAccounts: true,
  mayStore: isAboutAccounts,
  parse: (text, scope) => ({ beneficiaries: readBeneficiaries(text, ownFees(scope)) }),
  text: ({ answers }) =>
    answers.beneficiaries
      ?.map(({ beneficiary, shares }) => `${beneficiary} ${formatPercent(BigInt(shares))}%`)
      .join('\n'),
}

/** Adds to what is allowed that names are, too, if any can be looked up. */
function orName(allowed: Message, example: string | undefined): Message {
  return example === undefined ? allowed : t('name-allowed', { allowed, example })
}

function shareOf({ amount, percentage }: Recipient): string {
  return amount === undefined ? `${percentage}%` : `${amount} tokens`
}

/** Doubts a share so small that a percentage may have been meant. */
function doubtAbout(recipient: Recipient, supply: bigint): Doubt[] {
  const { address, amount, percentage = '0' } = recipient
  const share =
    amount === undefined
      ? parseUnits(percentage, percentDecimals)
      : (parseUnits(amount, tokenDecimals) * wholeSupply) / supply
  if (share >= minUsualShare) return []
  const tokens = amount ?? formatUnits((share * supply) / wholeSupply, tokenDecimals)
  const reason = t('launch-vesting-small', {
    account: shortAddress(address),
    tokens: exactly(tokens),
    percent: share === 0n ? '<0.0000000000000001%' : percentText(share),
    supply: exactly(String(supply / wholeSupply)),
  })
  return [{ part: `${address} ${shareOf(recipient)}`, reason }]
}

function ownFees({ answers, settings }: Scope): bigint {
  return ownShare(templateOf(answers, settings.templates))
}

function vestingQuestion(template: Template | undefined): Message {
  const schedule = vestingSchedule(template)
  if (!schedule) return t('launch-vesting-question')
  const [days, cliff] = [daysIn(schedule.duration), daysIn(schedule.cliff)]
  return cliff > 0
    ? t('launch-vesting-question-cliff', { days, cliff })
    : t('launch-vesting-question-days', { days })
}

function daysIn(seconds: number): number {
  return Math.round((seconds / 86_400) * 10) / 10
}

function readVesting(text: string, template: Template | undefined): Recipient[] {
  const room = vestingRoom(template)
  const supply = pinnedSupply(template)
  let sum = 0n
  const addShare = (share: bigint) => {
    sum += share
    if (sum > room) {
      const max = percentText(room)
      throw new UserError(t('launch-vesting-too-much', { sum: percentText(sum), max }))
    }
  }
  return readEntries(text, (address, value): Recipient => {
    if (value.unit === undefined) throw new UserError(noUnit(value.text))
    if (value.unit === 'tokens') {
      const amount = readAmount(value.text)
      wholeTokens({ amount }, template)
      // Without a pinned supply the fraction is unknown.
      if (supply) addShare((parseUnits(amount, tokenDecimals) * wholeSupply) / supply)
      return { address, amount }
    }
    const share = readPercent(value.text)
    addShare(share)
    const percentage = formatPercent(share)
    wholeTokens({ percentage }, template)
    return { address, percentage }
  })
}

/** Asks for the unit of a number, in the person's own figures. */
function noUnit(text: string): Message {
  const { digits, part, scale } = numberIn(text) ?? {}
  if (digits === undefined) return t('launch-vesting-no-number')
  // Nobody vests more than 100%, or a part of a token.
  const share = scale === '' && Number(digits) <= 100 ? `${text}%` : undefined
  const tokens = scale === '' && part !== '' ? undefined : tokensAsTyped(text)
  if (share !== undefined && tokens !== undefined) {
    return t('launch-vesting-no-unit', { share, tokens, number: text })
  }
  const typed = share ?? tokens
  return typed === undefined ? t('launch-vesting-no-number') : t('launch-vesting-unit', { typed })
}

function readBeneficiaries(text: string, maxShared: bigint): Beneficiary[] {
  let sum = 0n
  return readEntries(text, (beneficiary, value): Beneficiary => {
    if (value.unit !== 'percent') {
      throw new UserError(t('launch-beneficiaries-no-percent'))
    }
    const share = readPercent(value.text)
    sum += share
    if (sum > maxShared) {
      const max = percentText(maxShared)
      throw new UserError(t('launch-beneficiaries-too-much', { sum: percentText(sum), max }))
    }
    return { beneficiary, shares: String(share) }
  }).sort((one, other) =>
    one.beneficiary.toLowerCase() < other.beneficiary.toLowerCase() ? -1 : 1,
  )
}

interface Value {
  text: string
  /** Undefined if none was written: 5 could be either. */
  unit: 'percent' | 'tokens' | undefined
}

function readEntries<T>(text: string, read: (address: `0x${string}`, value: Value) => T): T[] {
  const list = {
    comma: /,\s*(?=0x)/iu,
    max: maxEntries,
    empty: t('launch-accounts-none'),
    tooMany: (count: number) => t('launch-accounts-many', { max: maxEntries, count }),
    twice: t('launch-accounts-twice'),
  }
  return readList(text, list, (entry, refuseSecond) => {
    const [, account = '', rest = ''] = /^(\S+?)(?:[\s:=]+(.*))?$/su.exec(entry) ?? []
    const address = readAccount(account)
    refuseSecond(address)
    return read(address, readValue(rest))
  })
}

function readValue(text: string): Value {
  const trimmed = text.trim()
  if (trimmed === '') {
    throw new UserError(t('launch-accounts-no-value', { example: `${exampleAddress} 5%` }))
  }
  const [percentage, percent] = splitSuffix(trimmed, /(?:%|per ?cent)$/iu)
  if (percent !== '') return { text: percentage, unit: 'percent' }
  const [tokens, unit] = splitSuffix(trimmed, /tokens?$/iu)
  return { text: tokens, unit: unit === '' ? undefined : 'tokens' }
}

/** Splits the suffix from a text. A pattern for both would try every start in a run of blanks. */
function splitSuffix(text: string, suffix: RegExp): [before: string, suffix: string] {
  const [found = ''] = suffix.exec(text) ?? []
  return [text.slice(0, text.length - found.length).trimEnd(), found]
}

/**
 * Parses an account that can receive something.
 * @throws UserError that names the problem
 */
function readAccount(text: string): `0x${string}` {
  rejectSecret(text)
  const address = parseAddress(text)
  if (!isNobody(address)) return address
  throw new UserError(t('launch-account-zero'))
}

const plainNumber = /^(?<whole>\d{1,30})(?:\.(?<part>\d+))?$/u

const groupedNumber = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u

const multipliers: Readonly<Record<string, bigint>> = {
  k: 10n ** 3n,
  thousand: 10n ** 3n,
  m: 10n ** 6n,
  million: 10n ** 6n,
  b: 10n ** 9n,
  billion: 10n ** 9n,
}

const scales = /(?:k|thousand|m|million|b|billion)$/iu

/**
 * Normalizes an amount of tokens to a plain decimal text; also takes 1,000,000 and 1M.
 * @throws UserError if it is not above zero, or surely no whole number
 */
function readAmount(text: string): string {
  const { digits, part, scale } = numberIn(text) ?? {}
  if (digits === undefined || part === undefined) throw new UserError(t('launch-tokens-no-number'))
  if (part.length > tokenDecimals) throw new UserError(partOfToken(digits))
  const amount = parseUnits(digits, tokenDecimals) * (multipliers[scale ?? ''] ?? 1n)
  if (amount === 0n) throw new UserError(t('launch-tokens-zero'))
  return formatUnits(amount, tokenDecimals)
}

/** A number as people type it: 1000000, 1,000,000 or 1M. */
interface TypedNumber {
  /** Without commas, such as 1.5. */
  digits: string
  /** The digits after the point. */
  part: string
  /** In lower case; empty if none was written. */
  scale: string
}

function numberIn(text: string): TypedNumber | undefined {
  const [number, scale] = splitSuffix(text, scales)
  const digits = groupedNumber.test(number) ? number.replaceAll(',', '') : number
  const groups = plainNumber.exec(digits)?.groups
  return groups && { digits, part: groups.part ?? '', scale: scale.toLowerCase() }
}

/**
 * Parses a percentage without its sign into an 18-decimal fraction: 35 gives 350000000000000000.
 * @throws UserError if it is not above 0 and up to 100, or has too many decimals
 */
function readPercent(text: string): bigint {
  const groups = plainNumber.exec(text)?.groups
  if (groups === undefined) {
    throw new UserError(t('launch-percent-no-number'))
  }
  if ((groups.part ?? '').length > 16) throw new UserError(t('launch-percent-decimals'))
  const share = parseUnits(text, percentDecimals)
  if (share === 0n) throw new UserError(t('launch-percent-zero'))
  if (share > 10n ** 18n) throw new UserError(t('launch-percent-over'))
  return share
}

/** Formats an 18-decimal fraction as percent without the sign: 350000000000000000 gives 35. */
function formatPercent(share: bigint): string {
  return formatUnits(share, percentDecimals)
}

/** An 18-decimal fraction as people read it: 35%. */
function percentText(share: bigint): string {
  return `${formatPercent(share)}%`
}

/** Looks up what a name stands for on a chain. @throws UserError that says what to send instead */
export type LookUpName = (
  name: string,
  chain: number | undefined,
) => Promise<{ name: string; address: Address }>

/** A name that somebody typed, and the account that it stood for at that moment. */
export interface NamedAccount {
  name: string
  address: Address
}

/** Names by the address in lower case. */
export type AccountNames = Readonly<Record<string, string>>

const parts = /[^\s,;:=]+/gu

/** A name has a dot and ends in letters; so do no addresses and amounts. */
const namePattern = /^[^\s/@]+\.\p{L}{2,}$/u

/** Writes names before their addresses, in a text with addresses. */
export function withNames(text: string, names: AccountNames): string {
  return text.replaceAll(/0x[0-9a-f]{40}/giu, (address) => {
    const name = names[address.toLowerCase()]
    return name === undefined ? address : `${name} (${address})`
  })
}

/** Lists the different names in an answer about accounts. */
export function namesIn(text: string): string[] {
  return [...new Set((text.match(parts) ?? []).filter((part) => namePattern.test(part)))]
}

/** Replaces names in an answer by the addresses that were found for them. */
export function withAddresses(text: string, found: ReadonlyMap<string, Address>): string {
  return text.replaceAll(parts, (part) => found.get(part) ?? part)
}
