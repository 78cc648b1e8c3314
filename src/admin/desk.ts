import type { Block, Button, View } from '../core/view.ts'
import { AdminLog } from '../db/admin-log.ts'
import { messageOf } from '../errors.ts'
import { type Action, type Admin, AdminError, type Change } from './action.ts'
import { announce } from './announce.ts'
import { block, unblock } from './block.ts'
import { chats } from './chats.ts'
import { explain } from './explain.ts'
import { forget } from './forget.ts'
import { launches } from './launches.ts'
import { log } from './log.ts'
import { stuck } from './stuck.ts'

/** All actions, in the order in which they are listed. */
const actions: readonly Action[] = [
  explain,
  launches,
  chats,
  stuck,
  block,
  unblock,
  forget,
  announce,
  log,
]

/** The answer to a line. */
export interface Done {
  lines: readonly string[]
  /** Nothing was changed yet: this is asked, and `line` then does it. */
  confirm?: { question: string; line: string }
}

/** Begins a line that was confirmed. */
const confirmed = 'yes'

/**
 * Does what administrators type: `launches open`. With `yes` before it, nothing is asked.
 * @throws AdminError if the line can't be read, or what it names is not there
 */
export async function administer(line: string, office: Admin): Promise<Done> {
  const { first, rest } = split(line)
  const isConfirmed = first === confirmed
  const { first: name, rest: words } = isConfirmed ? split(rest) : { first, rest }
  if (name === '' || name === 'help') return { lines: usage() }
  const action = actions.find((each) => each.name === name)
  if (!action)
    throw new AdminError([`There is no action ${name}. There are:`, ...usage()].join('\n'))
  const { lines, change } = await action.plan(words, office)
  if (!change) return { lines }
  const { question, line: doing = `${confirmed} ${name} ${words}` } = change
  if (question !== undefined && !isConfirmed) return { lines, confirm: { question, line: doing } }
  return { lines: await noted(change, office) }
}

/** Makes a change and writes down who did it: also if it fails, or ends the process. */
async function noted({ what, apply }: Change, { store, now, who }: Admin): Promise<string[]> {
  const entries = new AdminLog(store, now)
  const id = await entries.begin(who, what)
  try {
    const lines = await apply()
    await entries.end(id, lines[0] ?? '')
    return lines
  } catch (error) {
    await entries.end(id, `failed: ${messageOf(error)}`)
    throw error
  }
}

/** The first word of a line in lower case, and what is behind it as it was typed. */
function split(line: string): { first: string; rest: string } {
  const [first = ''] = line.trimStart().split(/\s/u, 1)
  return { first: first.toLowerCase(), rest: line.trimStart().slice(first.length).trim() }
}

/** All uses, one below the other. */
export function usage(): string[] {
  return actions.flatMap(({ uses }) => uses.map(([use, about]) => `${use} – ${about}`))
}

/** Characters and lines on a page, which both platforms show even if most of them have to be escaped. */
const maxCharacters = 1_500
const maxLines = 25

/** An answer as a message; longer ones have pages. `line` is the one that was answered. */
export function adminView({ lines, confirm }: Done, line: string, page: number): View {
  const pages = pagesOf(lines)
  const shown = Math.min(Math.max(1, page), pages.length)
  const turns: Button[] = [
    ...(shown > 1 ? [{ label: 'Back', line: `admin page:${shown - 1} ${line}` }] : []),
    ...(shown < pages.length ? [{ label: 'Next', line: `admin page:${shown + 1} ${line}` }] : []),
  ]
  const question: Block[] = confirm ? [{ kind: 'text', spans: [{ bold: confirm.question }] }] : []
  const doing: Button[] = confirm
    ? [{ label: 'Yes, do it', line: `admin ${confirm.line}`, look: 'danger' }]
    : []
  return {
    title: [{ bold: pages.length > 1 ? `${shown} of ${pages.length}` : 'Administration' }],
    blocks: [{ kind: 'lines', lines: (pages[shown - 1] ?? []).map((each) => [each]) }, ...question],
    buttons: [turns, doing].filter((row) => row.length > 0),
  }
}

export function problemView({ message }: AdminError): View {
  return {
    title: [],
    tone: 'warn',
    blocks: [{ kind: 'lines', lines: message.split('\n').map((each) => [each]) }],
  }
}

function pagesOf(lines: readonly string[]): string[][] {
  const pages: string[][] = [[]]
  let characters = 0
  for (const line of lines) {
    const last = pages.at(-1) ?? []
    if (last.length > 0 && (last.length >= maxLines || characters + line.length > maxCharacters)) {
      pages.push([line])
      characters = line.length
    } else {
      last.push(line)
      characters += line.length
    }
  }
  return pages
}
