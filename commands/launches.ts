import { launchesOf } from './launch.ts'
import { command } from './services.ts'

export const launches = command({
  name: 'launches',
  about: 'Your drafts and launches, and what comes next',
  alone: true,
  params: {},
  run: async (_, services, turn) => launchesOf(services).handover.list(turn),
})
