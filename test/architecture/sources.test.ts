import { expect, test } from 'vitest'
import { readSource, readSources } from './sources.ts'

const value = (name: string) => ({ name, isType: false })
const type = (name: string) => ({ name, isType: true })

test('imports of every form are read', () => {
  const { imports } = readSource(
    'src/chat/a.ts',
    [
      "import './effect.ts'",
      "import Big from 'big.js'",
      "import * as all from '../all.ts'",
      "import type * as types from '../types.ts'",
      "import one, { two as three, type Four } from './more.ts'",
      "import type { Five } from 'grammy/types'",
      'import {',
      '  six,',
      '  type Seven,',
      "} from './long.ts'",
      "export { eight } from './passed.ts'",
      "export * from './barrel.ts'",
      "const later = await import('./later.ts')",
      "const text = 'x'",
      'export const nine = 9',
      "// import { no } from './no.ts'",
    ].join('\n'),
  )
  expect(imports.map(({ from, names }) => [from, names])).toEqual([
    ['./effect.ts', []],
    ['big.js', [value('default')]],
    ['../all.ts', [value('*')]],
    ['../types.ts', [type('*')]],
    ['./more.ts', [value('default'), value('two'), type('Four')]],
    ['grammy/types', [type('Five')]],
    ['./long.ts', [value('six'), type('Seven')]],
    ['./passed.ts', [value('eight')]],
    ['./barrel.ts', [value('*')]],
    ['./later.ts', [value('*')]],
  ])
  expect(imports.map(({ file }) => file).slice(0, 3)).toEqual([
    'src/chat/effect.ts',
    undefined,
    'src/all.ts',
  ])
  expect(imports.filter(({ passedOn }) => passedOn)).toHaveLength(2)
})

test('exports of every form are read', () => {
  const { exports } = readSource(
    'a.ts',
    [
      'export function a() {}',
      'export async function b() {}',
      'export class C {}',
      'export abstract class D {}',
      'export const e = 1',
      'export interface F {}',
      'export type G = string',
      'export { h, i as j }',
      'export type { K }',
      'const l = 1',
    ].join('\n'),
  )
  expect(exports.map(({ name }) => name).join('')).toBe('abCDeFGhjK')
  expect(exports.filter(({ isType }) => isType).map(({ name }) => name)).toEqual(['F', 'G', 'K'])
})

test('every file of the repository is read, and every import in it leads to one', () => {
  const sources = readSources()
  const paths = new Set(sources.map(({ path }) => path))
  for (const path of ['src/main.ts', 'commands/index.ts', 'vitest.config.ts']) {
    expect(paths).toContain(path)
  }
  const astray = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ file }) => file?.endsWith('.ts') && !paths.has(file))
      .map(({ from }) => `${path} imports ${from}`),
  )
  expect(astray.filter((line) => !line.startsWith('test/architecture/'))).toEqual([])
})
