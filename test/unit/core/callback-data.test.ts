import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ButtonPress,
  type CallbackStore,
  decodeForm,
  decodePress,
  encodeForm,
  encodePress,
  namesForm,
} from '../../../src/core/callback-data.ts'
import { hostileText } from '../../hostile.ts'
import { memoryCallbacks } from './memory-callbacks.ts'

const limits = [64, 100]

async function encoded(press: ButtonPress, most: number, lines: CallbackStore): Promise<string> {
  const data = await encodePress(press, most, lines)
  if (data === undefined) throw new Error(`${press.line} was not encoded`)
  return data
}

describe.each(limits)('a press in %i bytes', (most) => {
  test('comes back as it was and never takes more room, whatever the line', async () => {
    const anyLine = fc.tuple(hostileText, fc.constantFrom('', '月', '👩‍🚀', 'x'), fc.nat(80))
    await fc.assert(
      fc.asyncProperty(anyLine, fc.boolean(), async ([text, fill, times], asNew) => {
        const line = `asset ${text}${fill.repeat(times)}`.toWellFormed()
        const lines = memoryCallbacks()
        const data = await encoded({ line, asNew }, most, lines)
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(most)
        expect(await decodePress(data, lines)).toEqual({ line, asNew })
      }),
      { numRuns: 300 },
    )
  })

  test('holds a line that fits, and stores one that is a byte longer', async () => {
    const lines = memoryCallbacks()
    const fits = `asset ${'月'.repeat(Math.floor((most - 7) / 3))}`.padEnd(
      most - 1 - 2 * Math.floor((most - 7) / 3),
      '-',
    )
    expect(Buffer.byteLength(fits)).toBe(most - 1)
    expect(await encodePress({ line: fits, asNew: false }, most, lines)).toBe(`=${fits}`)
    expect(lines.count()).toBe(0)
    const data = await encoded({ line: `${fits}-`, asNew: true }, most, lines)
    expect(data).toMatch(/^\+#\d{16}$/u)
    expect(await decodePress(data, lines)).toEqual({ line: `${fits}-`, asNew: true })
  })
})

test('a line that looks like the id of a stored one is stored itself', async () => {
  const lines = memoryCallbacks()
  await lines.store('secret')
  const line = `#${'0'.repeat(16)}`
  const data = await encoded({ line, asNew: false }, 64, lines)
  expect(await decodePress(data, lines)).toEqual({ line, asNew: false })
})

test('a long line that can’t be stored gives no control, and a short one needs no storing', async () => {
  const broken: CallbackStore = { store: async () => undefined, find: async () => undefined }
  const long = `asset ${'x'.repeat(64)}`
  expect(await encodePress({ line: long, asNew: false }, 64, broken)).toBeUndefined()
  expect(await encodePress({ line: 'help', asNew: false }, 64, broken)).toBe('=help')
})

test('half a surrogate pair, which no platform can carry, is replaced', async () => {
  const data = await encoded({ line: 'asset \ud83d', asNew: false }, 64, memoryCallbacks())
  expect(data).toBe('=asset \ufffd')
})

test.each(['', '=', '+', '#', 'asset OTTER', '=#', '=#gone', '+#__proto__', '?asset', '\0'])(
  'forged or outdated data %j is no press',
  async (data) => {
    expect(await decodePress(data, memoryCallbacks())).toBeUndefined()
  },
)

describe('the name of a form', () => {
  test('comes back as it was, long or short, and is never read as a press', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, fc.nat(80), async (text, times) => {
        const named = `form ${text}${'月'.repeat(times)}`.toWellFormed()
        const lines = memoryCallbacks()
        const data = (await encodeForm(named, 100, lines)) ?? ''
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(100)
        expect([namesForm(data), await decodeForm(data, lines)]).toEqual([true, named])
        expect(await decodePress(data, lines)).toBeUndefined()
      }),
      { numRuns: 200 },
    )
  })

  test.each(['', '?', '=form', '+form', '?#', '?#gone', 'form'])(
    'is not read from forged or outdated data %j',
    async (data) => {
      expect(await decodeForm(data, memoryCallbacks())).toBeUndefined()
    },
  )

  test('that can’t be stored is none', async () => {
    const broken: CallbackStore = { store: async () => undefined, find: async () => undefined }
    expect(await encodeForm('x'.repeat(100), 100, broken)).toBeUndefined()
  })
})
