import type { RawFile } from 'discord.js'
import type { IncomingFile } from '../core/conversation.ts'
import type { Attachment, View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { SentFile } from './incoming.ts'
import type { Transport } from './transport.ts'

/** Upload limit of a server without boosts: https://docs.discord.com/developers/reference */
const maxBytesOfFile = 10 * 1024 * 1024
const maxFiles = 10
const maxName = 100

/** A file of a view, with the name by which the message refers to it. */
export interface NamedFile extends Attachment {
  /** Sanitized as Discord would do, and unique among the files. */
  name: string
}

/** The files of a view, its picture first. @throws Error if there are more or larger files than Discord accepts */
export function filesOf(view: View): NamedFile[] {
  const files = [...(view.picture ? [view.picture] : []), ...(view.files ?? [])]
  if (files.length > maxFiles) {
    throw new Error(`A message has ${files.length} files; Discord takes ${maxFiles}.`)
  }
  const taken = new Set<string>()
  return files.map((file) => {
    if (file.bytes.byteLength > maxBytesOfFile) {
      throw new Error(`${file.name} has ${file.bytes.byteLength} bytes; Discord takes 10 MiB.`)
    }
    const name = uniqueName(plainName(file.name), taken)
    taken.add(name)
    return { ...file, name }
  })
}

function plainName(name: string): string {
  return name.replaceAll(/[^\w.-]+/gu, '_').slice(-maxName) || 'file'
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let unique = name
  for (let count = 2; taken.has(unique); count += 1) unique = `${count}-${name}`
  return unique
}

export function uploads(view: View): RawFile[] {
  return filesOf(view).map(({ name, type, bytes }) => ({
    name,
    data: bytes,
    contentType: type,
  }))
}

const cdnOrigins = ['https://cdn.discordapp.com', 'https://media.discordapp.net']
const discord = 'https://discord.com'

/** Files that people sent; they are read only from Discord's own CDN. */
export function incomingFiles(
  sent: Iterable<SentFile>,
  apiRoot: string,
  transport: Transport,
): IncomingFile[] {
  const { origin } = new URL(apiRoot)
  // A stand-in for Discord, such as the sandbox, serves the files too.
  const trusted = origin === discord ? cdnOrigins : [...cdnOrigins, origin]
  return Array.from(sent, ({ name, size, url }) => ({
    name,
    size,
    read: async (maxBytes) => {
      if (size > maxBytes) throw tooLarge(maxBytes)
      if (!URL.canParse(url) || !trusted.includes(new URL(url).origin)) throw unavailable()
      const bytes = await transport.download(url, maxBytes).catch((cause) => {
        throw unavailable(cause)
      })
      if (bytes === undefined) throw tooLarge(maxBytes)
      return bytes
    },
  }))
}

function tooLarge(maxBytes: number): UserError {
  const kib = Math.floor(maxBytes / 1024)
  const shown = kib < 1024 ? `${kib} KiB` : `${Math.floor(kib / 1024)} MiB`
  return new UserError(`That file is too large. Send one of at most ${shown}.`)
}

function unavailable(cause?: unknown): UserError {
  return new UserError('Discord did not hand over that file. Send it again.', { cause })
}
