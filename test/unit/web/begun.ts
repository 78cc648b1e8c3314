import { request } from 'node:http'

/** The status with which a POST is answered whose body begins and does not end. */
export async function statusOfBegun(url: string, headers: object): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const call = request(url, { method: 'POST', headers: { ...headers } })
  call.once('response', ({ statusCode }) => resolve(statusCode))
  call.on('error', reject)
  try {
    call.write('{')
    return await promise
  } finally {
    call.destroy()
  }
}
