import { chainById } from '../chain/chains.ts'
import { type Row, sectionsOf, type Words } from '../launch/table.ts'
import type { ReadTemplate, UnreadTemplate } from './template.ts'

const columns = 80

/** What was found of a template, as lines of at most 80 columns. */
export function printTemplate(report: ReadTemplate | UnreadTemplate): string {
  const { id, label, chain } = report.template
  const title = `Gavel's doctor: ${label} (${id}) on ${chainById(chain).name}`
  const sections =
    report.kind === 'unread'
      ? [
          {
            title: 'It can’t be pinned',
            lines: report.problems.flatMap((each) => wrapped(each, 2)),
          },
        ]
      : partsOf(report)
  return [{ title: clean(title), lines: [] }, ...sections]
    .map(({ title, lines }) => [title, ...lines].join('\n'))
    .join('\n\n')
    .concat('\n')
}

function partsOf(report: ReadTemplate): { title: string; lines: string[] }[] {
  const { rows, doubts, notRehearsed, unsteady, notes, pinned } = report
  const shown = rows.filter(({ key }) => key !== 'metadata')
  const further = [
    ...(notRehearsed === undefined ? [] : [`Not rehearsed: ${notRehearsed}.`]),
    ...(unsteady.length > 0
      ? [`Two builds differ in ${unsteady.join(', ')}, so that is not pinned.`]
      : []),
    ...notes,
  ]
  return [
    ...sectionsOf(shown).map((section) => ({
      title: section.title,
      lines: section.rows.flatMap((row) => wrapped(rowText(row, pinned), 4)),
    })),
    {
      title:
        doubts.length > 0
          ? 'As it is, the bot would call it “Not verified”'
          : 'The bot would call it verified',
      lines: doubts.flatMap((each) => wrapped(`- ${each}`, 4)),
    },
    ...(further.length > 0
      ? [{ title: 'To know', lines: further.flatMap((each) => wrapped(`- ${each}`, 4)) }]
      : []),
    { title: conclusion(report), lines: [] },
  ]
}

function conclusion({ rows, pinned }: ReadTemplate): string {
  if (pinned.length === 0) return 'It is not pinned yet.'
  const changed = rows.filter(({ changed }) => changed)
  if (changed.length === 0) return 'All that is pinned is as expected.'
  return `The template changed: ${changed.map(({ label }) => label).join(', ')}.`
}

function rowText(
  { key, label, does = [], asked, state, why }: Row,
  pinned: readonly string[],
): string {
  const is = textOf(does)
  const isPinned = pinned.includes(key)
  if (state === 'same') return `${label}: ${is}${isPinned ? ' (as expected)' : ''}`
  if (state === 'told') return `${label}: ${is}`
  const expected = asked ? `. ${isPinned ? 'Expected' : 'People are told'}: ${textOf(asked)}` : ''
  return `⚠️ ${label}: ${is}${expected}${why === undefined ? '' : ` (${why})`}`
}

function textOf(words: Words): string {
  return words
    .map((word) => {
      if (typeof word === 'string') return word
      return 'time' in word
        ? `${new Date(word.time * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
        : word.account
    })
    .join('')
}

/** Breaks a text into lines; those after the first are further in. */
function wrapped(text: string, indent: number): string[] {
  const lines: string[] = []
  let line = '  '
  for (const word of clean(text).split(' ')) {
    const isFull = [...line].length + [...word].length + 1 > columns
    if (isFull && line.trim() !== '') {
      lines.push(line.trimEnd())
      line = ' '.repeat(indent)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}

// Strangers name quote tokens: no control character of theirs may reach a terminal.
function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}
