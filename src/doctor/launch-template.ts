import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Api } from '../api/client.ts'
import { isObject } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { plain } from '../chain/airlock/calldata.ts'
import { decimal, type Ratio } from '../chain/airlock/curve.ts'
import { type Effects, effectsOf } from '../chain/airlock/effects.ts'
import { type Decoded, decodePayload, moduleBook } from '../chain/airlock/modules.ts'
import { chainById } from '../chain/chains.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import { plainText } from '../core/catalogue.ts'
import { type Span, t } from '../core/view.ts'
import { ApiError, UserError } from '../errors.ts'
import { tokenUri } from '../launch/build.ts'
import { launchInputs } from '../launch/build-inputs.ts'
import { type CheckResult, checkBuilt, launchedToken, quoteUsd } from '../launch/check-built.ts'
import type { Answers } from '../launch/draft.ts'
import type { CheckedPayload } from '../launch/payload.ts'
import type { LaunchSettings, Template } from '../launch/settings.ts'
import { mapSpan, type Viewpoint } from '../launch/table/value.ts'
import { type Asked, type Row, sectionsOf, valuesOf } from '../launch/table.ts'
import { accountOfNobody, emptyUri, learnTerms, madeUpSymbol } from '../launch/template-terms.ts'
import { type Verdict, verdictOf, viewOf } from '../launch/verdict.ts'
import { adviceByKind, nodeFaults } from './advice.ts'
import { clipped, type Section, sectionsText, wrapText } from './text.ts'

interface TemplateParts {
  settings: LaunchSettings
  api: Pick<Api, 'buildAuction' | 'uploadMetadata' | 'asset' | 'assets'>
  units: Units
  /** Node of the template's chain; undefined if RPC_URLS has none. */
  node: ChainNode | undefined
  /** Unix seconds. */
  now: () => number
}

/** The result of examining a template. */
export interface ReadTemplate {
  kind: 'read'
  template: Template
  rows: readonly Row[]
  /** Why the bot would not call it verified; empty if it would. */
  doubts: readonly string[]
  /** Why nothing was simulated; undefined if it was. */
  notRehearsed: string | undefined
  /** Rows that TEMPLATES already pins. */
  pinned: readonly string[]
  /** The share of the fees that a request gives away, in percent; undefined if the API wants none. */
  openShare: string | undefined
  /** Proposed pins. */
  expects: Asked
  /** Labels of rows that are not pinned because two builds differ in them. */
  unsteady: readonly string[]
  /** Notes, in sentences. */
  notes: readonly string[]
}

/** Why a template can't be pinned, and what to do, in sentences. */
interface UnreadTemplate {
  kind: 'unread'
  template: Template
  problems: readonly string[]
  /** It could not be tried, since its chain's node is at fault. */
  lacksNode?: boolean
}

const wallet = accountOfNobody('wallet')
const recipient = accountOfNobody('vesting')
const tokens = [
  { name: 'Doctor Otter', symbol: madeUpSymbol() },
  { name: 'Doctor Heron', symbol: madeUpSymbol() },
] as const

/**
 * Builds a template for a made-up token, checks it as the bot does, and derives the values to pin. A second build shows
 * which of them are stable. Stores nothing, and uploads nothing unless `vesting` is set.
 */
export async function examineTemplate(
  parts: TemplateParts,
  given: Template,
  { vesting }: { vesting: boolean },
): Promise<ReadTemplate | UnreadTemplate> {
  const unread = (...problems: string[]): UnreadTemplate => ({
    kind: 'unread',
    template: given,
    problems,
  })
  try {
    const learnt = await termsOf(parts, given)
    if ('refused' in learnt) return unread(apiAdvice(learnt.refused))
    const template = { ...given, ...learnt }
    const first = await buildAndCheck(parts, template, tokens[0])
    if ('problems' in first) return unread(...first.problems)
    const learntRelease = await releaseOf(parts, template, first.decoded, vesting)
    const { rows, doubts, effects } = first
    const isIdle = first.decoded.token?.idleVesting !== undefined
    const fresh = expectationsOf(effects, first.view, learntRelease.release, isIdle)
    const expects = mergedPins(given, fresh, [
      ...rows.filter(({ state }) => state === 'different').map(({ key }) => key),
      ...(learntRelease.isChanged || (learntRelease.release && !pinnedRelease(template))
        ? ['vesting']
        : []),
    ])
    const second = await rebuild(parts, { ...template, expects })
    const unsteady = second.rows.filter(({ state }) => state === 'different')
    return {
      kind: 'read',
      template: given,
      openShare: template.openShare,
      rows,
      doubts: doubts.map((doubt) => plainText(doubt)),
      notRehearsed: first.notRehearsed,
      pinned: Object.keys(given.expects ?? {}),
      expects: withoutKeys(
        expects,
        unsteady.map(({ key }) => key),
      ),
      unsteady: unsteady.map(({ label }) => plainText(label)),
      notes: [...learntRelease.notes, ...second.notes],
    }
  } catch (error) {
    const words = adviceOn(error)
    if (words === undefined) throw error
    return { ...unread(words), lacksNode: error instanceof NodeError }
  }
}

