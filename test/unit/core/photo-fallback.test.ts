import { describe, expect, test } from 'vitest'
import { PhotoFallback, type PhotoRefusal } from '../../../src/core/adapter.ts'

const picture = { key: 'card', name: 'card.png', type: 'image/png', bytes: Buffer.from('card') }

/** Places in which pictures, or all messages, are refused for a reason; `tried` says what was shown where. */
function places() {
  const clock = { now: 1 }
  const photoFallback = new PhotoFallback(
    (error) => (error instanceof Refused ? error.says : undefined),
    () => clock.now,
  )
  const tried: string[] = []
  const refused = { pictures: new Map<string, PhotoRefusal>(), words: new Set<string>() }
  const show = (place: string, card: typeof picture | undefined = picture) =>
    photoFallback.show(place, card, async (shown) => {
      tried.push(`${place} ${shown ? 'picture' : 'words'}`)
      if (shown && refused.pictures.has(place)) throw new Refused(refused.pictures.get(place))
      if (refused.words.has(place)) throw new Refused('chat')
      return shown
    })
  return { clock, tried, refused, show }
}

class Refused extends Error {
  readonly says: PhotoRefusal
  constructor(says: PhotoRefusal) {
    super('refused')
    this.says = says
  }
}

describe('a message with a picture', () => {
  test('goes without it if the chat takes none: after the first, at once', async () => {
    const { show, tried, refused } = places()
    refused.pictures.set('a', 'chat')
    for (const place of ['a', 'a', 'b']) await show(place)
    expect(tried).toEqual(['a picture', 'a words', 'a words', 'b picture'])
  })

  test('is tried with it again an hour later, as photos may be allowed by then', async () => {
    const { show, tried, refused, clock } = places()
    refused.pictures.set('a', 'chat')
    await show('a')
    clock.now += 59 * 60_000
    await show('a')
    refused.pictures.clear()
    clock.now += 2 * 60_000
    expect(await show('a')).toBe(picture)
    expect(tried).toEqual(['a picture', 'a words', 'a words', 'a picture'])
  })

  test('goes without one that the platform can’t read, which says nothing about the chat', async () => {
    const { show, tried, refused } = places()
    refused.pictures.set('a', 'picture')
    await show('a')
    refused.pictures.clear()
    await show('a')
    expect(tried).toEqual(['a picture', 'a words', 'a picture'])
  })

  test('that is refused without it, too, says nothing about pictures', async () => {
    const { show, tried, refused } = places()
    refused.words.add('a')
    await expect(show('a')).rejects.toThrow('refused')
    refused.words.clear()
    expect(await show('a')).toBe(picture)
    expect(tried).toEqual(['a picture', 'a words', 'a picture'])
  })

  test('that fails for another reason is not tried without it', async () => {
    const { show, tried, refused } = places()
    refused.pictures.set('a', undefined)
    await expect(show('a')).rejects.toThrow('refused')
    expect(tried).toEqual(['a picture'])
  })
})
