import { createHash } from 'node:crypto'
import { parseUnits } from 'viem/utils'
import type { AuctionTemplate, TokenMetadata } from '../api/requests.ts'
import { chainById } from '../chain/chains.ts'
import type { Launcher } from '../chain/launchers.ts'
import { UserError } from '../errors.ts'
import type { Draft, Template } from './draft.ts'
import { ownShare, templateOf } from './expectations.ts'
import type { LaunchSettings } from './settings.ts'

/** What a step is made from, as a digest: the same inputs need no second run. */
export function digestOf(inputs: unknown): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}

/** What the person confirms, as a digest. */
export function answersDigest({ goal, answers }: Draft): string {
  const entries = Object.entries(answers)
  return digestOf([goal, entries.sort(([one], [other]) => (one < other ? -1 : 1))])
}

/** What is uploaded. @throws UserError where an answer is missing */
export function metadataInputs({ answers }: Draft): TokenMetadata {
  const { name, description, picture, links, vesting, wallet, feeReceiver, categories } = answers
  const receiver = feeReceiver ?? wallet
  if (name === undefined) throw unanswered()
  return {
    name,
    description: description ?? '',
    image_hash: picture?.cid ?? '',
    ...(links && links.length > 0 && { social_links: links }),
    ...(vesting && vesting.length > 0 && { vesting_recipients: vesting.map(vestingRecipient) }),
    ...(receiver !== undefined && { fee_receiver: receiver }),
    ...(categories && categories.length > 0 && { categories }),
  }
}

type Recipient = NonNullable<Draft['answers']['vesting']>[number]

const decimals = 18

function vestingRecipient({ address, amount, percentage }: Recipient) {
  return {
    address,
    // As everything that has to do with supply: in base units.
    ...(amount !== undefined && { amount: String(parseUnits(amount, decimals)) }),
    ...(percentage !== undefined && { percentage }),
  }
}

/** What a launch is built from. */
export interface LaunchInputs {
  chain: number
  launcher: Launcher
  name: string
  symbol: string
  wallet: `0x${string}`
  /** All that was confirmed, to hold what is built against. */
  answers: Draft['answers']
  /** The template as the operator describes it. */
  expected: Template
  /** The body of section 4.4 for this token URI. */
  template(uri: string): AuctionTemplate
}

/** @throws UserError where an answer is missing, or the operator does not offer this launch (any more) */
export function launchInputs(
  { answers }: Pick<Draft, 'answers'>,
  settings: LaunchSettings,
): LaunchInputs {
  const { chain, template, name, symbol, wallet, beneficiaries = [] } = answers
  if (name === undefined || symbol === undefined || wallet === undefined) throw unanswered()
  if (chain === undefined || template === undefined) throw unanswered()
  const expected = templateOf({ chain, template }, settings.templates)
  if (!expected) {
    throw new UserError(
      'This bot does not offer that template any more. /launch shows those it has.',
    )
  }
  const launcher = settings.launchers[chain]
  if (!launcher) {
    throw new UserError(
      `This bot does not know the launch contract of ${chainById(chain).name}, so nothing can be launched there. ` +
        'The operator can set it in LAUNCHERS.',
    )
  }
  return {
    chain,
    launcher,
    name,
    symbol,
    wallet,
    answers,
    expected,
    template: (uri) => ({
      template_id: template,
      metadata: {
        token_name: name,
        token_symbol: symbol,
        user_address: wallet,
        token_uri: uri,
        // The contracts want them in this order.
        beneficiaries: (ownShare(expected) > 0n ? beneficiaries : []).toSorted((one, other) =>
          BigInt(one.beneficiary) < BigInt(other.beneficiary) ? -1 : 1,
        ),
      },
      // Some interfaces leave out the token's address without it.
      debug: true,
    }),
  }
}

function unanswered(): UserError {
  return new UserError('Not every question is answered yet. /launch goes on where you are.')
}
