import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figures } from '../../e2e/bot-pages.ts'
import { type Harness, startHarness } from '../../e2e/harness.ts'
import type { Exposition } from '../../unit/metrics/exposition.ts'
import {
  readDashboard,
  readExpression,
  readRules,
  rulesFile,
  ruleTestsFile,
  type Selector,
} from './alerting.ts'

const rules = readRules().flatMap((group) => group.rules)
const dashboard = readDashboard()
const graphs = dashboard.panels.flatMap((panel) => (panel.type === 'row' ? [] : [panel]))
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...graphs.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
]
/** Labels that Prometheus adds. */
const added = ['instance', 'job']

let folder: string
let harnesses: Harness[] = []
/** What two bots say that have just started, one on SQLite and one of several on PostgreSQL. */
let pages: Exposition[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-figures-'))
  const backups = { BACKUP_DIR: join(folder, 'backups') }
  harnesses = await Promise.all([
    startHarness({ env: { ...backups, WATCH_INTERVAL: '60' } }),
    startHarness({ replicas: { count: 1 }, env: { DISCORD_SHARDS: '0-0/1' } }),
  ])
  pages = await Promise.all(harnesses.map(figures))
})
afterAll(async () => {
  await Promise.all(harnesses.map((harness) => harness.stop()))
  await rm(folder, { recursive: true, force: true })
})

function samplesOf(metric: string) {
  return pages.flatMap(({ samples }) => samples.filter(({ name }) => name === metric))
}

/** What a selector asks for and no bot has. */
function missing({ metric, matchers }: Selector): string[] {
  const samples = samplesOf(metric)
  if (samples.length === 0) return [metric]
  return matchers.flatMap(({ label, operator, value }) => {
    const wanted = operator.endsWith('~') ? value.split('|') : [value]
    const has = new Set(samples.map(({ labels }) => labels[label]))
    return wanted.filter((each) => !has.has(each)).map((each) => `${metric}{${label}="${each}"}`)
  })
}

test.each(expressions)('a bot that has just started has every series of %s', (expression) => {
  const { selectors, grouped } = readExpression(expression)
  expect(selectors.flatMap(missing)).toEqual([])
  const labels = selectors.flatMap(({ metric }) =>
    samplesOf(metric).flatMap((sample) => Object.keys(sample.labels)),
  )
  expect(grouped.filter((label) => ![...labels, ...added].includes(label))).toEqual([])
})

test('every series of ours is in a rule, or on the dashboard, or says what another says', () => {
  const named = expressions.flatMap((each) =>
    readExpression(each).selectors.map(({ metric }) =>
      metric.replace(/_(?:bucket|count|sum)$/u, ''),
    ),
  )
  const ours = pages.flatMap(({ families }) => families.map(({ name }) => name))
  const unused = new Set(ours.filter((name) => name.startsWith('gavel_') && !named.includes(name)))
  expect([...unused]).toEqual([])
})

test('a name or a label that no bot has, and a text that is no PromQL, would be found', () => {
  expect(missing(readExpression('gavel_otters > 1').selectors[0] ?? never())).toEqual([
    'gavel_otters',
  ])
  const [waiting] = readExpression('gavel_messages_waiting{priority=~"answer|swim"}').selectors
  expect(missing(waiting ?? never())).toEqual(['gavel_messages_waiting{priority="swim"}'])
  expect(() => readExpression('sum by (rate(x[5m])')).toThrow('no PromQL')
})

function never(): never {
  throw new Error('there is none')
}

describe('the rules', () => {
  test('have names of their own, and lead into the runbook', async () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    const [[page = ''] = []] = rules.map(({ annotations }) => annotations.runbook.split('#'))
    const headings = (await readFile(page, 'utf8')).match(/(?<=^## ).+$/gmu) ?? []
    const anchors = headings.map((each) => `${page}#${slugOf(each)}`)
    expect(anchors.length).toBeGreaterThan(10)
    const lost = rules.filter(({ annotations }) => !anchors.includes(annotations.runbook))
    expect(lost).toEqual([])
  })

  test('say labels that their results have', () => {
    for (const { alert, expr, annotations } of rules) {
      const { grouped } = readExpression(expr)
      const said = [...annotations.summary.matchAll(/\$labels\.(\w+)/gu)].map(([, label]) => label)
      const lost = said.filter((label = '') => ![...grouped, ...added].includes(label))
      expect({ alert, lost }).toEqual({ alert, lost: [] })
    }
  })

  test('have a case each in which promtool has them fire', async () => {
    const cases = await readFile(ruleTestsFile, 'utf8')
    const tried = cases.match(/(?<=^ {2}- name: )Gavel\w+$/gmu)
    expect(tried).toEqual(rules.map(({ alert }) => alert))
  })

  // Nobody has to install Prometheus: without promtool the parser of its editor reads the rules, above.
  test('are as promtool wants them, and fire when they should, where there is promtool', () => {
    if (!hasPromtool()) return
    const promtool = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8' })
    expect(promtool('check', 'rules', rulesFile)).toContain(`${rules.length} rules found`)
    expect(promtool('test', 'rules', ruleTestsFile)).toContain('SUCCESS')
  })
})

/** As GitHub makes the anchor of a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/gu, '')
    .replaceAll(' ', '-')
}

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('the dashboard', () => {
  test('answers the five questions that the rules are made for, in their order', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)
    expect(rows).toEqual([
      'Are people answered within 2 s?',
      'Are alerts on time?',
      'Is the API well?',
      'Are launches stuck?',
      'Is a limit near?',
    ])
    expect(readRules()).toHaveLength(rows.length)
  })

  test('has panels with ids of their own, of which none covers another', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  })

  test('names every line of a graph, and each is of another query', () => {
    for (const { title, targets } of graphs) {
      const ids = targets.map(({ refId }) => refId)
      expect({ title, ids: new Set(ids).size }).toEqual({ title, ids: ids.length })
      expect(targets.every(({ legendFormat }) => legendFormat !== '')).toBe(true)
    }
  })
})
