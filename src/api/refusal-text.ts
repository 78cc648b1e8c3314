import type { Readable } from 'node:stream'

/** Characters of a refusal that anybody is told. */
const maxCharacters = 500
/** Bytes that are read for them: some pages of an error say little at their beginning. */
const maxBytes = 16_384

/**
 * The beginning of what a refusal says, without the key, should the interface repeat it. Strangers wrote it: what shows
 * it takes out control characters. Empty if the body broke off before a word.
 */
export async function refusalText(body: Readable, key: string): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(Buffer.from(chunk))
      length += chunks.at(-1)?.length ?? 0
      if (length >= maxBytes) break
    }
  } catch {
    // The connection broke: the part that came is still of use.
  }
  return withoutKey(Buffer.concat(chunks).toString('utf8'), key).slice(0, maxCharacters)
}

/**
 * Replaces the key in a text that an interface sent, in whatever case, and also if it stands there as JSON, a URL or base64
 * would write it.
 */
export function withoutKey(text: string, key: string): string {
  if (key === '') return text
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]
  const pattern = forms.map((form) => [...form].map(anyForm).join('')).join('|')
  return text.replaceAll(new RegExp(pattern, 'giu'), '[key]')
}

/** A pattern for a character as it is, or as JSON may escape it. */
function anyForm(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
  const escaped = '"\\/'.includes(character) ? `|\\\\${plain}` : ''
  return `(?:${plain}${escaped}|\\\\u${code})`
}
