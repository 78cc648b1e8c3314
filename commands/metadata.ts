import { optional } from '../src/core/command.ts'
import { launchesOf, origin } from './launch.ts'
import { command } from './services.ts'

export const metadata = command({
  name: 'metadata',
  about: 'Upload a token’s metadata without launching it',
  alone: true,
  params: { from: optional(origin()) },
  run: async ({ from }, services, turn) =>
    launchesOf(services).conversation.begin(turn, { origin: from, goal: 'metadata' }),
})
