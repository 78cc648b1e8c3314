import { type Entity, inOrder } from './entity.ts'
import { findLinks } from './urls.ts'

// The character classes and lengths are those of tdlib's MessageEntity.cpp.
const word = String.raw`\p{L}\p{N}_`
const tag = String.raw`\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff`

const mention = new RegExp(`(?<![${word}])@([A-Za-z0-9_]{2,32})(?![${word}])`, 'gu')
const command = new RegExp(
  `(?<![${word}/<>])/[A-Za-z0-9_]{1,64}(@[A-Za-z0-9_]*)?(?![${word}/<>])`,
  'gu',
)
const hashtag = new RegExp(`(?<![${tag}])#([${tag}]+)(#?)`, 'gu')
const cashtag = new RegExp(String.raw`(?<![$${tag}])\$(?:1INCH|[A-Z]{1,8})(?![$${tag}])`, 'gu')
const telegramLink =
  /(?<scheme>tg|ton):\/\/[A-Za-z0-9_-]{1,253}(?:[/?#][^\n\p{Z}\u2000-\u200b\u200e\u200f\u2016-\u206f<>«»"]*)?/giu

const shortNames: ReadonlySet<string> = new Set(['gif', 'vid', 'pic'])

/**
 * Finds what Telegram turns into something to tap, in any text and whether the sender wants it or not:
 * links, e-mail addresses, mentions, hashtags, cashtags and bot commands; the first of two that overlap.
 */
export function detectEntities(text: string): Entity[] {
  const found: Entity[] = []
  if (text.includes('@')) addMentions(text, found)
  if (text.includes('/')) addCommands(text, found)
  if (text.includes('#')) addHashtags(text, found)
  if (text.includes('$'))
    for (const match of text.matchAll(cashtag)) add(found, 'cashtag', match.index, match[0].length)
  if (text.includes('://')) addTelegramLinks(text, found)
  for (const link of findLinks(text)) add(found, link.type, link.offset, link.length)
  return separate(found)
}

function add(found: Entity[], type: Entity['type'], offset: number, length: number): void {
  found.push({ type, offset, length })
}

function addMentions(text: string, found: Entity[]): void {
  for (const match of text.matchAll(mention)) {
    const name = match[1] ?? ''
    if (name.length >= 4 || shortNames.has(name.toLowerCase()))
      add(found, 'mention', match.index, match[0].length)
  }
}

function addCommands(text: string, found: Entity[]): void {
  for (const match of text.matchAll(command)) {
    const bot = match[1]
    if (bot === undefined || (bot.length >= 4 && bot.length <= 33))
      add(found, 'bot_command', match.index, match[0].length)
  }
}

function addHashtags(text: string, found: Entity[]): void {
  for (const match of text.matchAll(hashtag)) {
    const name = (match[1] ?? '').slice(0, 256)
    if (match[2] === '' && /\p{L}/u.test(name)) add(found, 'hashtag', match.index, name.length + 1)
  }
}

function addTelegramLinks(text: string, found: Entity[]): void {
  for (const match of text.matchAll(telegramLink)) {
    const link = match[0].replace(/[.:;,('?!`]+$/u, '')
    add(found, 'url', match.index, link.length)
  }
}

function separate(found: Entity[]): Entity[] {
  let covered = 0
  return found.sort(inOrder).filter((entity) => {
    if (entity.offset < covered) return false
    covered = entity.offset + entity.length
    return true
  })
}
