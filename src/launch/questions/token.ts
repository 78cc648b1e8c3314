import { countCharacters, firstUnseen, strayLetter } from '../../core/text.ts'
import { UserError } from '../../errors.ts'
import { httpsUrl } from '../../views/facts.ts'
import { doubtOf, type Role } from '../../views/lookalike.ts'
import type { Answers } from '../draft.ts'
import { parseCid } from '../image.ts'
import type { LaunchSettings } from '../settings.ts'
import {
  always,
  type Doubt,
  never,
  ofLaunches,
  type Question,
  readList,
  rejectSecret,
} from './question.ts'

const maxName = 32

const maxDescription = 500

const maxLinks = 10

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

export const name: Question = {
  id: 'name',
  label: 'Name',
  names: ['name', 'token name', 'token'],
  field: { kind: 'line', maxLength: 300, about: `Up to ${maxName} characters` },
  applies: always,
  skipped: never,
  ask: () => ({
    words: ['What is the token called?'],
    example: 'Moon Otter',
    allowed: `1 to ${maxName} characters on one line, emoji too.`,
  }),
  parse: (text) => ({
    name: readText(text, { what: 'A name', max: maxName, maxBytes: 256, names: true }),
  }),
  doubts: {
    find: ({ answers: { name = '' } }) => doubtsOf(name, 'name'),
    confirmLabel: 'Use this name',
  },
  text: ({ answers }) => answers.name,
}

export const symbol: Question = {
  id: 'symbol',
  label: 'Symbol',
  names: ['symbol', 'ticker'],
  field: { kind: 'line', maxLength: 100, about: 'The short name that traders see' },
  applies: ofLaunches,
  skipped: never,
  ask: ({ settings }) => ({
    words: ['Which symbol does it have, the short name that traders see?'],
    example: 'OTTER',
    allowed: `${settings.symbol.allowed}.`.replace(/\.\.$/u, '.'),
  }),
  parse: (text, { settings }) => ({ symbol: readSymbol(text, settings.symbol) }),
  doubts: {
    find: ({ answers: { symbol = '' } }) => doubtsOf(symbol, 'symbol'),
    confirmLabel: 'Use it anyway',
  },
  text: ({ answers }) => answers.symbol,
}

export const description: Question = {
  id: 'description',
  label: 'Description',
  names: ['description', 'about'],
  field: {
    kind: 'paragraph',
    maxLength: 2_000,
    about: `What it is, in up to ${maxDescription} characters`,
  },
  applies: always,
  skipped: () => ({ description: '' }),
  ask: () => ({
    words: ['What is it? The description stands on its page and can’t be changed later.'],
    example: 'Night patrols on three rivers.',
    allowed: `Up to ${maxDescription} characters, on several lines if you like.`,
  }),
  parse: (text) => ({
    description: readText(text, {
      what: 'A description',
      max: maxDescription,
      maxBytes: 2_000,
      lines: true,
    }),
  }),
  text: ({ answers }) => answers.description,
}

export const picture: Question = {
  id: 'picture',
  label: 'Picture',
  names: ['picture', 'image', 'logo', 'cid'],
  field: { kind: 'line', maxLength: 1_000, about: 'A CID, or a link to a picture on IPFS' },
  applies: always,
  skipped: () => ({ picture: null }),
  ask: ({ canPublish }) => ({
    words: canPublish
      ? ['Which picture does it have? A photo or a file, or where it is on IPFS.']
      : ['Which picture does it have? This bot can’t publish files, so say where it is on IPFS.'],
    example: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
    allowed: canPublish
      ? 'PNG, JPEG, WebP or GIF up to 10 MB; it is cut to a square. Or a CID, or an IPFS link.'
      : 'A CID, an ipfs:// address or the https link of an IPFS gateway.',
  }),
  parse: (text, { canPublish, answers }) => {
    const cid = parseCid(text)
    // A form sends back the current CID; its bytes may still be unpublished.
    if (cid !== undefined && answers.picture?.cid === cid) return { picture: answers.picture }
    if (cid !== undefined) return { picture: { cid, stored: false } }
    throw new UserError(
      `That is no CID and no IPFS link. ${canPublish ? 'Send the picture itself, or' : 'Publish the picture on IPFS, then'} paste its CID.`,
    )
  },
  text: ({ answers }) => (answers.picture === null ? '' : answers.picture?.cid),
}

export const links: Question = {
  id: 'links',
  label: 'Links',
  names: ['links', 'link', 'social links', 'socials'],
  field: { kind: 'paragraph', maxLength: 3_000, about: 'One a line, such as: Website https://…' },
  applies: always,
  skipped: () => ({ links: [] }),
  ask: () => ({
    words: ['Where can people read more? Give its website and its channels, one a line.'],
    example: 'Website https://moonotter.example',
    allowed: `Up to ${maxLinks} links that begin with https://, each with a label before it if you like.`,
  }),
  parse: (text) => ({ links: readLinks(text) }),
  text: ({ answers }) => answers.links?.map(({ label, url }) => `${label} ${url}`).join('\n'),
}

function doubtsOf(text: string, role: Role): Doubt[] {
  const words = doubtOf(text, role)
  return words === undefined ? [] : [{ part: text, reason: words }]
}

