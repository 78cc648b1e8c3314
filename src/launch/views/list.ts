import { chainById } from '../../chain/chains.ts'
import {
  type Block,
  type Button,
  type Message,
  type Span,
  small,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { tokenName, tokenSymbol } from '../../views/token.ts'
import type { Draft } from '../draft.ts'
import { launchLine } from '../line.ts'
import type { Payload } from '../payload.ts'
import { boldTitle } from './question.ts'
import { tokenTitle } from './terms.ts'

/** A launch with its latest payload. */
export interface ListedLaunch {
  draft: Draft
  payload: Payload | undefined
  /** How its auction stands, if it was launched and that is known. */
  sale?: Span[] | undefined
}

/** Lists a person's launches, newest first, each with its next step. */
export function launchesView(launches: readonly ListedLaunch[]): View {
  if (launches.length === 0) {
    return {
      title: [t('launch-list')],
      blocks: [text(t('launch-list-empty'))],
    }
  }
  return {
    title: [t('launch-list')],
    blocks: [...launches.map(launchLines), small(t('launch-list-next'))],
    buttons: [launches.map(nextButton)],
  }
}

function launchLines({ draft, payload, sale }: ListedLaunch): Block {
  const { answers, goal } = draft
  const title = tokenTitle(answers.name, answers.symbol)
  const where =
    goal === 'launch' && answers.chain !== undefined ? ` · ${chainById(answers.chain).name}` : ''
  const { words } = nextStep(draft, payload)
  const spans = [...boldTitle(title), where, ' · ', words].filter((span) => span !== '')
  return sale ? { kind: 'lines', lines: [spans, sale] } : text(...spans)
}

function nextButton({ draft, payload }: ListedLaunch): Button {
  const { name, symbol } = draft.answers
  const { label, line } = nextStep(draft, payload)
  const token = tokenSymbol(symbol) ?? tokenName(name)
  return { label: t('launch-list-open', { step: label, token }), line }
}

/** Describes a launch's state, and the command line of its next step. */
function nextStep(
  { id, state, goal, updatedAt }: Draft,
  payload: Payload | undefined,
): { words: Message; label: Message; line: string } {
  const since: Span = { time: updatedAt, as: 'relative' }
  const begin = goal === 'metadata' ? 'metadata' : 'launch'
  switch (state) {
    case 'open':
      return {
        words: t('launch-list-draft', { since }),
        label: t('launch-list-resume'),
        line: begin,
      }
    case 'launched':
      return {
        words: t('launch-list-launched'),
        label: t('launch-list-show'),
        line: launchLine('show', payload?.id ?? id),
      }
    case 'done':
      return {
        words: t('launch-list-uploaded'),
        label: t('launch-list-show'),
        line: launchLine('uploaded', id),
      }
    case 'cancelled':
    case 'expired':
      return {
        words: t('launch-list-ended', { since }),
        label: t('launch-list-begin'),
        line: begin,
      }
    case 'handed':
      return handedOutStep(id, payload)
  }
}

function handedOutStep(
  draft: string,
  payload: Payload | undefined,
): { words: Message; label: Message; line: string } {
  if (payload?.state === 'active') {
    return {
      words: waitingText(payload),
      label: t('launch-list-sign'),
      line: launchLine('show', payload.id),
    }
  }
  return {
    words: endedText(payload),
    label: t('launch-build-again'),
    line: launchLine('rebuild', draft),
  }
}

function waitingText({ reported, linkExpiresAt }: Payload): Message {
  if (linkExpiresAt === undefined) {
    return reported ? t('launch-list-reported') : t('launch-list-waits')
  }
  const end = { time: linkExpiresAt, as: 'relative' } as const
  return reported ? t('launch-list-reported-link', { end }) : t('launch-list-waits-link', { end })
}

function endedText(payload: Payload | undefined): Message {
  if (payload?.state === 'revoked') {
    return payload.reported ? t('launch-list-revoked-reported') : t('launch-list-revoked')
  }
  return payload?.reported ? t('launch-list-expired-reported') : t('launch-list-expired')
}
