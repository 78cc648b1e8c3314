import { reservesTickers, tickerPattern } from '../../chain/airlock/tickers.ts'
import { chainById } from '../../chain/chains.ts'
import { httpsUrl } from '../../core/https-url.ts'
import { countCharacters, firstUnseen, shorten, strayLetter } from '../../core/text.ts'
import { type Message, t } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import { doubtOf, type Role } from '../../views/lookalike.ts'
import type { Answers } from '../draft.ts'
import { parseCid } from '../image.ts'
import {
  always,
  type Doubt,
  never,
  ofLaunches,
  type Question,
  readList,
  rejectSecret,
  type Scope,
} from './question.ts'

const maxName = 32

const onceExample = { code: '/launch RIVER "River Heron"' }
const onceOptionExample = { code: '/launch token:RIVER River Heron' }

/** Max characters of a symbol, by the bot's own rule and by that of the launch contract. */
const maxSymbol = 15

const maxDescription = 500

const maxLinks = 10

const maxLabel = 32

const knownSites: readonly [host: RegExp, label: string][] = [
  [/^(?:x|twitter)\.com$/u, 'X'],
  [/^(?:t|telegram)\.me$/u, 'Telegram'],
  [/^discord\.(?:gg|com)$/u, 'Discord'],
  [/^github\.com$/u, 'GitHub'],
  [/^(?:farcaster\.xyz|warpcast\.com)$/u, 'Farcaster'],
  [/^(?:youtube\.com|youtu\.be)$/u, 'YouTube'],
  [/^instagram\.com$/u, 'Instagram'],
  [/^tiktok\.com$/u, 'TikTok'],
  [/^reddit\.com$/u, 'Reddit'],
  [/^(?:medium\.com|.+\.medium\.com)$/u, 'Medium'],
]

/** Host names that can't be reached from the internet. */
const localHosts =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|onion)$/u

type Link = NonNullable<Answers['links']>[number]

function allAtOnce(namedOptions = false): Message {
  return namedOptions
    ? t('launch-all-at-once-option', { example: onceOptionExample })
    : t('launch-all-at-once', { example: onceExample })
}

export const name: Question = {
  id: 'name',
  label: t('launch-name'),
  names: ['name', 'token name', 'token'],
  field: { kind: 'line', maxLength: 300, about: t('launch-name-form', { max: maxName }) },
  applies: always,
  skipped: never,
  ask: ({ goal, namedOptions }) => ({
    words: [
      t('launch-name-question'),
      ...(goal === 'launch' ? [' ', allAtOnce(namedOptions)] : []),
    ],
    example: 'Moon Otter',
    allowed: t('launch-name-allowed', { max: maxName }),
  }),
  parse: (text) => ({
    name: readText(text, { max: maxName, maxBytes: 256, names: true }),
  }),
  doubts: {
    find: ({ answers: { name = '' } }) => doubtsOf(name, 'name'),
    confirmLabel: t('launch-name-keep'),
  },
  text: ({ answers }) => answers.name,
}

export const symbol: Question = {
  id: 'symbol',
  label: t('launch-symbol'),
  names: ['symbol', 'ticker'],
  field: { kind: 'line', maxLength: 100, about: (scope) => symbolRule(scope).allowed },
  applies: ofLaunches,
  skipped: never,
  ask: (scope) => ({
    words: [t('launch-symbol-question')],
    example: 'OTTER',
    allowed: symbolRule(scope).allowed,
  }),
  parse: (text, scope) => ({ symbol: readSymbol(text, scope) }),
  doubts: {
    find: ({ answers: { symbol = '' } }) => doubtsOf(symbol, 'symbol'),
    confirmLabel: t('launch-symbol-keep'),
  },
  text: ({ answers }) => answers.symbol,
}

export const description: Question = {
  id: 'description',
  label: t('launch-description'),
  names: ['description', 'about'],
  field: {
    kind: 'paragraph',
    maxLength: 2_000,
    about: t('launch-description-form', { max: maxDescription }),
  },
  applies: always,
  skipped: () => ({ description: '' }),
  ask: () => ({
    words: [t('launch-description-question')],
    example: 'Night patrols on three rivers.',
    allowed: t('launch-description-allowed', { max: maxDescription }),
  }),
  parse: (text) => ({
    description: readText(text, {
      max: maxDescription,
      maxBytes: 2_000,
      lines: true,
    }),
  }),
  text: ({ answers }) => answers.description,
}

