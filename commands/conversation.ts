import type { Conversation } from '../src/core/conversation.ts'
import { UserError } from '../src/errors.ts'
import { refuseSecret } from '../src/launch/questions/secrets.ts'
import { launchesOf } from './launch.ts'
import type { Services } from './services.ts'

/** What people say that is no command belongs to the launch that they are being asked about. */
export const conversation: Conversation<Services> = {
  receive: async (heard, { launches }, context) => {
    const view = await launches?.conversation.hear(heard, context)
    // Nobody asked: the words would go on as something to look for.
    if (!view) refuseSecret(heard.text)
    // A form stands for no command that could be run instead.
    if (!view && heard.form !== undefined) {
      throw new UserError('This form is too old. /launch shows where you are.')
    }
    return view
  },
  form: async (line, services, context) => launchesOf(services).conversation.form(line, context),
}
