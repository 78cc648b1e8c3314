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
import { searchedInstead } from '../views/lookalike.ts'
import type { Slip } from './answers.ts'
import type { Taken } from './conversation-answers.ts'
import type { Draft } from './draft.ts'
import { symbolOf } from './known-symbol.ts'
import type { Question } from './questions/question.ts'
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
  const { taken, left, refused, held, slips, unchecked, draft } = state
  const several = labelled || taken.length + left.length + refused.length + held.length > 1
  const notes = [
    ...(several && taken.length > 0
      ? [note(`Taken: ${taken.map(({ label }) => label).join(', ')}.`)]
      : []),
    ...(several && left.length > 0
      ? [
          note(
            `Left out: ${left.map(({ label }) => label).join(', ')}. You can add that at the review.`,
          ),
        ]
      : []),
    ...refused.map(({ question, reason }) =>
      several ? note({ bold: question.label }, ': ', reason) : note(reason),
    ),
    ...held.flatMap(({ question, words }) =>
      words.map((each) => (several ? note({ bold: question.label }, ': ', each) : note(each))),
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
  const isTrouble = refused.length + held.length + slips.length > 0
  // The asset that has the symbol already comes with buttons of its own.
  const rows = held
    .filter(({ question }) => question.id !== 'symbol' || state.known === undefined)
    .map(({ question }) => [keepIt(draft, question)])
  return {
    notes,
    ...(isTrouble && { tone: 'warn' as const }),
    ...(rows.length > 0 && { rows }),
  }
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
  const symbol = draft.typed.symbol ?? ''
  const other = symbolOf(read.value)
  const isSame = other.toLowerCase() === symbol.toLowerCase()
  const exists = isSame
    ? `$${symbol} exists on ${chain.name} already.`
    : `$${symbol} is written with look-alike letters: it reads like $${other}, which exists on ${chain.name} already.`
  return {
    tone: 'warn',
    notes: [
      note(`${exists} Type another symbol, or use it anyway: people may take one for the other.`),
      note({ bold: plainSpans(card.title) }),
      ...card.blocks,
    ],
    rows: [[useAnyway(draft), { label: 'Show that one', run: asset, opens: true }]],
  }
}

/** What is odd about an answer that is held back, for a person who comes back to the question later. */
export function saidOfDoubts(draft: Draft, question: Question, doubts: readonly string[]): Said {
  return {
    notes: doubts.map((words) => note(words)),
    rows: [[keepIt(draft, question)]],
  }
}

/** The same of a symbol that another asset has. */
export function saidOfPending(draft: Draft): Said {
  const symbol = draft.typed.symbol ?? ''
  const other = searchedInstead(symbol)
  const asset = formatLine('asset', other ?? symbol, { chain: draft.answers.chain })
  const exists =
    other === undefined ? 'exists already' : `reads like $${other}, which exists already`
  return {
    notes: [note(`$${symbol} ${exists}. Type another symbol, or use it anyway.`)],
    rows: [[useAnyway(draft), { label: 'Show that one', run: asset, opens: true }]],
  }
}

function useAnyway(draft: Draft): Button {
  return { label: 'Use it anyway', run: launchLine('known', `${draft.id}.${draft.rev}`) }
}

function keepIt(draft: Draft, { id, doubts }: Question): Button {
  const label = doubts?.keep ?? 'Keep it'
  return { label, run: launchLine('known', `${draft.id}.${draft.rev}`, id) }
}