export const picture: Question = {
  id: 'picture',
  label: t('launch-logo'),
  names: ['picture', 'image', 'logo', 'cid'],
  field: { kind: 'line', maxLength: 1_000, about: t('launch-logo-form') },
  applies: always,
  skipped: () => ({ picture: null }),
  ask: ({ canPublish }) => ({
    words: [canPublish ? t('launch-logo-question') : t('launch-logo-question-ipfs')],
    example: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
    allowed: canPublish ? t('launch-logo-allowed') : t('launch-logo-allowed-ipfs'),
  }),
  parse: (text, { canPublish, answers }) => {
    const cid = parseCid(text)
    // A form sends back the current CID; its bytes may still be unpublished.
    if (cid !== undefined && answers.picture?.cid === cid) return { picture: answers.picture }
    if (cid !== undefined) return { picture: { cid, stored: false } }
    throw new UserError(canPublish ? t('launch-logo-no-cid') : t('launch-logo-no-cid-ipfs'))
  },
  text: ({ answers }) => (answers.picture === null ? '' : answers.picture?.cid),
}

export const links: Question = {
  id: 'links',
  label: t('launch-links'),
  names: ['links', 'link', 'social links', 'socials'],
  field: { kind: 'paragraph', maxLength: 3_000, about: t('launch-links-form') },
  applies: always,
  skipped: () => ({ links: [] }),
  ask: () => ({
    words: [t('launch-links-question')],
    example: 'Website https://moonotter.example',
    allowed: t('launch-links-allowed', { max: maxLinks }),
  }),
  parse: (text) => ({ links: readLinks(text) }),
  text: ({ answers }) => answers.links?.map(({ label, url }) => `${label} ${url}`).join('\n'),
}

function doubtsOf(text: string, role: Role): Doubt[] {
  const reason = doubtOf(text, role)
  return reason === undefined ? [] : [{ part: text, reason }]
}

/** The rule for symbols in words, and the maximum length if the words name it. */
interface SymbolRule {
  allowed: Message
  max?: number
}

function symbolRule(scope: Pick<Scope, 'settings' | 'answers'>): SymbolRule {
  const { typed } = scope.settings.symbol
  if (typed !== undefined) {
    return { allowed: t('launch-symbol-allowed-pattern', { pattern: { code: typed } }) }
  }
  if (registerOf(scope) !== undefined) return letterRule(scope)
  return { allowed: t('launch-symbol-allowed'), max: maxSymbol }
}

/** The rule of the launch contract that keeps a register of symbols. */
function letterRule({ answers: { chain = 0 } }: Pick<Scope, 'answers'>): SymbolRule {
  const allowed = t('launch-symbol-allowed-letters', { chain: chainById(chain).name })
  return { allowed, max: maxSymbol }
}

/** The launch contract of the chosen chain if it has rules of its own for symbols. */
function registerOf({ settings, answers: { chain } }: Pick<Scope, 'settings' | 'answers'>) {
  const launcher = chain === undefined ? undefined : settings.launchers[chain]
  return reservesTickers(launcher) ? launcher : undefined
}

/** Whether the launch contract of the chosen chain takes the answered symbol, as far as its letters go. */
export function isTicker(scope: Pick<Scope, 'settings' | 'answers'>): boolean {
  const { symbol } = scope.answers
  return symbol === undefined || registerOf(scope) === undefined || tickerPattern.test(symbol)
}

function readSymbol(raw: string, scope: Scope): string {
  const { settings, answers } = scope
  const { pattern } = settings.symbol
  const wrong = (symbol: string, count: number, { allowed, max } = symbolRule(scope)) =>
    max !== undefined && count > max
      ? t('launch-symbol-long', { symbol, count, allowed })
      : t('launch-symbol-wrong', { symbol, allowed })
  const limits = { max: 32, maxBytes: 128, tooLong: wrong }
  const text = readText(raw.trim().replace(/^\$\s*/u, ''), limits)
  // The operator's pattern may lack anchors. The flags g and y would make `test` depend on the previous call.
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags.replaceAll(/[gy]/gu, ''))
  const count = countCharacters(text)
  if (!whole.test(text)) throw new UserError(wrong(text, count))
  if (isTicker({ settings, answers: { ...answers, symbol: text } })) return text
  throw new UserError(wrong(text, count, letterRule(scope)))
}

/** A link, and the space between it and what follows on the same line: a label stands before its link. */
const endOfLink = /(https?:\/\/\S+)[^\S\n]+(?=\S)/giu

function readLinks(text: string): Link[] {
  const comma = /,(?=\s)|,(?=https?:\/\/)/iu
  const list = {
    comma,
    max: maxLinks,
    empty: t('launch-links-none'),
    tooMany: (count: number) => t('launch-links-many', { max: maxLinks, count }),
    twice: t('launch-links-twice'),
  }
  return readList(text.replaceAll(endOfLink, '$1\n'), list, (entry, refuseSecond) => {
    const read = readLink(entry)
    refuseSecond(read.url)
    return read
  })
}

function readLink(entry: string): Link {
  const address = entry.split(/\s+/u).at(-1) ?? ''
  const before = entry.slice(0, entry.length - address.length).trimEnd()
  const glued = /^([^/\s:]+):(https?:\/\/.+)$/iu.exec(address)
  // An address ends before control characters, and a comma there separates links.
  const typedUrl = (glued?.[2] ?? address).replace(/[\p{Cc},]+$/u, '')
  const url = readUrl(typedUrl)
  const typed = [before, glued?.[1] ?? '']
    .join(' ')
    .replace(/(?<![\s:=–-])[\s:=–-]+$/u, '')
    .trim()
  const label =
    typed === ''
      ? siteLabel(url)
      : readText(typed, {
          max: maxLabel,
          maxBytes: 128,
          tooLong: () => t('launch-links-label-long', { max: maxLabel }),
        })
  return { label, url: url.href }
}

