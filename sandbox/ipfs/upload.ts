import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'

export interface UploadedFile {
  field: string
  name: string
  type: string
  bytes: Buffer
}

export interface Upload {
  fields: Readonly<Record<string, string>>
  files: readonly UploadedFile[]
}

/** The parts of a multipart request; undefined where it is not one, or is cut off. */
export async function readUpload(request: Request): Promise<Upload | undefined> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/iu.test(type) || !request.body) return undefined
  const fields: Record<string, string> = {}
  const files: UploadedFile[] = []
  try {
    const parser = busboy({ headers: { 'content-type': type } })
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.on('file', (field, content, { filename, mimeType }) => {
      const chunks: Buffer[] = []
      content.on('data', (chunk: Buffer) => chunks.push(chunk))
      content.on('error', () => undefined)
      content.on('end', () =>
        files.push({ field, name: filename ?? '', type: mimeType, bytes: Buffer.concat(chunks) }),
      )
    })
    await pipeline(Readable.from(request.body), parser)
  } catch {
    return undefined
  }
  return { fields, files }
}
