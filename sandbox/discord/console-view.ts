import type {
  APIApplicationCommand,
  APIMessage,
  APIModalInteractionResponseCallbackData,
} from 'discord-api-types/v10'
import type { Notice } from './people.ts'

/** What the panel shows: one person's view of one place. */
export interface ConsoleView {
  self: string
  channel: { id: string; name: string; kind: 'private' | 'text'; server: string | undefined }
  mayWrite: boolean
  /** The servers to which this person may add the bot. */
  servers: { id: string; name: string }[]
  /** Names by id, for mentions and pickers. */
  names: Record<'user' | 'role' | 'channel', Record<string, string>>
  bot: { id: string; name: string }
  messages: APIMessage[]
  notices: Notice[]
  commands: APIApplicationCommand[]
  /** The newest message that this person sees in each place; '' where there is none. */
  latest: Record<'private' | 'club' | 'news', string>
}

/** What became of an act: it went through, it opened a modal, or the app or the bot refused it. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'modal'; id: string; modal: APIModalInteractionResponseCallbackData }
  | { kind: 'refused'; message: string }
  | { kind: 'silent' }
