import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most of the time of a test is waiting: more of them at once than cores.
    maxWorkers: 3,
    // A process for each file would load all libraries anew each time: half of the work of a run.
    isolate: false,
    // Whole-process tests start servers, a bot and a browser; on two busy cores that takes a while.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
})
