import type {
  Change,
  ConsoleState,
  InlineList,
  PressResult,
  SeenMessage,
} from '../../telegram/shown.ts'

interface Where {
  person: number
  chat: number
}

/** What each action of the console takes and gives; the server checks it again. */
interface Actions {
  text: [Where & { text: string; replyTo?: number; thread?: number }, unknown]
  press: [Where & { message: number; row: number; column: number }, PressResult]
  inline: [Where & { query: string; offset: string }, InlineList]
  choose: [Where & { answer: string; result: string }, unknown]
  share: [Where & { request: number }, unknown]
  block: [{ person: number; blocked: boolean }, unknown]
  upload: [
    Where & { name: string; type: string; data: string; asPhoto: boolean; caption: string },
    unknown,
  ]
}

/** The page's way to the console's server; every call rejects with a sentence for the person. */
export class TelegramClient {
  readonly base: string

  constructor(base: string) {
    this.base = base
  }

  state(): Promise<ConsoleState> {
    return this.#get<ConsoleState>('/state')
  }

  messages(chat: number): Promise<SeenMessage[]> {
    return this.#get<SeenMessage[]>(`/messages?chat=${chat}`)
  }

  async do<Name extends keyof Actions>(
    name: Name,
    body: Actions[Name][0],
  ): Promise<Actions[Name][1]> {
    const response = await fetch(`${this.base}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return this.#read(response)
  }

  /** Listens to changes; `opened` is called at first and after each reconnection, when news may have been missed. */
  follow(opened: () => void, changed: (change: Change) => void): void {
    const events = new EventSource(`${this.base}/events`)
    events.addEventListener('open', opened)
    events.addEventListener('message', ({ data }) => changed(JSON.parse(data)))
  }

  async #get<Result>(path: string): Promise<Result> {
    return this.#read(await fetch(this.base + path))
  }

  async #read<Result>(response: Response): Promise<Result> {
    const body = await response.json().catch(() => ({ message: 'the sandbox gave no answer' }))
    if (!response.ok) throw new Error(String(body.message ?? response.statusText))
    return body
  }
}