/**
 * Finds what a template does about the fees: the share that it leaves open, unless TEMPLATES names it and the API takes it, and
 * what the bot learns beside the pins of TEMPLATES, since it tells people that.
 */
async function termsOf(
  { api, settings }: TemplateParts,
  template: Template,
): Promise<Pick<Template, 'openShare' | 'expects'> | { refused: ApiError }> {
  const book = moduleBook(template.chain, settings.modules[template.chain])
  const answer = await learnTerms(api, template, book)
  const { id, chain, openShare } = template
  // It may have changed.
  const again =
    'refused' in answer && openShare !== undefined
      ? await learnTerms(api, { id, chain }, book)
      : answer
  if ('refused' in again) return again
  // Where TEMPLATES leaves 95% open, the bot doesn't ask: it tells people that the rest is the protocol's.
  const learned = openShare === '95' ? {} : again.terms.expects
  return { openShare: again.terms.openShare, expects: { ...learned, ...template.expects } }
}

function adviceOn(error: unknown): string | undefined {
  if (error instanceof UserError) return error.message
  if (error instanceof NodeError) return `It can’t be rehearsed, since ${nodeFaults[error.kind]}.`
  return error instanceof ApiError ? apiAdvice(error) : undefined
}

/** Advice if a template could not be built. */
function apiAdvice({ kind, status, words }: ApiError): string {
  if (kind === 'not-found') {
    return 'The API does not know this template: check its id and its chain in TEMPLATES.'
  }
  if (kind === 'invalid') {
    const said = words === undefined ? '' : ` It says: ${plain(words)}.`
    return `The API refuses to build it${status === undefined ? '' : ` (status ${status})`}: ask the people who run it.${said}`
  }
  return adviceByKind[kind]
}

interface BuiltTemplate extends Verdict {
  effects: NonNullable<Verdict['effects']>
  decoded: Decoded
  view: ReturnType<typeof viewOf>
  notRehearsed: string | undefined
}

function answersFor({ chain, id }: Template, token: { name: string; symbol: string }): Answers {
  return { ...token, chain, template: id, wallet, vesting: [], beneficiaries: [] }
}

async function buildAndCheck(
  { settings, api, units, node, now }: TemplateParts,
  template: Template,
  token: (typeof tokens)[number],
): Promise<BuiltTemplate | { problems: readonly string[] }> {
  const { chain } = template
  const inputs = inputsOf(settings, template, token)
  const answer = JSON.stringify(await api.buildAuction(inputs.requestFor(emptyUri), chain))
  const { integrator, modules } = settings
  const checked = await checkBuilt(
    { ...inputs, uri: emptyUri, answer, integrator, modules: modules[chain] },
    {
      node,
      launched: (id, token) => launchedToken(api, id, token),
      usd: (id, quote) => quoteUsd({ api, units }, id, quote),
      metadata: async () => ({ kind: 'not checked', why: t('metadata-no-reader') }),
      now,
    },
  )
  return readTemplate(checked, moduleBook(chain, modules[chain]))
}

/** The inputs of a build by this version of a template, in place of the one in TEMPLATES. */
function inputsOf(settings: LaunchSettings, template: Template, token: (typeof tokens)[number]) {
  const templates = settings.templates.map((each) => (isSame(each, template) ? template : each))
  return launchInputs({ answers: answersFor(template, token) }, { ...settings, templates })
}

function isSame(one: Template, other: Template): boolean {
  return one.id === other.id && one.chain === other.chain
}

