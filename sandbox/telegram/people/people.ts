import type {
  ChatAdministratorRights,
  InlineKeyboardButton,
  KeyboardButtonRequestChat,
  Message,
  User,
} from 'grammy/types'
import type { Api } from '../api.ts'
import { callbackPatience, type InlineAnswer } from '../callbacks.ts'
import { anonymousBot } from '../cast.ts'
import { photoSizes } from '../content.ts'
import { replyPart } from '../methods/send.ts'
import type { Upload } from '../params.ts'
import type { Change, PressResult, SeenMessage } from '../shown.ts'
import { toWire } from '../text/entity.ts'
import { formatText } from '../text/format.ts'
import type { Place, Stored } from '../world.ts'
import { botSees, messageNews, PeopleError } from './delivery.ts'
import { type FloodOptions, type FloodReport, flood } from './flood.ts'
import { askInline, type ChosenResult, chooseResult } from './inline.ts'
import { migrate, setBotRole } from './presence.ts'
import { seenMessage, type WaitOptions, waitForMessage, watch } from './watch.ts'

interface WriteOptions {
  /** Message id that is answered. */
  replyTo?: number
  /** Topic of a supergroup. */
  thread?: number
}

/** The humans of the sandbox: what they do reaches the bot as updates, and what they see can be asked. */
export class People {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Writes a message; anyone unknown becomes a person with a private chat. Resolves at once. */
  text(userId: number, chatId: number, text: string, options: WriteOptions = {}): Message {
    const formatted = formatText({ text, entities: [] })
    if (formatted.text === '') throw new PeopleError('a message needs text')
    const entities = toWire(formatted.entities, this.#api.world.users)
    return this.#write(userId, chatId, options, {
      text: formatted.text,
      ...(entities.length > 0 ? { entities } : {}),
    })
  }

  /** Sends a picture; it must be one that Telegram takes for a photo. */
  photo(userId: number, chatId: number, upload: Upload, caption = ''): Message {
    const file = this.#api.files.photo(upload)
    return this.#write(userId, chatId, {}, { photo: photoSizes(file), ...this.#caption(caption) })
  }

  document(userId: number, chatId: number, upload: Upload, caption = ''): Message {
    const file = this.#api.files.add(upload, 'documents')
    return this.#write(
      userId,
      chatId,
      {},
      {
        document: {
          file_id: file.id,
          file_unique_id: file.uniqueId,
          file_name: file.name,
          mime_type: file.type,
          file_size: file.bytes.length,
        },
        ...this.#caption(caption),
      },
    )
  }

  /** Opens a link to the bot and presses Start; what the link carries reaches the bot behind /start. */
  open(userId: number, url: string): Message {
    const { username } = this.#api.world.bot
    const parameter = startParameter(url, username)
    if (parameter === undefined) throw new PeopleError(`${url} does not lead to @${username}`)
    return this.text(userId, userId, parameter === '' ? '/start' : `/start ${parameter}`)
  }

  /** Presses an inline button; a callback button resolves when the bot answers, or as 'no answer'. */
  press(
    userId: number,
    chatId: number,
    messageId: number,
    target: PressTarget,
    timeoutMs?: number,
  ): Promise<PressResult> {
    const user = this.#user(userId)
    const place = this.#place(chatId)
    const stored = place.messages.get(messageId)
    if (!stored) throw new PeopleError('there is no such message')
    return press(this.#api, user, { place, stored, target, timeoutMs })
  }

  /** Types `@bot query` somewhere; resolves with the results, or undefined when the bot gave none in time. */
  inline(
    userId: number,
    query: string,
    offset = '',
    where: { chatId?: number; timeoutMs?: number } = {},
  ): Promise<InlineAnswer | undefined> {
    const user = this.#user(userId)
    const type = this.#place(where.chatId ?? userId).chat.type
    return askInline(this.#api, { from: user, query, offset }, type, where.timeoutMs)
  }

  /** Sends an inline result into a chat; the bot learns of it and can edit it by its inline message id. */
  choose(userId: number, chatId: number, chosen: ChosenResult): Message {
    const { place, user } = this.#writer(userId, chatId)
    return chooseResult(this.#api, place, user, chosen)
  }

  /** Shares a chat after a `request_chat` button was pressed in the private chat; the bot is put in as it asks. */
  share(userId: number, requestId: number, chatId: number): Message {
    const place = this.#place(chatId)
    const { chat } = place
    prepareShare(this.#api, userId, requestId, place)
    return this.#write(
      userId,
      userId,
      {},
      {
        chat_shared: {
          request_id: requestId,
          chat_id: chatId,
          ...(chat.title === undefined ? {} : { title: chat.title }),
        },
      },
    )
  }

  block(userId: number): void {
    setBotRole(this.#api, this.#place(userId), 'kicked', userId)
  }

  unblock(userId: number): void {
    setBotRole(this.#api, this.#place(userId), 'member', userId)
  }

  /** Removes the bot from a group or channel. */
  kick(chatId: number): void {
    setBotRole(this.#api, this.#place(chatId), 'kicked')
  }

  /** Puts the bot (back) into a group, or into a channel as its administrator. */
  invite(chatId: number, role: 'member' | 'administrator' = 'member'): void {
    setBotRole(this.#api, this.#place(chatId), role)
  }

  /** Makes a supergroup of a group; the old id answers with `migrate_to_chat_id` from then on. */
  migrate(chatId: number): number {
    return migrate(this.#api, this.#place(chatId))
  }

  /** Everything that is to be seen in a chat, oldest first. */
  messages(chatId: number): SeenMessage[] {
    return [...this.#place(chatId).messages.values()].map(seenMessage)
  }

  /** Waits until the bot sends or edits a message that fits; rejects on time-out, saying what was there. */
  waitFor(
    chatId: number,
    fits: (message: SeenMessage) => boolean,
    options: WaitOptions = {},
  ): Promise<SeenMessage> {
    return waitForMessage(this.#api.world, this.#place(chatId), fits, options)
  }

  /** Many people writing at once, for benchmarks. */
  flood(options: FloodOptions): Promise<FloodReport> {
    return flood(this.#api, options)
  }

  /** Tells of everything that people would see happen; returns how to stop listening. */
  on(_event: 'change', listener: (change: Change) => void): () => void {
    return watch(this.#api.world, listener)
  }

  #caption(caption: string): Pick<Message, 'caption' | 'caption_entities'> {
    const { text, entities } = formatText({ text: caption, entities: [] })
    if (text === '') return {}
    const wire = toWire(entities, this.#api.world.users)
    return { caption: text, ...(wire.length > 0 ? { caption_entities: wire } : {}) }
  }

  #place(chatId: number): Place {
    const place = this.#api.world.places.get(chatId)
    if (!place) throw new PeopleError(`there is no chat ${chatId}`)
    return place
  }

  #user(userId: number): User {
    const user = this.#api.world.users.get(userId)
    if (!user) throw new PeopleError(`there is no person ${userId}`)
    return user
  }

  #writer(userId: number, chatId: number): { place: Place; user: User } {
    const { world } = this.#api
    if (userId === chatId && !world.places.has(userId))
      world.addPrivateChat({ id: userId, is_bot: false, first_name: `Guest ${userId}` })
    const place = this.#place(chatId)
    const user = this.#user(userId)
    const role = place.roles.get(userId) ?? 'left'
    if (role === 'left' || role === 'kicked')
      throw new PeopleError(`${user.first_name} is not in this chat`)
    if (place.chat.type === 'channel' && role === 'member')
      throw new PeopleError('only administrators write in a channel')
    if (place.chat.type === 'private' && world.botRole(place) === 'kicked')
      throw new PeopleError('the bot is blocked here')
    if (place.migratedTo !== undefined) throw new PeopleError('this group became a supergroup')
    return { place, user }
  }

  #write(
    userId: number,
    chatId: number,
    { replyTo, thread }: WriteOptions,
    body: Partial<Message>,
  ): Message {
    const { place, user } = this.#writer(userId, chatId)
    const replied = replyTo === undefined ? undefined : place.messages.get(replyTo)?.message
    if (thread !== undefined && !place.topics.has(thread)) throw new PeopleError('no such topic')
    const topic = thread ?? replied?.message_thread_id
    place.started = true
    return this.#post(place, user, {
      ...(topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true }),
      ...replyPart(replied),
      ...body,
    })
  }

  /** Stores a person's message and tells the bot, where it may know. */
  #post(place: Place, user: User, body: Partial<Message>): Message {
    const { world, queue } = this.#api
    const message: Message = {
      message_id: world.nextId(place),
      ...senderOf(place, user),
      chat: place.chat,
      date: world.date,
      ...body,
    }
    world.store(place, { message, byBot: false })
    if (botSees(world, place, message)) queue.push(messageNews(message))
    return message
  }
}

/** Posts are in the channel's name, and what an anonymous administrator says in the group's. */
function senderOf(
  { chat, standings, roles }: Place,
  user: User,
): Pick<Message, 'from' | 'sender_chat'> {
  if (chat.type === 'channel') return { sender_chat: chat }
  const role = roles.get(user.id)
  const manages = role === 'creator' || role === 'administrator'
  if (chat.type !== 'supergroup' || !manages || !standings.get(user.id)?.anonymous)
    return { from: user }
  return { from: anonymousBot, sender_chat: chat }
}

/**
 * What a client does before it hands a chat over: it lets nobody choose one that was not asked for, and puts the bot
 * in where the bot is to be a member or an administrator.
 */
function prepareShare(api: Api, userId: number, request: number, chat: Place): void {
  const asked = requestIn(api, userId, request)
  const isChannel = chat.chat.type === 'channel'
  if (chat.chat.type === 'private' || isChannel !== asked.chat_is_channel)
    throw new PeopleError('the bot asks for another kind of chat')
  const { user_administrator_rights: wanted, bot_administrator_rights: forBot } = asked
  if (wanted && !hasRights(chat, userId, wanted))
    throw new PeopleError('you lack the rights that the bot asks for there')
  if (forBot && api.world.botRole(chat) !== 'administrator')
    setBotRole(api, chat, 'administrator', userId)
  const role = api.world.botRole(chat)
  if (asked.bot_is_member && (role === 'left' || role === 'kicked'))
    setBotRole(api, chat, 'member', userId)
}

/** The button under the person's message box; only those of the latest keyboard are there. */
function requestIn({ world }: Api, userId: number, request: number): KeyboardButtonRequestChat {
  const stored = [...(world.places.get(userId)?.messages.values() ?? [])]
  const latest = stored.findLast(({ keyboard }) => keyboard && keyboard.kind !== 'force')?.keyboard
  const buttons = latest?.kind === 'keyboard' ? latest.rows.flat() : []
  const asked = buttons.find(({ requestChat }) => requestChat?.request_id === request)?.requestChat
  if (!asked) throw new PeopleError('there is no such button below the message box')
  return asked
}

function hasRights(place: Place, userId: number, wanted: ChatAdministratorRights): boolean {
  const role = place.roles.get(userId)
  if (role === 'creator') return true
  if (role !== 'administrator') return false
  return !(wanted.can_post_messages && place.standings.get(userId)?.silent)
}

/** Which button: where it stands, what it says, or the data that a hostile app would send. */
type PressTarget = { row: number; column: number } | { label: string } | { data: string }

interface Press {
  place: Place
  stored: Stored
  target: PressTarget
  timeoutMs: number | undefined
}

function press(api: Api, user: User, pressed: Press): Promise<PressResult> {
  const { target, stored } = pressed
  if ('data' in target) return callBack(api, user, pressed, target.data)
  const rows = stored.message.reply_markup?.inline_keyboard ?? []
  const button =
    'label' in target
      ? rows.flat().find(({ text }) => text === target.label)
      : rows[target.row]?.[target.column]
  if (!button) {
    const labels = rows.flat().map(({ text }) => text)
    return Promise.reject(
      new PeopleError(`no button ${JSON.stringify(target)} among ${JSON.stringify(labels)}`),
    )
  }
  return 'callback_data' in button
    ? callBack(api, user, pressed, button.callback_data)
    : Promise.resolve(follow(button))
}

function follow(button: InlineKeyboardButton): PressResult {
  if ('url' in button) return { kind: 'link', url: button.url }
  if ('web_app' in button) return { kind: 'link', url: button.web_app.url }
  if ('copy_text' in button) return { kind: 'copied', text: button.copy_text.text }
  if ('switch_inline_query' in button)
    return { kind: 'switch inline', query: button.switch_inline_query, here: false }
  if ('switch_inline_query_current_chat' in button)
    return { kind: 'switch inline', query: button.switch_inline_query_current_chat, here: true }
  return { kind: 'no answer' }
}

function callBack(
  api: Api,
  from: User,
  { place, stored, timeoutMs = callbackPatience }: Press,
  data: string,
): Promise<PressResult> {
  return new Promise((resolve) => {
    const id = api.callbacks.open(undefined, timeoutMs, (answer) =>
      resolve(answer ? { kind: 'answer', ...answer } : { kind: 'no answer' }),
    )
    const origin =
      stored.inlineId === undefined
        ? { message: stored.message }
        : { inline_message_id: stored.inlineId }
    api.queue.push({
      callback_query: { id, from, ...origin, chat_instance: place.instance, data },
    })
  })
}

/** What Telegram hands on of a link to a bot: up to 64 of these characters, https://core.telegram.org/bots/features */
const parameterForm = /^[A-Za-z0-9_-]{0,64}$/u

/** The start parameter of a link to this bot, '' where it has none; undefined for any other link. */
export function startParameter(url: string, username: string): string | undefined {
  const link = URL.canParse(url) ? new URL(url) : undefined
  const isBot = link?.pathname.slice(1).toLowerCase() === username.toLowerCase()
  if (link?.protocol !== 'https:' || link.host !== 't.me' || !isBot) return undefined
  const parameter = link.searchParams.get('start') ?? ''
  return parameterForm.test(parameter) ? parameter : ''
}
