import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { type Dialect, defaultQueryNames, type QueryNames } from './dialect.ts'
import { categories } from './token.ts'
import { type ListQuery, orderings, type SearchQuery } from './wire.ts'

const defaultLimit = '20'

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number, 0 or more')
  .transform(Number)
const limit = wholeNumber
  .refine((value) => value <= 50, 'must be at most 50')
  .prefault(defaultLimit)
const category = z.enum(categories).optional()
// Without a chain these endpoints answer for the first one.
const chain = wholeNumber.optional()

const listQuery = z.object({
  chain,
  status: z.enum(['all', 'graduated', 'incoming', 'live']).default('all'),
  limit,
  offset: wholeNumber.prefault('0'),
  ordering: z.enum(orderings).optional(),
  numeraire: z.string().optional(),
  category,
  creator: z.string().optional(),
})
const searchQuery = z.object({ chain, term: z.string().min(1), limit, category })
const assetQuery = z.object({ chain })

/** Reads queries by their meaning, and refuses with 400 what a dialect refuses. */
export class QueryReader {
  readonly #dialect: Dialect
  readonly #names: QueryNames
  readonly #defaultChain: number

  constructor(dialect: Dialect, names: Partial<QueryNames>, defaultChain: number) {
    this.#dialect = dialect
    this.#names = { ...defaultQueryNames, ...dialect.queryNames, ...names }
    this.#defaultChain = defaultChain
  }

  list(given: Record<string, string>): ListQuery {
    const query = this.#read(listQuery, given)
    if (this.#dialect.limitNeedsOffset) {
      const { limit: size, offset } = this.#names
      const has = (name: string) => Object.hasOwn(given, name)
      if (has(size) && !has(offset)) this.#refuse(`${size} needs ${offset}`)
      if (has(offset) && !has(size)) this.#refuse(`${offset} needs ${size}`)
    }
    return { ...query, chain: query.chain ?? this.#defaultChain }
  }

  search(given: Record<string, string>): SearchQuery {
    const query = this.#read(searchQuery, given)
    return { ...query, chain: query.chain ?? this.#defaultChain }
  }

  /** The chain of one asset. */
  asset(given: Record<string, string>): number {
    return this.#read(assetQuery, given).chain ?? this.#defaultChain
  }

  /** The chain of an auction or a template, for which the document itself names the parameter and its default. */
  documentedChain(given: Record<string, string>): number {
    this.#refuseUnknown(given, ['chainId'])
    const chainId = wholeNumber.prefault('8453').safeParse(given.chainId)
    return chainId.success
      ? chainId.data
      : this.#refuse(`chainId: ${reason(chainId.error).message}`)
  }

  #read<Schema extends z.ZodObject>(
    schema: Schema,
    given: Record<string, string>,
  ): z.output<Schema> {
    const named = Object.entries(this.#names).filter(([meaning]) => meaning in schema.shape)
    const missing = this.#dialect.required.find(
      (meaning) => meaning in schema.shape && given[this.#names[meaning]] === undefined,
    )
    if (missing) this.#refuse(`${this.#names[missing]}: is required`)
    this.#refuseUnknown(
      given,
      named.map(([, name]) => name),
    )
    const query = Object.fromEntries(
      named.flatMap(([meaning, name]) =>
        Object.hasOwn(given, name) ? [[meaning, given[name]]] : [],
      ),
    )
    const outcome = schema.safeParse(query)
    if (outcome.success) return outcome.data
    const { field, message } = reason(outcome.error)
    const [, name] = named.find(([meaning]) => meaning === field) ?? []
    return this.#refuse(`${name}: ${message}`)
  }

  #refuseUnknown(given: Record<string, string>, names: readonly string[]): void {
    if (!this.#dialect.refusesUnknown) return
    const unknown = Object.keys(given).find((name) => !names.includes(name))
    if (unknown !== undefined) this.#refuse(`${unknown}: is not a parameter`)
  }

  #refuse(message: string): never {
    const said = this.#dialect.errors === 'mute' ? 'Bad request' : message
    throw new HTTPException(400, { message: said })
  }
}

function reason(error: z.ZodError): { field: string | undefined; message: string } {
  const [issue] = error.issues
  return { field: issue?.path.join('.'), message: issue?.message ?? 'invalid' }
}
