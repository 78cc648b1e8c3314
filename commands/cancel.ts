import { launchesOf } from './launch.ts'
import { command } from './services.ts'

export const cancel = command({
  name: 'cancel',
  about: 'Discard the launch or upload that you began',
  alone: true,
  params: {},
  run: async (_, services, turn) => launchesOf(services).conversation.cancel(turn),
})
