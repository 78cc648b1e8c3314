import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Env } from '../http.ts'
import { Recent } from '../traffic.ts'
import { fileCid } from './cid.ts'
import { IpfsServer, type Pin, uploadOf } from './server.ts'

const errorBody = (status: number, message: string) =>
  JSON.stringify({ error: { code: status, message } })

/**
 * A strict stand-in for the upload half of Pinata's v3 files API (docs.pinata.cloud): it always gives CIDs of
 * version 1, and keeps a file private unless `network` says otherwise.
 */
export class PinataServer extends IpfsServer {
  /** Uploads that were asked for, also those that went wrong. */
  added = 0
  readonly #pins = new Recent<Pin>(500)
  /** What requests must carry as a bearer token. */
  readonly #jwt: string

  private constructor(jwt: string) {
    super()
    this.#jwt = jwt
  }

  static start({ jwt }: { jwt: string }): Promise<PinataServer> {
    return new PinataServer(jwt).listen()
  }

  /** What it keeps, oldest first. */
  get pinned(): readonly Pin[] {
    return this.#pins.all
  }

  protected override app(): Hono<Env> {
    const app = new Hono<Env>()
    app.post('/v3/files', (context) => this.#add(context))
    app.all('/v3/files', () => refused(405, 'Method Not Allowed'))
    app.notFound(() => refused(404, 'Not Found'))
    return app
  }

  async #add(context: Context<Env>): Promise<Response> {
    this.added += 1
    const { fault } = this
    const describe = (status: number) => errorBody(status, 'Sandbox')
    const wrong = await this.misbehave(context, describe)
    if (wrong) return wrong
    if (context.req.header('authorization') !== `Bearer ${this.#jwt}`) {
      return refused(401, 'Not Authorized')
    }
    const upload = await uploadOf(context)
    if (!upload) return refused(400, 'Content-Type must be multipart/form-data')
    const { network = 'private' } = upload.fields
    if (network !== 'public' && network !== 'private') return refused(400, 'Invalid network')
    const [file, ...others] = upload.files.filter(({ field }) => field === 'file')
    if (!file || others.length > 0) return refused(400, 'Exactly one file is needed')
    const { name, type, bytes } = file
    const { cid } = fileCid(bytes, { cidVersion: 1, rawLeaves: true })
    this.#pins.add({ cid, name, type, bytes, network })
    const data = {
      id: randomUUID(),
      name: upload.fields.name ?? name,
      cid: fault?.kind === 'lying' ? fault.cid : cid,
      size: bytes.length,
      number_of_files: 1,
      mime_type: type,
      group_id: null,
      keyvalues: {},
      vectorized: false,
      network,
      created_at: new Date().toISOString(),
    }
    return Response.json({ data })
  }
}

function refused(status: number, message: string): Response {
  return new Response(errorBody(status, message), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
