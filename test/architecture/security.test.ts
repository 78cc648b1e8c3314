import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The last column of the threats: a file, and words of a test’s name or of the group that it is in. */
const cell = /\| `(?<file>test\/[^`]+)`: (?<name>[^|]+?) \|$/gmu

const page = readFileSync('docs/security.md', 'utf8')
const rows = [...page.matchAll(cell)].map(({ groups }) => ({
  file: groups?.file ?? '',
  name: groups?.name ?? '',
}))

test('every threat names its test', () => {
  const threats = page.split('## Threats')[1]?.split('\n## ')[0] ?? ''
  const lines = threats.split('\n').filter((line) => line.startsWith('|'))
  // Two of them are the table's head.
  expect(rows.length).toBe(lines.length - 2)
  expect(rows.length).toBeGreaterThan(0)
})

test.each(rows)('$file has “$name”', ({ file, name }) => {
  expect(existsSync(file)).toBe(true)
  // A name may be written over placeholders and quotes of another kind.
  const text = readFileSync(file, 'utf8').replaceAll("\\'", "'")
  expect(text).toContain(name)
})
