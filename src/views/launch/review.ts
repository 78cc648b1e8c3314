import type { Chain } from '../../chain/chains.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Block, Button, Span, Tone, View } from '../../chat/view.ts'
import type { Draft } from '../../launch/draft.ts'
import type { Question } from '../../launch/questions/question.ts'
import type { Row } from '../../launch/table.ts'
import { doubtOf } from '../lookalike.ts'
import { launchLine } from './line.ts'
import { looksFields, sizeOf, spansSize, tokenFields, walletFields } from './review-fields.ts'
import { tokenTitle } from './steps.ts'
import { askedFields } from './terms.ts'

const changesInRow = 3
/** Platforms show about 4,000 characters, of the longest answers too: the last lines are what must not be cut. */
const mostShown = 3_700

/** What a review shows. */
export interface ReviewParts {
  draft: Draft
  /** Of a launch; absent for metadata alone. */
  chain?: Chain | undefined
  templateLabel?: string | undefined
  /** What is asked of the launch, by the template and by the person; of metadata alone who vests. */
  asked: readonly Row[]
  questions: readonly Question[]
  notes?: readonly Block[]
  tone?: Tone
}

/** All answers, who gets what and what it costs, before anything is built. */
export function reviewView(parts: ReviewParts): View {
  const { draft, asked, chain, notes = [] } = parts
  const title: Span[] = ['Review: ', ...tokenTitle(draft.answers.name, draft.answers.symbol)]
  const sections = [[...tokenFields(parts), ...walletFields(draft)], ...askedFields(asked, chain)]
  const warnings = warningsOf(draft)
  const closing = closingBlocks(draft)
  const used =
    spansSize(title) + sizeOf(sections.flat()) + blocksSize([...notes, ...warnings, ...closing])
  return {
    title,
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...notes,
      ...warnings,
      ...[...sections, looksFields(draft, mostShown - used)].map(
        (fields) => ({ kind: 'fields', fields }) satisfies Block,
      ),
      ...closing,
    ],
    buttons: buttons(parts),
  }
}

/** What people will be warned of who see how the token is called. */
function warningsOf({ answers: { name = '', symbol = '' } }: Draft): Block[] {
  const found = [doubtOf(name, 'name'), doubtOf(symbol, 'symbol')]
  const words = [...new Set(found.flatMap((each) => each ?? []))]
  return words.map((each) => ({ kind: 'text', spans: [`⚠️ ${each}`] }))
}

/** A note is a sentence; of other blocks the review has none above or below its fields. */
function blocksSize(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + ('spans' in block ? spansSize(block.spans) : 0), 0)
}

function closingBlocks(draft: Draft): Block[] {
  const isLaunch = draft.goal === 'launch'
  const announced = canAnnounce(draft)
    ? ' Where you began, it can be announced once it is launched.'
    : ''
  return [
    {
      kind: 'text',
      spans: [
        isLaunch
          ? 'Cost: your wallet pays the gas; the bot takes nothing.'
          : 'This costs nothing: it is uploaded, and no token is made.',
      ],
    },
    {
      kind: 'text',
      quiet: true,
      spans: [
        isLaunch
          ? `Nothing is built before you confirm. Then you see beside each line what the payload really does, and get a link where your own wallet signs; until it does, there is no token.${announced}`
          : 'Nothing is uploaded before you press Upload. Then you get the address of the metadata.',
      ],
    },
  ]
}

function canAnnounce({ origin, goal }: Draft): boolean {
  return origin !== undefined && goal === 'launch'
}

function buttons({ draft, questions }: ReviewParts): Button[][] {
  const at = `${draft.id}.${draft.rev}`
  const confirm: Button = {
    label: draft.goal === 'launch' ? 'Confirm' : 'Upload',
    run: launchLine('confirm', at),
    look: 'main',
  }
  const announce: Button = draft.announce
    ? { label: '🔔 Announce it there: on', run: launchLine('announce', at, 'off') }
    : { label: '🔕 Announce it there: off', run: launchLine('announce', at, 'on') }
  return [
    [confirm],
    ...chunks(
      questions.map(({ id, label }) => ({
        label: `✎ ${label}`,
        run: launchLine('change', at, id),
      })),
      changesInRow,
    ),
    [
      ...(canAnnounce(draft) ? [announce] : []),
      { label: 'Cancel', run: launchLine('cancel', at), look: 'danger' },
    ],
  ]
}

/** Asks whether the draft is to be dropped. */
export function dropQuestion(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  return {
    title: [`Discard this ${draft.goal === 'launch' ? 'launch' : 'upload'}?`],
    tone: 'warn',
    blocks: [{ kind: 'text', spans: ['All your answers to it are discarded, too.'] }],
    buttons: [
      [
        { label: 'Discard it', run: launchLine('drop', at), look: 'danger' },
        { label: 'Go on with it', run: launchLine('resume', at) },
      ],
    ],
  }
}

/** Says that a draft is gone. */
export function droppedView({ goal }: Pick<Draft, 'goal'>): View {
  return {
    title: ['Dropped'],
    blocks: [
      {
        kind: 'text',
        spans: [`Nothing was ${goal === 'launch' ? 'built' : 'uploaded'}. /${goal} begins anew.`],
      },
    ],
  }
}

/** Says that another kind of draft is open, and offers to go on with that one or to drop it. */
export function otherOpenView(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  const what = draft.goal === 'launch' ? 'launch' : 'metadata upload'
  const name = draft.answers.name
  return {
    title: [`There is an open ${what}`],
    tone: 'warn',
    blocks: [
      {
        kind: 'text',
        spans: [
          ...(name === undefined ? ['You began one '] : ['You began ', { bold: name }, ' ']),
          { time: draft.createdAt, as: 'relative' },
          '. Go on with it, or cancel it first: one at a time.',
        ],
      },
    ],
    buttons: [
      [
        { label: 'Go on with it', run: launchLine('resume', at) },
        { label: 'Cancel it', run: launchLine('cancel', at) },
      ],
    ],
  }
}
