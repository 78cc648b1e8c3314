/** A text in quotes, or a part of a template between its values. */
interface Literal {
  value: string
  /** Names of the functions in whose arguments it stands, the outermost first. */
  calls: string[]
}

/** What has to be closed again. */
interface Open {
  kind: '`' | '{' | '('
  call: string | undefined
}

const token =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/.*)|(?<quote>['"])(?<quoted>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>|`|\$\{|[()[\]{}]|\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gu
const callee = /(?<name>[\w.#]+)(?:<[^()]*>)?$/u
/** What stands before a regular expression, and not before a division. */
const beforePattern = /(?:[=(,:&|?![{;]|return)\s*$|^\s*$/u

/** The texts in a source. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = []
  const open: Open[] = []
  const add = (value: string) =>
    value !== '' && found.push({ value, calls: open.flatMap(({ call }) => call ?? []) })
  let at = 0
  while (at < source.length) {
    if (open.at(-1)?.kind === '`') {
      const [part = ''] = /^(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/u.exec(source.slice(at)) ?? []
      add(part)
      at += part.length + closeOrOpen(source.slice(at + part.length), open)
      continue
    }
    token.lastIndex = at
    const match = token.exec(source)
    if (!match) break
    const [text] = match
    at = match.index + text.length
    const { comment, quoted } = match.groups ?? {}
    if (quoted !== undefined) add(quoted)
    else if (comment === undefined) {
      const before = source.slice(Math.max(0, match.index - 80), match.index)
      // A division: what follows is code.
      if (text.startsWith('/') && !beforePattern.test(before)) at = match.index + 1
      follow(text, before, open)
    }
  }
  return found
}

/** Ends a template, or begins a value in it; returns the length of what does so. */
function closeOrOpen(rest: string, open: Open[]): number {
  if (rest.startsWith('`')) {
    open.pop()
    return 1
  }
  open.push({ kind: '{', call: undefined })
  return 2
}

function follow(text: string, before: string, open: Open[]): void {
  if (text === '`' || text === '(') {
    open.push({ kind: text, call: callee.exec(before)?.groups?.name })
  } else if (text === '[' || text === '{') open.push({ kind: '{', call: undefined })
  else if (')]}'.includes(text)) open.pop()
}
