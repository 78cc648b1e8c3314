import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { readConfig } from '../../src/config.ts'
import { needed, problems } from '../settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}.json`)
  await writeFile(path, text)
  return path
}

describe('templates in a file', () => {
  test('are read as those in the setting itself, and the file is known', async () => {
    const text = JSON.stringify(sandboxTemplates)
    const path = await file(`  ${text}\n`)
    const [inFile, inSetting] = [path, text].map((TEMPLATES) =>
      readConfig({ ...needed, TEMPLATES }),
    )
    expect(inFile?.launch).toEqual(inSetting?.launch)
    expect(inFile?.launch.templates).toEqual(sandboxTemplates)
    expect([inFile?.templatesFile, inSetting?.templatesFile]).toEqual([path, undefined])
  })

  test('that is not there, or is no JSON, is named', async () => {
    const missing = join(folder, 'missing.json')
    expect(problems({ ...needed, TEMPLATES: missing })).toEqual([
      `TEMPLATES: the file ${missing} can’t be read`,
    ])
    const broken = await file('[{"id":')
    expect(problems({ ...needed, TEMPLATES: broken })).toEqual([
      `TEMPLATES: the file ${broken} is not valid JSON`,
    ])
  })
})

describe('what a template pins', () => {
  const problemOf = (expects: object) => {
    const templates = [{ id: 'a', label: 'A', chain: 8453, expects }]
    return problems({ ...needed, TEMPLATES: JSON.stringify(templates) })
  }

  test('is refused where there is no such row, with those that there are', () => {
    expect(problemOf({ fees: '1' })).toEqual([
      expect.stringMatching(
        /^TEMPLATES: 0\.expects: there is no row fees; there are supply, sale, /u,
      ),
    ])
  })

  test.each([
    ['tradingFee', '1%'],
    ['opening', { cap: ['cheap', 'dear'] }],
    ['trading', { from: 'tomorrow' }],
    ['vesting', [{ percent: '5' }]],
    ['shares', { you: '95' }],
  ])('is refused in another form: %s', (row, value) => {
    expect(problemOf({ [row]: value })).toEqual([
      expect.stringMatching(`^TEMPLATES: 0.expects: ${row} `),
    ])
  })
})

describe('modules of the operator’s own', () => {
  const address = '0x00000000000000000000000000000000000000cc'
  const problemOf = (entry: object) =>
    problems({ ...needed, MODULES: JSON.stringify({ 8453: [entry] }) })

  test('are refused with a layout that nobody knows, and those that there are are listed', () => {
    expect(problemOf({ address, layout: 'ours' })).toEqual([
      expect.stringMatching(/^MODULES: 8453\.0\.layout: must be one of .*multicurve/u),
    ])
  })

  test('are refused with a kind that is not the layout’s', () => {
    expect(problemOf({ address, layout: 'multicurve', kind: 'hook' })).toEqual([
      'MODULES: multicurve is a layout of a pool initializer, not of a hook',
    ])
  })
})
