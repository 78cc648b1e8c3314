import type { Address } from 'viem'
import type { Api } from '../api/client.ts'
import type { TokenMetadata } from '../api/requests.ts'
import type { ChainNode } from '../chain/node.ts'
import type { Show } from '../chat/command.ts'
import type { Block, Button, Span, View } from '../chat/view.ts'
import { ApiError, UserError } from '../errors.ts'
import { type Step, stepsView } from '../views/launch/steps.ts'
import { type Checked, checkBuilt } from './builder-check.ts'
import { digestOf, type LaunchInputs, metadataInputs } from './builder-inputs.ts'
import { parseCid } from './cid.ts'
import type { Draft } from './draft.ts'
import type { Drafts } from './drafts.ts'
import type { MetadataCheck } from './metadata-check.ts'
import type { Pictures } from './pictures.ts'
import type { Publisher } from './publish.ts'
import type { LaunchSettings } from './settings.ts'

export interface RunParts {
  drafts: Drafts
  settings: LaunchSettings
  api: Pick<Api, 'uploadMetadata' | 'buildAuction'>
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  pictures: Pictures
  /** Undefined where pictures can't be published. */
  publisher: Pick<Publisher, 'publish'> | undefined
  /** Reads what a token URI names and compares it with what was uploaded. */
  checkMetadata: (uri: string, typed: TokenMetadata) => Promise<MetadataCheck>
  /** What a quote token is worth in dollars, a decimal text; undefined if nobody says so. */
  usd: (chain: number, quote: Address) => Promise<string | undefined>
  /** Unix seconds. */
  now: () => number
}

type StepId = 'earlier' | 'picture' | 'metadata' | 'built' | 'check'

const labels: Record<StepId, string> = {
  earlier: 'Earlier payload',
  picture: 'Picture',
  metadata: 'Metadata',
  built: 'Payload',
  check: 'Check',
}

/**
 * The steps of one draft, one after the other. What a step gave is stored in the draft, with a digest of what it was
 * made from, before the next begins: a second run does only what is missing or was made from other answers.
 */
export class BuildRun {
  readonly #parts: RunParts
  readonly #show: Show
  readonly #steps: Map<StepId, Step>
  #draft: Draft

  constructor(parts: RunParts, draft: Draft, hasEarlier: boolean, show: Show) {
    this.#parts = parts
    this.#draft = draft
    this.#show = show
    const ids: StepId[] = [
      ...(hasEarlier ? (['earlier'] as const) : []),
      ...(draft.answers.picture ? (['picture'] as const) : []),
      'metadata',
      ...(draft.goal === 'launch' ? (['built', 'check'] as const) : []),
    ]
    this.#steps = new Map(ids.map((id) => [id, { label: labels[id], state: 'to come' }]))
  }

  /** As it is after the last step. */
  get draft(): Draft {
    return this.#draft
  }

  /** Runs `look`, which says whether to go on, as the first step. */
  async earlier<Result>(look: () => Promise<Result>): Promise<Result> {
    return this.#step('earlier', look, () => ['was not launched'])
  }

