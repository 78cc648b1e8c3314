import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { z } from 'zod'

export const rulesFile = 'deploy/prometheus/gavel.rules.yml'
export const ruleTestsFile = 'deploy/prometheus/gavel.rules.test.yml'

const ruleSchema = z.strictObject({
  alert: z.string().regex(/^Gavel[A-Z][A-Za-z]+$/u),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+m$/u)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'warn']) }),
  annotations: z.strictObject({ summary: z.string(), action: z.string(), runbook: z.string() }),
})

/** The rules of Prometheus. @throws if the file is none of rules */
export function readRules() {
  const group = z.strictObject({ name: z.string(), rules: z.array(ruleSchema) })
  const file = z.strictObject({ groups: z.array(group) })
  return file.parse(parse(readFileSync(rulesFile, 'utf8'))).groups
}

const datasourceSchema = z.strictObject({
  type: z.literal('prometheus'),
  uid: z.literal(`\${datasource}`),
})
const placeSchema = z.strictObject({ h: z.number(), w: z.number(), x: z.number(), y: z.number() })
const panelSchema = z.discriminatedUnion('type', [
  z.object({ id: z.number(), type: z.literal('row'), title: z.string(), gridPos: placeSchema }),
  z.object({
    id: z.number(),
    type: z.literal('timeseries'),
    title: z.string(),
    gridPos: placeSchema,
    datasource: datasourceSchema,
    fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
    targets: z
      .array(
        z.strictObject({
          refId: z.string(),
          datasource: datasourceSchema,
          expr: z.string(),
          legendFormat: z.string(),
        }),
      )
      .min(1),
  }),
])
const dashboardSchema = z.object({
  uid: z.literal('gavel'),
  title: z.string(),
  schemaVersion: z.number(),
  panels: z.array(panelSchema),
  templating: z.object({
    list: z.tuple([z.object({ name: z.literal('datasource'), type: z.literal('datasource') })]),
  }),
  annotations: z.object({ list: z.array(z.object({ expr: z.string() })) }),
})

/** The dashboard of Grafana. @throws if the file is none */
export function readDashboard() {
  return dashboardSchema.parse(JSON.parse(readFileSync('deploy/grafana/gavel.json', 'utf8')))
}

/** A metric that an expression asks for, with what it asks of its labels. */
export interface Selector {
  metric: string
  matchers: { label: string; operator: string; value: string }[]
}

/** What an expression of PromQL names. */
export interface Named {
  selectors: Selector[]
  /** Labels that results are grouped by. */
  grouped: string[]
}

/** @throws if the expression is no PromQL */
export function readExpression(written: string): Named {
  // Grafana fills it in.
  const expr = written.replaceAll('$__rate_interval', '5m')
  const named: Named = { selectors: [], grouped: [] }
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expr.slice(from, to)
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expr}`)
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier')
        named.selectors.push({ metric: name ? expr.slice(name.from, name.to) : '', matchers: [] })
      } else if (type.name === 'UnquotedLabelMatcher') {
        const [, label = '', operator = '', value = ''] =
          /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/u.exec(text) ?? []
        named.selectors.at(-1)?.matchers.push({ label, operator, value })
      } else if (type.name === 'GroupingLabels') {
        named.grouped.push(...(text.match(/\w+/gu) ?? []))
      }
    },
  })
  return named
}
