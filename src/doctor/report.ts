import type { QueryMeaning } from '../api/query-names.ts'

/** `well`: as it should be. `wrong`: the operator must act. `unknown`: nothing to judge by. */
export type Verdict = 'well' | 'wrong' | 'unknown'

/** What a call of one endpoint came to. */
export interface CallFinding {
  endpoint: string
  verdict: Verdict
  detail: string
}

/** Whether a query name had an effect, and how that was judged. */
export interface NameFinding {
  meaning: QueryMeaning
  name: string
  verdict: Verdict
  detail: string
  /** Another name that works. */
  better?: string
}

/** A number whose unit does not fit what other fields say. */
export interface UnitFinding {
  field: string
  detail: string
  better: string
}

/** One value of the sample asset: as it came, and as a card would take it. */
export interface SampleRow {
  field: string
  raw: string
  shown: string
}

/** One asset's raw values beside what a card makes of them. */
export interface Sample {
  address: string
  name: string
  rows: SampleRow[]
}

/** Something that launches need. */
export interface LaunchFinding {
  what: string
  verdict: Verdict
  detail: string
}

/** Everything that the doctor found. */
export interface Report {
  baseUrl: string
  calls: CallFinding[]
  names: NameFinding[]
  units: UnitFinding[]
  launches: LaunchFinding[]
  sample?: Sample
  /** Lines for the settings file, ready to paste. */
  settings: string[]
  /** What else to do, in words. */
  advice: string[]
  requests: number
  needsOperator: boolean
}
