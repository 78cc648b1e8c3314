import type { Context } from 'hono'
import { type Fault, misbehave } from '../faults.ts'
import { type Env, LocalServer, readForm } from '../http.ts'

/** A file that a service took. */
export interface Pin {
  cid: string
  name: string
  type: string
  bytes: Buffer
  /** Where the service tells: whether all the world can have it. */
  network?: 'public' | 'private'
}

/** A service may also name another CID than the file's, or give what stands under another. */
export type IpfsFault = Fault | { kind: 'lying'; cid: string }

export abstract class IpfsServer extends LocalServer {
  /** The fault in force, until it is taken away. */
  fault: IpfsFault | undefined

  /** Goes wrong as the fault says; nothing if the right answer, or a lie, is due. */
  protected async misbehave(
    { env }: Context<Env>,
    bodyOf: (status: number) => string,
  ): Promise<Response | undefined> {
    if (this.fault === undefined || this.fault.kind === 'lying') return undefined
    return misbehave(this.fault, env.outgoing, this.stopped, bodyOf)
  }
}

/** The form that came; undefined if it is none, or is cut off. */
export const uploadOf = ({ req }: Context<Env>) =>
  req
    .arrayBuffer()
    .then((body) => readForm(new Uint8Array(body), req.header('content-type') ?? ''))
    .catch(() => undefined)
