import { formatUnits } from 'viem/utils'
import { z } from 'zod'
import { isObject } from '../api/leaf.ts'
import { parseCid } from './cid.ts'

/** One thing that metadata say: two are the same where `key` is, and `text` is for people. */
export interface Item {
  key: string
  text: string
}

type Members = Readonly<Record<string, unknown>>

/** What a value says as text; none where it is blank. */
export function textItems(value: unknown): Item[] {
  return scalarItems(value, (text) => text.normalize('NFC'))
}

/** A picture by its CID. A link to somebody's server is not the picture: it may give another one to each who asks. */
export function pictureItems(value: unknown): Item[] {
  return scalarItems(value, (text) => {
    const cid = /^https?:/iu.test(text) ? undefined : parseCid(text)
    return cid ?? `no CID: ${text}`
  })
}

export function addressItems(value: unknown): Item[] {
  return scalarItems(value, (text) => text.toLowerCase())
}

export function categoryItems(value: unknown): Item[] {
  return listItems(value, (each) => scalarItems(each, (text) => text.toLowerCase()))
}

const link = z.looseObject({ label: z.string(), url: z.string() })

export function linkItems(value: unknown): Item[] {
  return listItems(value, (each) => {
    const read = link.safeParse(each)
    if (!read.success) return [oddItem(each)]
    const { label, url, ...rest } = read.data
    const more = restOf(rest)
    return [
      {
        key: JSON.stringify([label.trim(), URL.parse(url.trim())?.href ?? url, more]),
        text: [label, url, ...more].join(' '),
      },
    ]
  })
}

// Numbers beyond are rounded when they are read.
const figure = z.union([z.string(), z.number().max(Number.MAX_SAFE_INTEGER).transform(String)])
const recipient = z.looseObject({
  address: z.string(),
  amount: figure.nullish(),
  percentage: figure.nullish(),
})

export function vestingItems(value: unknown): Item[] {
  return listItems(value, (each) => {
    const read = recipient.safeParse(each)
    if (!read.success) return [oddItem(each)]
    const { address, amount, percentage, ...rest } = read.data
    const more = restOf(rest)
    const units = decimal(amount)
    const percent = decimal(percentage)
    const texts = [address, units && tokens(units), percent && `${percent}%`, ...more]
    return [
      {
        key: JSON.stringify([address.trim().toLowerCase(), units, percent, more]),
        text: texts.filter((each) => each !== '').join(' '),
      },
    ]
  })
}

/** Whether a value says nothing. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) ? value.length === 0 : isObject(value) && isEmpty(value)
}

/** Any value as text. */
export function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

function isEmpty(value: Members): boolean {
  return Object.keys(value).length === 0
}

function scalarItems(value: unknown, keyOf: (text: string) => string): Item[] {
  if (isNothing(value)) return []
  if (typeof value !== 'string') return [oddItem(value)]
  const text = value.trim()
  return [{ key: keyOf(text), text }]
}

function listItems(value: unknown, itemsOf: (each: unknown) => Item[]): Item[] {
  if (isNothing(value)) return []
  return Array.isArray(value) ? value.flatMap(itemsOf) : [oddItem(value)]
}

/** What is not of the form that was uploaded is the same as nothing that was. */
function oddItem(value: unknown): Item {
  return { key: `odd ${wordsOf(value)}`, text: wordsOf(value) }
}

/** Members that were not uploaded, where they say anything. */
function restOf(rest: Members): string[] {
  return Object.entries(rest)
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => `${name}: ${wordsOf(value)}`)
    .sort()
}

/** A number without the zeros that say nothing: 5.0 is 5. */
function decimal(value: string | null | undefined): string {
  const text = value?.trim() ?? ''
  const { whole, part = '' } = /^0*(?<whole>\d+)(?:\.(?<part>\d*?)0*)?$/u.exec(text)?.groups ?? {}
  if (whole === undefined) return text
  return part === '' ? whole : `${whole}.${part}`
}

/** An amount, which is written in base units. */
function tokens(amount: string): string {
  return /^\d{1,78}$/u.test(amount) ? `${formatUnits(BigInt(amount), 18)} tokens` : amount
}