function readSymbol(raw: string, { pattern, allowed }: LaunchSettings['symbol']): string {
  const limits = { what: 'A symbol', max: 32, maxBytes: 128 }
  const text = readText(raw.trim().replace(/^\$\s*/u, ''), limits)
  // The operator's pattern may lack anchors. The flags g and y would make `test` depend on the previous call.
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags.replaceAll(/[gy]/gu, ''))
  if (whole.test(text)) return text
  throw new UserError(`“${text}” can’t be a symbol. Allowed: ${allowed}.`.replace(/\.\.$/u, '.'))
}

function readLinks(text: string): Link[] {
  const comma = /,(?=\s)|,(?=https?:\/\/)/iu
  const list = { comma, max: maxLinks, entry: 'link', noun: 'link', plural: 'links' }
  return readList(text, list, (entry, refuseSecond) => {
    const read = readLink(entry)
    refuseSecond(read.url)
    return read
  })
}

function readLink(entry: string): Link {
  const address = entry.split(/\s+/u).at(-1) ?? ''
  const before = entry.slice(0, entry.length - address.length).trimEnd()
  const glued = /^([^/\s:]+):(https?:\/\/.+)$/iu.exec(address)
  const typedUrl = (glued?.[2] ?? address).trim()
  const url = readUrl(typedUrl)
  const typed = [before, glued?.[1] ?? '']
    .join(' ')
    .replace(/(?<![\s:=–-])[\s:=–-]+$/u, '')
    .trim()
  const label =
    typed === '' ? siteLabel(url) : readText(typed, { what: 'A label', max: 32, maxBytes: 128 })
  return { label, url: url.href }
}

function readUrl(text: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(text)?.[1]?.toLowerCase()
  if (scheme !== 'https') {
    throw new UserError(
      scheme === undefined
        ? 'give the whole link, beginning with https://.'
        : `a link must begin with https://, not with ${scheme}:.`,
    )
  }
  const parsed = URL.parse(text)
  if (parsed?.username || parsed?.password) {
    throw new UserError('a link must not hold a user name or a password. Leave it out.')
  }
  const url = httpsUrl(text)
  if (url === undefined || localHosts.test(url.hostname)) {
    throw new UserError(
      'a link must lead to a public site by its name, such as https://moonotter.example, in at most 512 characters.',
    )
  }
  return url
}

function siteLabel({ hostname }: URL): string {
  const host = hostname.replace(/^(?:www|m|mobile)\./u, '')
  return knownSites.find(([pattern]) => pattern.test(host))?.[1] ?? 'Website'
}

/** Constraints of a text. */
interface TextLimits {
  /** Its name in error messages. */
  what: string
  /** Graphemes. */
  max: number
  /** In UTF-8: one grapheme can be arbitrarily long. */
  maxBytes: number
  /** Whether several lines are allowed. */
  lines?: boolean
  /** Whether it is a name: then it must be no link, and each word must use one alphabet. */
  names?: boolean
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
  if (text === '') throw new UserError(`${limits.what} needs characters that can be seen.`)
  rejectAddress(text, limits)
  rejectLong(text, limits)
  if (limits.names) rejectDisguise(text, limits)
  return text
}

/**
 * Rejects characters that people can't see.
 * @throws UserError that names the first one
 */
function rejectHidden(text: string, { what, lines }: TextLimits): void {
  if (!lines && text.includes('\n')) {
    throw new UserError(`${what} is one line, without a line break.`)
  }
  const control = controlCharacters.exec(text.replaceAll('\n', ''))?.[0]
  if (control !== undefined) {
    const name = control === '\t' ? 'a tab' : 'a control character'
    throw new UserError(
      `There is ${name} (${codePointText(control)}) in it. Type it again without.`,
    )
  }
  const context = directionControls.exec(text)?.[0]
  if (context !== undefined) {
    throw new UserError(
      `There is a character in it that turns the direction of writing (${codePointText(context)}). Type it again without.`,
    )
  }
  const unseen = firstUnseen(text)
  if (unseen !== undefined) {
    throw new UserError(
      `There is a character in it that nobody sees (${codePointText(unseen)}). Type it again without.`,
    )
  }
  if (/(?:^|[\s\p{Z}\u2800])\p{M}|\p{M}{4}/u.test(text)) {
    throw new UserError(
      'There are accents in it without a letter, or too many on one. Leave them out.',
    )
  }
}

function rejectLong(text: string, { what, max, maxBytes }: TextLimits): void {
  // No platform sends texts this long, so an exact count doesn't matter.
  const count = text.length > 10_000 ? text.length : countCharacters(text)
  if (count > max) {
    throw new UserError(`${what} has at most ${max} characters; this has ${count}.`)
  }
  if (Buffer.byteLength(text) > maxBytes) {
    throw new UserError(`${what} takes up too much room (over ${maxBytes} bytes). Use fewer emoji.`)
  }
}

function rejectAddress(text: string, { what }: TextLimits): void {
  if (!/^0x[0-9a-f]{20,}$/iu.test(text)) return
  throw new UserError(
    `That is an address. ${what} is asked for now; addresses are asked for further on.`,
  )
}

/**
 * Rejects disguised names.
 * @throws UserError if a name is a link, or mixes alphabets so that it reads like another
 */
function rejectDisguise(text: string, { what }: TextLimits): void {
  if (link.test(text)) {
    throw new UserError(`${what} is no link. Links are asked for further on.`)
  }
  const stray = strayLetter(text)
  if (stray === undefined) return
  const { letter, script } = stray
  const article = /^A/u.test(script) ? 'an' : 'a'
  throw new UserError(
    `“${letter}” (${codePointText(letter)}) is ${article} ${script} letter in a word of Latin ones. Write each word in one alphabet.`,
  )
}

function codePointText(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
