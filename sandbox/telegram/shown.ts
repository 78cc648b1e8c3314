// What the console's page and its server tell each other. Types only and nothing of Node, since the page is
// checked as a browser's code.
import type {
  BotCommand,
  InlineKeyboardButton,
  KeyboardButtonRequestChat,
  MessageEntity,
} from 'grammy/types'

export interface ReplyButton {
  text: string
  style?: string
  requestChat?: KeyboardButtonRequestChat
}

/** What a bot's message does to the keyboard under people's message box. */
export type ReplyKeyboard =
  | { kind: 'keyboard'; rows: ReplyButton[][]; oneTime: boolean; placeholder: string }
  | { kind: 'remove' }
  | { kind: 'force'; placeholder: string; selective: boolean }

/** The card that a client draws for a link. */
export interface SeenPreview {
  url: string
  /** What the sandbox can tell of a page without fetching it. */
  host: string
  /** The link leads to a picture, which is shown itself. */
  isPicture: boolean
  large: boolean
  above: boolean
}

/** A message as a person sees it in their app. */
export interface SeenMessage {
  id: number
  /** Unix time in seconds. */
  date: number
  edited: boolean
  sender: { id: number; name: string; isBot: boolean }
  /** The bot through whose inline mode the message was sent. */
  viaBot: string | undefined
  text: string
  entities: MessageEntity[]
  photo: { fileId: string; width: number; height: number } | undefined
  document: { fileId: string; name: string; size: number } | undefined
  captionAbove: boolean
  buttons: InlineKeyboardButton[][]
  keyboard: ReplyKeyboard | undefined
  preview: SeenPreview | undefined
  replyTo: { id: number; sender: string; text: string } | undefined
  thread: number | undefined
  silent: boolean
  /** Set for what is no message but a line in the middle of the chat. */
  service: string | undefined
}

/** What changed for the people who look at the sandbox. */
export type Change =
  | { kind: 'message'; chatId: number; message: SeenMessage }
  | { kind: 'deleted'; chatId: number; messageId: number }
  | { kind: 'typing'; chatId: number }
  | { kind: 'place'; chatId: number }
  | { kind: 'profile' }

/** What a person gets for pressing. */
export type PressResult =
  | { kind: 'answer'; text: string; alert: boolean; url: string }
  | { kind: 'no answer' }
  | { kind: 'link'; url: string }
  | { kind: 'copied'; text: string }
  /** They choose a chat, where this stands behind the bot's name in the message box. */
  | { kind: 'inline'; query: string }

/** A chat as one person has it in their list. */
export interface ConsolePlace {
  chatId: number
  kind: 'private' | 'group' | 'supergroup' | 'channel'
  title: string
  /** The line under the title. */
  about: string
  canWrite: boolean
  /** The person is an administrator here. */
  manages: boolean
  /** Private chats: the person has pressed Start. */
  started: boolean
  blocked: boolean
  topics: { id: number; title: string }[]
  /** Something was written here. */
  hasMessages: boolean
  commands: BotCommand[]
}

export interface ConsoleState {
  /** `about` is the description of its profile. */
  bot: { id: number; name: string; username: string; about: string }
  people: { id: number; name: string; places: ConsolePlace[] }[]
}

/** What the page gets of an inline answer; it sends back the answer's id and the result's. */
export interface InlineList {
  answer: string
  results: { id: string; title: string; description: string; thumbnail: string }[]
  nextOffset: string
  button: { text: string; startParameter: string } | undefined
}
