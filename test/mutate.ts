// Puts faults into the code, one at a time, and counts those that `npm test` finds: npm run mutate -- --count 20 --seed 1
//
// A fault is an operator, a condition or a truth value turned round, drawn at random from src/{core,api,chain,launch,alerts}. It is
// tried in a copy of the checkout, first by the tests that import the file, then by all.
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { parseAst } from 'vitest/node'
import { z } from 'zod'

const folders = ['core', 'api', 'chain', 'launch', 'alerts'].map((name) => `src/${name}/`)
const projects = ['unit', 'contract', 'e2e'].flatMap((name) => ['--project', name])
/** Milliseconds that a run may take: a fault that makes it endless is found. */
const timeout = 900_000
/** Characters of a failed run that are kept. */
const maxOutput = 4_000

const turned: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}

/** A replacement of a file's text from `start` to `end`. */
interface Fault {
  file: string
  start: number
  end: number
  text: string
}

const nodeSchema = z.looseObject({ type: z.string(), start: z.number(), end: z.number() })
type Node = z.output<typeof nodeSchema>
const operationSchema = z.object({ left: nodeSchema, right: nodeSchema, operator: z.string() })

type Edit = Omit<Fault, 'file'>

/** Edits of one node, by its type. */
const edits: Readonly<Record<string, (node: Node, code: string) => Edit[]>> = {
  BinaryExpression: turnedOperator,
  LogicalExpression: turnedOperator,
  IfStatement: turnedCondition,
  ConditionalExpression: turnedCondition,
  Literal: ({ value, start, end }) =>
    typeof value === 'boolean' ? [{ start, end, text: String(!value) }] : [],
  UnaryExpression: ({ operator, start }) =>
    operator === '!' ? [{ start, end: start + 1, text: '' }] : [],
}

function turnedOperator(node: Node, code: string): Edit[] {
  const { left, right, operator } = operationSchema.parse(node)
  const text = turned[operator]
  const start = code.indexOf(operator, left.end)
  // Texts are joined by +, and have no difference.
  const isText = [left, right].some(({ type }) => /^(?:TemplateLiteral|Literal)$/u.test(type))
  const isEditable = text && start >= 0 && start < right.start && !(operator === '+' && isText)
  return isEditable ? [{ start, end: start + operator.length, text }] : []
}

function turnedCondition(node: Node, code: string): Edit[] {
  const { start, end } = nodeSchema.parse(node.test)
  return [{ start, end, text: `!(${code.slice(start, end)})` }]
}

/** Finds the edits that a file's text may get. */
function editsOf(text: string): Edit[] {
  // Types become blanks, so that places stay as they are.
  const code = stripTypeScriptTypes(text)
  const visit = (value: unknown): Edit[] => {
    if (Array.isArray(value)) return value.flatMap(visit)
    const { data: node } = nodeSchema.safeParse(value)
    if (node === undefined) return []
    return [...(edits[node.type]?.(node, code) ?? []), ...Object.values(node).flatMap(visit)]
  }
  return visit(parseAst(code))
}

/** Draws numbers from 0 to 1 that a seed determines (mulberry32). */
function drawer(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Runs tests in the copy; resolves to what they printed last if they failed, and to undefined if they passed. */
async function failure(copy: string, args: readonly string[]): Promise<string | undefined> {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, ...args, ...projects, '--bail', '1'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), timeout)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-maxOutput)
  })
  const { promise, resolve: onEnd } = Promise.withResolvers<string | undefined>()
  child.on('close', (code) => onEnd(code === 0 ? undefined : output))
  child.on('error', (error) => onEnd(error.message))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

async function trackedFiles(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { maxBuffer: 2 ** 26 })
  return stdout.split('\0').filter((path) => path !== '')
}

async function copyOf(files: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'gavel-mutants-'))
  for (const file of files) await cp(file, join(copy, file), { recursive: true })
  await symlink(resolve('node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The line of a place, and what becomes of it. */
function describe({ start, end, text: by }: Fault, text: string): string {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', end)
  const line = (text.slice(from, start) + by + text.slice(end, to)).trim()
  return `${text.slice(0, start).split('\n').length}: ${line}`
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
})
const files = await trackedFiles()
const sources = files.filter((file) => folders.some((folder) => file.startsWith(folder)))
const texts = new Map<string, string>()
for (const file of sources) {
  if (file.endsWith('.ts')) texts.set(file, await readFile(file, 'utf8'))
}
const all = [...texts].flatMap(([file, text]) => editsOf(text).map((edit) => ({ file, ...edit })))
const draw = drawer(Number(values.seed))
const drawn = Array.from({ length: Number(values.count) }, () => Math.floor(draw() * all.length))
const copy = await copyOf(files)
let found = 0
try {
  const alone = await failure(copy, ['run'])
  if (alone !== undefined) throw new Error(`npm test fails without any fault:\n${alone}`)
  for (const index of drawn) {
    const fault = all[index]
    const text = fault && texts.get(fault.file)
    if (fault === undefined || text === undefined)
      throw new RangeError('no code to put faults into')
    const target = join(copy, fault.file)
    await writeFile(target, text.slice(0, fault.start) + fault.text + text.slice(fault.end))
    const isFound =
      ((await failure(copy, ['related', '--run', fault.file])) ??
        (await failure(copy, ['run']))) !== undefined
    await writeFile(target, text)
    if (isFound) found += 1
    process.stdout.write(
      `${isFound ? 'found' : 'MISSED'}  ${fault.file}:${describe(fault, text)}\n`,
    )
  }
} finally {
  await rm(copy, { recursive: true, force: true })
}
process.stdout.write(`${found} of ${drawn.length} found (seed ${values.seed})\n`)
