import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port that is free at this moment: for what has to know its own address before it listens, or where nothing may answer. It lies
 * below those that Linux gives by itself (32768 and up), or another server or connection could get it before it is used.
 */
export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < 50; attempts += 1) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    // All addresses of the machine, as the bot does by default.
    server.listen(port)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
