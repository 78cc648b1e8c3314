import { launchesOf } from './launch.ts'
import { command } from './services.ts'

export const launches = command({
  name: 'launches',
  about: 'Your drafts and launches, and what comes next',
  ephemeral: true,
  params: {},
  run: async (_, services, context) => launchesOf(services).list(context),
})
