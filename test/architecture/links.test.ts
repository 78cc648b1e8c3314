import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const pages = ['README.md', ...globSync('{docs,assets,bench,deploy,sandbox}/**/*.md')]

/** A page without what stands in code blocks. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^ *```[^\n]*\n.*?^ *```$/gmsu, '')
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (?<title>.+)$/gmu)].map(({ groups }) =>
    (groups?.title ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** What a link leads to: a file, and an anchor in it. */
function targetOf(page: string, link: string): { file: string; anchor: string } {
  const [path = '', anchor = ''] = link.split('#')
  return { file: path === '' ? page : normalize(join(dirname(page), path)), anchor }
}

function isBroken(page: string, link: string): boolean {
  const { file, anchor } = targetOf(page, link)
  return !existsSync(file) || (anchor !== '' && !anchorsOf(file).includes(anchor))
}

test('every link and picture of the pages leads to a file and a heading that exist', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?<link>[^)\s]+)\)|(?:src|href)="(?<quoted>[^"]+)"/gu)].map(
      ({ groups }) => ({ page, link: groups?.link ?? groups?.quoted ?? '' }),
    ),
  )
  const own = links.filter(({ link }) => !/^[a-z]+:/u.test(link))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter(({ page, link }) => isBroken(page, link))).toEqual([])
})

test('every page that code, settings or packaging name exists', () => {
  const sources = globSync(
    [
      '.env.example',
      '*.{md,ts,yaml}',
      'Dockerfile',
      'deploy/**/*',
      '{src,commands,sandbox,bench,test}/**/*.{ts,html}',
    ],
    { withFileTypes: true },
  ).flatMap((each) => (each.isFile() ? [join(each.parentPath, each.name)] : []))
  const named = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b(?:#[\w-]+)?/gu)].map(
      ([name]) => ({ file, name }),
    ),
  )
  expect(named.length).toBeGreaterThan(10)
  const foreign = named.filter(({ name }) => isBroken('README.md', name))
  expect(foreign).toEqual([])
})

test('the index of the operators’ pages names each of them', () => {
  const index = readFileSync('docs/operating/README.md', 'utf8')
  const names = globSync('*.md', { cwd: 'docs/operating' }).filter((name) => name !== 'README.md')
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
})
