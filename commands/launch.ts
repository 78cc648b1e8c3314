import { type Context, optional, type Param, text } from '../src/core/command.ts'
import type { Conversation } from '../src/core/conversation.ts'
import { t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { rejectSecretOrHash } from '../src/launch/questions/question.ts'
import { command, type Services } from './services.ts'

/** The chat in which the command was sent, if the answer goes to the private chat. The platform adds it to the line. */
function origin(): Param<string, Services> {
  return {
    about: t('launch-param-from'),
    example: '-1001234567890',
    required: true,
    chat: true,
    parse: (raw) => {
      if (/^-?\d{1,25}$/u.test(raw)) return raw
      throw new UserError(t('launch-param-from-wrong'))
    },
  }
}

/** The launches of this bot. @throws UserError if the operator configured no template */
export function launchesOf({
  launches,
}: Pick<Services, 'launches'>): NonNullable<Services['launches']> {
  if (launches) return launches
  throw new UserError(t('launch-not-set-up'))
}

export const launch = command({
  name: 'launch',
  about: t('launch-command'),
  ephemeral: true,
  takesInput: true,
  params: {
    token: optional(text(t('launch-param-token'), 'RIVER', 400)),
    from: optional(origin()),
  },
  run: async ({ token, from }, services, context) => {
    // The next message answers the launch.
    await services.questions.close(context)
    return launchesOf(services).conversation.begin(context, {
      origin: from,
      goal: 'launch',
      ...(token !== undefined && { input: { text: token, fields: {}, files: [] } }),
    })
  },
})

/** Behind the buttons of a launch: an action, its draft, and further arguments. */
export const launching = command({
  name: 'launching',
  about: t('launch-command-launching'),
  ephemeral: true,
  unlisted: true,
  params: { step: text(t('launch-param-step'), 'resume k3f9a2bc', 900) },
  run: async ({ step }, services, context, show) => {
    await services.questions.close(context)
    return launchesOf(services).press(step, context, show)
  },
})

export const launches = command({
  name: 'launches',
  about: t('launch-command-launches'),
  ephemeral: true,
  params: {},
  run: async (_, services, context, show) => {
    await services.questions.close(context)
    return launchesOf(services).list(context, show)
  },
})

export const cancel = command({
  name: 'cancel',
  about: t('launch-command-cancel'),
  ephemeral: true,
  params: {},
  run: async (_, services, context) => launchesOf(services).conversation.cancel(context),
})

export const metadata = command({
  name: 'metadata',
  about: t('launch-command-metadata'),
  ephemeral: true,
  params: { from: optional(origin()) },
  run: async ({ from }, services, context) => {
    await services.questions.close(context)
    return launchesOf(services).conversation.begin(context, { origin: from, goal: 'metadata' })
  },
})

/** A launch in one message: /launch with the token behind it, and often with its picture. */
const launchMessage = /^\s*\/launch(?:@\w+)?(?=\s|$)(?<words>.*)$/isu

/** Says how to launch a token with the picture that came without a word. */
function pictureAlone({ platform }: Context): View {
  const launch = { code: '/launch' }
  return {
    title: [t('launch-picture-alone')],
    blocks: [
      {
        kind: 'text',
        spans: [
          platform.namedOptions
            ? t('launch-picture-alone-option', { launch })
            : t('launch-picture-alone-caption', {
                example: { code: '/launch RIVER "River Heron"' },
                launch,
              }),
        ],
      },
    ],
    buttons: [[{ label: t('start-button-launch'), line: 'launch', asNew: true, look: 'main' }]],
  }
}

/** Input that is no command goes to the person's launch conversation. */
export const conversation: Conversation<Services> = {
  receive: async (input, services, context) => {
    const { launches } = services
    const words = launchMessage.exec(input.text)?.groups?.words
    if (words !== undefined) {
      await services.questions.close(context)
      const given = { ...input, text: words }
      return launchesOf(services).conversation.begin(context, { goal: 'launch', input: given })
    }
    const view = await launches?.conversation.receive(input, context)
    // No question is open. The input would become a search term, so reject secrets first.
    if (!view) rejectSecretOrHash(input.text)
    // A form can't be run as a command instead.
    if (!view && input.form !== undefined) {
      throw new UserError(t('launch-form-old'))
    }
    if (!view && launches && input.files.length > 0 && input.text.trim() === '') {
      return pictureAlone(context)
    }
    return view
  },
  form: async (line, services, context) => launchesOf(services).conversation.form(line, context),
}
