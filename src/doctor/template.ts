import { type Address, getAddress, keccak256, slice, stringToHex } from 'viem'
import { z } from 'zod'
import type { Api } from '../api/client.ts'
import type { Units } from '../api/units.ts'
import { type Decoded, decodePayload } from '../chain/airlock/decode.ts'
import { effectsOf } from '../chain/airlock/effects.ts'
import { moduleBook } from '../chain/airlock/modules.ts'
import { chainById } from '../chain/chains.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/node-error.ts'
import { ApiError, UserError } from '../errors.ts'
import { type Checked, checkBuilt } from '../launch/builder-check.ts'
import { launchInputs } from '../launch/builder-inputs.ts'
import { tokenUri } from '../launch/builder-run.ts'
import { type Told, tellPayload, viewOf } from '../launch/check.ts'
import type { Answers, Template } from '../launch/draft.ts'
import { quoteUsd } from '../launch/quote-usd.ts'
import type { LaunchSettings } from '../launch/settings.ts'
import type { Asked, Row } from '../launch/table.ts'
import { apiAdvice, nodeAdvice } from './advice.ts'
import { expectationsOf, type Release } from './proposal.ts'

export interface TemplateParts {
  settings: LaunchSettings
  api: Pick<Api, 'buildAuction' | 'uploadMetadata' | 'assets'>
  units: Units
  /** Of the template's chain; undefined if RPC_URLS has none. */
  node: ChainNode | undefined
  /** Unix seconds. */
  now: () => number
}

/** What a template turned out to build. */
export interface ReadTemplate {
  kind: 'read'
  template: Template
  rows: readonly Row[]
  /** Why the bot would not call it verified. */
  doubts: readonly string[]
  /** Why nothing was rehearsed; undefined if it was. */
  notRehearsed: string | undefined
  /** The rows that TEMPLATES pins already. */
  pinned: readonly string[]
  /** What to pin it with. */
  expects: Asked
  /** Labels of rows that are not pinned, since two builds differ there. */
  unsteady: readonly string[]
  /** What else there is to know, in sentences. */
  notes: readonly string[]
}

/** Why a template can't be pinned, in sentences, and what to do. */
export interface UnreadTemplate {
  kind: 'unread'
  template: Template
  problems: readonly string[]
}

/** An account that nobody has the key of. */
function accountOf(words: string): Address {
  return getAddress(slice(keccak256(stringToHex(`nobody, for the doctor of Gavel: ${words}`)), 12))
}

const wallet = accountOf('wallet')
const recipient = accountOf('vesting')
/** The CID of a file without a byte: it stands for metadata, and nothing has to be uploaded. */
const emptyUri = 'ipfs://bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
const tokens = [
  { name: 'Doctor Otter', symbol: 'DOC' },
  { name: 'Doctor Heron', symbol: 'HEAL' },
] as const

/**
 * Builds a template for a made-up token, checks it as the bot would, and works out what to pin it with. A second build
 * shows which of that is the same each time. Nothing is stored, and nothing is uploaded unless `vesting` is asked for.
 */
export async function examineTemplate(
  parts: TemplateParts,
  template: Template,
  { vesting }: { vesting: boolean },
): Promise<ReadTemplate | UnreadTemplate> {
  const unread = (...problems: string[]): UnreadTemplate => ({ kind: 'unread', template, problems })
  try {
    const first = await tried(parts, template, tokens[0])
    if ('problems' in first) return unread(...first.problems)
    const learnt = await releaseOf(parts, template, first.decoded, vesting)
    const { rows, doubts, effects } = first
    const isIdle = first.decoded.token?.idleVesting !== undefined
    const fresh = expectationsOf(effects, first.view, learnt.release, isIdle)
    const expects = kept(template, fresh, [
      ...rows.filter(({ state }) => state === 'different').map(({ key }) => key),
      ...(learnt.isChanged || (learnt.release && !pinnedRelease(template)) ? ['vesting'] : []),
    ])
    const second = await again(parts, { ...template, expects })
    const unsteady = second.rows.filter(({ state }) => state === 'different')
    return {
      kind: 'read',
      template,
      rows,
      doubts,
      notRehearsed: first.notRehearsed,
      pinned: Object.keys(template.expects ?? {}),
      expects: withoutKeys(
        expects,
        unsteady.map(({ key }) => key),
      ),
      unsteady: unsteady.map(({ label }) => label),
      notes: [...learnt.notes, ...second.notes],
    }
  } catch (error) {
    const words = adviceOn(error)
    if (words === undefined) throw error
    return unread(words)
  }
}

function adviceOn(error: unknown): string | undefined {
  if (error instanceof UserError) return error.message
  if (error instanceof NodeError) return nodeAdvice(error)
  return error instanceof ApiError ? apiAdvice(error) : undefined
}

interface Tried extends Told {
  effects: NonNullable<Told['effects']>
  decoded: Decoded
  view: ReturnType<typeof viewOf>
  notRehearsed: string | undefined
}

function answersFor({ chain, id }: Template, token: { name: string; symbol: string }): Answers {
  return { ...token, chain, template: id, wallet, vesting: [], beneficiaries: [] }
}

async function tried(
  { settings, api, units, node, now }: TemplateParts,
  template: Template,
  token: (typeof tokens)[number],
): Promise<Tried | { problems: readonly string[] }> {
  const { chain } = template
  const templates = settings.templates.map((each) => (isSame(each, template) ? template : each))
  const inputs = launchInputs({ answers: answersFor(template, token) }, { ...settings, templates })
  const answer = JSON.stringify(await api.buildAuction(inputs.template(emptyUri), chain))
  const { integrator, modules } = settings
  const checked = await checkBuilt(
    { ...inputs, uri: emptyUri, answer, integrator, modules: modules[chain] },
    {
      node,
      usd: (id, quote) => quoteUsd({ api, units }, id, quote),
      metadata: async () => ({ kind: 'not checked', why: 'the doctor uploads none' }),
      now,
    },
  )
  return readOf(checked, moduleBook(chain, modules[chain]))
}