function readUrl(text: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(text)?.[1]?.toLowerCase()
  if (scheme !== 'https') {
    throw new UserError(
      scheme === undefined
        ? t('launch-link-no-scheme')
        : t('launch-link-scheme', { scheme: `${scheme}:` }),
    )
  }
  const parsed = URL.parse(text)
  if (parsed?.username || parsed?.password) {
    throw new UserError(t('launch-link-password'))
  }
  const url = httpsUrl(text)
  if (url === undefined || localHosts.test(url.hostname)) {
    throw new UserError(
      t('launch-link-not-public', { example: { code: 'https://moonotter.example' } }),
    )
  }
  return url
}

function siteLabel({ hostname }: URL): string {
  const host = hostname.replace(/^(?:www|m|mobile)\./u, '')
  return knownSites.find(([pattern]) => pattern.test(host))?.[1] ?? 'Website'
}

/** Max characters of a rejected text that are repeated. */
const maxQuoted = 40

/** Constraints of a text. */
interface TextLimits {
  /** Graphemes. */
  max: number
  /** In UTF-8: one grapheme can be arbitrarily long. */
  maxBytes: number
  /** Whether several lines are allowed. */
  lines?: boolean
  /** Whether it is a name: then it must be no link, and each word must use one alphabet. */
  names?: boolean
  /** The refusal of a text that is too long; by default it names the maximum. */
  tooLong?: (text: string, count: number) => Message
}

const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const controlCharacters = /\p{Cc}/u

const lineBreaks = /\r\n?|[\u0085\u2028\u2029]/gu

const spaces = /[^\S\n]+|[\p{Z}\u2800]+/gu

const link = /:\/\/|(?:^|\s)www\.|(?:^|[\s/.])(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S/iu

/**
 * Trims a text and collapses its spaces.
 * @throws UserError if it is empty, too long, or has invisible characters or ones that change the text around them
 */
function readText(raw: string, limits: TextLimits): string {
  const unified = raw.replaceAll(lineBreaks, '\n').trim()
  rejectSecret(unified)
  rejectHidden(unified, limits)
  const text = unified
    .replaceAll(spaces, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim()
  if (text === '') throw new UserError(t('launch-text-empty'))
  rejectAddress(text)
  rejectLong(text, limits)
  if (limits.names) rejectDisguise(text)
  return text
}

/**
 * Rejects characters that people can't see.
 * @throws UserError that names the first one
 */
function rejectHidden(text: string, { lines }: TextLimits): void {
  if (!lines && text.includes('\n')) {
    throw new UserError(t('launch-text-lines'))
  }
  const control = controlCharacters.exec(text.replaceAll('\n', ''))?.[0]
  if (control !== undefined) {
    const code = codePointText(control)
    throw new UserError(
      control === '\t' ? t('launch-text-tab', { code }) : t('launch-text-control', { code }),
    )
  }
  const context = directionControls.exec(text)?.[0]
  if (context !== undefined) {
    throw new UserError(t('launch-text-direction', { code: codePointText(context) }))
  }
  const unseen = firstUnseen(text)
  if (unseen !== undefined) {
    throw new UserError(t('launch-text-unseen', { code: codePointText(unseen) }))
  }
  if (/(?:^|[\s\p{Z}\u2800])\p{M}|\p{M}{4}/u.test(text)) {
    throw new UserError(t('launch-text-accents'))
  }
}

function rejectLong(text: string, { max, maxBytes, tooLong }: TextLimits): void {
  // No platform sends texts this long, so an exact count doesn't matter.
  const count = text.length > 10_000 ? text.length : countCharacters(text)
  if (count > max) {
    throw new UserError(
      tooLong?.(shorten(text, maxQuoted), count) ?? t('launch-text-long', { max, count }),
    )
  }
  if (Buffer.byteLength(text) > maxBytes) {
    throw new UserError(t('launch-text-bytes', { max: maxBytes }))
  }
}

function rejectAddress(text: string): void {
  if (/^0x[0-9a-f]{20,}$/iu.test(text)) throw new UserError(t('launch-text-address'))
}

/**
 * Rejects disguised names.
 * @throws UserError if a name is a link, or mixes alphabets so that it reads like another
 */
function rejectDisguise(text: string): void {
  if (link.test(text)) throw new UserError(t('launch-text-link'))
  const stray = strayLetter(text)
  if (stray === undefined) return
  const { letter, script } = stray
  throw new UserError(t('launch-text-mixed', { letter, code: codePointText(letter), script }))
}

function codePointText(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
