import { z } from 'zod'
import { residentMegabytes } from '../process.ts'
import { serve } from '../remote.ts'
import { matching } from './matching.ts'

// A separate process, so that its memory is only what matching takes.

const requestSchema = z.object({ file: z.string(), rounds: z.number() })

serve(async (request) => {
  const { file, rounds } = requestSchema.parse(request)
  const before = await residentMegabytes(process.pid)
  const sorts = await matching(file, rounds)
  return { sorts, before, after: await residentMegabytes(process.pid) }
})
