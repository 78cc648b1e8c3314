import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { moduleEntries } from '../../../sandbox/chain/modules.ts'
import { InterfaceServer } from '../../../sandbox/interface/server.ts'
import { sandboxTemplates } from '../../../sandbox/templates-setting.ts'
import { readConfig } from '../../../src/config.ts'
import type { Template } from '../../../src/launch/draft.ts'
import { needed } from '../../settings.ts'

const key = 'the-doctor-never-tells-this'
const bare = sandboxTemplates.map(({ expects: _, ...template }: Template) => template)

let upstream: InterfaceServer
let base: string
let folder: string

beforeAll(async () => {
  upstream = await InterfaceServer.start({ key })
  base = await mkdtemp(join(tmpdir(), 'gavel-doctor-'))
})
afterAll(async () => {
  await upstream?.stop()
  await rm(base, { recursive: true, force: true })
})
beforeEach(async (context) => {
  folder = join(base, context.task.id)
  await mkdir(folder)
})

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs `npm run doctor -- template …` without any platform, in the folder of the test. */
function run(words: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const { PATH = '' } = process.env
  const settings = {
    PATH,
    API_BASE_URL: upstream.baseUrl,
    API_KEY: key,
    MODULES: JSON.stringify({ 8453: moduleEntries }),
  }
  const main = resolve('src/doctor/main.ts')
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [main, ...words],
      { env: { ...settings, ...env }, cwd: folder },
      (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

test('writes all templates beside their file, which the bot then takes, and never over a file', async () => {
  const file = join(folder, 'ours.json')
  await writeFile(file, JSON.stringify(bare))
  const first = await run(['template', 'Dutch', 'auction', '--vesting'], { TEMPLATES: file })
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
  const proposed = join(folder, 'templates.proposed.json')
  expect(first.stdout).toContain(`Written to ${proposed}`)
  expect(first.stdout).toContain('Read it, keep what is right, and set TEMPLATES to its path.')
  expect(first.stdout).not.toContain(key)
  const before = await readFile(proposed, 'utf8')

  const second = await run(['template', 'Standard', '--vesting'], { TEMPLATES: proposed })
  const next = join(folder, 'templates.proposed-2.json')
  expect(second.stdout).toContain(`Written to ${next}`)
  expect(await readFile(proposed, 'utf8')).toBe(before)
  const { templates } = readConfig({ ...needed, TEMPLATES: next }).launch
  expect(templates.map(({ id }) => id)).toEqual(bare.map(({ id }) => id))
  // The protocol's account is known to a node alone.
  const isPinned = templates.map(({ expects = {} }) => Object.keys(expects).length > 20)
  expect(isPinned).toEqual([true, true])

  const third = await run(['template', 'sandbox-dynamic'], { TEMPLATES: next })
  expect(third.stdout).toContain('Every row is pinned, so there is nothing to write.')
  expect(third.code).toBe(0)
})

test('writes into the current folder where TEMPLATES itself has them', async () => {
  const { code } = await run(['template', 'Standard'], { TEMPLATES: JSON.stringify(bare) })
  expect(code).toBe(0)
  const text = await readFile(join(folder, 'templates.proposed.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject([{ expects: { supply: '1000000000' } }, bare[1]])
})

test('ends with 1 and words where there is nothing to pin', async () => {
  const TEMPLATES = JSON.stringify(bare)
  const unknown = await run(['template', 'nope'], { TEMPLATES })
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toContain('8453 sandbox-standard   Standard')
  const unread = await run(['template', 'Standard'], { TEMPLATES, MODULES: '{}' })
  expect(unread.code).toBe(1)
  expect(unread.stdout).toContain('It can’t be pinned')
  const other = await run(['templates'], { TEMPLATES })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('template NAME') })
})
