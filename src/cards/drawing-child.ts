import sharp from 'sharp'
import { Drawer } from './draw.ts'
import type { Drawing, Drawn } from './drawing-process.ts'

// libvips keeps what it has read for when it is read again, which is never.
sharp.cache(false)
sharp.concurrency(1)

const drawer = new Drawer()

process.on('message', async (drawing: Drawing) => {
  const answer = await drawn(drawing)
  // The bot may be gone by now.
  if (process.connected) process.send?.(answer, undefined, undefined, () => {})
})
process.on('disconnect', () => process.exit())
// What is meant for the bot reaches its whole group; the bot ends this when it is done.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

async function drawn({ id, facts, image }: Drawing): Promise<Drawn> {
  try {
    return { id, bytes: await drawer.jpeg(facts, image) }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
