import sharp from 'sharp'
import type { LocalisedView, Picture } from '../../../src/core/view.ts'
import { viewOf } from '../core/scripted-bot.ts'

const drawn = new Map<string, Promise<Picture>>()

/** A picture of one colour, red or blue, under a key of its own. */
export function picture(key: string): Promise<Picture> {
  const colour = key === 'red' ? '#ff0000' : '#0000ff'
  const made = sharp({ create: { width: 600, height: 315, channels: 3, background: colour } })
    .png()
    .toBuffer()
    .then((bytes) => ({ key, name: 'card.png', type: 'image/png', bytes }))
  const known = drawn.get(key) ?? made
  drawn.set(key, known)
  return known
}

/** A view of these words with such a picture. */
export async function pictured(words: string, key = 'red'): Promise<LocalisedView> {
  return { ...viewOf(words), picture: await picture(key) }
}

/** A picture of one pixel. */
export const gif = {
  name: 'otter.gif',
  type: 'image/gif',
  bytes: Buffer.from('R0lGODlhAQABAIAAAExpcf8AACH5BAUAAAAALAAAAAABAAEAAAICTAEAOw==', 'base64'),
}
