import { expect, test } from 'vitest'
import { withFigures } from '../../../bench/markdown.ts'

const other = '<!-- figures: npm run bench -- others -->\nothers\n<!-- end of figures -->'
const place = '<!-- figures: npm run bench -->\nold\n<!-- end of figures -->'

test('figures take the place of older figures of the same command, and of nothing else', () => {
  const page = withFigures(`before\n${other}\n${place}\nafter`, 'npm run bench', 'new')
  expect(page).toContain(`before\n${other}\n<!-- figures: npm run bench -->\n\nnew\n`)
  expect(page).toMatch(/<!-- end of figures -->\nafter$/u)
  expect(page).not.toContain('old')
  expect(withFigures(page, 'npm run bench', 'new')).toBe(page)
})

test('a page without a place for them is refused', () => {
  expect(() => withFigures(other, 'npm run bench', 'new')).toThrow('has no place for figures')
})
