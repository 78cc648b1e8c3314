import { z } from 'zod'
import { addressSchema } from '../address.ts'
import { isLayoutId, layouts } from './layouts.ts'
import type { ModuleEntry } from './modules.ts'

// Apart from modules.ts, which the signing page has, too: zod would be half of the page.

const moduleEntry = z.strictObject({
  address: addressSchema,
  layout: z.string().refine(isLayoutId, `must be one of ${Object.keys(layouts).join(', ')}`),
  kind: z.string().optional(),
  name: z.string().min(1).max(60).optional(),
})

/** Parses the setting MODULES: lists by chain id. The kind follows from the layout; if given, it must match. */
export const modulesSchema = z
  .record(
    z.string().regex(/^[1-9]\d{0,14}$/u),
    z.array(moduleEntry).max(200),
    'must be lists by chain id, such as {"8453":[{"address":"0x…","layout":"multicurve","name":"Ours"}]}',
  )
  .transform((entriesByChain, context) => {
    const modules: Record<number, ModuleEntry[]> = {}
    for (const [chain, entries] of Object.entries(entriesByChain)) {
      modules[Number(chain)] = entries.map(({ kind, ...entry }) => {
        if (kind !== undefined && kind !== layouts[entry.layout].kind) {
          const message = `${entry.layout} is a layout of a ${layouts[entry.layout].kind}, not of a ${kind}`
          context.addIssue({ code: 'custom', message })
        }
        return entry
      })
    }
    return modules
  })
