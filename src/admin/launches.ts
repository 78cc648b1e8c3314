import { z } from 'zod'
import { type Draft, Drafts, draftStates } from '../launch/draft.ts'
import {
  linkWorks,
  type Payload,
  Payloads,
  payloadExpiresAt,
  reportsOf,
} from '../launch/payload.ts'
import {
  type Action,
  AdminError,
  durationText,
  idText,
  type Office,
  readId,
  sinceText,
  wordsOf,
} from './action.ts'

const maxListed = 50
const draftId = z.string().regex(/^[a-z0-9]{8}$/u)
const payloadId = z.string().regex(/^[0-9a-f]{12}$/u)
const stateSchema = z.enum([...draftStates, 'all'])

/** Launches, with what each waits for. Nothing of what their creators wrote is shown. */
export const launches: Action = {
  name: 'launches',
  uses: [
    ['launches', `launches under way, the latest ${maxListed}, and what each waits for`],
    [`launches ${stateSchema.options.join('|')}`, 'those in this state'],
    ['launches telegram:123456', 'those of a person'],
    ['launches DRAFT', 'one, by the id of its draft or payload, step by step'],
  ],
  plan: async (words, office) => {
    const [word, ...more] = wordsOf(words)
    if (more.length > 0) throw new AdminError('One state, person or draft is enough.')
    const drafts = new Drafts(office.store, office.now)
    if (word === undefined)
      return list(await drafts.latest({ states: ['open', 'handed'] }, maxListed), office)
    const state = stateSchema.safeParse(word.toLowerCase())
    if (state.success) {
      const states = state.data === 'all' ? draftStates : [state.data]
      return list(await drafts.latest({ states }, maxListed), office)
    }
    if (word.includes(':')) {
      const { platform, id: person } = readId(word)
      return list(await drafts.latest({ owner: { platform, person } }, maxListed), office)
    }
    return detail(word, drafts, office)
  },
}

async function list(found: readonly Draft[], office: Office) {
  if (found.length === 0)
    return { lines: ['There is no such launch. “launches all” lists those of every state.'] }
  const payloads = new Payloads(office.store, office.now)
  const lines: string[] = []
  for (const draft of found) {
    const [payload] = await payloads.ofDraft(draft.id)
    const now = office.now()
    const age = `begun ${durationText(now - draft.createdAt)} ago, last change ${durationText(now - draft.updatedAt)} ago`
    const owner = idText({ platform: draft.platform, id: draft.person })
    lines.push(`${draft.id} ${draft.state}, ${age}, ${owner}: ${waitsFor(draft, payload, now)}`)
  }
  return { lines }
}

async function detail(word: string, drafts: Drafts, office: Office) {
  const payloads = new Payloads(office.store, office.now)
  const id = payloadId.safeParse(word).success ? (await payloads.find(word))?.draft : word
  const draft = draftId.safeParse(id).success ? await drafts.find(id ?? '') : undefined
  if (!draft)
    throw new AdminError(`There is no launch ${word}. Ended ones are deleted after some months.`)
  const now = office.now()
  const all = await payloads.ofDraft(draft.id)
  return {
    lines: [
      `${draft.id} ${draft.state}: ${waitsFor(draft, all[0], now)}`,
      `creator: ${idText({ platform: draft.platform, id: draft.person })}`,
      ...(draft.origin === undefined
        ? []
        : [`begun in: ${idText({ platform: draft.platform, id: draft.origin })}`]),
      `goal: ${draft.goal}`,
      `begun: ${sinceText(draft.createdAt, now)}`,
      `last change: ${sinceText(draft.updatedAt, now)}, revision ${draft.rev}`,
      `answers: ${Object.keys(draft.answers).join(', ') || 'none'}`,
      `steps done: ${Object.keys(draft.done).join(', ') || 'none'}`,
      ...all.flatMap((payload) => payloadLines(payload, now)),
    ],
  }
}

function payloadLines(payload: Payload, now: number): string[] {
  const { id, state, chain, verified, simulation, linkExpiresAt, handedAt, launchedBy, token } =
    payload
  return [
    `payload ${id}: ${state}, chain ${chain}, ${verified ? 'verified' : 'not verified'}, rehearsal ${simulation.kind}`,
    `  built: ${sinceText(payload.createdAt, now)}; last change: ${sinceText(payload.updatedAt, now)}`,
    ...(handedAt === undefined ? [] : [`  handed out: ${sinceText(handedAt, now)}`]),
    ...(linkExpiresAt === undefined ? [] : [`  its link ends: ${sinceText(linkExpiresAt, now)}`]),
    ...(state === 'active' ? [`  it expires: ${sinceText(payloadExpiresAt(payload), now)}`] : []),
    ...reportsOf(payload).map(
      ({ hash, at }) => `  reported transaction: ${hash}, ${sinceText(at, now)}`,
    ),
    ...(launchedBy === undefined ? [] : [`  launched by: ${launchedBy}`]),
    ...(token === undefined
      ? []
      : [`  token${state === 'launched' ? '' : ', once it is launched'}: ${token}`]),
  ]
}

/** Names the next step of a launch, and who takes it. */
function waitsFor(draft: Draft, payload: Payload | undefined, now: number): string {
  switch (draft.state) {
    case 'open':
      return openWaits(draft)
    case 'handed':
      return payload ? handedWaits(payload, now) : 'nothing: its payload is gone'
    case 'launched':
      return 'nothing: it is launched'
    case 'done':
      return 'nothing: its metadata is uploaded'
    case 'cancelled':
      return 'nothing: it was discarded'
    case 'expired':
      return 'nothing: it was untouched for a week'
  }
}

function openWaits({ confirmed, answers, asking, done }: Draft): string {
  if (confirmed === undefined) {
    const count = Object.keys(answers).length
    const what =
      asking === undefined ? 'next answer or the confirmation' : `answer about its ${asking}`
    return `waits for its creator’s ${what} (${count} answers so far)`
  }
  const steps = Object.keys(done)
  return `confirmed, and being built or stopped by a failure that its creator was shown; steps done: ${steps.join(', ') || 'none'}`
}

function handedWaits(payload: Payload, now: number): string {
  const [report] = reportsOf(payload)
  if (payload.state === 'launched') return 'nothing: it is launched'
  if (report) return `waits for the chain to show its transaction ${report.hash}`
  if (payload.state === 'revoked')
    return 'nothing: its payload was revoked; the chain is watched for a week'
  if (payload.state === 'expired')
    return 'nothing: its payload expired; the chain is watched for a week'
  if (linkWorks(payload, now))
    return `waits for a signature; its link ends in ${durationText((payload.linkExpiresAt ?? now) - now)}`
  return payload.linkExpiresAt === undefined
    ? 'waits for a signature of the payload that was handed out as a file'
    : 'waits for its creator to ask for a new link'
}
