import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'

const names: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [404, 'Not Found'],
  [415, 'Unsupported Media Type'],
])

/**
 * The answer to what could not be answered, in the shape of NestJS: with zod's issues where the request did not fit a
 * schema. Recorded: `{"message":"Forbidden resource","statusCode":403}`, and zod issues saying "Required".
 */
export function refusal(context: Context, error: unknown): Response {
  const statusCode = error instanceof HTTPException ? error.status : 500
  if (!(error instanceof HTTPException)) {
    return context.json({ statusCode, message: 'Internal server error' }, 500)
  }
  if (error.cause instanceof z.ZodError) {
    const { issues } = error.cause
    return context.json({ statusCode, message: 'Validation failed', errors: issues }, statusCode)
  }
  const name = names.get(statusCode)
  const body = { message: error.message, ...(name && { error: name }), statusCode }
  return context.json(body, statusCode)
}

/**
 * Reads a request by its schema; `nameOf` turns a field of it into the name that the asker knows.
 * @throws HTTPException 400 with zod's issues as its cause
 */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  nameOf: (field: PropertyKey) => PropertyKey = (field) => field,
): z.output<Schema> {
  const outcome = schema.safeParse(input, {
    error: (issue) => (issue.input === undefined ? 'Required' : undefined),
  })
  if (outcome.success) return outcome.data
  const issues = outcome.error.issues.map((issue) => ({
    ...issue,
    path: issue.path.map((field, index) => (index === 0 ? nameOf(field) : field)),
  }))
  throw new HTTPException(400, { message: 'Validation failed', cause: new z.ZodError(issues) })
}
