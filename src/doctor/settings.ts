import {
  defaultQueryNames,
  type QueryMeaning,
  type QueryNames,
  type StatusWords,
} from '../api/schema.ts'
import { defaultUnits, type UnitField, type Units, unitsSchema, unknownUnit } from '../api/units.ts'
import type { NodeErrorKind } from '../chain/rpc.ts'
import type { ChainSettings, RecordedChanges } from './facts.ts'
import type { StatusFinding } from './report.ts'
import type { UnitFinding } from './units.ts'

/** The operator's settings that concern the API. */
export interface DoctorSettings {
  baseUrl: string
  key: string
  queryNames: QueryNames
  units: Units
  statusWords: StatusWords
  chains: readonly [number, ...number[]]
  /** Where figures are read on the chains themselves. */
  launches: ChainSettings
  /** Price changes in a day that this bot recorded. */
  recorded?: RecordedChanges | undefined
}

/** Settings that the doctor can correct. */
export type Tables = Pick<DoctorSettings, 'queryNames' | 'units' | 'statusWords'>

/** Applies the findings to the tables. */
export function corrected(
  tables: Tables,
  names: QueryNames,
  statuses: readonly StatusFinding[],
  units: readonly UnitFinding[],
): Tables {
  const words = statuses.flatMap(({ word, better }) => (better ? [[word, better] as const] : []))
  const better = units.flatMap((finding) =>
    finding.better === undefined ? [] : [[finding.field, finding.better]],
  )
  return {
    queryNames: names,
    statusWords: new Map([...tables.statusWords, ...words]),
    units: unitsSchema.parse({ ...tables.units, ...Object.fromEntries(better) }),
  }
}

/**
 * Returns the settings lines that turn the operator's tables into these, including existing overrides, so that pasting
 * one does not undo another.
 */
export function settingLines(own: Tables, now: Tables): string[] {
  const names = changedEntries(own.queryNames, now.queryNames, defaultQueryNames)
  const units = changedEntries(own.units, now.units, defaultUnits)
  return [
    ...(names ? [`API_QUERY_NAMES=${JSON.stringify(names)}`] : []),
    ...(units ? [`API_UNITS=${JSON.stringify(units)}`] : []),
    ...statusLine(own.statusWords, now.statusWords),
  ]
}

/** Returns the line to fill in names that only the API's operator knows. */
export function lineToFill(names: QueryNames, open: readonly QueryMeaning[]): string {
  const missing = Object.fromEntries(open.map((meaning) => [meaning, '…']))
  const all = { ...overrides(names, defaultQueryNames), ...missing }
  return `#API_QUERY_NAMES=${JSON.stringify(all)}`
}

/** Returns the line that hides figures of unknown unit; empty if there are none. */
export function lineToHide({ units }: Pick<Tables, 'units'>, open: readonly UnitField[]): string[] {
  if (open.length === 0) return []
  const hidden = { ...units, ...Object.fromEntries(open.map((field) => [field, unknownUnit])) }
  return [`#API_UNITS=${JSON.stringify(overrides(hidden, defaultUnits))}`]
}

type Table = Readonly<Record<string, string>>

/** Returns the entries that are not as usual. */
function overrides(table: Table, usual: Table): Table {
  return Object.fromEntries(Object.entries(table).filter(([key, value]) => value !== usual[key]))
}

function changedEntries(own: Table, now: Table, usual: Table): Table | undefined {
  if (Object.entries(now).every(([key, value]) => own[key] === value)) return undefined
  // An entry that was set stays in the line even if it is the default again.
  const keys = new Set([
    ...Object.keys(overrides(own, usual)),
    ...Object.keys(overrides(now, usual)),
  ])
  return Object.fromEntries(Object.entries(now).filter(([key]) => keys.has(key)))
}

function statusLine(own: StatusWords, now: StatusWords): string[] {
  const pairs = [...now].filter(([word, canonical]) => word !== canonical)
  if ([...now].every(([word, canonical]) => own.get(word) === canonical)) return []
  return [`API_STATUS=${pairs.map(([word, canonical]) => `${canonical}=${word}`).join(',')}`]
}

/** Faults of a node, without its URL. */
export const nodeFaults: Record<NodeErrorKind, string> = {
  unavailable: 'the node does not answer: check RPC_URLS',
  'wrong-chain': 'the node is on another chain: check RPC_URLS',
  malformed: 'no node answers there: check RPC_URLS',
}
