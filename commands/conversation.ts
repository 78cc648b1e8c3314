import type { Conversation } from '../src/core/conversation.ts'
import { UserError } from '../src/errors.ts'
import { refuseSecret } from '../src/launch/questions/secrets.ts'
import { launchesOf } from './launch.ts'
import type { Services } from './services.ts'

/** Input that is no command goes to the person's launch conversation. */
export const conversation: Conversation<Services> = {
  receive: async (input, { launches }, context) => {
    const view = await launches?.conversation.receive(input, context)
    // No question is open. The input would become a search term, so reject secrets first.
    if (!view) refuseSecret(input.text)
    // A form can't be run as a command instead.
    if (!view && input.form !== undefined) {
      throw new UserError('This form is too old. /launch shows where you are.')
    }
    return view
  },
  form: async (line, services, context) => launchesOf(services).conversation.form(line, context),
}
