import { z } from 'zod'
import type { Dialect } from '../../../sandbox/interface/dialect.ts'
import type { DialectName } from '../../../sandbox/interface/dialects.ts'
import { InterfaceServer } from '../../../sandbox/interface/server.ts'

const fields = z.record(z.string(), z.unknown())
const body = z.object({
  result: z.array(fields).optional().catch(undefined),
  message: z.string().optional(),
})

/** An answer: its text to the letter, the assets in it, and why there are none. */
export interface Answer {
  status: number
  text: string
  assets: Record<string, unknown>[]
  message: string | undefined
}

/** A stand-in that speaks a dialect, and a way to ask it by path and query. */
export async function speaking(dialect: DialectName | Dialect, population = 60) {
  const now = () => Date.UTC(2026, 0, 15, 12)
  const server = await InterfaceServer.start({ key: 'k', dialect, population, now })
  const ask = async (path: string, query: Record<string, string | number> = {}) => {
    const url = new URL(`${server.baseUrl}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const response = await fetch(url, { headers: { 'x-api-key': 'k' } })
    const text = await response.text()
    const { result = [], message } = body.parse(JSON.parse(text))
    return { status: response.status, text, assets: result, message } satisfies Answer
  }
  return { server, ask, [Symbol.asyncDispose]: () => server.stop() }
}

/** All values of a name, wherever in the assets. */
export function valuesOf(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesOf(name, each))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === name ? [each, ...valuesOf(name, each)] : valuesOf(name, each),
  )
}
