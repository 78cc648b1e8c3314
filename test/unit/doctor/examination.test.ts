import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineSettings } from '../../../src/doctor/examination.ts'
import { off, printFindings } from '../../../src/doctor/finding.ts'
import { key, type Speaking, speak } from './api-stand-in.ts'

/** What `npm run doctor` says of the API. */
async function saidOf(speaking: Speaking) {
  const { asked, findings } = await allOf(speaking)
  return { asked, findings: findings.filter(({ setting }) => setting.startsWith('API_')) }
}

/** What it says of all settings. */
async function allOf(speaking: Speaking) {
  const { baseUrl, asked } = await speak(speaking)
  const { findings } = await examineSettings({
    API_BASE_URL: baseUrl,
    API_KEY: key,
    CHAINS: '4663',
    DATABASE_URL: `file:${join(tmpdir(), 'gavel-never-made', 'gavel.db')}`,
    PORT: '0',
  })
  return { asked, findings }
}

const page = 'npm run doctor -- api shows more'

test('an API that is as usual has no line about query names', async () => {
  const { findings } = await saidOf({})
  expect(findings.every(({ verdict }) => verdict === 'ok')).toBe(true)
  expect(findings.map(({ setting }) => setting)).not.toContain('API_QUERY_NAMES')
})

test('query names without effect are told in one line, which knows none to set', async () => {
  const { findings } = await saidOf({ ignores: ['ordering', 'creator'] })
  expect(findings.filter(({ setting }) => setting === 'API_QUERY_NAMES')).toEqual([
    {
      setting: 'API_QUERY_NAMES',
      verdict: 'unknown',
      detail: `no usual name has an effect for ordering, creator; ${page}`,
    },
  ])
})

test('one that another name mends is told by the line to set alone', async () => {
  const { findings } = await saidOf({ names: { term: 'q' } })
  expect(findings.filter(({ setting }) => setting === 'API_QUERY_NAMES')).toEqual([
    { setting: 'API_QUERY_NAMES', verdict: 'wrong', detail: 'set API_QUERY_NAMES={"term":"q"}' },
  ])
})

test('an API that fails late is told by what it gave before', async () => {
  const names = { term: 'q' }
  const { asked } = await saidOf({ names })
  // The last is the list of templates; before it come those of statuses and the second page.
  const fails = { from: asked.length - 1, status: 401, body: '{"message":"Not now"}' }
  const { findings } = await saidOf({ names, fails })
  expect(findings).toContainEqual({
    setting: 'API_BASE_URL',
    verdict: 'unknown',
    detail: 'answers, but not all could be asked: refused with 401: Not now',
  })
  expect(findings.map(({ detail }) => detail)).toContain('set API_QUERY_NAMES={"term":"q"}')
})

test('a key that could not be tried is not said to be read by others, nor is one on the way to this machine', async () => {
  const page = '<!doctype html>'
  const { findings } = await allOf({ fails: { from: 0, status: 403, body: page } })
  expect(findings.filter(({ verdict }) => verdict === 'unsafe')).toEqual([])
  expect(findings.at(-1)).toMatchObject({
    setting: 'others',
    detail: expect.stringMatching(/^in the right form, and not tried: .*API_KEY/u),
  })
})

test('templates that the API lists are named in lines that fit a terminal', async () => {
  const { findings } = await allOf({})
  const lines = printFindings(findings).split('\n')
  expect(lines.filter((line) => line.includes('TEMPLATES'))).not.toEqual([])
  expect(lines.filter((line) => line.length > 120)).toEqual([])
  expect(off('TEMPLATES').detail).toBe('not set; needed only to pin what a template does')
  expect(off('PUBLIC_URL').detail).toBe('not set; needed for webhooks, signing links')
})
