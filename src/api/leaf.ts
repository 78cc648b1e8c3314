import { z } from 'zod'

const decimal = /^[+-]?\d{1,40}(?:\.\d{1,40})?$/u

/**
 * Text for people: any scalar that is text or a number, cut at `max` characters; blank text is absent. Lone surrogates
 * are replaced, since a platform's encoder may refuse the whole message because of one.
 */
export function words(max: number) {
  return z.transform((value): string | undefined => toWords(value, max)).optional()
}

/** Text for machines (addresses, amounts, times, links): absent rather than cut where it is longer than `max`. */
export function exact(max: number) {
  return z.transform((value): string | undefined => toExact(value, max)).optional()
}

/** A whole number, also where it is written as text. */
export const integer = z.transform(toInteger).optional()

/** An object, or absent where something else stands in its place. */
export function nested<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value) => (isObject(value) ? value : undefined), schema.optional())
    .optional()
}

/** The items that `schema` accepts of the first `max`; absent where there is no array. */
export function list<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z
    .transform((value): NonNullable<z.output<Schema>>[] | undefined => {
      if (!Array.isArray(value)) return undefined
      return value.slice(0, max).flatMap((item: unknown) => schema.safeParse(item).data ?? [])
    })
    .optional()
}

/** Whether JSON gave an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toWords(value: unknown, max: number): string | undefined {
  const text = toText(value)?.toWellFormed()
  if (text === undefined || text.length <= max) return text
  // A slice would keep the whole of the long text in memory; the copy does not. Half a pair may be left at the end.
  return Buffer.from(text.slice(0, max))
    .toString()
    .replace(/\uFFFD$/u, '')
}

function toExact(value: unknown, max: number): string | undefined {
  const text = toText(value)
  return text !== undefined && text.length <= max ? text.trim() : undefined
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  // Past 2^53 JSON.parse has already rounded the digits away: a wrong amount is worse than none.
  const kept =
    typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))
  return kept && Number.isFinite(value) ? String(value) : undefined
}

function toInteger(value: unknown): number | undefined {
  const isText = typeof value === 'string' && decimal.test(value.trim())
  const parsed = isText ? Number(value) : value
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) ? parsed : undefined
}
