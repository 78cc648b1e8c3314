import { type SettingName, settingNames, textOf } from '../settings.ts'

/** `ok`: correct. `wrong`: the operator must act. `unknown`: can't be judged. */
export type Verdict = 'ok' | 'wrong' | 'unknown'

/**
 * The result of trying a setting, on one line. `off`: it is not set, and need not be. `unsafe`: it works, but lets others
 * read a secret. A name that is no setting's is about the machine.
 */
export interface Finding {
  setting: string
  verdict: Verdict | 'off' | 'unsafe'
  detail: string
}

/** The sign before a line. */
export const marks: Record<Finding['verdict'], string> = {
  ok: 'ok',
  wrong: 'FIX',
  unknown: '?',
  off: '-',
  unsafe: '!',
}

export function ok(setting: string, detail: string, notes: readonly string[] = []): Finding {
  return { setting, verdict: 'ok', detail: [detail, ...notes].join('; ') }
}

export function wrong(setting: string, detail: string): Finding {
  return { setting, verdict: 'wrong', detail }
}

export function unknown(setting: string, detail: string): Finding {
  return { setting, verdict: 'unknown', detail }
}

/** A setting that is not set, with what needs it. */
export function off(setting: SettingName): Finding {
  const { neededFor } = textOf(setting)
  const what = neededFor.startsWith('only ') ? neededFor : `for ${neededFor}`
  return { setting, verdict: 'off', detail: `not set; needed ${what}` }
}

/** The name of a line about all settings that are read and can't be tried. */
export const others = 'others'

/** Sorts findings as operators read of the settings; those about the machine come first. */
export function sorted(findings: readonly Finding[]): Finding[] {
  const placeOf = ({ setting }: Finding) =>
    setting === others ? settingNames.length : settingNames.indexOf(setting.split(' ', 1).join(''))
  return findings.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Formats findings, one line each, and the steps to take. */
export function printFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ setting }) => setting.length))
  const lines = findings.map(({ setting, verdict, detail }) => {
    // A line stays one whatever an error says.
    const text = detail.replaceAll(/\p{C}+/gu, ' ').trim()
    return `${marks[verdict].padEnd(3)}  ${setting.padEnd(width)}  ${text}`
  })
  return `${lines.join('\n')}\n\n${conclusion(findings)}\n`
}

function conclusion(findings: readonly Finding[]): string {
  const named = (verdict: Finding['verdict']) => [
    ...new Set(findings.filter((each) => each.verdict === verdict).map(({ setting }) => setting)),
  ]
  const [bad, open] = [named('wrong'), named('unknown')]
  const sentences = [
    ...(bad.length > 0 ? [`To fix: ${bad.join(', ')}.`] : []),
    ...(open.length > 0 ? [`Can’t be told: ${open.join(', ')}.`] : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : 'All is well.'
}

/** 1 if a setting is wrong, 2 if one can't be told, else 0. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ verdict }) => verdict === 'wrong')) return 1
  return findings.some(({ verdict }) => verdict === 'unknown') ? 2 : 0
}
