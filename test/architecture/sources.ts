import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One name that a file takes from another; `*` where it takes them all. */
export interface ImportedName {
  name: string
  isType: boolean
}

export interface Import {
  /** As written. */
  from: string
  /** The file in this repository, by its path from the root; absent for packages. */
  file: string | undefined
  names: ImportedName[]
  /** It is passed on under the file's own name. */
  passedOn: boolean
}

export interface Export {
  name: string
  isType: boolean
}

export interface Source {
  /** From the root, with slashes. */
  path: string
  text: string
  lines: number
  imports: Import[]
  exports: Export[]
}

const folders = ['src', 'commands', 'sandbox', 'bench', 'test']

/** All TypeScript of this repository. */
export function readSources(): Source[] {
  const patterns = ['*.ts', ...folders.map((folder) => `${folder}/**/*.ts`)]
  return globSync(patterns)
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => readSource(path, readFileSync(path, 'utf8')))
}

/** Reads what a file imports and exports. The formatter keeps both at the start of a line, which is what this rests on. */
export function readSource(path: string, text: string): Source {
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    imports: [...statements(path, text), ...dynamic(path, text)],
    exports: exported(text),
  }
}

const importing =
  /^import\s+(?:(?<type>type)\s+(?!from\b|,))?(?:(?<what>[\w$*{},\s]*?)\s*from\s+)?'(?<from>[^']+)'/gmu
const passingOn =
  /^export\s+(?:(?<type>type)\s+)?(?<what>\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'(?<from>[^']+)'/gmu

function statements(path: string, text: string): Import[] {
  const read = (pattern: RegExp, passedOn: boolean) =>
    [...text.matchAll(pattern)].map(({ groups = {} }): Import => {
      const { type, what = '', from = '' } = groups
      const names = namesOf(what).map(({ name, isType }) => ({ name, isType: isType || !!type }))
      return { from, file: fileOf(path, from), names, passedOn }
    })
  return [...read(importing, false), ...read(passingOn, true)]
}

function namesOf(what: string): ImportedName[] {
  const names: ImportedName[] = []
  if (what.includes('*')) names.push({ name: '*', isType: false })
  const [before = '', inside = ''] = what.split(/[{}]/u)
  const alone = before.replaceAll(/\*\s+as\s+\w+|[,*\s]/gu, '')
  if (alone !== '') names.push({ name: 'default', isType: false })
  for (const part of inside.split(',')) {
    const match = /^\s*(?<type>type\s+)?(?<name>\w+)/u.exec(part)
    if (match?.groups?.name) names.push({ name: match.groups.name, isType: !!match.groups.type })
  }
  return names
}

/** What is loaded or typed by `import('…')`: all of the file, as far as can be seen. */
function dynamic(path: string, text: string): Import[] {
  return [...text.matchAll(/\bimport\(\s*'(?<from>[\w@.:/-]+)'/gu)].map(({ groups = {} }) => {
    const { from = '' } = groups
    const names = [{ name: '*', isType: false }]
    return { from, file: fileOf(path, from), names, passedOn: false }
  })
}

function fileOf(path: string, from: string): string | undefined {
  return from.startsWith('.') ? join(dirname(path), from).replaceAll('\\', '/') : undefined
}

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?<kind>function\*?|class|const|let|var|interface|type)\s+(?<name>\w+)/gmu
const list = /^export\s+(?<type>type\s+)?\{(?<names>[^}]*)\}/gmu

function exported(text: string): Export[] {
  const declared = [...text.matchAll(declaration)].map(({ groups = {} }) => ({
    name: groups.name ?? '',
    isType: groups.kind === 'interface' || groups.kind === 'type',
  }))
  const listed = [...text.matchAll(list)].flatMap(({ groups = {} }) =>
    (groups.names ?? '').split(',').flatMap((part) => {
      const name = /(\w+)\s*$/u.exec(part)?.[1]
      return name === undefined ? [] : [{ name, isType: groups.type !== undefined }]
    }),
  )
  return [...declared, ...listed]
}
