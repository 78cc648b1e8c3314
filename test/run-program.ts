import { execFile } from 'node:child_process'
import { compileCache } from '../sandbox/bot.ts'

/** What a program wrote, and the code that it ended with; null if a signal ended it. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * Runs a program of the project as its script in package.json does, with these settings alone and nobody at the keyboard, and
 * resolves when it has ended. `begun` is given its process id.
 * @example await runProgram(['src/admin/main.ts', 'launches'], { DATABASE_URL: 'file:data/gavel.db' })
 */
export function runProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd, begun }: { cwd?: string; begun?: ((pid: number) => void) | undefined } = {},
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  const options = { env: { PATH, HOME, ...compileCache, ...env }, cwd }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end()
    if (child.pid !== undefined) begun?.(child.pid)
  })
}
