import type { FilledForm, Press } from './incoming.ts'

/** Whose the message is that somebody used. */
export interface Whose {
  /** Nobody else sees it: it stands in the private chat, or in a server for this person alone. */
  private: boolean
  /**
   * In a server a message belongs to who asked for it: what others press opens for them alone. What the bot wrote
   * unasked belongs to nobody.
   */
  own: boolean
}

export function whose({ message, direct, person }: Press | FilledForm): Whose {
  const hidden = message?.hidden ?? false
  return {
    private: direct || hidden,
    own: direct || hidden || message?.asker === person,
  }
}
