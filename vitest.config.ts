import { defineConfig } from 'vitest/config'

const postgres = { globalSetup: ['test/postgres.ts'] }

/** A project of tests: what it runs, and on which database. */
function project(name: string, include: string[], more: { exclude?: string[] } & object = {}) {
  return { extends: true as const, test: { name, include, ...more } }
}

export default defineConfig({
  test: {
    // Most of the time of a test is waiting: more of them at once than cores. (The slow ones start several processes each: three.)
    maxWorkers: 4,
    // Tests that run concurrently wait side by side for the same bot. A file can't set this: it is read before files are.
    maxConcurrency: 40,
    // A process for each file would load all libraries anew each time: half of the work of a run.
    isolate: false,
    // With as much room for what lives shortly, V8 collects it less often: a tenth less of the processor's time.
    execArgv: ['--max-semi-space-size=32'],
    // Whole-process tests start servers, a bot and a browser; on two busy cores that takes a while.
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    projects: [
      project('unit', ['test/{unit,architecture}/**/*.test.ts']),
      // What both databases have to do: on SQLite here, on PostgreSQL with the slow tests.
      project('contract', ['test/contract/**/*.test.ts'], {
        exclude: ['**/*.postgres.test.ts', 'test/contract/doctor/**'],
      }),
      project('e2e', ['test/e2e/**/*.test.ts']),
      // Crashes, outages, replicas, browsers over everything, properties at full length, the stand-ins' own tests.
      project('slow', ['test/slow/**/*.test.ts'], { exclude: ['**/*.postgres.test.ts'] }),
      project('slow contract', ['test/contract/doctor/**/*.test.ts']),
      project('slow contract on PostgreSQL', ['test/contract/**/*.test.ts'], {
        ...postgres,
        exclude: ['**/*.sqlite.test.ts'],
      }),
      project('slow on PostgreSQL', ['test/slow/**/*.postgres.test.ts'], postgres),
    ],
  },
})
