import { z } from 'zod'
import { openStore } from '../../src/db/database.ts'
import { serve } from '../remote.ts'
import { tell } from './telling.ts'

// A replica that sends alerts while another one stores events.

const requestSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('begin'), database: z.string(), now: z.number() }),
  z.object({ do: z.literal('end') }),
])

const stopping = new AbortController()
let telling: Promise<unknown> | undefined

serve(async (request) => {
  const task = requestSchema.parse(request)
  if (task.do === 'end') {
    stopping.abort()
    return telling
  }
  const { database, now } = task
  const store = await openStore(database)
  telling = tell(store, { now, signal: stopping.signal }).finally(() => store.destroy())
  telling.catch(() => undefined)
  return undefined
})
