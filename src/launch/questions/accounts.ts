import { formatUnits, parseUnits } from 'viem/utils'
import { isNobody, parseAddress, shortAddress } from '../../chain/address.ts'
import { UserError } from '../../errors.ts'
import {
  ownShare,
  pinnedSupply,
  templateOf,
  vestingRoom,
  vestingSchedule,
} from '../build-inputs.ts'
import type { Answers, Template } from '../draft.ts'
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

const tokenDecimals = 18

/** Supply of most templates, in tokens; used if the template pins none. */
const defaultSupply = 10n ** 9n

/** 0.1 % of the supply; smaller vesting is probably a mistake. */
const minUsualShare = 10n ** 15n

const wholeSupply = 10n ** 18n

const exampleAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

/** The answer that means the wallet itself. */
const sameWallet = 'wallet'

const bareNumber = 'write 5% or 5000000 tokens: a number alone could be either.'

export const wallet: Question = {
  id: 'wallet',
  label: 'Wallet',
  names: ['wallet', 'my wallet', 'signer'],
  field: { kind: 'line', maxLength: 100, about: 'The address that signs and pays the gas' },
  applies: ofLaunches,
  skipped: never,
  ask: () => ({
    words: [
      'Which wallet will sign? Paste its address. Only the address: nobody here ever asks for a key or a seed phrase.',
    ],
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
    allowed: 'An address of 0x and 40 characters.',
  }),
  mayStore: isAboutAccounts,
  parse: (text) => ({ wallet: readAccount(text) }),
  text: ({ answers }) => answers.wallet,
}

export const feeReceiver: Question = {
  id: 'feeReceiver',
  label: 'Fee receiver',
  names: ['fee receiver', 'fees', 'fee', 'feereceiver', 'receiver'],
  field: {
    kind: 'line',
    maxLength: 100,
    about: 'An address',
    empty: { text: sameWallet, about: 'empty: the wallet that signs' },
  },
  applies: always,
  skipped: ({ goal }) => (goal === 'metadata' ? { feeReceiver: null } : undefined),
  ask: ({ goal }) => ({
    words: [
      'Who is named as fee receiver in the token’s metadata?',
      ...(goal === 'launch'
        ? [' It is written there only: who shares in the fees is asked for under Beneficiaries.']
        : []),
    ],
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
    allowed:
      goal === 'launch' ? 'An address, or “wallet” for the wallet that signs.' : 'An address.',
    ...(goal === 'launch' && { choices: [{ label: 'The same wallet', value: sameWallet }] }),
  }),
  mayStore: isAboutAccounts,
  parse: (text, { goal }) => {
    const same = /^(?:(?:the |my )?(?:same )?wallet|same|me|the same)\.?$/iu.test(text.trim())
    if (same && goal === 'launch') return { feeReceiver: null }
    return { feeReceiver: readAccount(text) }
  },
  text: ({ answers, goal }) =>
    answers.feeReceiver === null ? (goal === 'launch' ? sameWallet : '') : answers.feeReceiver,
}

export const vesting: Question = {
  id: 'vesting',
  label: 'Vesting',
  names: ['vesting', 'vesting recipients'],
  field: {
    kind: 'paragraph',
    maxLength: 3_000,
    about: 'One a line: address and 5%, or address and 5000000 tokens',
  },
  applies: always,
  skipped: () => ({ vesting: [] }),
  ask: ({ answers, settings }) => {
    const template = templateOf(answers, settings.templates)
    return {
      words: [
        `Vesting: who gets locked tokens, released over time? One per line. ${scheduleWords(template)}`,
      ],
      example: `${exampleAddress} 5%`,
      allowed: `Up to ${maxEntries} addresses, each with a percentage of the supply, such as 5%, or a number of tokens, such as 5000000 tokens; at most ${formatPercent(vestingRoom(template))}% together.`,
    }
  },
  mayStore: isAboutAccounts,
  parse: (text, { answers, settings }) => ({
    vesting: readVesting(text, templateOf(answers, settings.templates)),
  }),
  doubts: {
    find: ({ answers, settings }) => {
      const supply = pinnedSupply(templateOf(answers, settings.templates))
      return (answers.vesting ?? []).flatMap((each) => doubtAbout(each, supply))
    },
    confirmLabel: 'Yes, that was meant',
  },
  text: ({ answers }) =>
    answers.vesting?.map((each) => `${each.address} ${shareOf(each)}`).join('\n'),
}

export const beneficiaries: Question = {
  id: 'beneficiaries',
  label: 'Beneficiaries',
  names: ['beneficiaries', 'beneficiary', 'shares'],
  field: {
    kind: 'paragraph',
    maxLength: 3_000,
    about: 'One a line: address and share, such as 0x… 35%',
  },
  // Some templates leave the creator no fees to share.
  applies: (scope) => ofLaunches(scope) && ownFees(scope) > 0n,
  skipped: () => ({ beneficiaries: [] }),
  ask: (scope) => {
    const own = formatPercent(ownFees(scope))
    return {
      words: [
        `Split trading fees with anyone? One per line. ${own}% of them are yours: what you give others comes out of that.`,
      ],
      example: `${exampleAddress} 35%`,
      allowed: `Up to ${maxEntries} addresses, each with its share; at most ${own}% together.`,
    }
  },
  mayStore: isAboutAccounts,
  parse: (text, scope) => ({ beneficiaries: readBeneficiaries(text, ownFees(scope)) }),
  text: ({ answers }) =>
    answers.beneficiaries
      ?.map(({ beneficiary, shares }) => `${beneficiary} ${formatPercent(BigInt(shares))}%`)
      .join('\n'),
}

