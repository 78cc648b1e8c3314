import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodePress, encodePress } from '../../src/chat/control.ts'
import { hostileText } from '../hostile.ts'
import { keptLines } from './kept-lines.ts'

const limits = [64, 100]

describe.each(limits)('a press in %i bytes', (most) => {
  test('comes back as it was and never takes more room, whatever the line', async () => {
    const anyLine = fc.tuple(hostileText, fc.constantFrom('', '月', '👩‍🚀', 'x'), fc.nat(80))
    await fc.assert(
      fc.asyncProperty(anyLine, fc.boolean(), async ([text, fill, times], opens) => {
        const line = `asset ${text}${fill.repeat(times)}`.toWellFormed()
        const lines = keptLines()
        const data = await encodePress({ line, opens }, most, lines)
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(most)
        expect(await decodePress(data, lines)).toEqual({ line, opens })
      }),
      { numRuns: 300 },
    )
  })

  test('carries a line that fits, and keeps one that is a byte longer', async () => {
    const lines = keptLines()
    const fits = `asset ${'月'.repeat(Math.floor((most - 7) / 3))}`.padEnd(
      most - 1 - 2 * Math.floor((most - 7) / 3),
      '-',
    )
    expect(Buffer.byteLength(fits)).toBe(most - 1)
    expect(await encodePress({ line: fits, opens: false }, most, lines)).toBe(`=${fits}`)
    expect(lines.count()).toBe(0)
    const data = await encodePress({ line: `${fits}-`, opens: true }, most, lines)
    expect(data).toMatch(/^\+#\d{16}$/u)
    expect(await decodePress(data, lines)).toEqual({ line: `${fits}-`, opens: true })
  })
})

test('a line that looks like the id of a kept one is kept itself', async () => {
  const lines = keptLines()
  await lines.keep('secret')
  const line = `#${'0'.repeat(16)}`
  const data = await encodePress({ line, opens: false }, 64, lines)
  expect(await decodePress(data, lines)).toEqual({ line, opens: false })
})

test('half a surrogate pair, which no platform can carry, is replaced', async () => {
  const data = await encodePress({ line: 'asset \ud83d', opens: false }, 64, keptLines())
  expect(data).toBe('=asset \ufffd')
})

test.each(['', '=', '+', '#', 'asset OTTER', '=#', '=#gone', '+#__proto__', '?asset', '\0'])(
  'forged or outdated data %j is no press',
  async (data) => {
    expect(await decodePress(data, keptLines())).toBeUndefined()
  },
)
