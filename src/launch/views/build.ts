import { formatUnits } from 'viem/utils'
import { plain } from '../../chain/airlock/calldata.ts'
import type { Blame } from '../../chain/airlock/refusals.ts'
import { NodeError } from '../../chain/rpc.ts'
import {
  type Block,
  type Button,
  type Message,
  type Span,
  small,
  type Text,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { ApiError, type ApiErrorKind, UserError } from '../../errors.ts'
import { publishedPicture } from '../build-inputs.ts'
import type { CheckResult } from '../check-built.ts'
import type { Draft, QuestionId } from '../draft.ts'
import { IpfsError } from '../ipfs.ts'
import { launchLine } from '../line.ts'
import { launchTemplates } from '../questions/list.ts'
import type { LaunchSettings } from '../settings.ts'
import { percentDecimals } from '../table/value.ts'
import { doubtsBlock, termsBlocks, tokenTitle, unreadPicture } from './terms.ts'

/** A build step and its state. */
export interface Step {
  label: Text
  state: 'done' | 'running' | 'to come' | 'failed'
  /** Its result, or why it failed. */
  note?: Span[]
}

const marks = { done: '✅', running: '⏳', 'to come': '▫️', failed: '❌' } as const
const words = {
  done: t('verify-step-done'),
  running: t('verify-step-running'),
  'to come': t('verify-step-to-come'),
  failed: t('verify-step-failed'),
}

/** Shows the progress of a build, and the buttons if a step failed. */
export function stepsView(parts: {
  name: string
  symbol: string
  /** Goes on with a build that a crash ended. */
  command: string
  steps: readonly Step[]
  failures?: readonly Block[]
  buttons?: Button[][]
}): View {
  const { failures = [] } = parts
  const failed = failures.length > 0 || parts.steps.some(({ state }) => state === 'failed')
  const built = parts.steps.every(({ state }) => state === 'done')
  const token = tokenTitle(parts.name, parts.symbol)
  const building = built ? t('verify-built', { token }) : t('verify-building', { token })
  return {
    title: [failed ? t('verify-not-built', { token }) : building],
    tone: failed ? 'bad' : 'neutral',
    blocks: [
      {
        kind: 'fields',
        fields: parts.steps.map(({ label, state, note }) => [
          t('launch-step', { mark: marks[state], label }),
          note ?? [words[state]],
        ]),
      },
      ...failures,
      ...(failed || built
        ? []
        : [small(t('verify-building-hint', { command: { code: parts.command } }))]),
    ],
    ...(parts.buttons && { buttons: parts.buttons }),
  }
}

/** Shows the uploaded metadata of /metadata. */
export function uploadedView({
  answers,
  stepResults,
}: Pick<Draft, 'answers' | 'stepResults'>): View {
  const isUnread = publishedPicture({ answers, stepResults })?.isChecked === false
  return {
    title: [t('verify-uploaded', { token: tokenTitle(answers.name, answers.symbol) })],
    tone: 'good',
    blocks: [
      text({ code: stepResults.metadata?.uri ?? '' }),
      text(t('verify-uploaded-uri')),
      ...(isUnread ? [unreadPicture] : []),
    ],
  }
}

/** A checked payload that is not handed out. */
export type Blocked =
  | Exclude<CheckResult, { kind: 'ready' | 'refused' }>
  | { kind: 'refused'; reason: Text; blame?: Blame }

/** The words and buttons below the steps of a build whose payload is not handed out. */
interface BlockedShown {
  /** Stands beside the check among the steps. */
  note: Message
  blocks: readonly Block[]
  buttons: Button[][]
}

/** Returns why a payload is not handed out, both values of each difference, and what to do. */
export function blockedShown(
  checked: Blocked,
  draft: Draft,
  settings: LaunchSettings,
): BlockedShown {
  const at = `${draft.id}.${draft.rev}`
  const onward: Button[] = [
    { label: t('launch-build-again'), line: launchLine('rebuild', draft.id) },
    changeAnAnswer(draft),
  ]
  switch (checked.kind) {
    case 'mismatch':
      return {
        note: t('launch-step-not-passed'),
        blocks: mismatchBlocks(checked),
        buttons: [onward],
      }
    case 'refused': {
      const refused = t('launch-refused', { reason: checked.reason })
      const { advice, button } = adviceFor(checked.blame, draft, settings)
      const blocks = [refused, ...(advice === undefined ? [] : [advice])].map((each) => text(each))
      const buttons = [...(button ? [[button]] : []), onward]
      return { note: t('launch-step-not-passed'), blocks, buttons }
    }
    case 'unverified': {
      const handOutButton: Button = {
        label: t('launch-unverified'),
        line: launchLine('unverified', at),
        look: 'danger',
      }
      const blocks = [
        doubtsBlock(checked.doubts),
        text(t('launch-unverified-advice')),
        ...termsBlocks(checked.payload, draft.accountNames),
      ]
      return { note: t('launch-step-not-verified'), blocks, buttons: [[handOutButton], onward] }
    }
  }
}

/** Returns advice for a rejected payload besides building again, and its button. */
function adviceFor(
  blame: Blame | undefined,
  draft: Draft,
  settings: LaunchSettings,
): { advice?: Message; button?: Button } {
  const change = (label: Message, question: QuestionId) => changeQuestion(draft, label, question)
  switch (blame) {
    case 'symbol':
      return { button: change(t('launch-change', { label: t('launch-symbol') }), 'symbol') }
    case 'vesting':
      return { button: change(t('launch-change-vesting'), 'vesting') }
    case 'beneficiaries':
      return { button: change(t('launch-change-fees'), 'beneficiaries') }
    case 'template': {
      const isOnly = launchTemplates({ settings, answers: draft.answers }).length < 2
      return isOnly
        ? { advice: t('launch-template-fault') }
        : {
            advice: t('launch-template-fault-choose'),
            button: change(t('launch-change-template'), 'template'),
          }
    }
    case 'launched':
      return {
        button: { label: t('launch-my-launches'), line: 'launches', asNew: true, look: 'main' },
      }
    case 'time':
    case 'other':
    case undefined:
      return {}
  }
}

function mismatchBlocks({ mismatches }: Extract<CheckResult, { kind: 'mismatch' }>): Block[] {
  return [
    text(t('launch-mismatch')),
    {
      kind: 'fields',
      fields: mismatches.map(({ what, expected, found }) => [
        what,
        [t('launch-mismatch-values', { expected: { code: expected }, found: { code: found } })],
      ]),
    },
  ]
}

const apiFailures: Record<ApiErrorKind, Message> = {
  unauthorised: t('launch-api-unauthorised'),
  forbidden: t('launch-api-forbidden'),
  blocked: t('launch-api-blocked'),
  'not-found': t('launch-api-not-found'),
  invalid: t('launch-api-invalid'),
  'rate-limited': t('launch-api-busy'),
  unavailable: t('launch-api-unavailable'),
  malformed: t('launch-api-malformed'),
}

const publisherFailures: Partial<Record<IpfsError['kind'], Message>> = {
  unavailable: t('launch-ipfs-unavailable'),
  'other bytes': t('launch-ipfs-other'),
}

const nodeFailures: Record<NodeError['kind'], Message> = {
  unavailable: t('launch-node-unavailable'),
  malformed: t('launch-node-malformed'),
  'wrong-chain': t('launch-node-wrong-chain'),
}

/** Leaves a field's name out before words that begin with it: "beneficiaries: beneficiaries must …". */
function withoutDoubles(words: string): string {
  return words.replaceAll(/(?<=^|; )(?:\w+\.)*(\w+): (?=\1\b)/gu, '')
}

/** Adds to shares of 10^18, such as 650000000000000000, what they are in percent. */
function withPercent(words: string): string {
  if (!/\bshares?\b/u.test(words)) return words
  return words.replaceAll(/(?<![\w.])[1-9]\d{15,18}(?![\w.])/gu, (text) => {
    const share = BigInt(text)
    return share > 10n ** 18n ? text : `${text} (${formatUnits(share, percentDecimals)}%)`
  })
}

/** Describes a failed step and what to do about it; undefined for unexpected errors. */
export function failureAdvice(error: unknown): readonly Span[] | undefined {
  if (error instanceof UserError) return error.spans
  if (error instanceof ApiError) {
    const { kind, words } = error
    return words === undefined
      ? [apiFailures[kind]]
      : [t('launch-api-invalid-words', { words: withPercent(withoutDoubles(plain(words))) })]
  }
  if (error instanceof IpfsError) return [publisherFailures[error.kind] ?? t('launch-ipfs-refused')]
  if (error instanceof NodeError) return [nodeFailures[error.kind]]
  return undefined
}

/** Makes the button that asks a question again. */
export function changeQuestion({ id, rev }: Draft, label: Message, question: QuestionId): Button {
  return { label, line: launchLine('change', `${id}.${rev}`, question), look: 'main' }
}

/** Makes the button that leads to the review. */
export function changeAnAnswer({ id, rev }: Draft): Button {
  return { label: t('launch-change-answer'), line: launchLine('review', `${id}.${rev}`) }
}
