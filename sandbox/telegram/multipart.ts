import type { Upload } from './params.ts'
import { badRequest } from './refusal.ts'

export interface Multipart {
  values: Record<string, string>
  files: Map<string, Upload>
}

const headersEnd = Buffer.from('\r\n\r\n')

/**
 * Splits a multipart body. No library is used since grammY sends file names unquoted, blanks and all, which the
 * Bot API takes and strict parsers refuse.
 */
export function parseMultipart(body: Buffer, contentType: string): Multipart {
  const boundary = /boundary="?([^";]+)"?/iu.exec(contentType)?.[1]
  if (boundary === undefined) throw badRequest("can't find boundary in the multipart request")
  const result: Multipart = { values: {}, files: new Map() }
  const opening = Buffer.from(`--${boundary}`)
  const separator = Buffer.from(`\r\n--${boundary}`)
  let start = body.indexOf(opening)
  if (start < 0) throw badRequest("can't find the first part of the multipart request")
  start += opening.length
  // Two dashes after a boundary end the body.
  while (body.toString('latin1', start, start + 2) === '\r\n') {
    const end = body.indexOf(separator, start)
    if (end < 0) throw badRequest("can't find the end of a part of the multipart request")
    addPart(body.subarray(start + 2, end), result)
    start = end + separator.length
  }
  return result
}

function addPart(part: Buffer, { values, files }: Multipart): void {
  const split = part.indexOf(headersEnd)
  const head = part.toString('utf8', 0, Math.max(split, 0))
  const name = /\bname="([^"]*)"/iu.exec(head)?.[1]
  if (split < 0 || name === undefined)
    throw badRequest("can't parse a part of the multipart request")
  const content = part.subarray(split + headersEnd.length)
  const file = /\bfilename=(?:"([^"]*)"|([^;\r\n]*))/iu.exec(head)
  if (!file) {
    values[name] = content.toString('utf8')
    return
  }
  const type = /^content-type:\s*(\S+)/imu.exec(head)?.[1] ?? 'application/octet-stream'
  files.set(name, { name: file[1] ?? file[2] ?? '', type, bytes: Buffer.from(content) })
}
