import { optional } from '../src/core/command.ts'
import { launchesOf, origin } from './launch.ts'
import { command } from './services.ts'

export const metadata = command({
  name: 'metadata',
  about: 'Upload a token’s metadata without launching it',
  ephemeral: true,
  params: { from: optional(origin()) },
  run: async ({ from }, services, context) =>
    launchesOf(services).conversation.begin(context, { origin: from, goal: 'metadata' }),
})
