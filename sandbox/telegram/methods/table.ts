import type { Method } from '../api.ts'
import * as bot from './chats.ts'
import * as chats from './chats.ts'
import * as edit from './send.ts'
import { sendDocument, sendMessage, sendPhoto } from './send.ts'
import * as queries from './updates.ts'
import * as updates from './updates.ts'

const getFile: Method = (api, params) => api.files.describe(params.text('file_id'))

const all: Readonly<Record<string, Method>> = {
  getMe: bot.getMe,
  setMyCommands: bot.setMyCommands,
  getMyCommands: bot.getMyCommands,
  deleteMyCommands: bot.deleteMyCommands,
  setMyDescription: bot.setMyDescription,
  getMyDescription: bot.getMyDescription,
  setMyShortDescription: bot.setMyShortDescription,
  getMyShortDescription: bot.getMyShortDescription,
  setChatMenuButton: bot.setChatMenuButton,
  getChatMenuButton: bot.getChatMenuButton,
  getUpdates: updates.getUpdates,
  setWebhook: updates.setWebhook,
  deleteWebhook: updates.deleteWebhook,
  getWebhookInfo: updates.getWebhookInfo,
  sendMessage,
  sendPhoto,
  sendDocument,
  editMessageText: edit.editMessageText,
  editMessageCaption: edit.editMessageCaption,
  editMessageMedia: edit.editMessageMedia,
  editMessageReplyMarkup: edit.editMessageReplyMarkup,
  deleteMessage: edit.deleteMessage,
  answerCallbackQuery: queries.answerCallbackQuery,
  answerInlineQuery: queries.answerInlineQuery,
  getChat: chats.getChat,
  getChatMember: chats.getChatMember,
  getChatAdministrators: chats.getChatAdministrators,
  getChatMemberCount: chats.getChatMemberCount,
  sendChatAction: chats.sendChatAction,
  leaveChat: chats.leaveChat,
  getFile,
}

/** The methods that the sandbox knows, by name in lower case: the Bot API ignores case. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries(all).map(([name, method]) => [name.toLowerCase(), method]),
)
