import { chainById } from '../../chain/chains.ts'
import { type Item, plainSpans, type Span, type View } from '../../core/view.ts'
import type { Draft } from '../draft.ts'
import type { Payload } from '../payload.ts'
import { launchLine, quiet, text, tokenTitle } from './steps.ts'

/** A launch with its latest payload. */
export interface ListedLaunch {
  draft: Draft
  payload: Payload | undefined
}

/** Lists a person's launches, newest first, each with its next step. */
export function launchesView(all: readonly ListedLaunch[]): View {
  // Discarded drafts are left out.
  const launches = all.filter(({ draft }) => draft.state !== 'cancelled')
  if (launches.length === 0) {
    return {
      title: ['Your launches'],
      blocks: [text('There are none yet. /launch begins one.')],
    }
  }
  return {
    title: ['Your launches'],
    blocks: [
      { kind: 'list', first: 1, items: launches.map(item) },
      quiet('Open one for what comes next: resume it, sign, get a link, revoke, build again.'),
    ],
  }
}

function item({ draft, payload }: ListedLaunch): Item {
  const { answers, goal } = draft
  const title = tokenTitle(answers.name, answers.symbol)
  const where =
    goal === 'launch' && answers.chain !== undefined ? ` · ${chainById(answers.chain).name}` : ''
  const { words, label, run } = next(draft, payload)
  return {
    spans: [...bold(title), where, ' · ', ...words].filter((span) => span !== ''),
    open: { label: `${label}: ${plainSpans(title)}`, run },
  }
}

function bold(title: readonly Span[]): Span[] {
  return title.map((span) => (typeof span === 'string' ? { bold: span } : span))
}

/** Describes a launch's state, and the command line of its next step. */
function next(
  { id, state, goal, updatedAt }: Draft,
  payload: Payload | undefined,
): { words: Span[]; label: string; run: string } {
  const since: Span = { time: updatedAt, as: 'relative' }
  const begin = goal === 'metadata' ? 'metadata' : 'launch'
  switch (state) {
    case 'open':
      return { words: ['📝 draft, last touched ', since], label: 'Resume', run: begin }
    case 'launched':
      return {
        words: ['🚀 launched'],
        label: 'Open',
        run: launchLine('show', payload?.id ?? id),
      }
    case 'done':
      return { words: ['✅ metadata uploaded'], label: 'Show', run: launchLine('uploaded', id) }
    case 'cancelled':
    case 'expired':
      return { words: ['⌛ ended, last touched ', since], label: 'Begin anew', run: begin }
    case 'handed':
      return handed(id, payload)
  }
}

function handed(
  draft: string,
  payload: Payload | undefined,
): { words: Span[]; label: string; run: string } {
  if (payload?.state === 'active') {
    const link: Span[] =
      payload.linkExpiresAt === undefined
        ? []
        : [', link ends ', { time: payload.linkExpiresAt, as: 'relative' }]
    return {
      words: [
        payload.reported ? '✍️ a transaction was reported' : '✍️ waits for a signature',
        ...link,
      ],
      label: 'Sign, link or revoke',
      run: launchLine('show', payload.id),
    }
  }
  const words = payload?.state === 'revoked' ? '⛔ revoked' : '⌛ payload expired'
  const reported = payload?.reported ? ', but a transaction was reported' : ''
  return { words: [words, reported], label: 'Build again', run: launchLine('rebuild', draft) }
}
