/** A line that only Discord's app shows: the bot kept silent. */
export interface Notice {
  id: string
  channelId: string
  viewer: string
  /** `command` stands in the chat by itself, `component` under the message that was used. */
  about: { kind: 'command'; name: string } | { kind: 'component'; messageId: string }
}
