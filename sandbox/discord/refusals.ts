/** One field of a body that Discord would not take: dotted path, error code, message. */
export interface Fault {
  path: string
  code: string
  message: string
}

interface ErrorTree {
  [key: string]: ErrorTree | Pick<Fault, 'code' | 'message'>[]
}

/** A refused REST call: HTTP status plus Discord's JSON error code and message. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: number
  readonly #faults: readonly Fault[]

  constructor(status: number, code: number, message: string, faults: readonly Fault[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.#faults = faults
  }

  /** The body as Discord writes it, with the tree of `_errors` where fields were wrong. */
  body(): { message: string; code: number; errors?: ErrorTree } {
    const plain = { message: this.message, code: this.code }
    return this.#faults.length === 0 ? plain : { ...plain, errors: tree(this.#faults) }
  }
}

function tree(faults: readonly Fault[]): ErrorTree {
  const root: ErrorTree = {}
  for (const { path, code, message } of faults) {
    let leaf = root
    for (const key of path === '' ? [] : path.split('.')) {
      const known = leaf[key]
      const next: ErrorTree = known === undefined || Array.isArray(known) ? {} : known
      leaf[key] = next
      leaf = next
    }
    const errors = leaf._errors
    leaf._errors = [...(Array.isArray(errors) ? errors : []), { code, message }]
  }
  return root
}

// Statuses and codes: "Opcodes and Status Codes" of Discord's documentation.
export const unauthorized = () => new Refusal(401, 0, '401: Unauthorized')
export const notFound = () => new Refusal(404, 0, '404: Not Found')
export const methodNotAllowed = () => new Refusal(405, 0, '405: Method Not Allowed')
export const unknownChannel = () => new Refusal(404, 10003, 'Unknown Channel')
export const unknownGuild = () => new Refusal(404, 10004, 'Unknown Guild')
export const unknownMember = () => new Refusal(404, 10007, 'Unknown Member')
export const unknownMessage = () => new Refusal(404, 10008, 'Unknown Message')
export const unknownWebhook = () => new Refusal(404, 10015, 'Unknown Webhook')
export const notYourApplication = () =>
  new Refusal(403, 20012, 'You are not authorized to perform this action on this application')
export const unknownInteraction = () => new Refusal(404, 10062, 'Unknown interaction')
export const tooLarge = () => new Refusal(413, 40005, 'Request entity too large')
export const alreadyAcknowledged = () =>
  new Refusal(400, 40060, 'Interaction has already been acknowledged.')
export const missingAccess = () => new Refusal(403, 50001, 'Missing Access')
export const notTheAuthor = () =>
  new Refusal(403, 50005, 'Cannot edit a message authored by another user')
export const emptyMessage = () => new Refusal(400, 50006, 'Cannot send an empty message')
export const cannotSendToUser = () => new Refusal(403, 50007, 'Cannot send messages to this user')
export const notText = () => new Refusal(400, 50008, 'Cannot send messages in a non-text channel')
export const missingPermissions = () => new Refusal(403, 50013, 'Missing Permissions')
export const invalidWebhookToken = () => new Refusal(401, 50027, 'Invalid Webhook Token')
export const invalidForm = (faults: readonly Fault[]) =>
  new Refusal(400, 50035, 'Invalid Form Body', faults)
export const threadArchived = () =>
  new Refusal(400, 50083, 'Tried to perform an operation on an archived thread')
export const threadLocked = () => new Refusal(400, 160005, 'Thread is locked')
export const invalidApiVersion = () => new Refusal(400, 50041, 'Invalid API version')
export const invalidJson = () => new Refusal(400, 50109, 'The request body contains invalid JSON.')
