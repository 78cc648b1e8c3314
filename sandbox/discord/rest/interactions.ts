import { type APIMessage, InteractionResponseType, MessageFlags } from 'discord-api-types/v10'
import type { Answers } from '../answers.ts'
import type { Interaction, Interactions } from '../interactions.ts'
import type { RestRequest, Route } from './router.ts'

/** The first answer to an interaction, and its webhook: the answer's edits and the follow-ups. */
export function interactionRoutes(interactions: Interactions, answers: Answers): Route[] {
  const open = { access: 'open', major: 2 } as const
  const of = ({ params }: RestRequest): Interaction =>
    interactions.byToken(params[0] ?? '', params[1] ?? '')
  return [
    {
      name: 'POST /interactions/:id/:token/callback',
      ...open,
      unlimited: true,
      handle: ({ params, body, files, query }) => {
        const interaction = interactions.toAcknowledge(params[0] ?? '', params[1] ?? '')
        const type = answers.first(interaction, body, files)
        if (query.get('with_response') !== 'true') return { status: 204 }
        return {
          status: 200,
          body: response(interaction, type, answers.original(interaction)?.message),
        }
      },
    },
    {
      name: 'POST /webhooks/:id/:token',
      ...open,
      handle: (request) => ({
        status: 200,
        body: answers.followUp(of(request), request.body, request.files).message,
      }),
    },
    {
      name: 'GET /webhooks/:id/:token/messages/:id',
      ...open,
      handle: (request) => ({
        status: 200,
        body: answers.find(of(request), request.params[2] ?? '').message,
      }),
    },
    {
      name: 'PATCH /webhooks/:id/:token/messages/:id',
      ...open,
      handle: (request) => {
        const { params, body, files } = request
        return {
          status: 200,
          body: answers.edit(of(request), params[2] ?? '', body, files).message,
        }
      },
    },
    {
      name: 'DELETE /webhooks/:id/:token/messages/:id',
      ...open,
      handle: (request) => {
        answers.remove(of(request), request.params[2] ?? '')
        return { status: 204 }
      },
    },
  ]
}

const withMessage = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
  InteractionResponseType.UpdateMessage,
]

function response(
  interaction: Interaction,
  type: InteractionResponseType,
  original: APIMessage | undefined,
): object {
  const message = withMessage.includes(type) ? original : undefined
  const has = (flag: MessageFlags) => ((message?.flags ?? 0) & flag) !== 0
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message === undefined
        ? {}
        : {
            response_message_id: message.id,
            response_message_loading: has(MessageFlags.Loading),
            response_message_ephemeral: has(MessageFlags.Ephemeral),
          }),
    },
    resource: message === undefined ? { type } : { type, message },
  }
}
