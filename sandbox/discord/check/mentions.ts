import type { APIMessageTopLevelComponent } from 'discord-api-types/v10'
import { type Fields, type Form, isFields, join } from '../form.ts'

/** Which pings a message may cause; undefined in a request means all that its text asks for. */
export interface AllowedMentions {
  everyone: boolean
  users: 'all' | readonly string[]
  roles: 'all' | readonly string[]
}

/** Who a message pings. */
export interface Pings {
  everyone: boolean
  users: string[]
  roles: string[]
}

const kinds = ['roles', 'users', 'everyone']

/** Reads `allowed_mentions`; a kind may be allowed wholly or by ids, never both. */
export function readAllowedMentions(
  fields: Fields,
  at: string,
  form: Form,
): AllowedMentions | undefined {
  const value = fields.allowed_mentions
  if (value === undefined || value === null) return undefined
  const path = join(at, 'allowed_mentions')
  const allowed = form.fields(value, path)
  if (allowed === undefined) return undefined
  const parse = strings(allowed.parse)
  for (const [index, kind] of parse.entries())
    if (!kinds.includes(kind))
      form.fail(
        join(path, `parse.${index}`),
        'BASE_TYPE_CHOICES',
        `Value must be one of {${kinds.join(', ')}}.`,
      )
  return {
    everyone: parse.includes('everyone'),
    users: which(allowed, 'users', parse, path, form),
    roles: which(allowed, 'roles', parse, path, form),
  }
}

function which(
  allowed: Fields,
  kind: string,
  parse: readonly string[],
  path: string,
  form: Form,
): 'all' | string[] {
  const ids = strings(allowed[kind])
  if (ids.length > 100)
    form.fail(join(path, kind), 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.')
  if (!parse.includes(kind)) return ids
  if (ids.length > 0)
    form.fail(
      path,
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    )
  return 'all'
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

const nobody: Pings = { everyone: false, users: [], roles: [] }

/** The pings a text causes. Code marks do not hide a mention here, so a test errs on the safe side. */
export function pingsOf(text: string, allowed: AllowedMentions | undefined): Pings {
  if (!text.includes('@')) return nobody
  const may = (list: 'all' | readonly string[] | undefined) => (id: string) =>
    list === undefined || list === 'all' || list.includes(id)
  return {
    everyone: /@(everyone|here)/.test(text) && (allowed?.everyone ?? true),
    users: ids(text, /<@!?(\d+)>/g).filter(may(allowed?.users)),
    roles: ids(text, /<@&(\d+)>/g).filter(may(allowed?.roles)),
  }
}

function ids(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? ''))]
}

/** All text displays of a message, one a line: what Components V2 has in place of `content`. */
export function textOf(components: readonly APIMessageTopLevelComponent[]): string {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (!isFields(value)) return
    if (value.type === 10 && typeof value.content === 'string') found.push(value.content)
    if (Array.isArray(value.components)) value.components.forEach(visit)
  }
  components.forEach(visit)
  return found.join('\n')
}
