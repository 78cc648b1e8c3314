import { formatUnits } from 'viem/utils'
import { z } from 'zod'
import { isObject, type TokenMetadata } from '../api/schema.ts'
import { isNobody } from '../chain/address.ts'
import { plain } from '../chain/airlock/calldata.ts'
import { exactly } from '../core/number.ts'
import { linkIn, shorten } from '../core/text.ts'
import { type Message, t } from '../core/view.ts'
import { defaultSupply } from './build-inputs.ts'
import { parseCid } from './image.ts'
import { IpfsError, type IpfsReader, maxFileBytes } from './ipfs.ts'
import { tokenDecimals } from './table/value.ts'
import type { Check, FieldDifference } from './verdict.ts'

const defaultDeadlineMs = 10_000

const reasons: Record<IpfsError['kind'], Message> = {
  unavailable: t('metadata-late'),
  'too large': t('metadata-large', { size: exactly(String(maxFileBytes / 1024)) }),
  refused: t('metadata-refused'),
  'other bytes': t('metadata-other-bytes'),
  'no file': t('metadata-no-file'),
}

/**
 * Reads the document that a token URI names and compares it with the upload. Failures of the network are a result, not
 * an error.
 * @param reader undefined if the operator configured none
 * @param uri with or without `ipfs://`
 * @param options.supply the launch's, in base units
 */
export async function checkMetadata(
  reader: IpfsReader | undefined,
  uri: string,
  typed: TokenMetadata,
  { supply = defaultSupply, deadlineMs = defaultDeadlineMs } = {},
): Promise<Check['metadata']> {
  if (!reader) return notChecked(t('metadata-no-reader'))
  const link = parseCid(uri)
  if (link === undefined) return notChecked(t('metadata-no-cid', { uri: plain(uri) }))
  try {
    return compared(await reader.read(link, deadlineMs), { typed, supply })
  } catch (error) {
    if (!(error instanceof IpfsError)) throw error
    return notChecked(reasons[error.kind])
  }
}

/** The upload. */
interface Uploaded {
  typed: TokenMetadata
  /** In base units. */
  supply: bigint
}

function compared(bytes: Uint8Array, uploaded: Uploaded): Check['metadata'] {
  const read = readJsonObject(bytes)
  const fields =
    read.kind === 'object'
      ? differences(uploaded, read.members)
      : [{ name: t('metadata-all'), typed: t('metadata-typed'), found: read.why }]
  if (fields.length > 0) return { kind: 'different', fields }
  const links = read.kind === 'object' ? foreignLinks(uploaded.typed, read.members) : []
  return { kind: 'same', ...(links.length > 0 && { links }) }
}

/** Max fields of a document that are named, and characters of each name. */
const maxNamed = { fields: 50, name: 40 }

/** Names the fields with a link that was not uploaded: other readers of the document may show what is there. */
function foreignLinks(typed: TokenMetadata, found: ReadonlyMap<string, unknown>): string[] {
  const sent = new Set(linksIn(typed).map(({ link }) => link))
  const foreign = linksIn(Object.fromEntries(found)).filter(({ link }) => !sent.has(link))
  const names = foreign.map(({ path }) => shorten(plain(path.join('.')), maxNamed.name))
  return [...new Set(names)].slice(0, maxNamed.fields)
}

/** Lists the texts with a link, by the names of the fields that lead there; a CID is one, too. */
function linksIn(
  value: unknown,
  path: readonly string[] = [],
): { path: readonly string[]; link: string }[] {
  if (Array.isArray(value)) return value.flatMap((each) => linksIn(each, path))
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, each]) => linksIn(each, [...path, name]))
  }
  if (typeof value !== 'string') return []
  const text = value.trim().normalize('NFC')
  const cid = isServer(text) ? undefined : parseCid(text)
  const isLink = cid !== undefined || /^data:|:\/\//iu.test(text) || linkIn(text) !== undefined
  return isLink ? [{ path, link: cid ?? URL.parse(text)?.href ?? text }] : []
}

function notChecked(why: Message): Check['metadata'] {
  return { kind: 'not checked', why }
}

interface Field {
  name: Message
  /** The field's name in the upload. */
  key: keyof TokenMetadata
  /** Other names of the field in token metadata, which are read where it is absent. */
  also?: readonly string[]
  /** Reads a value; `other` is what it is compared with, and `supply` the launch's. */
  items: (value: unknown, other: unknown, supply: bigint) => Item[]
}

