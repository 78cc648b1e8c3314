import type { IncomingMessage } from 'node:http'
import busboy from 'busboy'
import type { Upload } from '../check/message.ts'
import { invalidForm, invalidJson, tooLarge } from '../refusal.ts'

/** A request's JSON and the files beside it. */
export interface Body {
  json: unknown
  files: Upload[]
}

const maxBytes = 25 * 1024 * 1024
const maxFileBytes = 10 * 1024 * 1024

/** Reads a whole request as Discord takes it: JSON, or multipart with `payload_json` and `files[n]`. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return readMultipart(request)
  const text = await readText(request)
  if (text === '') return { json: undefined, files: [] }
  if (!type.startsWith('application/json'))
    throw invalidForm([
      {
        path: '',
        code: 'CONTENT_TYPE_INVALID',
        message: `Expected "Content-Type" header to be one of {'application/json'}.`,
      },
    ])
  return { json: parse(text), files: [] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > maxBytes) reject(tooLarge())
      else resolve(chunks.length === 1 ? String(chunks[0]) : String(Buffer.concat(chunks)))
    })
    request.on('error', reject)
  })
}

function readMultipart(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: request.headers, limits: { fileSize: maxFileBytes } })
    const files: Upload[] = []
    let json: unknown
    let fault: unknown
    parser.on('field', (name, value) => {
      if (name !== 'payload_json') return
      try {
        json = parse(value)
      } catch (cause) {
        fault = cause
      }
    })
    parser.on('file', (field, stream, info) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('limit', () => {
        fault = tooLarge()
      })
      stream.on('end', () =>
        files.push({
          index: Number(/^files\[(\d+)\]$/.exec(field)?.[1] ?? files.length),
          name: info.filename ?? '',
          contentType: info.mimeType,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    parser.on('error', reject)
    parser.on('close', () => (fault === undefined ? resolve({ json, files }) : reject(fault)))
    request.pipe(parser)
  })
}
