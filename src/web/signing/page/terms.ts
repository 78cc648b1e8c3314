import {
  isDeviation,
  markOf,
  marksWords,
  type Row,
  type Section,
  sectionsOf,
  type Words,
} from '../../../launch/table.ts'
import { addressNode } from './address.ts'
import { element } from './dom.ts'
import type { OpenRequest } from './wire.ts'

/** Shows the table of the transaction, in the chat's order and words. */
export function termsNodes(rows: readonly Row[], { chain, simulation }: OpenRequest): Node[] {
  return [
    element('p', { class: 'quiet legend' }, legend(simulation, rows)),
    ...sectionsOf(rows).map((section) => sectionNode(section, chain.explorer)),
  ]
}

/** Explains the marks, and what was checked on the chain. */
function legend({ kind }: OpenRequest['simulation'], rows: readonly Row[]): string {
  const isRehearsed = rows.some(({ rehearsed }) => rehearsed)
  return `${marksWords(rows)}${isRehearsed ? withRows[kind] : `. ${withoutRows[kind]}`}`
}

const withoutRows = {
  passed: 'The chain would take it now.',
  failed: 'The chain would not take it now.',
  none: 'Not rehearsed on the chain.',
} as const

const withRows = {
  passed: '.',
  failed: ' when it was built; it would not take it now.',
  none: ' when it was built, but not again now.',
} as const

function sectionNode({ title, rows }: Section, explorer: string | undefined): HTMLElement {
  const isFirst = title === 'Look at this first'
  return element(
    'section',
    { class: isFirst ? 'terms first' : 'terms' },
    element('h2', {}, title),
    element('dl', { class: 'facts' }, ...rows.flatMap((row) => rowNodes(row, explorer))),
  )
}

function rowNodes(row: Row, explorer: string | undefined): HTMLElement[] {
  const does = line(row.does ?? [], explorer)
  if (!isDeviation(row)) {
    const mark = markOf(row)
    return [
      term(row.label),
      element('dd', {}, does, mark === '' ? undefined : element('span', { class: 'tick' }, mark)),
    ]
  }
  const { asked, why } = row
  const comparison = asked && [
    comparedLine('What it does', does),
    comparedLine('What was asked', line(asked, explorer)),
  ]
  return [
    term(`⚠️ ${row.label}`),
    element(
      'dd',
      {},
      comparison ? element('div', { class: 'beside' }, ...comparison) : does,
      why === undefined ? undefined : element('p', { class: 'why' }, why),
    ),
  ]
}

function term(label: string): HTMLElement {
  return element('dt', {}, label)
}

function comparedLine(label: string, words: HTMLElement): HTMLElement {
  return element('p', {}, element('span', { class: 'whose' }, label), words)
}

function line(words: Words, explorer: string | undefined): HTMLElement {
  const nodes = words.map((word) => {
    if (typeof word === 'string') return word
    return 'account' in word ? addressNode(word.account, explorer) : time(word.time)
  })
  return element('span', { class: 'words' }, ...nodes)
}

const clock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** Formats unix seconds in the browser's time zone. */
function time(seconds: number): string {
  return clock.format(new Date(seconds * 1000))
}
