import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most of the time of a test is waiting: more of them at once than cores.
    maxWorkers: 3,
    // A process for each file would load all libraries anew each time: half of the work of a run.
    isolate: false,
    // Whole-process tests start servers, a bot and a browser; on two busy cores that takes a while.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'SQLite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.postgres.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: [
            'test/**/*.postgres.test.ts',
            'test/{store,queue,alerts}/**/*.test.ts',
            'test/launch/{drafts,payloads,pictures}.test.ts',
            'test/telegram/webhook*.test.ts',
          ],
          exclude: ['test/**/*.sqlite.test.ts'],
          globalSetup: ['test/postgres.ts'],
        },
      },
    ],
  },
})
