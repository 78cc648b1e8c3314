/** What the Discord app itself would not let a person do: nothing reaches the bot. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal'
}

/** The bot did not answer in 3 s; the message is what Discord shows. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}
