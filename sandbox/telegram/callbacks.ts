import { randomBytes } from 'node:crypto'
import type { InlineKeyboardMarkup, LinkPreviewOptions, User } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import { type Content, readPreview, readText } from './content.ts'
import { readMarkup } from './markup.ts'
import { asText, badRequest, isFields, Params } from './params.ts'
import { checkLink } from './tdlib.ts'
import type { World } from './world.ts'

/** How long Telegram waits for the bot's answer, in milliseconds; afterwards the query's id is worth nothing. */
export const callbackPatience = 15_000
export const inlinePatience = 30_000

const tooOld = (): Error =>
  badRequest('query is too old and response timeout expired or query ID is invalid')

interface Waiting<Question, Answer> {
  question: Question
  expires: number
  finish(answer: Answer | undefined): void
}

/** Queries that wait for the bot's one answer: button presses and inline queries. */
export class PendingQueries<Question, Answer> {
  readonly #waiting = new Map<string, Waiting<Question, Answer>>()
  readonly #now: () => number
  readonly #patience: number

  constructor(now: () => number, patience: number) {
    this.#now = now
    this.#patience = patience
  }

  /** Opens a query; `done` gets the answer, or undefined when none came within `timeoutMs`. */
  open(question: Question, timeoutMs: number, done: (answer: Answer | undefined) => void): string {
    const id = BigInt(`0x${randomBytes(7).toString('hex')}`).toString()
    const timer = setTimeout(() => done(undefined), timeoutMs)
    this.#waiting.set(id, {
      question,
      expires: this.#now() + this.#patience,
      finish: (answer) => {
        clearTimeout(timer)
        done(answer)
      },
    })
    this.#forgetExpired()
    return id
  }

  /** What was asked under the id; throws the 400 for an unknown, answered or expired one. */
  question(id: string): Question {
    return this.#find(id).question
  }

  answer(id: string, answer: Answer): void {
    const waiting = this.#find(id)
    this.#waiting.delete(id)
    waiting.finish(answer)
  }

  /** Ends every wait without an answer. */
  stop(): void {
    for (const waiting of this.#waiting.values()) waiting.finish(undefined)
    this.#waiting.clear()
  }

  #find(id: string): Waiting<Question, Answer> {
    const waiting = this.#waiting.get(id)
    if (!waiting || waiting.expires < this.#now()) throw tooOld()
    return waiting
  }

  #forgetExpired(): void {
    const now = this.#now()
    for (const [id, { expires }] of this.#waiting) {
      if (expires >= now) return
      this.#waiting.delete(id)
    }
  }
}

export interface InlineQuestion {
  from: User
  query: string
  offset: string
}

/** One result as a person sees it in the list, and the message that it sends. */
export interface InlineResult {
  id: string
  title: string
  description: string
  thumbnail: string
  content: Content
  preview: LinkPreviewOptions | undefined
  keyboard: InlineKeyboardMarkup | undefined
}

export interface InlineAnswer {
  results: InlineResult[]
  nextOffset: string
  button: { text: string; startParameter: string } | undefined
  /** Seconds. */
  cacheTime: number
  personal: boolean
}

const maxResults = 50
const anywhere = { isPrivate: false, inlineOnly: true }

/** Answers that Telegram serves again without asking the bot, for as long as `cache_time` said. */
export class InlineCache {
  readonly #answers: LRUCache<string, InlineAnswer>

  constructor(now: () => number) {
    this.#answers = new LRUCache({ max: 500, ttlResolution: 0, perf: { now } })
  }

  get({ from, query, offset }: InlineQuestion): InlineAnswer | undefined {
    const answerFor = (owner: string) => this.#answers.get(JSON.stringify([owner, query, offset]))
    return answerFor(String(from.id)) ?? answerFor('all')
  }

  set({ from, query, offset }: InlineQuestion, answer: InlineAnswer): void {
    if (answer.cacheTime <= 0) return
    const owner = answer.personal ? String(from.id) : 'all'
    const ttl = answer.cacheTime * 1000
    this.#answers.set(JSON.stringify([owner, query, offset]), answer, { ttl })
  }
}

/**
 * Checks the parameters of answerInlineQuery; throws the Bot API's 400, for all results if one is wrong, without saying which
 * (`Client::get_inline_query_results`, `InlineQueriesManager::answer_inline_query`, and what Telegram's servers add:
 * https://core.telegram.org/method/messages.setInlineBotResults).
 */
export function readInlineAnswer(world: World, params: Params): InlineAnswer {
  const list = params.object('results')
  if (!Array.isArray(list)) throw badRequest('expected an Array of inline query results')
  if (list.length > maxResults) throw badRequest('too many inline query results specified')
  const results = list.map((item: unknown) => readResult(world, item))
  if (new Set(results.map((result) => result.id)).size < results.length)
    throw badRequest('RESULT_ID_DUPLICATE')
  const nextOffset = params.text('next_offset')
  if (Buffer.byteLength(nextOffset) > 64) throw badRequest('NEXT_OFFSET_INVALID')
  return {
    results,
    nextOffset,
    button: readButton(params.object('button')),
    cacheTime: params.integer('cache_time') ?? 300,
    personal: params.flag('is_personal'),
  }
}

function readButton(value: unknown): InlineAnswer['button'] {
  if (value === undefined) return undefined
  const cannot = "can't parse inline query results button:"
  if (!isFields(value)) throw badRequest(`${cannot} InlineQueryResultsButton must be an Object`)
  if (!('text' in value)) throw badRequest(`${cannot} Can't find field "text"`)
  if (!('start_parameter' in value))
    throw badRequest(`${cannot} InlineQueryResultsButton must have exactly one optional field`)
  const text = asText(value.text)
  const startParameter = asText(value.start_parameter)
  if (startParameter === '') throw badRequest("can't use empty start_parameter")
  if (startParameter.length > 64) throw badRequest('too long start_parameter specified')
  if (!/^[A-Za-z0-9_-]+$/u.test(startParameter))
    throw badRequest('unallowed characters in start_parameter are used')
  return { text, startParameter }
}

function readResult(world: World, value: unknown): InlineResult {
  if (!isFields(value)) throw cannotParse('Inline query result must be an object')
  for (const field of ['type', 'id', 'title'])
    if (!(field in value)) throw cannotParse(`Can't find field "${field}"`)
  const id = asText(value.id)
  if (Buffer.byteLength(id) < 1 || Buffer.byteLength(id) > 64) throw badRequest('RESULT_ID_INVALID')
  const type = asText(value.type)
  if (type !== 'article')
    throw cannotParse(`Unallowed result type "${type}" (the sandbox knows articles only)`)
  const title = asText(value.title)
  if (title === '') throw badRequest('ARTICLE_TITLE_EMPTY')
  const content = value.input_message_content
  if (!isFields(content)) throw cannotParse('Can\'t find field "input_message_content"')
  return {
    id,
    title,
    description: asText(value.description),
    thumbnail: readAddress(value.thumbnail_url),
    content: readText(world, new Params(content), 'message_text'),
    preview: readPreview(content.link_preview_options),
    keyboard: readMarkup(value.reply_markup, anywhere).inline,
  }
}

const cannotParse = (why: string): Error => badRequest(`can't parse inline query result: ${why}`)

function readAddress(value: unknown): string {
  const url = asText(value)
  if (url === '') return ''
  const checked = checkLink(url)
  if (!checked.ok || !/^https?:/u.test(checked.url)) throw badRequest('WEBDOCUMENT_URL_INVALID')
  return checked.url
}
