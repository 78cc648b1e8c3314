import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { InteractionResponseType, InteractionType } from 'discord.js'
import { z } from 'zod'
import { bodyOf } from '../chat/body.ts'
import { type Interaction, readInteraction } from './incoming.ts'

/** More than Discord sends: a form of five texts and the message that it stands in, all filled to their limits. */
const mostBytes = 128 * 1024
/** By so many seconds may the bot's clock be wrong; what was recorded can't be sent again after that. */
const longestAgo = 300
const ping = z.object({ type: z.literal(InteractionType.Ping) })

/** What DER puts before the 32 bytes of an Ed25519 key (RFC 8410). */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** An application's key, from the hexadecimal digits of its 32 bytes. @throws Error where it is none */
export function verifyKey(hex: string): KeyObject {
  const der = Buffer.concat([keyPrefix, Buffer.from(hex, 'hex')])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

export interface CalledParts {
  key: KeyObject
  /** Unix seconds. */
  now: () => number
  /** It answers over the REST interface; who calls does not wait for it. */
  onInteraction: (interaction: Interaction) => void
}

/**
 * Takes Discord's calls. Each is answered at once, with no content: the answer that people see goes over the REST
 * interface as it does with the gateway, which Discord allows ("respond with a 202, then make an API call").
 */
export async function answerCall(
  { key, now, onInteraction }: CalledParts,
  request: Request,
): Promise<Response> {
  const timestamp = request.headers.get('x-signature-timestamp') ?? ''
  const signature = request.headers.get('x-signature-ed25519') ?? ''
  // Discord looks from time to time whether what is not its own is refused, with this status. Of what can't be its own
  // nothing is read.
  if (!maySign(timestamp, signature)) return refused('not Discord', 401)
  if (Math.abs(now() - Number(timestamp)) > longestAgo) return refused('not from now', 401)
  const body = await bodyOf(request, mostBytes)
  if (body === undefined) return refused('too large', 413)
  if (!isSigned(key, timestamp, signature, body)) return refused('not Discord', 401)
  const payload = parsed(body)
  if (ping.safeParse(payload).success) return Response.json({ type: InteractionResponseType.Pong })
  const interaction = readInteraction(payload)
  if (!interaction) return refused('nothing known', 400)
  onInteraction(interaction)
  return new Response(null, { status: 202 })
}

function maySign(timestamp: string, signature: string): boolean {
  return /^\d{1,12}$/u.test(timestamp) && /^[\da-f]{128}$/iu.test(signature)
}

/** Over the bytes as they are: what is signed is not what they mean. */
function isSigned(key: KeyObject, timestamp: string, signature: string, body: Buffer): boolean {
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  return verify(null, signed, key, Buffer.from(signature, 'hex'))
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function refused(error: string, status: number): Response {
  return Response.json({ error }, { status })
}
