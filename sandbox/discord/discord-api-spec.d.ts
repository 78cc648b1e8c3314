/**
 * Schemas that the package makes of Discord's OpenAPI document, of which it has no types: those of the bodies that the bot
 * sends and of what it is answered.
 */
declare module 'discord-api-spec/zod' {
  import type { ZodMiniType } from 'zod/mini'

  export const ApplicationCommandAutocompleteCallbackRequestSchema: ZodMiniType
  export const ApplicationCommandResponseSchema: ZodMiniType
  export const ApplicationCommandUpdateRequestSchema: ZodMiniType
  export const ApplicationFormPartialSchema: ZodMiniType
  export const CreateMessageInteractionCallbackRequestSchema: ZodMiniType
  export const CreatePrivateChannelRequestSchema: ZodMiniType
  export const ErrorResponseSchema: ZodMiniType
  export const GatewayBotResponseSchema: ZodMiniType
  export const GuildChannelResponseSchema: ZodMiniType
  export const GuildMemberResponseSchema: ZodMiniType
  export const GuildWithCountsResponseSchema: ZodMiniType
  export const IncomingWebhookRequestPartialSchema: ZodMiniType
  export const IncomingWebhookUpdateRequestPartialSchema: ZodMiniType
  export const InteractionApplicationCommandAutocompleteCallbackIntegerDataSchema: ZodMiniType
  export const InteractionApplicationCommandAutocompleteCallbackStringDataSchema: ZodMiniType
  export const MessageCreateRequestSchema: ZodMiniType
  export const MessageEditRequestPartialSchema: ZodMiniType
  export const MessageResponseSchema: ZodMiniType
  export const ModalInteractionCallbackRequestSchema: ZodMiniType
  export const PrivateApplicationResponseSchema: ZodMiniType
  export const PrivateChannelResponseSchema: ZodMiniType
  export const ThreadResponseSchema: ZodMiniType
  export const UpdateMessageInteractionCallbackRequestSchema: ZodMiniType
  export const UserPIIResponseSchema: ZodMiniType
}
