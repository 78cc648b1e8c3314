import { optional, type Param, text } from '../src/core/command.ts'
import type { Conversation } from '../src/core/conversation.ts'
import { UserError } from '../src/errors.ts'
import { rejectSecret } from '../src/launch/questions/question.ts'
import { command, type Services } from './services.ts'

/** The chat in which the command was sent, if the answer goes to the private chat. The platform adds it to the line. */
function origin(): Param<string, Services> {
  return {
    about: 'The chat it began in',
    example: '-1001234567890',
    required: true,
    chat: true,
    parse: (raw) => {
      if (/^-?\d{1,25}$/u.test(raw)) return raw
      throw new UserError('I ask for everything one by one. Send the command on its own.')
    },
  }
}

/** The launches of this bot. @throws UserError if the operator configured no template */
function launchesOf({ launches }: Pick<Services, 'launches'>): NonNullable<Services['launches']> {
  if (launches) return launches
  throw new UserError(
    'Nothing can be launched with this bot: its operator has set up no template (TEMPLATES).',
  )
}

export const launch = command({
  name: 'launch',
  about: 'Launch a token of your own',
  ephemeral: true,
  params: { from: optional(origin()) },
  run: async ({ from }, services, context) =>
    launchesOf(services).conversation.begin(context, { origin: from, goal: 'launch' }),
})

/** Behind the buttons of a launch: an action, its draft, and further arguments. */
export const launching = command({
  name: 'launching',
  about: 'Go on with a launch',
  ephemeral: true,
  hidden: true,
  params: { step: text('What to do', 'resume k3f9a2bc', 900) },
  run: async ({ step }, services, context, show) => launchesOf(services).press(step, context, show),
})

export const launches = command({
  name: 'launches',
  about: 'Your drafts and launches, and what comes next',
  ephemeral: true,
  params: {},
  run: async (_, services, context) => launchesOf(services).list(context),
})

export const cancel = command({
  name: 'cancel',
  about: 'Discard the launch or upload that you began',
  ephemeral: true,
  params: {},
  run: async (_, services, context) => launchesOf(services).conversation.cancel(context),
})

export const metadata = command({
  name: 'metadata',
  about: 'Upload a token’s metadata without launching it',
  ephemeral: true,
  params: { from: optional(origin()) },
  run: async ({ from }, services, context) =>
    launchesOf(services).conversation.begin(context, { origin: from, goal: 'metadata' }),
})

/** Input that is no command goes to the person's launch conversation. */
export const conversation: Conversation<Services> = {
  receive: async (input, { launches }, context) => {
    const view = await launches?.conversation.receive(input, context)
    // No question is open. The input would become a search term, so reject secrets first.
    if (!view) rejectSecret(input.text)
    // A form can't be run as a command instead.
    if (!view && input.form !== undefined) {
      throw new UserError('This form is too old. /launch shows where you are.')
    }
    return view
  },
  form: async (line, services, context) => launchesOf(services).conversation.form(line, context),
}
