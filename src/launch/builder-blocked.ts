import type { RevertReason } from '../chain/airlock/refusals.ts'
import type { Block, Button, View } from '../chat/view.ts'
import { launchLine } from '../views/launch/line.ts'
import { doubtsBlock } from '../views/launch/terms.ts'
import type { Checked } from './builder-check.ts'
import type { BuildRun } from './builder-run.ts'
import type { Draft } from './draft.ts'
import type { Payload } from './payload.ts'
import { launchTemplates } from './questions/choices.ts'
import type { LaunchSettings } from './settings.ts'

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
  { terms, settings }: { terms: TellTerms; settings: LaunchSettings },
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
      const { advice, button } = wayOut(checked.blame, draft, settings)
      const blocks = [words, ...(advice === undefined ? [] : [advice])].map(text)
      return run.blocked('not passed', blocks, [...(button ? [[button]] : []), onward])
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

/** Advice about a refusal beyond building again, and the button for it. */
function wayOut(
  blame: RevertReason['blame'] | undefined,
  draft: Draft,
  settings: LaunchSettings,
): { advice?: string; button?: Button } {
  const change = (label: string, question: string): Button => ({
    label,
    run: launchLine('change', `${draft.id}.${draft.rev}`, question),
    look: 'main',
  })
  switch (blame) {
    case 'vesting':
      return { button: change('Change vesting', 'vesting') }
    case 'beneficiaries':
      return { button: change('Change who gets fees', 'beneficiaries') }
    case 'template': {
      const isOnly = launchTemplates({ settings, answers: draft.answers }).length < 2
      return isOnly
        ? { advice: 'The template is at fault: tell the operator.' }
        : {
            advice: 'The template is at fault: choose another one, or tell the operator.',
            button: change('Change template', 'template'),
          }
    }
    case 'launched':
      return { button: { label: 'My launches', run: 'launches', opens: true, look: 'main' } }
    case 'time':
    case 'other':
    case undefined:
      return {}
  }
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
