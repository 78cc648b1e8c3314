import type { Attachment, RawFile } from 'discord.js'
import { fileTooBig, type IncomingFile } from '../core/conversation.ts'
import { type LocalisedView, t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { Transport } from './transport.ts'

/** Upload limit of a server without boosts: https://docs.discord.com/developers/reference */
const maxBytesOfFile = 10 * 1024 * 1024
const maxFiles = 10
const maxName = 100

/** A file of a view, as discord.js uploads it. */
export interface NamedFile extends RawFile {
  /** Sanitized as Discord would do, and unique among the files: the message refers to it. */
  name: string
  contentType: string
  data: Buffer
}

/** The files of a view, its picture first. @throws Error if there are more or larger files than Discord accepts */
export function filesOf(view: LocalisedView): NamedFile[] {
  const files = [...(view.picture ? [view.picture] : []), ...(view.files ?? [])]
  if (files.length > maxFiles) {
    throw new Error(`A message has ${files.length} files; Discord takes ${maxFiles}.`)
  }
  const taken = new Set<string>()
  return files.map(({ name: given, type: contentType, bytes }) => {
    if (bytes.byteLength > maxBytesOfFile) {
      throw new Error(`${given} has ${bytes.byteLength} bytes; Discord takes 10 MiB.`)
    }
    const name = uniqueName(plainName(given), taken)
    taken.add(name)
    return { name, contentType, data: Buffer.from(bytes) }
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

const cdnOrigins = ['https://cdn.discordapp.com', 'https://media.discordapp.net']
const discord = 'https://discord.com'

/** Files that people sent, to be read where they are of use. */
export type IncomingFiles = (
  sent: Iterable<Pick<Attachment, 'name' | 'size' | 'url'>>,
) => IncomingFile[]

/** Makes what reads files that people sent; only from Discord's own CDN. */
export function incomingFiles(apiRoot: string, transport: Transport): IncomingFiles {
  const { origin } = new URL(apiRoot)
  // A stand-in for Discord, such as the sandbox, serves the files too.
  const trusted = origin === discord ? cdnOrigins : [...cdnOrigins, origin]
  return (sent) =>
    Array.from(sent, ({ name, size, url }) => ({
      name,
      size,
      read: async (maxBytes) => {
        if (size > maxBytes) throw fileTooBig(maxBytes)
        if (!URL.canParse(url) || !trusted.includes(new URL(url).origin)) throw unavailable()
        const bytes = await transport.download(url, maxBytes).catch((cause) => {
          throw unavailable(cause)
        })
        if (bytes === undefined) throw fileTooBig(maxBytes)
        return bytes
      },
    }))
}

function unavailable(cause?: unknown): UserError {
  return new UserError(t('file-not-given', { platform: 'Discord' }), { cause })
}