  /** Publishes the picture and uploads the metadata; the token URI. */
  async upload(): Promise<string> {
    const { picture } = this.#draft.answers
    if (picture) await this.#step('picture', () => this.#publish(picture), noted)
    return this.#step(
      'metadata',
      () => this.#uploadMetadata(),
      (uri) => [{ code: uri }],
    )
  }

  /** Has the payload built; the answer of the interface as JSON. */
  async build(inputs: LaunchInputs, uri: string): Promise<string> {
    const asked = inputs.template(uri)
    const of = digestOf([inputs.chain, asked])
    return this.#step(
      'built',
      async () => {
        const known = this.#draft.done.built
        if (known?.of === of) return known.answer
        const answer = JSON.stringify(await this.#parts.api.buildAuction(asked, inputs.chain))
        await this.#store({ built: { of, answer } })
        return answer
      },
      () => ['built'],
    )
  }

  /** Checks it; what is wrong with it is no failure of the step but its result. */
  async check(inputs: LaunchInputs, uri: string, answer: string): Promise<Checked> {
    const { settings, nodes, usd, now, checkMetadata } = this.#parts
    const { integrator } = settings
    const modules = settings.modules[inputs.chain]
    const metadata = () => checkMetadata(uri, metadataInputs(this.#draft))
    const sources = { node: nodes.get(inputs.chain), usd, now, metadata }
    return this.#step(
      'check',
      () => checkBuilt({ ...inputs, uri, answer, integrator, modules }, sources),
      checkNote,
    )
  }

  /** The steps with the last one marked as failed, and what to do about it. */
  failed(words: string, buttons: Button[][]): View {
    const ids = [...this.#steps.keys()]
    const running = ids.find((id) => this.#steps.get(id)?.state === 'running') ?? ids.at(-1)
    if (running) this.#mark(running, 'failed', ['failed'])
    return this.view([{ kind: 'text', spans: [words] }], buttons)
  }

  /** The check step marked as failed, with the reasons. */
  blocked(note: string, trouble: readonly Block[], buttons: Button[][]): View {
    this.#mark('check', 'failed', [note])
    return this.view(trouble, buttons)
  }

  view(trouble: readonly Block[] = [], buttons?: Button[][]): View {
    const { name = '', symbol = '' } = this.#draft.answers
    const steps = [...this.#steps.values()]
    return stepsView({ name, symbol, steps, trouble, ...(buttons && { buttons }) })
  }

  async #step<Result>(
    id: StepId,
    work: () => Promise<Result>,
    note: (result: Result) => Span[],
  ): Promise<Result> {
    this.#mark(id, 'running')
    await this.#show(this.view())
    const result = await work()
    this.#mark(id, 'done', note(result))
    return result
  }

  #mark(id: StepId, state: Step['state'], note?: Span[]): void {
    this.#steps.set(id, { label: labels[id], state, ...(note && { note }) })
  }

  async #publish({ cid, stored }: { cid: string; stored: boolean }): Promise<string> {
    const { pictures, publisher } = this.#parts
    if (!stored) return 'on IPFS already'
    if (this.#draft.done.picture?.of !== cid) {
      const picture = await pictures.find(cid)
      if (!picture) throw new UserError('The picture is not here any more. Send it again: /launch.')
      if (!publisher) {
        throw new UserError('This bot can’t publish pictures any more. Give one that is on IPFS.')
      }
      await publisher.publish(picture)
      await this.#store({ picture: { of: cid, cid } })
    }
    return 'published'
  }

  async #uploadMetadata(): Promise<string> {
    const body = metadataInputs(this.#draft)
    const of = digestOf(body)
    const known = this.#draft.done.metadata
    if (known?.of === of) return known.uri
    const uri = tokenUri(await this.#parts.api.uploadMetadata(body))
    await this.#store({ metadata: { of, uri } })
    return uri
  }

  async #store(done: Draft['done']): Promise<void> {
    const { drafts } = this.#parts
    this.#draft = await drafts.save({ ...this.#draft, done: { ...this.#draft.done, ...done } })
  }
}

const noted = (text: string): Span[] => [text]

function checkNote(checked: Checked): Span[] {
  if (checked.kind === 'unverified') return ['not verified']
  if (checked.kind !== 'ready') return ['not passed']
  const { simulation, check } = checked.payload
  if (simulation.kind === 'none') return ['every byte read; not rehearsed']
  return [
    check?.rehearsal
      ? 'every byte read, and rehearsed on the chain'
      : 'every byte read, and called on the chain',
  ]
}

/** The CID in the letters in which the interface gave it: it knows the metadata by those. */
export function tokenUri(result: string): string {
  const cid = parseCid(result)
  if (cid === undefined) throw new ApiError('malformed', 'the upload gave no CID')
  const bare = result.trim().replace(/^ipfs:\/\//u, '')
  return `ipfs://${/^[A-Za-z0-9]+$/u.test(bare) ? bare : cid}`
}
