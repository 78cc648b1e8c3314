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
  type AdminContext,
  AdminError,
  durationText,
  idText,
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
  read: async (words, context) => {
    const [word, ...more] = wordsOf(words)
    if (more.length > 0) throw new AdminError('One state, person or draft is enough.')
    if (word === undefined) return list({ states: ['open', 'handed'] }, context)
    const { data: state } = stateSchema.safeParse(word.toLowerCase())
    if (state !== undefined)
      return list({ states: state === 'all' ? draftStates : [state] }, context)
    if (!word.includes(':')) return detail(word, context)
    const { platform, id: person } = readId(word)
    return list({ owner: { platform, person } }, context)
  },
}

async function list(search: Parameters<Drafts['latest']>[0], { store, now }: AdminContext) {
  const found = await new Drafts(store, now).latest(search, maxListed)
  if (found.length === 0)
    return ['There is no such launch. “launches all” lists those of every state.']
  const payloads = new Payloads(store, now)
  const lines: string[] = []
  for (const draft of found) {
    const [payload] = await payloads.ofDraft(draft.id)
    const ago = (time: number) => `${durationText(now() - time)} ago`
    lines.push(
      `${draft.id} ${draft.state}, begun ${ago(draft.createdAt)}, last change ${ago(draft.updatedAt)}, ${ownerText(draft)}: ${waitsFor(draft, payload, now())}`,
    )
  }
  return lines
}

function ownerText({ platform, person }: Draft): string {
  return idText({ platform, id: person })
}

async function detail(word: string, { store, now: clock }: AdminContext) {
  const payloads = new Payloads(store, clock)
  const id = payloadId.safeParse(word).success ? (await payloads.find(word))?.draft : word
  const draft = draftId.safeParse(id).success
    ? await new Drafts(store, clock).find(id ?? '')
    : undefined
  if (!draft)
    throw new AdminError(`There is no launch ${word}. Ended ones are deleted after some months.`)
  const now = clock()
  const all = await payloads.ofDraft(draft.id)
  const { platform, origin } = draft
  return [
    `${draft.id} ${draft.state}: ${waitsFor(draft, all[0], now)}`,
    `creator: ${ownerText(draft)}`,
    ...(origin === undefined ? [] : [`begun in: ${idText({ platform, id: origin })}`]),
    `goal: ${draft.goal}`,
    `begun: ${sinceText(draft.createdAt, now)}`,
    `last change: ${sinceText(draft.updatedAt, now)}, revision ${draft.rev}`,
    `answers: ${Object.keys(draft.answers).join(', ') || 'none'}`,
    `steps done: ${Object.keys(draft.stepResults).join(', ') || 'none'}`,
    ...all.flatMap((payload) => payloadLines(payload, now)),
  ]
}

function payloadLines(payload: Payload, now: number): string[] {
  const { state, linkExpiresAt, handedAt, launchedBy, token } = payload
  const at = (time: number) => sinceText(time, now)
  return [
    `payload ${payload.id}: ${state}, chain ${payload.chain}, ${payload.verified ? 'verified' : 'not verified'}, rehearsal ${payload.simulation.kind}`,
    `  built: ${at(payload.createdAt)}; last change: ${at(payload.updatedAt)}`,
    ...(handedAt === undefined ? [] : [`  handed out: ${at(handedAt)}`]),
    ...(linkExpiresAt === undefined ? [] : [`  its link ends: ${at(linkExpiresAt)}`]),
    ...(state === 'active' ? [`  it expires: ${at(payloadExpiresAt(payload))}`] : []),
    ...reportsOf(payload).map((each) => `  reported transaction: ${each.hash}, ${at(each.at)}`),
    ...(launchedBy === undefined ? [] : [`  launched by: ${launchedBy}`]),
    ...(token === undefined
      ? []
      : [`  token${state === 'launched' ? '' : ', once it is launched'}: ${token}`]),
  ]
}

/** States of a draft that waits for nothing more, each with why. */
const ended = {
  launched: 'nothing: it is launched',
  done: 'nothing: its metadata is uploaded',
  cancelled: 'nothing: it was discarded',
  expired: 'nothing: it was untouched for a week',
}

/** Names the next step of a launch, and who takes it. */
function waitsFor(draft: Draft, payload: Payload | undefined, now: number): string {
  const { state } = draft
  if (state === 'open') return openWaits(draft)
  if (state !== 'handed') return ended[state]
  return payload ? handedWaits(payload, now) : 'nothing: its payload is gone'
}

function openWaits({ confirmed, answers, askedQuestion, stepResults }: Draft): string {
  if (confirmed === undefined) {
    const count = Object.keys(answers).length
    const what =
      askedQuestion === undefined
        ? 'next answer or the confirmation'
        : `answer about its ${askedQuestion}`
    return `waits for its creator’s ${what} (${count} answers so far)`
  }
  const steps = Object.keys(stepResults)
  return `confirmed, and being built or stopped by a failure that its creator was shown; steps done: ${steps.join(', ') || 'none'}`
}

function handedWaits(payload: Payload, now: number): string {
  const { state, linkExpiresAt } = payload
  const [report] = reportsOf(payload)
  if (state === 'launched') return ended.launched
  if (report) return `waits for the chain to show its transaction ${report.hash}`
  if (state === 'revoked' || state === 'expired')
    return `nothing: its payload ${state === 'revoked' ? 'was revoked' : 'expired'}; the chain is watched for a week`
  if (linkExpiresAt === undefined)
    return 'waits for a signature of the payload that was handed out as a file'
  return linkWorks(payload, now)
    ? `waits for a signature; its link ends in ${durationText(linkExpiresAt - now)}`
    : 'waits for its creator to ask for a new link'
}
