import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { freePort } from '../free-port.ts'

const run = promisify(execFile)

interface User {
  uid: number
  gid: number
}

/** A PostgreSQL that is installed on this machine, with its server and its clients of one version. */
export class InstalledPostgres {
  readonly version: string
  readonly #programs: string
  /** Who runs it; undefined: whoever runs the tests. */
  readonly #user: User | undefined

  private constructor(version: string, programs: string, user: User | undefined) {
    this.version = version
    this.#programs = programs
    this.#user = user
  }

  /** Those that can be run here: one or none. */
  static find(): InstalledPostgres[] {
    const programs = printed('pg_config', '--bindir')
    const version = programs && printed(join(programs, 'postgres'), '--version')
    // It does not run as root.
    const user = process.getuid?.() === 0 ? userOf('postgres') : undefined
    if (!programs || !version || user === null) return []
    return [new InstalledPostgres(version, programs, user)]
  }

  /** Starts a server of its own, which has a user `gavel`. */
  async start(): Promise<RunningPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-postgres-'))
    if (this.#user) await chown(folder, this.#user.uid, this.#user.gid)
    await chmod(folder, 0o755)
    const port = String(await freePort())
    const data = join(folder, 'data')
    const program = (name: string) => join(this.#programs, name)
    const made = ['-D', data, '-U', 'postgres', '--auth=trust', '-N']
    await run(program('initdb'), made, this.#user ?? {})
    const args = ['-D', data, '-p', port, '-k', folder, '-h', '127.0.0.1', '-F']
    const server = spawn(program('postgres'), args, { ...this.#user, stdio: 'ignore' })
    const isReady = () => printed(program('pg_isready'), '-h', '127.0.0.1', '-p', port)
    await vi.waitUntil(isReady, { timeout: 30_000 })
    const running = new RunningPostgres(folder, port, server)
    await running.administer(`psql -c "create role gavel login password 'trusted'" postgres`)
    return running
  }
}

class RunningPostgres {
  /** Of a database `gavel` that belongs to the user of that name. */
  readonly url: string
  readonly #folder: string
  readonly #port: string
  readonly #server: ChildProcess

  constructor(folder: string, port: string, server: ChildProcess) {
    this.url = `postgres://gavel:trusted@127.0.0.1:${port}/gavel`
    this.#folder = folder
    this.#port = port
    this.#server = server
  }

  /** Runs commands as its administrator, which `sudo -u postgres` makes of others. */
  async administer(script: string): Promise<void> {
    const place = { PGHOST: '127.0.0.1', PGPORT: this.#port, PGUSER: 'postgres' }
    const options = { cwd: this.#folder, env: { ...process.env, ...place } }
    await run('bash', ['-euc', `sudo() { shift 2; "$@"; }\n${script}`], options)
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve))
    this.#server.kill('SIGQUIT')
    await ended
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** What a command prints; undefined if it fails, or is not there. */
function printed(command: string, ...args: string[]): string | undefined {
  try {
    const out = execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    return out.toString().trim()
  } catch {
    return undefined
  }
}

/** Null if there is no such user. */
function userOf(name: string): User | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(printed('id', flag, name)))
  return uid && gid ? { uid, gid } : null
}
