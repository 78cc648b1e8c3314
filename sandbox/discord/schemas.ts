import { z } from 'zod'
import { type Fault, invalidForm, type Refusal } from './refusals.ts'

/** What is wrong with a field: where it stands; and Discord's code, a blank and Discord's message. */
export type Found = [path: PropertyKey[], fault: string]

export const missing = 'BASE_TYPE_REQUIRED This field is required'
export const atMost = (max: number | bigint) =>
  `BASE_TYPE_MAX_LENGTH Must be ${max} or fewer in length.`
export const choices = (values: readonly unknown[]) =>
  `BASE_TYPE_CHOICES Value must be one of {${values.join(', ')}}.`
export const otherType = (types: readonly unknown[]) =>
  `UNION_TYPE_CHOICES Value of field "type" must be one of (${types.join(', ')}).`
export const malformedUrl = 'URL_TYPE_INVALID_URL Not a well formed URL.'

export const wrongTypes = {
  string: 'STRING_TYPE_CONVERT Could not interpret the value as string.',
  number: 'NUMBER_TYPE_COERCE Value is not float.',
  int: 'NUMBER_TYPE_COERCE Value is not int.',
  boolean: 'BOOLEAN_TYPE_CONVERT Must be either true or false.',
  array: 'LIST_TYPE_CONVERT Only iterables may be used in a ListType',
  object: 'MODEL_TYPE_CONVERT Only dictionaries may be used in a ModelType',
  record: 'DICT_TYPE_CONVERT Only dictionaries may be used in a DictType',
} as const
const wordsFor: Readonly<Record<string, string>> = wrongTypes

/** `50035 Invalid Form Body` with what was found wrong; `at` is where the paths begin. */
export function invalid(found: readonly Found[], at: PropertyKey[] = []): Refusal {
  const faults = found.map(([path, fault]): Fault => {
    const [code = ''] = fault.split(' ', 1)
    return { path: [...at, ...path].join('.'), code, message: fault.slice(code.length + 1) }
  })
  return invalidForm(faults)
}

/** Throws that refusal if anything was found wrong. */
export function refuse(found: Iterable<Found>, at: PropertyKey[] = []): void {
  const all = [...found]
  if (all.length > 0) throw invalid(all, at)
}

/**
 * Throws `50035 Invalid Form Body` unless a body is as Discord's OpenAPI document describes it, in a schema of
 * discord-api-spec.
 */
export function conform(schema: z.core.$ZodType, body: unknown): void {
  const { error } = z.safeParse(schema, body, { reportInput: true })
  if (error) refuse(error.issues.flatMap(foundIn))
}

function foundIn(issue: z.core.$ZodIssue): Found[] {
  const { path } = issue
  if (issue.code === 'invalid_union')
    return inUnion(issue).map(([inner, fault]) => [[...path, ...inner], fault])
  const fault = faultOf(issue)
  return fault === undefined ? [] : [[path, fault]]
}

function faultOf(issue: z.core.$ZodIssue): string | undefined {
  const { code, input, path } = issue
  if ((code === 'invalid_type' || code === 'invalid_value') && isAbsent(input)) return missing
  switch (code) {
    case 'invalid_type':
      return isConverted(input, issue.expected, path.at(-1)) ? undefined : wordsFor[issue.expected]
    case 'invalid_value':
      return choices(issue.values)
    case 'too_small':
      if (input === '') return missing
      return isCounted(issue.origin)
        ? `BASE_TYPE_BAD_LENGTH Must be ${issue.minimum} or more in length.`
        : `NUMBER_TYPE_MIN int value should be greater than or equal to ${issue.minimum}.`
    case 'too_big':
      return isCounted(issue.origin)
        ? atMost(issue.maximum)
        : `NUMBER_TYPE_MAX int value should be less than or equal to ${issue.maximum}.`
    case 'invalid_format':
      return issue.format === 'url' ? malformedUrl : 'NUMBER_TYPE_COERCE Value is not snowflake.'
    default:
      throw new Error(`The sandbox does not know what Discord says to ${code}.`)
  }
}

const isAbsent = (input: unknown) => input === undefined || input === null
const isCounted = (origin: string) => origin === 'string' || origin === 'array'

/** Discord takes ids that are numbers, and numbers that are strings of digits. */
function isConverted(input: unknown, expected: string, field: PropertyKey | undefined): boolean {
  if (expected === 'string') return field === 'id' && Number.isSafeInteger(input)
  return expected in { number: 0, int: 0 } && typeof input === 'string' && /^\d+$/.test(input)
}

/** What is wrong with a value by that option of a union which it is most likely meant for. */
function inUnion({ input, errors }: z.core.$ZodIssueInvalidUnion): Found[] {
  const options = errors.filter((issues) => !issues.some(isOfWholeType))
  if (options.length === 0) return errors[0]?.flatMap(foundIn) ?? []
  const [likeliest] = options
    .filter((issues) => !issues.some(isOfTypeField))
    .map((issues) => issues.flatMap(foundIn))
    .toSorted((one, other) => one.length - other.length)
  if (likeliest) return likeliest
  if (isAbsent(Object(input).type)) return [[['type'], missing]]
  return [[[], otherType(options.flat().filter(isOfTypeField).flatMap(choicesIn))]]
}

const isOfWholeType = ({ code, path }: z.core.$ZodIssue) =>
  code === 'invalid_type' && path.length === 0
const isOfTypeField = ({ path }: z.core.$ZodIssue) => path.length === 1 && path[0] === 'type'
const choicesIn = (issue: z.core.$ZodIssue) => (issue.code === 'invalid_value' ? issue.values : [])
