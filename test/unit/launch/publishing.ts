import { onTestFinished } from 'vitest'
import { KuboServer } from '../../../sandbox/ipfs/kubo.ts'
import { PinataServer } from '../../../sandbox/ipfs/pinata.ts'
import { type Picture, rawCid } from '../../../src/launch/image.ts'
import {
  IpfsError,
  kuboPublisher,
  type Publisher,
  pinataPublisher,
} from '../../../src/launch/ipfs.ts'

const jwt = 'eyJhbGciOi.secret-of-the-operator.sig'

export const otherCid = 'bafkreidvbhs33ighmljlvr7zbv2ywwzcmp5adtf4kqvlly67cy56bdtmve'

export async function made(content: Uint8Array): Promise<Picture> {
  const bytes = new Uint8Array(content)
  return { cid: await rawCid(bytes), type: 'image/webp', bytes }
}

export const picture = await made(Buffer.alloc(262_144, 'a whole block of a picture '))

/** What is opened in a test is closed after it. */
function opens<T extends { close?(): Promise<void>; stop?(): Promise<void> }>(part: T): T {
  onTestFinished(async () => {
    await part.close?.()
    await part.stop?.()
  })
  return part
}

/** Why the picture was not published; anything else than a IpfsError fails. */
export async function failure(publisher: Publisher): Promise<IpfsError> {
  try {
    await publisher.publish(picture)
  } catch (error) {
    if (error instanceof IpfsError) return error
    throw error
  }
  throw new Error('it was published')
}

interface Service {
  publisher(url: string, deadlineMs?: number): Publisher
  start(key?: string): Promise<KuboServer | PinataServer>
  /** An answer that names this CID. */
  answer(cid: string): string
}

export const services: Record<'kubo' | 'pinata', Service> = {
  kubo: {
    publisher: (url, deadlineMs = 5_000) => opens(kuboPublisher({ url, deadlineMs })),
    start: async () => opens(await KuboServer.start()),
    answer: (cid) => `{"Name":"x","Hash":"${cid}","Size":"3"}\n`,
  },
  pinata: {
    publisher: (apiRoot, deadlineMs = 5_000) =>
      opens(pinataPublisher({ jwt, apiRoot, deadlineMs })),
    start: async (key = jwt) => opens(await PinataServer.start({ jwt: key })),
    answer: (cid) => JSON.stringify({ data: { id: 'x', cid, size: 3 } }),
  },
}