const fields: readonly Field[] = [
  { name: t('metadata-name'), key: 'name', items: textItems },
  { name: t('metadata-description'), key: 'description', items: textItems },
  { name: t('metadata-picture'), key: 'image_hash', also: ['image'], items: pictureItems },
  { name: t('metadata-links'), key: 'social_links', items: linkItems },
  { name: t('metadata-vesting'), key: 'vesting_recipients', items: vestingItems },
  { name: t('metadata-fee-receiver'), key: 'fee_receiver', items: addressItems },
  { name: t('metadata-categories'), key: 'categories', items: categoryItems },
]

const nothing = t('metadata-nothing')
/** A common beginning longer than this many characters is cut off. */
const maxCommon = 100
const shownCommon = 30

/**
 * Lists every field in which a document differs from the upload. Order, letter case of addresses and the spelling of a
 * CID don't count, nor do fields that were not uploaded: the service adds some of its own.
 */
function differences(uploaded: Uploaded, found: ReadonlyMap<string, unknown>): FieldDifference[] {
  return fields.flatMap((field) => differencesIn(field, uploaded, found))
}

function differencesIn(
  { name, key, also = [], items }: Field,
  { typed, supply }: Uploaded,
  found: ReadonlyMap<string, unknown>,
): FieldDifference[] {
  const present = [key, ...also].find((each) => !isNothing(found.get(each)))
  const [expected, value] = [typed[key], found.get(present ?? key)]
  return difference(name, items(expected, value, supply), items(value, expected, supply))
}

function difference(
  name: Message,
  typed: readonly Item[],
  found: readonly Item[],
): FieldDifference[] {
  const lost = missingFrom(typed, found)
  const added = missingFrom(found, typed)
  if (lost.length === 0 && added.length === 0) return []
  const [one, other] = [textsOf(lost), textsOf(added)]
  const from = firstDifference(one, other)
  return [
    {
      name,
      typed: shown(one, from) || nothing,
      found: shown(other, from) || t('metadata-missing'),
    },
  ]
}

/** Returns the items that the first list has more often than the second. */
function missingFrom(items: readonly Item[], others: readonly Item[]): Item[] {
  const left = Map.groupBy(others, ({ key }) => key)
  return items.filter(({ key }) => key === undefined || left.get(key)?.pop() === undefined)
}

function textsOf(items: readonly Item[]): string {
  return items.map(({ text }) => text).join('; ')
}

/**
 * Returns the index from which to show two texts so that their difference is visible; 0 if it is near the beginning.
 */
function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at += 1
  return at > maxCommon ? at - shownCommon : 0
}

function shown(text: string, from: number): string {
  return plain(from === 0 ? text : `…${text.slice(from)}`)
}

/** One value in metadata: two are equal if their `key` is, and none is without one; `text` is for people. */
interface Item {
  key: string | undefined
  text: string
}

type Members = Readonly<Record<string, unknown>>

/** Reads a value as text; empty if it is blank. */
function textItems(value: unknown): Item[] {
  return scalarItems(value, (text) => text.normalize('NFC'))
}

/** Reads a picture by its CID. A link to a server equals nothing, not even itself: it may serve everybody another picture. */
function pictureItems(value: unknown): Item[] {
  return scalarItems(value, (text) =>
    isServer(text) ? undefined : (parseCid(text) ?? `no CID: ${text}`),
  )
}

function isServer(link: string): boolean {
  return /^https?:/iu.test(link)
}

function addressItems(value: unknown): Item[] {
  return scalarItems(value, (text) => text.toLowerCase())
}

function categoryItems(value: unknown): Item[] {
  return listItems(value, (each) => scalarItems(each, (text) => text.toLowerCase()))
}

const link = z.looseObject({ label: z.string(), url: z.string() })

function linkItems(value: unknown): Item[] {
  return listItems(value, (each) => {
    const read = link.safeParse(each)
    if (!read.success) return [malformedItem(each)]
    const { label, url } = read.data
    return [
      {
        key: JSON.stringify([label.trim(), URL.parse(url.trim())?.href ?? url]),
        text: `${label} ${url}`,
      },
    ]
  })
}

// Larger numbers lose precision when parsed.
const figure = z.union([z.string(), z.number().max(Number.MAX_SAFE_INTEGER).transform(String)])
const recipient = z.looseObject({
  address: z.string(),
  amount: figure.nullish(),
  percentage: figure.nullish(),
})

const recipientsSchema = z.array(recipient)

/**
 * Reads recipients. A percentage counts if both sides have one for each, or if it contradicts the amount: else it says nothing more
 * beside that.
 */