function shareOf({ amount, percentage }: Recipient): string {
  return amount === undefined ? `${percentage}%` : `${amount} tokens`
}

/** Doubts a share so small that a percentage may have been meant. */
function doubtAbout(recipient: Recipient, supply = defaultSupply * wholeSupply): Doubt[] {
  const { address, amount, percentage = '0' } = recipient
  const share =
    amount === undefined
      ? parseUnits(percentage, 16)
      : (parseUnits(amount, tokenDecimals) * wholeSupply) / supply
  if (share >= minUsualShare) return []
  const other =
    amount === undefined
      ? `${formatUnits((share * supply) / wholeSupply, tokenDecimals)} tokens`
      : share === 0n
        ? 'next to nothing'
        : `${formatPercent(share)}%`
  const words = `${shareOf(recipient)} is ${other} of a supply of ${supplyWords(supply)}, for ${shortAddress(address)}. Was that meant?`
  return [{ part: `${address} ${shareOf(recipient)}`, reason: words }]
}

function supplyWords(supply: bigint): string {
  const billions = supply / (defaultSupply * wholeSupply)
  return billions * defaultSupply * wholeSupply === supply
    ? `${billions} billion`
    : `${(supply / wholeSupply).toLocaleString('en')} tokens`
}

function ownFees({ answers, settings }: Scope): bigint {
  return ownShare(templateOf(answers, settings.templates))
}

function scheduleWords(template: Template | undefined): string {
  const schedule = vestingSchedule(template)
  if (!schedule) return 'The template sets over how long.'
  const days = (seconds: number) => `${Math.round((seconds / 86_400) * 10) / 10} days`
  const cliff = schedule.cliff > 0 ? `, nothing before ${days(schedule.cliff)}` : ''
  return `They are released over ${days(schedule.duration)}${cliff}.`
}

function readVesting(text: string, template: Template | undefined): Recipient[] {
  const room = vestingRoom(template)
  const supply = pinnedSupply(template)
  let sum = 0n
  const addShare = (share: bigint) => {
    sum += share
    if (sum > room) {
      throw new UserError(
        `with this one it comes to ${formatPercent(sum)}% of the supply. It may come to ${formatPercent(room)}% at most.`,
      )
    }
  }
  return readEntries(text, (address, value): Recipient => {
    if (value.unit === undefined) throw new UserError(bareNumber)
    if (value.unit === 'tokens') {
      const amount = readAmount(value.text)
      // Without a pinned supply the fraction is unknown.
      if (supply) addShare((parseUnits(amount, tokenDecimals) * wholeSupply) / supply)
      return { address, amount }
    }
    const share = readPercent(value.text)
    addShare(share)
    return { address, percentage: formatPercent(share) }
  })
}

function readBeneficiaries(text: string, maxShared: bigint): Beneficiary[] {
  let sum = 0n
  return readEntries(text, (beneficiary, value): Beneficiary => {
    if (value.unit !== 'percent') {
      throw new UserError('write the share with a percent sign, such as 35%.')
    }
    const share = readPercent(value.text)
    sum += share
    if (sum > maxShared) {
      throw new UserError(
        `with this one the shares come to ${formatPercent(sum)}%. They may come to ${formatPercent(maxShared)}% at most.`,
      )
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
    entry: 'line',
    noun: 'address',
    plural: 'addresses',
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
    throw new UserError(`after the address comes how much it gets, as in ${exampleAddress} 5%.`)
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
  throw new UserError('This is the zero address: what it gets is lost. Give another address.')
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
 * @throws UserError if it is not above zero or has more than 18 decimals
 */
function readAmount(text: string): string {
  const [number, scale] = splitSuffix(text, scales)
  const digits = groupedNumber.test(number) ? number.replaceAll(',', '') : number
  const groups = plainNumber.exec(digits)?.groups
  if (groups === undefined) {
    throw new UserError(
      'write the number of tokens in digits, such as 1000000 tokens or 2.5 tokens.',
    )
  }
  if ((groups.part ?? '').length > 18) throw new UserError('a token has at most 18 decimals.')
  const amount = parseUnits(digits, 18) * (multipliers[scale.toLowerCase()] ?? 1n)
  if (amount === 0n) throw new UserError('the number of tokens must be more than 0.')
  return formatUnits(amount, 18)
}

/**
 * Parses a percentage without its sign into an 18-decimal fraction: 35 gives 350000000000000000.
 * @throws UserError if it is not above 0 and up to 100, or has too many decimals
 */
function readPercent(text: string): bigint {
  const groups = plainNumber.exec(text)?.groups
  if (groups === undefined) {
    throw new UserError('write the percentage in digits, such as 5% or 2.5%.')
  }
  if ((groups.part ?? '').length > 16) throw new UserError('a percentage has at most 16 decimals.')
  const share = parseUnits(text, 16)
  if (share === 0n) throw new UserError('a percentage must be more than 0.')
  if (share > 10n ** 18n) throw new UserError('a percentage can’t be over 100.')
  return share
}

/** Formats an 18-decimal fraction as percent without the sign: 350000000000000000 gives 35. */
function formatPercent(share: bigint): string {
  return formatUnits(share, 16)
}
