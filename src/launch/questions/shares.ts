import { formatUnits, parseUnits } from 'viem/utils'
import { shortAddress } from '../../chain/address.ts'
import { UserError } from '../../errors.ts'
import type { Answers, Template } from '../draft.ts'
import {
  ownShare,
  pinnedSupply,
  templateOf,
  vestingRoom,
  vestingSchedule,
} from '../expectations.ts'
import { readAccount } from './accounts.ts'
import { entriesOf, entryRefused } from './entries.ts'
import { formatPercent, readAmount, readPercent } from './figures.ts'
import { always, type Doubt, ofLaunches, type Question, type Scope } from './question.ts'
import { isAboutAccounts } from './secrets.ts'

type Recipient = NonNullable<Answers['vesting']>[number]
type Beneficiary = NonNullable<Answers['beneficiaries']>[number]

const mostEntries = 20
const tokenDecimals = 18
/** The supply of most templates, in tokens: of one that pins none it is known once it is built. */
const usualSupply = 10n ** 9n
/** 0.1 % of the supply: hardly anybody vests less. */
const leastUsual = 10n ** 15n
const hundred = 10n ** 18n
const exampleAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

export const vesting: Question = {
  id: 'vesting',
  label: 'Vesting',
  names: ['vesting', 'vesting recipients'],
  field: {
    kind: 'paragraph',
    most: 3_000,
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
      allowed: `Up to ${mostEntries} addresses, each with a percentage of the supply, such as 5%, or a number of tokens, such as 5000000 tokens; at most ${formatPercent(vestingRoom(template))}% together.`,
    }
  },
  keeps: isAboutAccounts,
  parse: (text, { answers, settings }) => ({
    vesting: readVesting(text, templateOf(answers, settings.templates)),
  }),
  doubts: {
    find: ({ answers, settings }) => {
      const supply = pinnedSupply(templateOf(answers, settings.templates))
      return (answers.vesting ?? []).flatMap((each) => doubtAbout(each, supply))
    },
    keep: 'Yes, that was meant',
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
    most: 3_000,
    about: 'One a line: address and share, such as 0x… 35%',
  },
  // Some templates leave the launcher nothing to share.
  applies: (scope) => ofLaunches(scope) && ownOf(scope) > 0n,
  skipped: () => ({ beneficiaries: [] }),
  ask: (scope) => {
    const own = formatPercent(ownOf(scope))
    return {
      words: [
        `Split trading fees with anyone? One per line. ${own}% of them are yours: what you give others comes out of that.`,
      ],
      example: `${exampleAddress} 35%`,
      allowed: `Up to ${mostEntries} addresses, each with its share; at most ${own}% together.`,
    }
  },
  keeps: isAboutAccounts,
  parse: (text, scope) => ({ beneficiaries: readBeneficiaries(text, ownOf(scope)) }),
  text: ({ answers }) =>
    answers.beneficiaries
      ?.map(({ beneficiary, shares }) => `${beneficiary} ${formatPercent(BigInt(shares))}%`)
      .join('\n'),
}

function shareOf({ amount, percentage }: Recipient): string {
  return amount === undefined ? `${percentage}%` : `${amount} tokens`
}

/** A share so small that something else may have been meant, such as a percentage. */
function doubtAbout(recipient: Recipient, supply = usualSupply * hundred): Doubt[] {
  const { address, amount, percentage = '0' } = recipient
  const share =
    amount === undefined
      ? parseUnits(percentage, 16)
      : (parseUnits(amount, tokenDecimals) * hundred) / supply
  if (share >= leastUsual) return []
  const other =
    amount === undefined
      ? `${formatUnits((share * supply) / hundred, tokenDecimals)} tokens`
      : share === 0n
        ? 'next to nothing'
        : `${formatPercent(share)}%`
  const words = `${shareOf(recipient)} is ${other} of a supply of ${supplyWords(supply)}, for ${shortAddress(address)}. Was that meant?`
  return [{ about: `${address} ${shareOf(recipient)}`, words }]
}

function supplyWords(supply: bigint): string {
  const billions = supply / (usualSupply * hundred)
  return billions * usualSupply * hundred === supply
    ? `${billions} billion`
    : `${(supply / hundred).toLocaleString('en')} tokens`
}

function ownOf({ answers, settings }: Scope): bigint {
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
  const add = (share: bigint) => {
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
      // How much of a supply that nobody pinned it is, nobody knows yet.
      if (supply) add((parseUnits(amount, tokenDecimals) * hundred) / supply)
      return { address, amount }
    }
    const share = readPercent(value.text)
    add(share)
    return { address, percentage: formatPercent(share) }
  })
}

function readBeneficiaries(text: string, mostShared: bigint): Beneficiary[] {
  let sum = 0n
  return readEntries(text, (beneficiary, value): Beneficiary => {
    if (value.unit !== 'percent') {
      throw new UserError('write the share with a percent sign, such as 35%.')
    }
    const share = readPercent(value.text)
    sum += share
    if (sum > mostShared) {
      throw new UserError(
        `with this one the shares come to ${formatPercent(sum)}%. They may come to ${formatPercent(mostShared)}% at most.`,
      )
    }
    return { beneficiary, shares: String(share) }
  }).sort((one, other) =>
    one.beneficiary.toLowerCase() < other.beneficiary.toLowerCase() ? -1 : 1,
  )
}

interface Value {
  text: string
  /** Undefined where none was written: 5 could be either. */
  unit: 'percent' | 'tokens' | undefined
}

const bareNumber = 'write 5% or 5000000 tokens: a number alone could be either.'

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
  if (percentage !== undefined) return { text: percentage, unit: 'percent' }
  const tokens = /^(.*?)\s*tokens?$/isu.exec(trimmed)?.[1]
  if (tokens !== undefined) return { text: tokens, unit: 'tokens' }
  return { text: trimmed, unit: undefined }
}
