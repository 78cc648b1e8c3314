import { AdminLog } from '../db/admin-log.ts'
import { messageOf } from '../errors.ts'
import { type Action, type AdminContext, AdminError, type Step } from './action.ts'
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
 * Does what an administrator types: `launches open`. With `yes` before it, nothing is asked.
 * @param who `telegram:123456`, or the name of a user of the machine
 * @throws AdminError if the line can't be read, or the thing that it names does not exist
 */
export async function administer(line: string, who: string, context: AdminContext): Promise<Done> {
  const { first, rest } = split(line)
  const isConfirmed = first === confirmed
  const { first: name, rest: words } = isConfirmed ? split(rest) : { first, rest }
  if (name === '' || name === 'help') return { lines: usage() }
  const action = actions.find((each) => each.name === name)
  if (!action)
    throw new AdminError([`There is no action ${name}. There are:`, ...usage()].join('\n'))
  const answer = await action.read(words, context)
  if (!('run' in answer)) return { lines: answer }
  const { preview } = answer
  if (preview === undefined || isConfirmed) return { lines: await logged(answer, who, context) }
  const { lines = [], question, line: doing = `${confirmed} ${name} ${words}` } = preview
  return { lines, confirm: { question, line: doing } }
}

/** Takes a step and writes down who did it: also if it fails, or ends the process. */
async function logged(step: Step, who: string, { store, now }: AdminContext): Promise<string[]> {
  const entries = new AdminLog(store, now)
  const id = await entries.begin(who, step.what)
  try {
    const lines = await step.run()
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
