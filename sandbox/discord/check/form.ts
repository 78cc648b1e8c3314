export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface TextRule {
  min?: number
  max: number
  required?: boolean
}

interface NumberRule {
  min: number
  max: number
  required?: boolean
}

/**
 * Reads a request body field by field and collects what is wrong with it in Discord's own words.
 * Lengths are UTF-16 units: never fewer than the characters Discord counts, so never more lenient.
 */
export class Form {
  readonly #failures: Failure[] = []

  get ok(): boolean {
    return this.#failures.length === 0
  }

  fail(path: string, code: string, message: string): void {
    this.#failures.push({ path, code, message })
  }

  /** Throws `50035 Invalid Form Body` when anything was wrong. */
  done(): void {
    if (!this.ok) throw this.refusal()
  }

  refusal(): Refusal {
    return invalidForm(this.#failures)
  }

  fields(value: unknown, path: string): Fields | undefined {
    if (isFields(value)) return value
    this.fail(path, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType')
    return undefined
  }

  missing(path: string): undefined {
    this.fail(path, 'BASE_TYPE_REQUIRED', 'This field is required')
  }

  list(value: unknown, path: string, min: number, max: number): unknown[] {
    if (!Array.isArray(value)) {
      if (value === undefined || value === null) this.missing(path)
      else this.fail(path, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType')
      return []
    }
    this.#length(value.length, path, min, max)
    return value
  }

  text(from: Fields, key: string, path: string, rule: TextRule): string | undefined {
    const value = from[key]
    const at = join(path, key)
    if (value === undefined || value === null) return rule.required ? this.missing(at) : undefined
    if (typeof value !== 'string') {
      this.fail(at, 'STRING_TYPE_CONVERT', `Could not interpret "${typeof value}" as string.`)
      return undefined
    }
    const min = rule.min ?? (rule.required ? 1 : 0)
    if (value === '' && rule.required) return this.missing(at)
    this.#length(value.length, at, min, rule.max)
    return value
  }

  integer(from: Fields, key: string, path: string, rule: NumberRule): number | undefined {
    const value = from[key]
    const at = join(path, key)
    if (value === undefined || value === null) return rule.required ? this.missing(at) : undefined
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      this.fail(at, 'NUMBER_TYPE_COERCE', `Value "${String(value)}" is not int.`)
      return undefined
    }
    if (value < rule.min)
      this.fail(at, 'NUMBER_TYPE_MIN', `int value should be greater than or equal to ${rule.min}.`)
    if (value > rule.max)
      this.fail(at, 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${rule.max}.`)
    return value
  }

  boolean(from: Fields, key: string, path: string): boolean | undefined {
    const value = from[key]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'boolean') return value
    this.fail(join(path, key), 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.')
    return undefined
  }

  choice(from: Fields, key: string, path: string, allowed: readonly number[]): number | undefined {
    const value = from[key]
    const at = join(path, key)
    if (value === undefined || value === null) return this.missing(at)
    if (typeof value === 'number' && allowed.includes(value)) return value
    this.fail(at, 'BASE_TYPE_CHOICES', `Value must be one of {${allowed.join(', ')}}.`)
    return undefined
  }

  #length(length: number, path: string, min: number, max: number): void {
    if (length >= min && length <= max) return
    if (min === 0) this.fail(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
    else this.fail(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)
  }
}

export function join(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`
}

const schemes = new Set(['http:', 'https:', 'discord:', 'attachment:'])

/** Checks a URL as Discord does: a known scheme first, then that it is well formed. */
export function checkUrl(form: Form, url: string, path: string, allowed: readonly string[]): void {
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || !schemes.has(scheme) || !allowed.includes(scheme)) {
    const names = allowed.map((name) => `'${name.slice(0, -1)}'`).join(', ')
    const shown = scheme?.slice(0, -1) ?? url
    form.fail(
      path,
      'URL_TYPE_INVALID_SCHEME',
      `Scheme "${shown}" is not supported. Scheme must be one of (${names}).`,
    )
    return
  }
  if (scheme !== 'attachment:' && (!URL.canParse(url) || /\s/.test(url)))
    form.fail(path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.')
}

/** One field of a body that Discord would not take: dotted path, error code, message. */
interface Failure {
  path: string
  code: string
  message: string
}

interface ErrorTree {
  _errors?: { code: string; message: string }[]
  [key: string]: unknown
}

/** A refused REST call: HTTP status plus Discord's JSON error code and message. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: number
  readonly failures: readonly Failure[]

  constructor(status: number, code: number, message: string, failures: readonly Failure[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.failures = failures
  }

  /** The body as Discord writes it, with the tree of `_errors` where fields were wrong. */
  body(): { message: string; code: number; errors?: ErrorTree } {
    const plain = { message: this.message, code: this.code }
    return this.failures.length === 0 ? plain : { ...plain, errors: tree(this.failures) }
  }
}

function tree(failures: readonly Failure[]): ErrorTree {
  const root: ErrorTree = {}
  for (const { path, code, message } of failures) {
    const leaf = path === '' ? root : path.split('.').reduce(child, root)
    leaf._errors = [...(leaf._errors ?? []), { code, message }]
  }
  return root
}

function child(parent: ErrorTree, key: string): ErrorTree {
  const known = parent[key]
  if (isTree(known)) return known
  const fresh: ErrorTree = {}
  parent[key] = fresh
  return fresh
}

function isTree(value: unknown): value is ErrorTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Statuses and codes: "Opcodes and Status Codes" of Discord's documentation.
export const unauthorized = () => new Refusal(401, 0, '401: Unauthorized')
export const notFound = () => new Refusal(404, 0, '404: Not Found')
export const methodNotAllowed = () => new Refusal(405, 0, '405: Method Not Allowed')
export const unknownChannel = () => new Refusal(404, 10003, 'Unknown Channel')
export const unknownGuild = () => new Refusal(404, 10004, 'Unknown Guild')
export const unknownMember = () => new Refusal(404, 10007, 'Unknown Member')
export const unknownMessage = () => new Refusal(404, 10008, 'Unknown Message')
export const unknownUser = () => new Refusal(404, 10013, 'Unknown User')
export const unknownWebhook = () => new Refusal(404, 10015, 'Unknown Webhook')
export const unknownInteraction = () => new Refusal(404, 10062, 'Unknown interaction')
export const unknownCommand = () => new Refusal(404, 10063, 'Unknown application command')
export const tooLarge = () => new Refusal(413, 40005, 'Request entity too large')
export const alreadyAcknowledged = () =>
  new Refusal(400, 40060, 'Interaction has already been acknowledged.')
export const missingAccess = () => new Refusal(403, 50001, 'Missing Access')
export const notTheAuthor = () =>
  new Refusal(403, 50005, 'Cannot edit a message authored by another user')
export const emptyMessage = () => new Refusal(400, 50006, 'Cannot send an empty message')
export const cannotSendToUser = () => new Refusal(403, 50007, 'Cannot send messages to this user')
export const missingPermissions = () => new Refusal(403, 50013, 'Missing Permissions')
export const invalidWebhookToken = () => new Refusal(401, 50027, 'Invalid Webhook Token')
export const invalidForm = (failures: readonly Failure[]) =>
  new Refusal(400, 50035, 'Invalid Form Body', failures)
export const threadArchived = () =>
  new Refusal(400, 50083, 'Tried to perform an operation on an archived thread')
export const threadLocked = () => new Refusal(400, 160005, 'Thread is locked')
export const invalidApiVersion = () => new Refusal(400, 50041, 'Invalid API version')
export const invalidJson = () => new Refusal(400, 50109, 'The request body contains invalid JSON.')
