import Big from 'big.js'
import { z } from 'zod'
import type { FiltersTable } from '../../store/schema.ts'
import { type Rule, scopeSchema as scope, settingSchemas } from '../rule.ts'
import { storedJson } from '../stored-json.ts'

/** A rule as it is stored: the same for every way in which the same rule can be written. */
export type RuleRow = Pick<
  FiltersTable,
  'kind' | 'chain' | 'asset' | 'numeraire' | 'creator' | 'category' | 'setting'
>

const ruleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('live'), setting: settingSchemas.live, scope }),
  z.object({ kind: z.literal('incoming'), setting: settingSchemas.incoming, scope }),
  z.object({ kind: z.literal('progress'), setting: settingSchemas.progress, scope }),
  z.object({ kind: z.literal('ending'), setting: settingSchemas.ending, scope }),
  z.object({ kind: z.literal('graduated'), setting: settingSchemas.graduated, scope }),
  z.object({ kind: z.literal('price'), setting: settingSchemas.price, scope }),
  z.object({ kind: z.literal('mcap'), setting: settingSchemas.mcap, scope }),
  z.object({ kind: z.literal('digest'), setting: settingSchemas.digest, scope }),
])

/** The row of a rule. Addresses are in lower case there, a category is kept to the letter. */
export function rowOf(rule: Rule): RuleRow {
  const { chain, asset, numeraire, creator, category } = rule.scope
  return {
    kind: rule.kind,
    chain: chain ?? 0,
    asset: addressText(asset),
    numeraire: addressText(numeraire),
    creator: addressText(creator),
    category: (category ?? '').toWellFormed(),
    setting: settingText(rule),
  }
}

/** The rule of a row; undefined where it is none that this version knows. */
export function ruleOf(row: RuleRow): Rule | undefined {
  const { chain, asset, numeraire, creator, category } = row
  const read = ruleSchema.safeParse({
    kind: row.kind,
    setting: row.setting === '' ? {} : storedJson(row.setting),
    scope: {
      ...(chain === 0 ? {} : { chain }),
      ...(asset === '' ? {} : { asset }),
      ...(numeraire === '' ? {} : { numeraire }),
      ...(creator === '' ? {} : { creator }),
      ...(category === '' ? {} : { category }),
    },
  })
  return read.data
}

function addressText(address: string | undefined): string {
  return (address ?? '').toWellFormed().toLowerCase()
}

/** JSON whose keys have one order and whose values one spelling; '' for a kind that needs no setting. */
function settingText(rule: Rule): string {
  switch (rule.kind) {
    case 'progress':
      return JSON.stringify({
        percents: [...new Set(rule.setting.percents)].sort((one, other) => one - other),
      })
    case 'ending':
      return JSON.stringify({ minutes: rule.setting.minutes })
    case 'price':
    case 'mcap':
      return JSON.stringify(plainMovement(rule.setting))
    case 'digest':
      return JSON.stringify({ hour: rule.setting.hour, zone: rule.setting.zone.toWellFormed() })
    default:
      return ''
  }
}

function plainMovement(setting: Extract<Rule, { kind: 'price' }>['setting']) {
  if ('above' in setting) return { above: plain(setting.above) }
  if ('below' in setting) return { below: plain(setting.below) }
  return { moves: setting.moves }
}

function plain(decimal: string): string {
  return new Big(decimal).toFixed()
}
