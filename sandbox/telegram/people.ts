import { randomBytes } from 'node:crypto'
import type {
  Chat,
  ChatAdministratorRights,
  KeyboardButtonRequestChat,
  Message,
  User,
} from 'grammy/types'
import type { Api } from './api.ts'
import {
  callbackPatience,
  type InlineAnswer,
  type InlineQuestion,
  type InlineResult,
  inlinePatience,
} from './callbacks.ts'
import { anonymousBot } from './cast.ts'
import {
  botSees,
  messageNews,
  migrate,
  PeopleError,
  personOf,
  placeOf,
  setBotRole,
} from './circumstances.ts'
import { captionPart, documentPart, formatted, photoSizes, textPart } from './content.ts'
import { botLink } from './links.ts'
import type { Upload } from './params.ts'
import type { Change, PressResult, SeenMessage } from './shown.ts'
import { seenMessage, type WaitOptions, waitForMessage, watch } from './watch.ts'
import { isManager, type Place, replyPart, type Stored } from './world.ts'

interface WriteOptions {
  /** Message id that is answered. */
  replyTo?: number | undefined
  /** Topic of a supergroup. */
  thread?: number | undefined
}

interface UploadOptions extends WriteOptions {
  caption?: string
}

/** The humans of the sandbox: what they do reaches the bot as updates, and what they see can be asked. */
export class People {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Writes a message; anyone unknown becomes a person with a private chat. Resolves at once. */
  text(userId: number, chatId: number, text: string, options: WriteOptions = {}): Message {
    const content = formatted(this.#api.world, { text, entities: [] })
    if (content.text === '') throw new PeopleError('a message needs text')
    return this.#write(userId, chatId, options, textPart(content))
  }

  /** Sends a picture; it must be one that Telegram takes for a photo. */
  async photo(
    userId: number,
    chatId: number,
    upload: Upload,
    options: UploadOptions = {},
  ): Promise<Message> {
    const photo = photoSizes(await this.#api.files.photo(upload))
    return this.#write(userId, chatId, options, { photo, ...this.#caption(options) })
  }

  document(userId: number, chatId: number, upload: Upload, options: UploadOptions = {}): Message {
    const document = documentPart(this.#api.files.add(upload, 'documents'))
    return this.#write(userId, chatId, options, { document, ...this.#caption(options) })
  }

  /** Opens a link to the bot and presses Start; what the link carries reaches the bot behind /start. */
  open(userId: number, url: string): Message {
    const { username } = this.#api.world.bot
    const link = botLink(url, username)
    if (link?.opens !== 'private') throw new PeopleError(`${url} does not lead to @${username}`)
    const { parameter } = link
    return this.text(userId, userId, parameter === '' ? '/start' : `/start ${parameter}`)
  }

  /** Opens a link that adds the bot to a group or channel, and chooses this one. */
  add(userId: number, chatId: number, url: string): void {
    const { world } = this.#api
    const place = this.#place(chatId)
    const link = botLink(url, world.bot.username)
    const kind = place.chat.type === 'supergroup' ? 'group' : place.chat.type
    if (link === undefined || link.opens === 'private' || link.opens !== kind)
      throw new PeopleError('the link adds the bot to another kind of chat')
    if (!isManager(place.roles.get(userId)))
      throw new PeopleError('only administrators add a bot here')
    if (['member', 'administrator'].includes(world.botRole(place)))
      throw new PeopleError('the bot is in this chat already')
    setBotRole(this.#api, place, link.asAdministrator ? 'administrator' : 'member', userId)
  }

  /** Presses an inline button; a callback button resolves when the bot answers, or as 'no answer'. */
  press(
    userId: number,
    chatId: number,
    messageId: number,
    target: PressTarget,
    timeoutMs?: number,
  ): Promise<PressResult> {
    const user = personOf(this.#api, userId)
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
    where: { chatId?: number } = {},
  ): Promise<InlineAnswer | undefined> {
    const user = personOf(this.#api, userId)
    const type = this.#place(where.chatId ?? userId).chat.type
    return askInline(this.#api, { from: user, query, offset }, type)
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

  /** Lets many people write at once and waits until the bot has answered every one; rejects on time-out. */
  flood(options: FloodOptions): Promise<number[]> {
    return flood(this.#api, this, options)
  }

  /** Tells of everything that people would see happen; returns how to stop listening. */
  on(_event: 'change', listener: (change: Change) => void): () => void {
    return watch(this.#api.world, listener)
  }

  #caption({ caption = '' }: UploadOptions): Partial<Message> {
    return captionPart(formatted(this.#api.world, { text: caption, entities: [] }))
  }

  #place(chatId: number): Place {
    return placeOf(this.#api, chatId)
  }

  #writer(userId: number, chatId: number): { place: Place; user: User } {
    const { world } = this.#api
    if (userId === chatId) world.guest(userId)
    const place = this.#place(chatId)
    const user = personOf(this.#api, userId)
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
    const topic = topicPart(place, thread ?? replied?.message_thread_id)
    place.started = true
    return this.#post(place, user, {
      ...topic,
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

function topicPart(
  { topics }: Place,
  thread: number | undefined,
): Pick<Message, 'message_thread_id' | 'is_topic_message'> {
  if (thread === undefined) return {}
  if (!topics.has(thread)) throw new PeopleError('no such topic')
  return { message_thread_id: thread, is_topic_message: true }
}

/** Posts are in the channel's name, and what an anonymous administrator says in the group's. */
function senderOf(
  { chat, standings, roles }: Place,
  user: User,
): Pick<Message, 'from' | 'sender_chat'> {
  if (chat.type === 'channel') return { sender_chat: chat }
  const role = roles.get(user.id)
  if (chat.type !== 'supergroup' || !isManager(role) || !standings.get(user.id)?.anonymous)
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
  if ('callback_data' in button) return callBack(api, user, pressed, button.callback_data)
  if ('copy_text' in button) {
    return Promise.resolve({ kind: 'copied', text: button.copy_text.text })
  }
  if ('switch_inline_query' in button) {
    return Promise.resolve({ kind: 'inline', query: button.switch_inline_query })
  }
  return Promise.resolve({ kind: 'link', url: 'url' in button ? button.url : '' })
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

/** Which result was picked, from the answer to what, and for which topic of a supergroup. */
interface ChosenResult {
  query: string
  result: InlineResult
  thread?: number | undefined
}

/** Asks the bot's inline mode, or serves the answer that Telegram still has in its cache. */
function askInline(
  api: Api,
  question: InlineQuestion,
  chatType: Chat['type'],
): Promise<InlineAnswer | undefined> {
  const known = api.inlineCache.get(question)
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    const id = api.inlineQueries.open(question, inlinePatience, resolve)
    api.queue.push({
      inline_query: {
        id,
        ...question,
        chat_type: chatType === 'private' ? 'sender' : chatType,
      },
    })
  })
}

/** Sends the picked result as the person's message; the bot gets `chosen_inline_result`. */
function chooseResult(
  api: Api,
  place: Place,
  from: User,
  { query, result, thread }: ChosenResult,
): Message {
  const { world, queue } = api
  const inlineId = randomBytes(18).toString('base64url')
  const message: Message = {
    message_id: world.nextId(place),
    ...(place.chat.type === 'channel' ? { sender_chat: place.chat } : { from }),
    chat: place.chat,
    date: world.date,
    ...topicPart(place, thread),
    via_bot: world.bot,
    ...textPart(result.content, result.preview),
    ...(result.keyboard ? { reply_markup: result.keyboard } : {}),
  }
  place.started = true
  world.store(place, { message, byBot: false, inlineId })
  queue.push({
    chosen_inline_result: {
      result_id: result.id,
      from,
      query,
      // Telegram names the message only where it has a keyboard, since only then the bot may edit it.
      ...(result.keyboard ? { inline_message_id: inlineId } : {}),
    },
  })
  if (botSees(world, place, message)) queue.push(messageNews(message))
  return message
}

interface FloodOptions {
  /** How many people write, each once in their own private chat. */
  count: number
  /** What they write: all the same, or each their own. */
  text: string | ((index: number) => string)
  /** Telegram id of the first; the others follow. Floods with the same ids use the same chats. */
  firstUserId?: number
  /** Gives up waiting after this long. */
  timeoutMs?: number
}

/** For each person in order, milliseconds from their message to the first thing that the bot sent or edited there. */
function flood(api: Api, people: People, options: FloodOptions): Promise<number[]> {
  const { text, firstUserId: first = 1_000_000 } = options
  const waiting = new Map<number, number>()
  const latencies = new Array<number>(options.count).fill(0)
  const { promise, resolve, reject } = Promise.withResolvers<number[]>()
  const answered = (place: Place, stored: Stored): void => {
    const sent = stored.byBot ? waiting.get(place.chat.id) : undefined
    if (sent === undefined) return
    waiting.delete(place.chat.id)
    latencies[place.chat.id - first] = performance.now() - sent
    if (waiting.size === 0) end(() => resolve(latencies))
  }
  const end = (then: () => void): void => {
    clearTimeout(timer)
    api.world.events.off('stored', answered)
    api.world.events.off('edited', answered)
    then()
  }
  const timer = setTimeout(() => {
    const missing = waiting.size
    end(() => reject(new Error(`${missing} of ${options.count} people got no answer`)))
  }, options.timeoutMs ?? 60_000)
  api.world.events.on('stored', answered)
  api.world.events.on('edited', answered)
  for (let index = 0; index < options.count; index++) {
    waiting.set(first + index, performance.now())
    api.world.guest(first + index, index)
    people.text(first + index, first + index, typeof text === 'string' ? text : text(index))
  }
  return promise
}
