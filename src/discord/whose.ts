import {
  type MessageComponentInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
} from 'discord.js'

/** Whose the message is that somebody used. */
export interface Whose {
  /** Nobody else sees it: it stands in the private chat, or in a server for this person alone. */
  private: boolean
  /**
   * In a server a message belongs to who asked for it: what others press opens for them alone. What the bot wrote
   * unasked belongs to nobody.
   */
  own: boolean
  /** It stands in the private chat, where nothing needs hiding. */
  direct: boolean
}

export function whose({
  message,
  guildId,
  user,
}: MessageComponentInteraction | ModalSubmitInteraction): Whose {
  const direct = guildId === null
  const hidden = message?.flags.has(MessageFlags.Ephemeral) ?? false
  const asker = message?.interactionMetadata?.user.id
  return {
    direct,
    private: direct || hidden,
    own: direct || hidden || asker === user.id,
  }
}
