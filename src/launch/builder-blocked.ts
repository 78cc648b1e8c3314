import type { Block, Button, View } from '../chat/view.ts'
import { launchLine } from '../views/launch/line.ts'
import type { Checked } from './builder-check.ts'
import type { BuildRun } from './builder-run.ts'
import type { Draft } from './draft.ts'
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
  >,
  draft: Draft,
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
      return run.blocked('not passed', [text(words)], [onward])
    }
    case 'unverified': {
      const words =
        checked.reason === undefined
          ? 'The template decides who gets what, and not as you confirmed it. Have it handed out only if you agree ' +
            'with what is below; it stays marked as “not verified”.'
          : `This bot can’t verify what the payload does: ${checked.reason}. Have it handed out as “not verified” ` +
            'only if you trust whoever runs the template; your wallet then signs what nobody checked.'
      const despite: Button = {
        label: 'Hand it out unverified',
        run: launchLine('unverified', at),
        look: 'danger',
      }
      return run.blocked(
        'not verified',
        [text(words), ...terms(checked.payload, draft)],
        [[despite], onward],
      )
    }
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
