import type { Chain } from '../../chain/chains.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Block, Button, Span, Tone, View } from '../../chat/view.ts'
import type { Draft } from '../../launch/draft.ts'
import type { Question } from '../../launch/questions/question.ts'
import { launchLine } from './line.ts'
import { tokenTitle } from './steps.ts'

const changesInRow = 3

/** What a review shows. */
export interface ReviewParts {
  draft: Draft
  /** Of a launch; absent for metadata alone. */
  chain?: Chain | undefined
  templateLabel?: string | undefined
  /** Who shares in the fees, in per cent, the person first. */
  fees: readonly { who: 'you' | 'protocol' | `0x${string}`; percent: string }[]
  questions: readonly Question[]
  notes?: readonly Block[]
  tone?: Tone
}

/** All answers, who gets what and what it costs, before anything is built. */
export function reviewView(parts: ReviewParts): View {
  const { draft } = parts
  const { answers } = draft
  const isLaunch = draft.goal === 'launch'
  return {
    title: ['Review: ', ...tokenTitle(answers.name, answers.symbol)],
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...(parts.notes ?? []),
      { kind: 'fields', fields: [...token(parts), ...people(parts)] },
      {
        kind: 'text',
        spans: [
          isLaunch
            ? 'Cost: your wallet pays the gas; the bot takes nothing.'
            : 'This costs nothing: it is uploaded, and no token is made.',
        ],
      },
      { kind: 'text', quiet: true, spans: [next(isLaunch)] },
      // The longest comes last: it is what a platform cuts where not all of it fits.
      { kind: 'fields', fields: looks(draft) },
    ],
    buttons: buttons(parts),
  }
}

function next(isLaunch: boolean): string {
  return isLaunch
    ? 'Nothing is built before you confirm. Then you get a link where your own wallet signs; until it does, there is no token.'
    : 'Nothing is uploaded before you press Upload. Then you get the address of the metadata.'
}

type Field = [label: string, value: Span[]]

function token({ draft: { answers }, chain, templateLabel }: ReviewParts): Field[] {
  return [
    ...(chain ? [['Chain', [chain.name]] satisfies Field] : []),
    ...(templateLabel === undefined ? [] : [['Template', [templateLabel]] satisfies Field]),
    ['Name', [{ bold: answers.name ?? '' }]],
    ...(answers.symbol === undefined
      ? []
      : [['Symbol', [{ bold: `$${answers.symbol}` }]] satisfies Field]),
  ]
}

function people({ draft: { answers, goal }, fees }: ReviewParts): Field[] {
  const receiver = answers.feeReceiver
  const same: Span = goal === 'launch' ? 'the same wallet' : 'not given'
  return [
    ...(answers.wallet ? [['Wallet that signs', [{ code: answers.wallet }]] satisfies Field] : []),
    ...fees.map(
      ({ who, percent }): Field => [
        `${percent} % of the fees`,
        [who === 'you' ? 'your wallet' : who === 'protocol' ? 'the protocol' : { code: who }],
      ],
    ),
    ['Fee receiver', [receiver ? { code: receiver } : same]],
    ...(answers.vesting ?? []).map(
      ({ address, amount, percentage }): Field => [
        percentage === undefined ? `${amount} tokens, vested` : `${percentage} % of supply, vested`,
        [{ code: address }],
      ],
    ),
  ]
}

/** What strangers will see of it. */
function looks({ answers }: Draft): Field[] {
  const { picture, links = [], categories = [], description = '' } = answers
  return [
    ['Picture', [picture ? { code: picture.cid } : 'none']],
    ['Categories', [categories.length > 0 ? categories.join(', ') : 'none']],
    ...(links.length > 0 ? links.map(linkField) : [['Links', ['none']] satisfies Field]),
    ['Description', [description === '' ? 'none' : description]],
  ]
}

function linkField({ label, url }: { label: string; url: string }): Field {
  return [`Link ${label}`, [{ link: url.replace(/^https:\/\//u, '').replace(/\/$/u, ''), url }]]
}

function buttons({ draft, questions }: ReviewParts): Button[][] {
  const at = `${draft.id}.${draft.rev}`
  const confirm: Button = {
    label: draft.goal === 'launch' ? 'Confirm' : 'Upload',
    run: launchLine('confirm', at),
    look: 'main',
  }
  const announce: Button = draft.announce
    ? { label: '🔔 Tells the group: on', run: launchLine('announce', at, 'off') }
    : { label: '🔕 Tell the group: off', run: launchLine('announce', at, 'on') }
  const canAnnounce = draft.origin !== undefined && draft.goal === 'launch'
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
      ...(canAnnounce ? [announce] : []),
      { label: 'Cancel', run: launchLine('cancel', at), look: 'danger' },
    ],
  ]
}

/** Asks whether the draft is to be dropped. */
export function dropQuestion(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  return {
    title: ['Drop this launch?'],
    tone: 'warn',
    blocks: [{ kind: 'text', spans: ['All your answers to it are dropped with it.'] }],
    buttons: [
      [
        { label: 'Drop it', run: launchLine('drop', at), look: 'danger' },
        { label: 'Go on with it', run: launchLine('resume', at) },
      ],
    ],
  }
}

/** Says that a draft is gone. */
export function droppedView(): View {
  return {
    title: ['Dropped'],
    blocks: [{ kind: 'text', spans: ['Nothing was built. /launch begins anew.'] }],
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
