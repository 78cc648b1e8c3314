import { launchesOf } from './launch.ts'
import { command } from './services.ts'

export const cancel = command({
  name: 'cancel',
  about: 'Discard the launch or upload that you began',
  ephemeral: true,
  params: {},
  run: async (_, services, context) => launchesOf(services).conversation.cancel(context),
})
