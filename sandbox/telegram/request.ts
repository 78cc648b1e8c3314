import type { IncomingMessage } from 'node:http'
import { parseMultipart } from './multipart.ts'
import { type Fields, isFields, Params } from './params.ts'
import { badRequest, Refusal } from './refusal.ts'

const bodyLimit = 1 << 20
/** The Bot API takes uploads of up to 50 MB. */
const uploadLimit = 50 << 20

/** Reads the parameters of a call from the query and from a JSON, form or multipart body; throws a Refusal. */
export async function readParams(request: IncomingMessage, query: string): Promise<Params> {
  const fromQuery = query === '' ? {} : fromForm(query)
  if (request.method !== 'POST') return new Params(fromQuery)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) {
    const { values, files } = parseMultipart(await readBody(request, uploadLimit), type)
    return new Params({ ...fromQuery, ...values }, files)
  }
  const body = (await readBody(request, bodyLimit)).toString('utf8')
  if (body === '') return new Params(fromQuery)
  const sent = type.startsWith('application/json') ? fromJson(body) : fromForm(body)
  return new Params(query === '' ? sent : { ...fromQuery, ...sent })
}

const fromForm = (form: string): Record<string, unknown> =>
  Object.fromEntries(new URLSearchParams(form))

function fromJson(body: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw badRequest("can't parse request JSON object")
  }
  if (!isFields(value)) throw badRequest('object expected as request body')
  return value
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) reject(new Refusal(413, 'Request Entity Too Large'))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