function vestingItems(value: unknown, other: unknown, supply: bigint): Item[] {
  const arePercentages = [value, other].every((side) =>
    recipientsSchema
      .safeParse(side)
      .data?.filter((each) => !isPlaceholder(each))
      .every(({ percentage }) => decimal(percentage) !== ''),
  )
  return listItems(value, (each) => {
    const read = recipient.safeParse(each)
    if (!read.success) return [malformedItem(each)]
    if (isPlaceholder(read.data)) return []
    const { address, amount, percentage } = read.data
    const tokens = decimal(amount)
    const share = decimal(percentage)
    const counts = arePercentages || tokens === '' || contradicts(share, tokens, supply)
    const percent = counts ? share : ''
    const texts = [address, tokens && `${tokens} tokens`, percent && `${percent}%`]
    return [
      {
        key: JSON.stringify([address.trim().toLowerCase(), tokens, percent]),
        text: texts.filter((each) => each !== '').join(' '),
      },
    ]
  })
}

/** Half a unit of a last digit, and a little for the computer's own rounding. */
const rounding = 0.51

/** Whether a percentage is another than an amount's, rounded to as many digits. */
function contradicts(percent: string, tokens: string, supply: bigint): boolean {
  if (percent === '') return false
  const [, part = ''] = percent.split('.')
  const actual = (Number(tokens) / Number(formatUnits(supply, tokenDecimals))) * 100
  const apart = Math.abs(actual - Number(percent))
  // A text that is no number contradicts every amount.
  return !(apart <= rounding * 10 ** -part.length)
}

/** LONG's app names the zero address with an amount of 0 if nobody vests. */
function isPlaceholder({ address, amount, percentage }: z.output<typeof recipient>): boolean {
  return (
    isNobody(address.trim()) && [amount, percentage].every((each) => /^0?$/u.test(decimal(each)))
  )
}

/** Checks whether a value is empty. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) ? value.length === 0 : isObject(value) && isEmpty(value)
}

/** Shows any value as text. */
function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

function isEmpty(value: Members): boolean {
  return Object.keys(value).length === 0
}

function scalarItems(value: unknown, keyOf: (text: string) => Item['key']): Item[] {
  if (isNothing(value)) return []
  if (typeof value !== 'string') return [malformedItem(value)]
  const text = value.trim()
  return [{ key: keyOf(text), text }]
}

function listItems(value: unknown, itemsOf: (each: unknown) => Item[]): Item[] {
  if (isNothing(value)) return []
  return Array.isArray(value) ? value.flatMap(itemsOf) : [malformedItem(value)]
}

/** Makes an item of a value that has not the uploaded shape, so that it never equals an uploaded one. */
function malformedItem(value: unknown): Item {
  return { key: `odd ${wordsOf(value)}`, text: wordsOf(value) }
}

/** Normalizes a number: 5.0 gives 5. */
function decimal(value: string | null | undefined): string {
  const text = value?.trim() ?? ''
  const { digits, part = '' } = /^(?<digits>\d+)(?:\.(?<part>\d*))?$/u.exec(text)?.groups ?? {}
  if (digits === undefined) return text
  const whole = digits.replace(/^0+(?=\d)/u, '')
  const decimals = part.replace(/(?<!0)0+$/u, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/** Max nesting; metadata are far flatter. */
const maxDepth = 20

/** An object's members in their order, or in words what the bytes are instead. */
type ReadJson =
  | { kind: 'object'; members: ReadonlyMap<string, unknown> }
  | { kind: 'other'; why: Message }

/**
 * Parses bytes as one JSON object that all parsers read alike: rejects duplicate names, of which some parsers take the
 * first and some the last.
 */
function readJsonObject(bytes: Uint8Array): ReadJson {
  const text = textOf(bytes)
  if (text === undefined) return other(t('metadata-not-text'))
  const value = parsed(text)
  if (!isObject(value)) return other(t('metadata-not-object', { text: plain(text) }))
  const members = countMembers(value)
  if (members === undefined) return other(t('metadata-deep'))
  if (members !== countWritten(text)) return other(t('metadata-twice'))
  return { kind: 'object', members: new Map(Object.entries(value)) }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts the members of all objects; undefined if they are nested too deeply. */
function countMembers(value: unknown): number | undefined {
  let count = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return undefined
    const objects = level.filter(isObject).map((each) => Object.values(each))
    count += objects.reduce((sum, members) => sum + members.length, 0)
    level = [...level.filter((each) => Array.isArray(each)), ...objects].flat()
  }
  return count
}

/** Counts the members as written in valid JSON: each has one colon outside of strings. */
function countWritten(text: string): number {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|:/gu) ?? []
  return tokens.filter((token) => token === ':').length
}

function other(why: Message): ReadJson {
  return { kind: 'other', why }
}