function readTemplate(
  checked: CheckResult,
  book: ReturnType<typeof moduleBook>,
): BuiltTemplate | { problems: readonly string[] } {
  if (checked.kind === 'refused')
    return { problems: [`It would not launch: ${plainText(checked.reason)}.`] }
  if (checked.kind === 'mismatch') {
    const lines = checked.mismatches.map(
      ({ what, expected, found }) => `${what}: expected ${expected}, found ${found}.`,
    )
    return {
      problems: [
        'The payload does not say what it should. Ask the people who run the API.',
        ...lines,
      ],
    }
  }
  const { calldata, check, chain, simulation } = checked.payload
  const decoded = decodePayload(calldata, book)
  if (!decoded.call || !check) {
    return { problems: decoded.problems.map((each) => `It can’t be read: ${each}.`) }
  }
  const verdict = verdictOf(calldata, wallet, check, chainById(chain).coin)
  const effects = effectsOf(decoded, { token: check.token, quoteDecimals: check.quote.decimals })
  const problems = [...decoded.problems, ...effects.problems]
  if (problems.length > 0) {
    const advice =
      'A module of your own service can be named in MODULES, if you know it and its layout.'
    return {
      problems: [...problems.map((each) => `It can’t be read completely: ${each}.`), advice],
    }
  }
  return {
    ...verdict,
    effects,
    decoded,
    view: viewOf(check, wallet),
    notRehearsed: notRehearsedReason(simulation),
  }
}

function notRehearsedReason(simulation: CheckedPayload['simulation']): string | undefined {
  if (simulation.kind === 'none') return plainText(simulation.reason)
  return simulation.note === undefined ? undefined : plainText(simulation.note)
}

/** Keeps the operator's pins that still hold; missing and broken ones are replaced by the found values. */
function mergedPins({ expects = {} }: Template, fresh: Asked, differing: readonly string[]): Asked {
  return withoutKeys({ ...fresh, ...withoutKeys(expects, differing) }, [])
}

function withoutKeys(expects: Asked, without: readonly string[]): Asked {
  return Object.fromEntries(
    Object.entries(expects).filter(([key, value]) => value !== undefined && !without.includes(key)),
  )
}

async function rebuild(
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
    const second = await buildAndCheck(parts, pinned, tokens[1])
    return 'problems' in second ? note(second.problems.join(' ')) : { rows: second.rows, notes: [] }
  } catch (error) {
    const words = adviceOn(error)
    if (words === undefined) throw error
    return note(words)
  }
}

interface LearntRelease {
  release?: Release | undefined
  /** Whether TEMPLATES pins a different release. */
  isChanged?: boolean
  notes: readonly string[]
}

const notAskedNote =
  'The release of vesting that people ask for is not pinned. With --vesting after the name the doctor finds out: ' +
  'it uploads metadata of a made-up token for that.'

/**
 * Finds how requested vesting is released: from the template's data even without recipients, or from a build with some.
 */
async function releaseOf(
  parts: TemplateParts,
  template: Template,
  { token }: Decoded,
  mayUpload: boolean,
): Promise<LearntRelease> {
  const pinned = pinnedRelease(template)
  const idle = token?.idleVesting
  if (idle !== undefined) return learnt({ cliff: 0n, duration: idle }, pinned)
  if (!mayUpload) return pinned ? { release: pinned, notes: [] } : { notes: [notAskedNote] }
  const found = await vestedIn(parts, template)
  if (found) return learnt(found, pinned)
  const note =
    'Its payload has no vesting even where the metadata ask for it, so the release is not pinned.'
  return { release: pinned, notes: [note] }
}

