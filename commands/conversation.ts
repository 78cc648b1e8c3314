import type { Conversation } from '../src/chat/conversation.ts'
import { launchesOf } from './launch.ts'
import type { Services } from './services.ts'

/** Words, files and forms go to the launch that the person is making. */
export const conversation: Conversation<Services> = {
  hear: async (heard, { launches }, turn) => launches?.conversation.hear(heard, turn),
  form: async (line, services, turn) => launchesOf(services).conversation.form(line, turn),
}
