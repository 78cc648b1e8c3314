import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ApiServer } from '../../sandbox/api/server.ts'
import { moduleAt, moduleEntries } from '../../sandbox/chain/modules.ts'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { readConfig } from '../../src/config.ts'
import type { Template } from '../../src/launch/settings.ts'
import { type Ended, runProgram } from '../run-program.ts'
import { needed } from '../settings.ts'

const key = 'the-doctor-never-tells-this'

let apiServer: ApiServer
let base: string
let folder: string

beforeAll(async () => {
  apiServer = await ApiServer.start({ key })
  base = await mkdtemp(join(tmpdir(), 'gavel-doctor-'))
})
afterAll(async () => {
  await apiServer?.stop()
  await rm(base, { recursive: true, force: true })
})
beforeEach(async (context) => {
  folder = join(base, context.task.id)
  await mkdir(folder)
})

/** Runs `npm run doctor -- …` with these settings alone, in the folder of the test. */
function run(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  return runProgram(
    [resolve('src/doctor/main.ts'), ...words],
    { API_KEY: key, ...env },
    { cwd: folder },
  )
}

describe('npm run doctor -- api', () => {
  test('prints what came and what a card shows, with nothing to set if all is as usual', async () => {
    const before = apiServer.requestCount
    const { code, stdout, stderr } = await run(['api'], { API_BASE_URL: apiServer.baseUrl })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toContain('8453: 50 assets on the first page')
    expect(stdout.match(/ has an effect: /gu)).toHaveLength(9)
    for (const status of ['🕒 Upcoming', '🟢 Live', '🎓 Graduated']) {
      expect(stdout).toMatch(new RegExp(`asset_status +\\w+ → ${status}\n`, 'u'))
    }
    expect(stdout).toMatch(/pool_config_num_tokens_to_sell +\d+ → [\d.]+[MB]\n/u)
    expect(stdout).toContain('→ not shown: raw liquidity isn’t money')
    expect(stdout).toMatch(/\n +\d+ of 100 show a price\n/u)
    expect(stdout).not.toContain('To paste')
    expect(stdout).toContain('This page proves nothing')
    expect(stdout).not.toContain(key)
    expect(apiServer.requestCount - before).toBeLessThanOrEqual(40)
    const widths = stdout.split('\n').map((line) => [...line].length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(100)
    expect(widths.length).toBeLessThan(150)
  })

  test('ends with 1 if something is to be set, and prints the line to paste', async () => {
    const server = await ApiServer.start({ key, queryNames: { term: 'q' } })
    onTestFinished(() => server.stop())
    const { code, stdout } = await run(['api'], { API_BASE_URL: server.baseUrl })
    expect(code).toBe(1)
    expect(stdout).toContain('\nAPI_QUERY_NAMES={"term":"q"}\n')
  })

  test('ends with 1 and a list if settings are missing', async () => {
    const { code, stdout, stderr } = await run(['api'], { API_KEY: '' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('API_KEY: is needed')
    expect(stderr).not.toContain(key)
    expect(stderr).not.toMatch(/^\s+at /mu)
  })
})

describe('npm run doctor -- template', () => {
  const bare = sandboxTemplates.map(({ expects: _, ...template }: Template) => template)
  const template = (words: string, env: Record<string, string>) =>
    run(words.split(' '), {
      API_BASE_URL: apiServer.baseUrl,
      MODULES: JSON.stringify({ 8453: moduleEntries }),
      ...env,
    })

  test('writes all templates into a new file beside theirs, which the bot then takes', async () => {
    const file = join(folder, 'ours.json')
    await writeFile(file, JSON.stringify(bare))
    const first = await template('template Dutch auction --vesting', { TEMPLATES: file })
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
    const proposed = join(folder, 'templates.proposed.json')
    expect(first.stdout).toContain(`Written to ${proposed}`)
    expect(first.stdout).toContain('Read it, keep what is right, and set TEMPLATES to its path.')
    expect(first.stdout).not.toContain(key)
    const before = await readFile(proposed, 'utf8')

    const second = await template('template Standard --vesting', { TEMPLATES: proposed })
    const next = join(folder, 'templates.proposed-2.json')
    expect(second.stdout).toContain(`Written to ${next}`)
    expect(await readFile(proposed, 'utf8')).toBe(before)
    const { templates } = (await readConfig({ ...needed, TEMPLATES: next })).launch
    expect(templates.map(({ id }) => id)).toEqual(bare.map(({ id }) => id))
    // The protocol's account is known to a node alone.
    const isPinned = templates.map(({ expects = {} }) => Object.keys(expects).length > 20)
    expect(isPinned).toEqual([true, true])

    const third = await template('template sandbox-dynamic', { TEMPLATES: next })
    expect(third.stdout).toContain('Every row is pinned, so there is nothing to write.')
    expect(third.code).toBe(0)
  })

  test('writes into the current folder if the templates are in TEMPLATES itself', async () => {
    const { code } = await template('template Standard', { TEMPLATES: JSON.stringify(bare) })
    expect(code).toBe(0)
    const text = await readFile(join(folder, 'templates.proposed.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject([{ expects: { supply: '1000000000' } }, bare[1]])
  })

  test('ends with 1 and a reason if there is nothing to pin', async () => {
    const TEMPLATES = JSON.stringify(bare)
    // The layout that the operator names does not fit the template's token factory.
    const misread = { address: moduleAt('TokenFactory80'), layout: 'dn404', name: 'Misread' }
    const MODULES = JSON.stringify({ 8453: [misread] })
    const [unknown, unread, other] = await Promise.all([
      template('template nope', { TEMPLATES }),
      template('template Standard', { TEMPLATES, MODULES }),
      template('templates', { TEMPLATES }),
    ])
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('8453 sandbox-standard   Standard')
    expect(unread.code).toBe(1)
    expect(unread.stdout).toContain('It can’t be pinned')
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('template NAME') })
  })
})