function learnt(
  found: { cliff: bigint; duration: bigint },
  pinned: Release | undefined,
): LearntRelease {
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

/** Tokens that vest in the metadata of a made-up token: 1% of most supplies. */
const vestedTokens = 10_000_000

async function vestedIn({ settings, api }: TemplateParts, template: Template) {
  const { chain } = template
  const uploaded = await api.uploadMetadata({
    name: tokens[0].name,
    description: 'Made by a check of a template. There is no such token.',
    image_hash: '',
    social_links: [],
    vesting_recipients: [{ address: recipient, amount: vestedTokens }],
  })
  const inputs = inputsOf(settings, template, tokens[0])
  const built = await api.buildAuction(inputs.requestFor(tokenUri(uploaded)), chain)
  const payload: `0x${string}` = `0x${built.encoded_payload.slice(2).toLowerCase()}`
  const decoded = decodePayload(payload, moduleBook(chain, settings.modules[chain]))
  return decoded.call
    ? decoded.token?.vesting.find((each) => each.recipient === recipient)
    : undefined
}

/** Release of vesting that a person asks for, in seconds. */
interface Release {
  cliff: number
  duration: number
}

/** Max seconds for a time relative to the build; a later one is a date fixed by the template's author. */
const maxRelativeSeconds = 30 * 86_400
const minute = 60

/**
 * Derives the pins of a template from what it built. Values of a single payload are left out or widened: the market cap
 * becomes a range, times become seconds after the check, and bindings to one launch are left out.
 */
function expectationsOf(
  effects: Effects,
  view: Viewpoint,
  release: Release | undefined,
  /** Whether a release is set without recipients: then the values depend on the person. */
  isIdle: boolean,
): Asked {
  const integrator = BigInt(effects.integrator) === 0n ? undefined : effects.integrator
  const { binding: _, ...values } = valuesOf(effects, { ...view, integrator })
  const named =
    values.integrator === 'integrator' && integrator ? integrator.toLowerCase() : values.integrator
  return {
    ...values,
    ...(release && { vesting: [...lines(values.vesting), { to: 'asked', ...release }] }),
    opening: withoutPrice(values.opening),
    trading: relativeTime(values.trading, 'from', view),
    limit: relativeTime(values.limit, 'until', view),
    tradingFee: relativeTime(values.tradingFee, 'from', view),
    hook: hookPins(values.hook, view),
    laterHook: hookPins(values.laterHook, view),
    governance: without(values.governance, 'name'),
    integrator: named,
    ...(isIdle && { idle: undefined }),
  }
}

function lines(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function without(value: unknown, name: string): unknown {
  if (!isObject(value)) return value
  const { [name]: _, ...rest } = value
  return rest
}

function relativeTime(value: unknown, name: string, { now }: Viewpoint): unknown {
  if (!isObject(value)) return value
  const moment = value[name]
  if (!isObject(moment) || typeof moment.at !== 'number') return value
  const seconds = moment.at - now
  if (seconds >= maxRelativeSeconds) return value
  return { ...value, [name]: { in: Math.round(seconds / minute) * minute } }
}

function hookPins(value: unknown, view: Viewpoint): unknown {
  return isObject(value) ? { ...value, fee: relativeTime(value.fee, 'from', view) } : value
}

/** The range of market caps, in percent: the quote token's price moves while the template stays the same. */
const capRange = [80n, 125n] as const

function withoutPrice(value: unknown): unknown {
  if (!isObject(value) || typeof value.cap !== 'string') return value
  const cap = ratioOf(value.cap)
  return {
    cap: capRange.map((percent) =>
      decimal({ numerator: cap.numerator * percent, denominator: cap.denominator * 100n }, 3),
    ),
  }
}

function ratioOf(text: string): Ratio {
  const [integer = '0', fraction = ''] = text.split('.')
  return { numerator: BigInt(integer + fraction), denominator: 10n ** BigInt(fraction.length) }
}

/** Formats the findings about a template in lines of at most 80 columns. */
export function printTemplate(report: ReadTemplate | UnreadTemplate): string {
  const { id, label, chain } = report.template
  const title = `Gavel's doctor: ${label} (${id}) on ${chainById(chain).name}`
  return sectionsText([
    { title: clipped(title, Number.POSITIVE_INFINITY), lines: [] },
    ...(report.kind === 'unread'
      ? [{ title: 'It can’t be pinned', lines: report.problems.flatMap((each) => wrapText(each)) }]
      : sectionsFor(report)),
  ])
}

function sectionsFor(report: ReadTemplate): Section[] {
  const { rows, doubts, notRehearsed, unsteady, notes, pinned, openShare } = report
  const further = [
    ...(openShare === undefined
      ? []
      : [`A request has to give away ${openShare}% of the fees: "openShare":"${openShare}".`]),
    ...(notRehearsed === undefined ? [] : [`Not rehearsed: ${notRehearsed}.`]),
    ...(unsteady.length > 0
      ? [`Two builds differ in ${unsteady.join(', ')}, so that is not pinned.`]
      : []),
    ...notes,
  ]
  const items = (texts: readonly string[]) => texts.flatMap((each) => wrapText(`- ${each}`, 2))
  return [
    ...sectionsOf(rows.filter(({ key }) => key !== 'metadata')).map((section) => ({
      title: plainText(section.title),
      lines: section.rows.flatMap((each) => wrapText(rowText(each, pinned), 2)),
    })),
    {
      title:
        doubts.length > 0
          ? 'As it is, the bot would call it “Not verified”'
          : 'The bot would call it verified',
      lines: items(doubts),
    },
    ...(further.length > 0 ? [{ title: 'To know', lines: items(further) }] : []),
    { title: conclusion(report), lines: [] },
  ]
}

function conclusion({ rows, pinned }: ReadTemplate): string {
  if (pinned.length === 0) return 'It is not pinned yet.'
  const changed = rows.filter(({ changed }) => changed)
  if (changed.length === 0) return 'All that is pinned is as expected.'
  return `The template changed: ${changed.map(({ label }) => plainText(label)).join(', ')}.`
}

function rowText(
  { key, label: name, does = '', asked, state, why }: Row,
  pinned: readonly string[],
): string {
  const label = plainText(name)
  const is = textOf(does)
  const isPinned = pinned.includes(key)
  if (state === 'same') return `${label}: ${is}${isPinned ? ' (as expected)' : ''}`
  if (state === 'unasked') return `${label}: ${is}`
  const expected = asked ? `. ${isPinned ? 'Expected' : 'People are told'}: ${textOf(asked)}` : ''
  return `⚠️ ${label}: ${is}${expected}${why === undefined ? '' : ` (${plainText(why)})`}`
}

function textOf(text: Span): string {
  const inZone = (span: Span) =>
    typeof span === 'object' && 'time' in span
      ? `${new Date(span.time * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
      : span
  return plainText([mapSpan(text, inZone)])
}

/** The template with a name, or why there is none, in lines for the operator. */
type NamedTemplate = { template: Template } | { problem: readonly string[] }

/** Finds a template by its label or id; if an id exists on two chains, prefix it with the chain's id. */
export function templateNamed(name: string, templates: readonly Template[]): NamedTemplate {
  const wanted = name.trim().toLowerCase()
  const [template, ...others] = templates.filter((each) =>
    [each.label, each.id, keyOf(each)].some((known) => known.toLowerCase() === wanted),
  )
  if (!template) {
    if (templates.length === 0)
      return { problem: ['Neither TEMPLATES nor the API names a template.'] }
    const said =
      wanted === '' ? 'Which template? There are:' : `There is no template “${name}”. There are:`
    return { problem: [said, ...templates.map(lineOf)] }
  }
  if (others.length === 0) return { template }
  const all = [template, ...others]
  const isById = new Set(all.map(({ id }) => id)).size === all.length
  return {
    problem: [
      `Several templates are called “${name}”. Name it by its id${isById ? '' : ' with its chain before it'}:`,
      ...all.map(lineOf),
    ],
  }
}

function keyOf({ chain, id }: Template): string {
  return `${chain} ${id}`
}

function lineOf(template: Template): string {
  return `  ${keyOf(template)}   ${template.label}`
}

const maxTries = 100

/**
 * Writes the templates with the new pins to a new file next to the current one. Never overwrites a file: takes the next
 * free number.
 * @param beside the current file; undefined if TEMPLATES itself holds them: then the current folder is used
 * @returns the path
 */
export async function writeTemplates(
  templates: readonly Template[],
  { template, ...pins }: { template: Template; openShare: string | undefined; expects: Asked },
  beside: string | undefined,
): Promise<string> {
  const list = templates.map((each) => (each === template ? { ...each, ...pins } : each))
  const text = `${JSON.stringify(list, null, 2)}\n`
  const folder = beside === undefined ? '.' : dirname(beside)
  for (let number = 1; number <= maxTries; number += 1) {
    const path = join(folder, `templates.proposed${number === 1 ? '' : `-${number}`}.json`)
    try {
      await writeFile(path, text, { flag: 'wx' })
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  throw new Error(`there are already ${maxTries} proposals in ${folder}`)
}
