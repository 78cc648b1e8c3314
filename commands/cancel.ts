import { launchesOf } from './launch.ts'
import { command } from './services.ts'

export const cancel = command({
  name: 'cancel',
  about: 'Drop what you were launching',
  alone: true,
  params: {},
  run: async (_, services, turn) => launchesOf(services).conversation.cancel(turn),
})
