/** The latest items, oldest first; older ones are dropped so that a long run does not grow. */
export class Recent<Item> {
  readonly #limit: number
  #items: Item[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(item: Item): void {
    this.#items.push(item)
    if (this.#items.length >= this.#limit * 2) this.#items = this.#items.slice(-this.#limit)
  }

  get all(): readonly Item[] {
    return this.#items.slice(-this.#limit)
  }
}

/** What the bot got through, counted for as long as a stand-in runs: messages are forgotten, these are not. */
export class Tally<Chat extends string | number> {
  /** New messages of the bot by chat. */
  readonly sent = new Map<Chat, number>()
  /** All of them. */
  total = 0
  /** Messages that came again under their nonce; Discord alone has such. */
  repeated = 0
  /** Calls that were answered with a 429. */
  refused = 0

  countSent(chat: Chat): void {
    this.sent.set(chat, this.in(chat) + 1)
    this.total += 1
  }

  /** How many messages of the bot a chat got. */
  in(chat: Chat): number {
    return this.sent.get(chat) ?? 0
  }
}