function isSame(one: Template, other: Template): boolean {
  return one.id === other.id && one.chain === other.chain
}

function readOf(
  checked: Checked,
  book: ReturnType<typeof moduleBook>,
): Tried | { problems: readonly string[] } {
  if (checked.kind === 'refused') return { problems: [`It would not launch: ${checked.reason}.`] }
  if (checked.kind === 'mismatch') {
    const lines = checked.mismatches.map(
      ({ what, expected, found }) => `${what}: expected ${expected}, found ${found}.`,
    )
    return {
      problems: ['The payload does not say what it should. Ask who runs the interface.', ...lines],
    }
  }
  const { calldata, check, chain, simulation } = checked.payload
  const decoded = decodePayload(calldata, book)
  if (!decoded.call || !check) {
    return { problems: decoded.problems.map((each) => `It can’t be read: ${each}.`) }
  }
  const told = tellPayload(calldata, wallet, check, chainById(chain).coin)
  const effects = effectsOf(decoded, { token: check.token, quoteDecimals: check.quote.decimals })
  const problems = [...decoded.problems, ...effects.problems]
  if (problems.length > 0) {
    const advice =
      'A module of your own service can be named in MODULES, if you know it and its layout.'
    return { problems: [...problems.map((each) => `It can’t be read whole: ${each}.`), advice] }
  }
  return {
    ...told,
    effects,
    decoded,
    view: viewOf(check, wallet),
    notRehearsed: simulation.kind === 'none' ? simulation.reason : simulation.note,
  }
}

/** What the operator wrote stays where it holds; what is missing or does not hold any more is as it was found. */
function kept({ expects = {} }: Template, fresh: Asked, differing: readonly string[]): Asked {
  return withoutKeys({ ...fresh, ...withoutKeys(expects, differing) }, [])
}

function withoutKeys(expects: Asked, without: readonly string[]): Asked {
  return Object.fromEntries(
    Object.entries(expects).filter(([key, value]) => value !== undefined && !without.includes(key)),
  )
}

async function again(
  parts: TemplateParts,
  pinned: Template,
): Promise<{ rows: readonly Row[]; notes: readonly string[] }> {
  const note = (why: string) => ({
    rows: [],
    notes: [
      `It could not be built a second time, so whether each build is the same is not known. ${why}`,
    ],
  })
  try {
    const second = await tried(parts, pinned, tokens[1])
    return 'problems' in second ? note(second.problems.join(' ')) : { rows: second.rows, notes: [] }
  } catch (error) {
    const words = adviceOn(error)
    if (words === undefined) throw error
    return note(words)
  }
}

interface Learnt {
  release?: Release | undefined
  /** Whether TEMPLATES pins another. */
  isChanged?: boolean
  notes: readonly string[]
}

const unasked =
  'How vesting that people ask for is released is not pinned. With --vesting behind the name the doctor finds out: ' +
  'it uploads metadata of a made-up token for that.'

/** How asked vesting is released: as the template tells even where nobody vests, or as a build with some shows. */
async function releaseOf(
  parts: TemplateParts,
  template: Template,
  { token }: Decoded,
  mayUpload: boolean,
): Promise<Learnt> {
  const pinned = pinnedRelease(template)
  const idle = token?.idleVesting
  if (idle !== undefined) return learnt({ cliff: 0n, duration: idle }, pinned)
  if (!mayUpload) return pinned ? { release: pinned, notes: [] } : { notes: [unasked] }
  const found = await vestedIn(parts, template)
  if (found) return learnt(found, pinned)
  const note =
    'What it builds from metadata that ask for vesting has none, so its release is not pinned.'
  return { release: pinned, notes: [note] }
}

function learnt(found: { cliff: bigint; duration: bigint }, pinned: Release | undefined): Learnt {
  const release = { cliff: Number(found.cliff), duration: Number(found.duration) }
  const isChanged =
    pinned !== undefined && (pinned.cliff !== release.cliff || pinned.duration !== release.duration)
  const note =
    `The template changed: vesting that people ask for takes ${release.duration} seconds, nothing before ` +
    `${release.cliff}; expected were ${pinned?.duration} and ${pinned?.cliff}.`
  return { release, isChanged, notes: isChanged ? [note] : [] }
}

const releaseLine = z.object({ to: z.literal('asked'), cliff: z.number(), duration: z.number() })

function pinnedRelease({ expects = {} }: Template): Release | undefined {
  const lines = z.array(z.unknown()).safeParse(expects.vesting).data ?? []
  const [release] = lines.flatMap((line) => releaseLine.safeParse(line).data ?? [])
  return release && { cliff: release.cliff, duration: release.duration }
}

async function vestedIn({ settings, api }: TemplateParts, template: Template) {
  const { chain } = template
  const uploaded = await api.uploadMetadata({
    name: tokens[0].name,
    description: 'Made by a check of a template. There is no such token.',
    image_hash: '',
    vesting_recipients: [{ address: recipient, percentage: '1' }],
  })
  const inputs = launchInputs({ answers: answersFor(template, tokens[0]) }, settings)
  const built = await api.buildAuction(inputs.template(tokenUri(uploaded)), chain)
  const payload: `0x${string}` = `0x${built.encoded_payload.slice(2).toLowerCase()}`
  const decoded = decodePayload(payload, moduleBook(chain, settings.modules[chain]))
  return decoded.call
    ? decoded.token?.vesting.find((each) => each.recipient === recipient)
    : undefined
}
