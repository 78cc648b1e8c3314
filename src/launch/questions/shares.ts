import { UserError } from '../../errors.ts'
import type { Answers } from '../draft.ts'
import { readAccount } from './accounts.ts'
import { entriesOf, entryRefused } from './entries.ts'
import { formatPercent, readAmount, readPercent } from './figures.ts'
import { always, ofLaunches, type Question } from './question.ts'
import { isAboutAccounts } from './secrets.ts'

type Recipient = NonNullable<Answers['vesting']>[number]
type Beneficiary = NonNullable<Answers['beneficiaries']>[number]

const mostEntries = 20
const hundred = 10n ** 18n
/** The protocol's part of the fees is 5 %, in every launch. */
const mostShared = (hundred * 95n) / 100n
const exampleAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

export const vesting: Question = {
  id: 'vesting',
  label: 'Vesting',
  names: ['vesting', 'vesting recipients'],
  field: {
    kind: 'paragraph',
    most: 3_000,
    about: 'One a line: address and amount, or address and 5%',
  },
  applies: always,
  skipped: () => ({ vesting: [] }),
  ask: () => ({
    words: [
      'Who gets tokens that are released over time? One a line. The template sets over how long.',
    ],
    example: `${exampleAddress} 5%`,
    allowed: `Up to ${mostEntries} addresses, each with a number of tokens or a percentage of the supply; at most 100 % together.`,
  }),
  keeps: isAboutAccounts,
  parse: (text) => ({ vesting: readVesting(text) }),
  text: ({ answers }) =>
    answers.vesting
      ?.map(({ address, amount, percentage }) => `${address} ${amount ?? `${percentage}%`}`)
      .join('\n'),
}

export const beneficiaries: Question = {
  id: 'beneficiaries',
  label: 'Beneficiaries',
  names: ['beneficiaries', 'beneficiary', 'shares'],
  field: {
    kind: 'paragraph',
    most: 3_000,
    about: 'One a line: address and share, such as 0x… 35%',
  },
  applies: ofLaunches,
  skipped: () => ({ beneficiaries: [] }),
  ask: () => ({
    words: [
      'Who else has a share of the fees? One a line. 5 % goes to the protocol, and what is left goes to your wallet.',
    ],
    example: `${exampleAddress} 35%`,
    allowed: `Up to ${mostEntries} addresses, each with its share; at most 95 % together.`,
  }),
  keeps: isAboutAccounts,
  parse: (text) => ({ beneficiaries: readBeneficiaries(text) }),
  text: ({ answers }) =>
    answers.beneficiaries
      ?.map(({ beneficiary, shares }) => `${beneficiary} ${formatPercent(BigInt(shares))}%`)
      .join('\n'),
}

function readVesting(text: string): Recipient[] {
  let sum = 0n
  return readEntries(text, (address, value): Recipient => {
    if (!value.isPercentage) return { address, amount: readAmount(value.text) }
    const share = readPercent(value.text)
    sum += share
    if (sum > hundred) {
      throw new UserError(
        `with this one the percentages come to ${formatPercent(sum)} %. They may come to 100 % at most.`,
      )
    }
    return { address, percentage: formatPercent(share) }
  })
}

function readBeneficiaries(text: string): Beneficiary[] {
  let sum = 0n
  return readEntries(text, (beneficiary, value): Beneficiary => {
    if (!value.isPercentage) {
      throw new UserError('write the share with a percent sign, such as 35%.')
    }
    const share = readPercent(value.text)
    sum += share
    if (sum > mostShared) {
      throw new UserError(
        `with this one the shares come to ${formatPercent(sum)} %. They may come to 95 % at most: 5 % goes to the protocol.`,
      )
    }
    return { beneficiary, shares: String(share) }
  }).sort((one, other) =>
    one.beneficiary.toLowerCase() < other.beneficiary.toLowerCase() ? -1 : 1,
  )
}

interface Value {
  text: string
  isPercentage: boolean
}

function readEntries<T>(text: string, read: (address: `0x${string}`, value: Value) => T): T[] {
  const entries = entriesOf(text, /,\s*(?=0x)/iu)
  if (entries.length === 0) throw new UserError('Give at least one line, or skip this.')
  if (entries.length > mostEntries) {
    throw new UserError(`At most ${mostEntries} addresses; these are ${entries.length}.`)
  }
  const seen = new Set<string>()
  return entries.map((entry, index) => {
    try {
      const [, account = '', rest = ''] = /^(\S+?)(?:[\s:=]+(.*))?$/su.exec(entry) ?? []
      const address = readAccount(account)
      if (seen.has(address)) throw new UserError('this address is there twice. Give it once.')
      seen.add(address)
      return read(address, readValue(rest))
    } catch (error) {
      throw entryRefused(error, index, entries.length)
    }
  })
}

function readValue(text: string): Value {
  const trimmed = text.trim()
  if (trimmed === '') {
    throw new UserError(`after the address comes how much it gets, as in ${exampleAddress} 5%.`)
  }
  const percentage = /^(.*?)\s*(?:%|per ?cent)$/isu.exec(trimmed)?.[1]
  return percentage === undefined
    ? { text: trimmed.replace(/\s*tokens?$/iu, ''), isPercentage: false }
    : { text: percentage, isPercentage: true }
}
