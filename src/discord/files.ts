import { randomUUID } from 'node:crypto'
import type { RequestData } from '@discordjs/rest'
import type { Attachment, LocalisedView } from '../core/view.ts'

/** Upload limit of a server without boosts: https://docs.discord.com/developers/reference */
const maxBytesOfFile = 10 * 1024 * 1024
const maxFiles = 10
const maxName = 100

const mimeType = /^[\w.+-]+\/[\w.+;= -]+$/u
const lineEnd = Buffer.from('\r\n')

/** A file of a view, with the name by which the message refers to it. */
export interface NamedFile extends Attachment {
  /** Sanitized as Discord would do, and unique among the files. */
  name: string
}

/** The files of a view, its picture first. @throws Error if there are more or larger files than Discord accepts */
export function filesOf(view: LocalisedView): NamedFile[] {
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

/**
 * Makes the request options of @discordjs/rest for a message: JSON, or a form if it has files. Its own form holds each file four
 * times, so that alerts with pictures have V8 collect all garbage every two seconds.
 * @param files of `filesOf`, whose names are safe in a header
 * @throws TypeError if a file's type is no MIME type
 */
export function messageRequest(
  body: object,
  files: readonly NamedFile[],
): Pick<RequestData, 'body' | 'headers' | 'passThroughBody'> {
  if (files.length === 0) return { body }
  const boundary = `gavel-${randomUUID()}`
  const partHead = (disposition: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`
  const json = `${partHead('name="payload_json"', 'application/json')}${JSON.stringify(body)}\r\n`
  const chunks: Uint8Array[] = [Buffer.from(json)]
  for (const [index, { name, type, bytes }] of files.entries()) {
    if (!mimeType.test(type)) throw new TypeError(`${name} has no MIME type: ${type}`)
    const head = partHead(`name="files[${index}]"; filename="${name}"`, type)
    chunks.push(Buffer.from(head), bytes, lineEnd)
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  // Not a stream: a call that Discord did not begin, as its end of the connection closes, is repeated only with bytes.
  return { body: Buffer.concat(chunks), headers, passThroughBody: true }
}
