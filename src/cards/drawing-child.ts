import sharp from 'sharp'
import { Drawer } from './draw.ts'
import type { Drawing, Drawn } from './drawing-process.ts'

// Disable libvips's cache: no image is read twice.
sharp.cache(false)
sharp.concurrency(1)

const drawer = new Drawer()

process.on('message', async (drawing: Drawing) => {
  const answer = await drawn(drawing)
  // The parent may have exited in the meantime.
  if (process.connected) process.send?.(answer, undefined, undefined, () => {})
})
process.on('disconnect', () => process.exit())
// Signals to the process group are for the parent, which ends this process when it is done.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

async function drawn({ id, facts, image }: Drawing): Promise<Drawn> {
  try {
    return { id, bytes: await drawer.jpeg(facts, image) }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
