import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LayoutId, layoutIds, type ModuleKind } from '../../../../src/chain/airlock/layouts.ts'
import { encode, read } from './sdk.ts'

type Launch = Parameters<typeof encode>[0]
type Part = 'token' | 'governance' | 'pool' | 'migrator' | 'poolHook' | 'migratorHook'
type Check = (id: LayoutId) => Promise<void>

/** The values that an arbitrary makes. */
export type Made<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** Whatever is given to the SDK, our decoder has to read it back in this part, by this layout. */
export function reads<Given>(
  part: Part,
  given: fc.Arbitrary<Given>,
  launch: (given: Given) => Launch | Promise<Launch>,
  expected: (given: Given) => object,
): Check {
  return (id) =>
    fc.assert(
      fc.asyncProperty(given, async (values) => {
        const decoded = read(encode(await launch(values)))
        expect(decoded.problems).toEqual([])
        expect(decoded.modules.map(({ module }) => module?.layout)).toContain(id)
        expect(decoded[part]).toEqual(expected(values))
      }),
      { numRuns: 60 },
    )
}

/** Runs the case of every layout of a kind; one without a case fails. */
export function everyLayout(kind: ModuleKind, cases: Partial<Record<LayoutId, Check>>): void {
  describe(`what the SDK encodes for each ${kind} is read back`, () => {
    test.each(layoutIds(kind))('%s', async (id) => {
      const check = cases[id]
      if (!check) throw new Error('no case tests this layout')
      await check(id)
    })
  })
}
