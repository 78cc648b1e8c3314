import { globSync, readFileSync } from 'node:fs'

/** A block of commands in docs/operating. */
export interface ShellBlock {
  /** The page's file name. */
  page: string
  /** Its first line, by which it is named. */
  name: string
  text: string
  /** The programs it needs that no test has; empty if a test runs it. */
  lacks: string[]
}

/** Why no test runs a block: programs that need more than this machine's files, with what that is. */
export const outside: Readonly<Record<string, string>> = {
  docker: 'needs a Docker daemon',
  journalctl: 'needs systemd',
  sudo: 'needs root',
  kubectl: 'needs a Kubernetes cluster',
  pg_dump: 'needs the client of PostgreSQL, as new as its server',
  pg_restore: 'needs the client of PostgreSQL, as new as its server',
}

export const operatorsPages: readonly string[] = globSync('*.md', { cwd: 'docs/operating' }).sort()

export function readPage(page: string): string {
  return readFileSync(`docs/operating/${page}`, 'utf8')
}

/** The blocks that are marked as `sh`, without the indentation of the list that they stand in. */
export function shellBlocks(page: string): ShellBlock[] {
  return [...readPage(page).matchAll(/^(?<indent> *)```sh\n(?<body>.*?)^ *```$/gmsu)].map(
    ({ groups: { indent = '', body = '' } = {} }) => {
      const text = body
        .split('\n')
        .map((line) => line.slice(indent.length))
        .join('\n')
      const [name = ''] = text.split('\n')
      const lacks = Object.keys(outside).filter((each) => commandsOf(text).includes(each))
      return { page, name, text, lacks }
    },
  )
}

/** The programs that a script starts, as far as a line or a part of it begins with them. */
function commandsOf(text: string): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split(/\n|&&|\|\|?|;|\$\(/u)
    .flatMap((part) =>
      part
        .trim()
        .split(/\s+/u)
        .filter((word) => !word.includes('='))
        .slice(0, 1),
    )
}
