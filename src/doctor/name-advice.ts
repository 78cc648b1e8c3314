import type { QueryNames } from '../api/query-names.ts'
import { clipped } from './clipped.ts'
import { otherNames } from './other-names.ts'
import { baseMeanings } from './question.ts'
import type { NameFinding, TriedName } from './report.ts'
import { lineToFill } from './settings.ts'

const maxSaid = 160

/** Advice about names that were not found: the names tried, the answers, and the line to fill in. */
export function nameAdvice(findings: readonly NameFinding[], now: QueryNames): string[] {
  const open = findings.filter(({ verdict, better }) => verdict === 'wrong' && !better)
  const askable = open.filter(({ countsPages }) => countsPages === undefined)
  if (askable.length === 0) return open.map(paragraph)
  return [
    ...open.map(paragraph),
    'Ask who runs the interface for these names, write them in place of …, and take the # away:',
    lineToFill(
      now,
      askable.map(({ meaning }) => meaning),
    ),
  ]
}

/** Advice if no question for assets was answered, whatever the parameters. */
export function refusedAdvice({ queryNames }: { queryNames: QueryNames }, asked: number): string[] {
  return [
    `${asked} questions were tried, with fewer parameters and with other names for them:`,
    ...baseMeanings.map((meaning) => `for ${meaning}: ${otherNames[meaning].join(', ')}.`),
    'Ask who runs the interface for these names, write them in place of …, and take the # away:',
    lineToFill(queryNames, baseMeanings),
  ]
}

function paragraph({ meaning, name, detail, tried = [], countsPages }: NameFinding): string {
  const others = tried.filter((each) => each.name !== name && each.name !== countsPages)
  // Most refusals differ in the name alone.
  const came = [...Map.groupBy(others, (each) => withoutName(each))]
  return [
    `"${name}" for ${meaning} does not work (${clipped(detail, maxSaid)}).`,
    came.length === 0 ? '' : `Tried, too: ${came.map(tellTried).join('; ')}.`,
    countsPages === undefined
      ? ''
      : `"${countsPages}" counts pages instead of assets, and that is no offset: there is no setting for it.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** The answer to a name that was tried, with that name taken out. */
function withoutName({ name, came }: TriedName): string {
  const word = name.replaceAll(/[.[\]]/gu, '\\$&')
  return came.replaceAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'gu'), '…')
}

function tellTried([came, tried]: [string, TriedName[]]): string {
  return `${tried.map(({ name }) => name).join(', ')} (${clipped(came, maxSaid)})`
}
