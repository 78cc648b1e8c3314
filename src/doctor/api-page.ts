import type { QueryMeaning } from '../api/schema.ts'
import { adviceByKind } from './advice.ts'
import type { ApiReport, SampleFigures, StatusFinding } from './api-report.ts'
import type { CardSample } from './card-rows.ts'
import { type Finding, marks } from './finding.ts'
import { chainFindings } from './key-chains.ts'
import type { NameFinding } from './query-names.ts'
import { clipped, type Section, sectionsText, wrapText } from './text.ts'

const columns = 100

const proofs =
  'This page proves nothing: it shows what the API sent, and what the bot makes of it. Compare a figure or two with a source that you trust.'

/** Formats the report as one page of at most 100 columns; only lines to paste may be longer. */
export function printApiReport(report: ApiReport): string {
  const { lists, names, statuses, figures, cards, lines, requests, unasked } = report
  const sections: Section[] = [
    { title: 'The key’s assets', lines: lists.length > 0 ? chainLines(report) : [] },
    { title: 'Query names', lines: names.flatMap(nameLines) },
    { title: 'Words in asset_status', lines: statuses.flatMap(statusLines) },
    ...(figures ? [figureSection(figures)] : []),
    ...cards.map(cardSection),
    {
      title: 'The rest could not be requested',
      lines: unasked ? row('unknown', '', 0, unasked.message) : [],
    },
    { title: 'To paste into .env, in place of lines of the same name', lines },
  ]
  const count = requests === 1 ? '1 request' : `${requests} requests`
  return sectionsText([
    { title: `Gavel’s doctor at ${shownAddress(report.baseUrl)}`, lines: [] },
    ...sections.filter((section) => section.lines.length > 0),
    {
      title: `${count}. ${conclusion(report)}`,
      // Where nothing came there is nothing to compare.
      lines: report.failure ? [] : wrapText(proofs, 0, columns),
    },
  ])
}

/**
 * Returns the exit code. 0: nothing to do. 1: the operator must act. 2: a name has no effect by any usual spelling, or many
 * figures contradict each other, and no setting is known to mend it; or not all could be asked.
 */
export function exitCode(report: ApiReport): 0 | 1 | 2 {
  const { failure, lines, figures, unasked } = report
  const isChainWrong = chainFindings(report.lists).some(({ verdict }) => verdict === 'wrong')
  if (failure || lines.length > 0 || isChainWrong) return 1
  return figures?.areOdd || unasked || namesWithout(report).length > 0 ? 2 : 0
}

function conclusion(report: ApiReport): string {
  const { failure, figures, unasked } = report
  if (failure) return adviceByKind[failure.kind]
  const code = exitCode(report)
  if (code === 1) return 'Some settings need a change, see above.'
  if (code === 0) return 'No setting needs a change.'
  const without = namesWithout(report)
  return [
    ...(without.length > 0
      ? [`Ask the people who run the API for the names of: ${without.join(', ')}.`]
      : []),
    ...(figures?.areOdd ? ['Many figures contradict others: is a unit in API_UNITS wrong?'] : []),
    ...(unasked ? ['Run this again later.'] : []),
  ].join(' ')
}

/** The meanings whose names have no effect, nor has any usual spelling. */
export function namesWithout({ names }: Pick<ApiReport, 'names'>): QueryMeaning[] {
  return names
    .filter(({ effect, better }) => effect === false && better === undefined)
    .map(({ meaning }) => meaning)
}

function shownAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname}`
}

/** A mark, a subject in this many columns, and a text beside it in as many lines as it needs. */
function row(verdict: Finding['verdict'], subject: string, width: number, text: string): string[] {
  const begin = `  ${marks[verdict].padEnd(3)} ${width === 0 ? '' : clipped(subject, width - 1).padEnd(width)}`
  const lines = wrapText(text, 0, columns - begin.length + 4)
  return lines.map(
    (line, index) => `${index === 0 ? begin : ' '.repeat(begin.length)}${line.trim()}`,
  )
}

function chainLines({ lists }: ApiReport): string[] {
  const empty = lists.filter(({ isConfigured, page }) => !isConfigured && !page?.receivedCount)
  return [
    ...chainFindings(lists).flatMap(({ verdict, detail }) => row(verdict, '', 0, detail)),
    ...empty.flatMap(({ chain }) => row('off', '', 0, `${chain}: nothing, and not in CHAINS`)),
  ]
}

function nameLines({ meaning, name, effect, detail, better }: NameFinding): string[] {
  const said = effect === undefined ? 'unknown' : effect ? 'has an effect' : 'no effect'
  const verdict = better !== undefined ? 'wrong' : effect ? 'ok' : 'unknown'
  const so = better === undefined ? '' : `; "${better}" has one`
  return row(verdict, `${meaning.padEnd(10)} ${name}`, 30, `${said}: ${detail}${so}`)
}

function statusLines({ word, count, isKnown, meaning }: StatusFinding): string[] {
  const verdict = isKnown ? 'ok' : meaning ? 'wrong' : 'unknown'
  const what = {
    ok: 'known',
    wrong: `only in the list of ${meaning}`,
    unknown: 'in no list of one status: cards tell the status from times, sale and pools',
  }[verdict]
  return row(verdict, word, 30, `${count === 1 ? '1 asset' : `${count} assets`}; ${what}`)
}

function figureSection({ count, priced, inDollars, odd, broken, areOdd }: SampleFigures): Section {
  const of = (part: number) => `${String(part).padStart(4)} of ${count}`
  const fields = broken.map(([field, times]) => `${field} ${times}`).join(', ')
  return {
    title: `Figures of ${count} assets`,
    lines:
      count === 0
        ? []
        : [
            `  ${of(priced)} show a price`,
            `  ${of(inDollars)} show a dollar figure`,
            `  ${of(count - odd)} are consistent${areOdd ? ': that is few' : ''}`,
            ...(odd > 0 ? wrapText(`left out there: ${fields}`, 2, columns) : []),
          ],
  }
}

/** A field with its raw value, as wide as the widest, and what a card shows. */
function cardSection({ title, rows, absent }: CardSample): Section {
  const width = Math.max(...rows.map(({ field, raw }) => field.length + 1 + raw.length))
  const lines = rows.map(
    ({ field, raw, shown }) => `  ${field}${raw.padStart(width - field.length)} → ${shown}`,
  )
  const lacks = absent.length === 0 ? [] : wrapText(`absent: ${absent.join(', ')}`, 2, columns)
  return { title: `${title}, raw → on a card`, lines: [...lines, ...lacks] }
}
