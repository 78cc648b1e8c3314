import type { Read } from '../api/cache.ts'
import type { Asset } from '../api/schema.ts'
import type { Chain } from '../chain/chains.ts'
import { formatLine } from '../chat/line.ts'
import {
  type Block,
  type Button,
  plainSpans,
  type Span,
  type Tone,
  type View,
} from '../chat/view.ts'
import { UserError } from '../errors.ts'
import { launchLine } from '../views/launch/line.ts'
import type { Slip } from './answers.ts'
import type { Taken } from './conversation-answers.ts'
import type { Draft } from './draft.ts'
import { refuseSecret } from './questions/secrets.ts'

/** What is said above a question or the review. */
export interface Said {
  notes: Block[]
  tone?: Tone
  /** Buttons about the notes. */
  rows?: Button[][]
}

/** A sentence as a note. */
export function note(...spans: Span[]): Block {
  return { kind: 'text', spans }
}

/** What became of the answers: which were taken where there were several, and why others were not. */
export function saidOf(state: Taken, labelled: boolean): Said {
  const { taken, left, refused, slips, unchecked, draft } = state
  const several = labelled || taken.length + left.length + refused.length > 1
  const notes = [
    ...(several && taken.length > 0
      ? [note(`Taken: ${taken.map(({ label }) => label).join(', ')}.`)]
      : []),
    ...(several && left.length > 0
      ? [
          note(
            `Left out: ${left.map(({ label }) => label).join(', ')}. The review lets you add them.`,
          ),
        ]
      : []),
    ...refused.map(({ question, reason }) =>
      several ? note({ bold: question.label }, ': ', reason) : note(reason),
    ),
    ...slips.slice(0, mostSlips).map((slip) => note(reasonOf(slip))),
    ...(unchecked
      ? [
          note(
            `Whether $${draft.answers.symbol} exists already could not be checked: the data source gives no answer.`,
          ),
        ]
      : []),
  ]
  const isTrouble = refused.length > 0 || slips.length > 0
  return { notes, ...(isTrouble && { tone: 'warn' as const }) }
}

/** Whoever mistypes more labels reads of the others next time. */
const mostSlips = 3

function reasonOf({ word, near, text }: Slip): string {
  try {
    refuseSecret(text)
    return `There is no answer called ${word}. Did you mean ${near}?`
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

/** That a symbol is another asset's already, with that asset's card. */
export function saidOfKnown(
  draft: Draft,
  known: { read: Read<Asset>; chain: Chain; card: View },
): Said {
  const { read, chain, card } = known
  const asset = formatLine('asset', read.value.asset_address, { chain: chain.id })
  return {
    tone: 'warn',
    notes: [
      note(
        `$${draft.typed.symbol} exists on ${chain.name} already. Type another symbol, or use it anyway: people may take one for the other.`,
      ),
      note({ bold: plainSpans(card.title) }),
      ...card.blocks,
    ],
    rows: [[useAnyway(draft), { label: 'Show that one', run: asset, opens: true }]],
  }
}

/** The same for a person who comes back to the question later. */
export function saidOfPending(draft: Draft): Said {
  const symbol = draft.typed.symbol ?? ''
  const asset = formatLine('asset', symbol, { chain: draft.answers.chain })
  return {
    notes: [note(`$${symbol} exists already. Type another symbol, or use it anyway.`)],
    rows: [[useAnyway(draft), { label: 'Show that one', run: asset, opens: true }]],
  }
}

function useAnyway(draft: Draft): Button {
  return { label: 'Use it anyway', run: launchLine('known', `${draft.id}.${draft.rev}`) }
}
