import type { RevertReason } from '../chain/airlock/refusals.ts'
import type { Block, Button, View } from '../chat/view.ts'
import { launchLine } from '../views/launch/line.ts'
import { doubtsBlock } from '../views/launch/terms.ts'
import type { Checked } from './builder-check.ts'
import type { BuildRun } from './builder-run.ts'
import type { Payload } from './payload.ts'

/** Says what a payload creates, in words; nobody needs to have it yet. */
export type TellTerms = (
  payload: Pick<
    Payload,
    | 'calldata'
    | 'chain'
    | 'to'
    | 'airlock'
    | 'token'
    | 'simulation'
    | 'unchecked'
    | 'wallet'
    | 'digest'
    | 'check'
  >,
) => readonly Block[]

/** Why a payload is not handed out, with both values of what differs, and what can be done. */
export function blockedView(
  run: BuildRun,
  checked: Exclude<Checked, { kind: 'ready' }>,
  terms: TellTerms,
): View {
  const { draft } = run
  const at = `${draft.id}.${draft.rev}`
  const onward: Button[] = [
    { label: 'Build again', run: launchLine('rebuild', draft.id) },
    { label: 'Change an answer', run: launchLine('review', at) },
  ]
  switch (checked.kind) {
    case 'mismatch':
      return run.blocked('not passed', mismatchBlocks(checked), [onward])
    case 'refused': {
      const words = `The payload would not do what it should, so it is not handed out: ${checked.reason}.`
      const question = checked.blame && mendable[checked.blame]
      const change: Button[] = question
        ? [{ label: question.label, run: launchLine('change', at, question.id), look: 'main' }]
        : []
      return run.blocked('not passed', [text(words)], [...(question ? [change] : []), onward])
    }
    case 'unverified': {
      const despite: Button = {
        label: 'Hand it out unverified',
        run: launchLine('unverified', at),
        look: 'danger',
      }
      return run.blocked(
        'not verified',
        [doubtsBlock(checked.doubts), text(despiteWords), ...terms(checked.payload)],
        [[despite], onward],
      )
    }
  }
}

const despiteWords =
  'Have it handed out only if you agree with everything below and trust whoever runs the template; it stays marked as ' +
  '“Not verified”.'

/** The answers that can be changed so that the contracts take a launch. */
const mendable: Partial<Record<RevertReason['blame'], { id: string; label: string }>> = {
  vesting: { id: 'vesting', label: 'Change vesting' },
  beneficiaries: { id: 'beneficiaries', label: 'Change who gets fees' },
}

function mismatchBlocks({ mismatches }: Extract<Checked, { kind: 'mismatch' }>): Block[] {
  return [
    text('The payload does not say what it should, so it is not handed out. Tell the operator.'),
    {
      kind: 'fields',
      fields: mismatches.map(({ what, expected, found }) => [
        what,
        ['expected ', { code: expected }, ', found ', { code: found }],
      ]),
    },
  ]
}

function text(words: string): Block {
  return { kind: 'text', spans: [words] }
}
