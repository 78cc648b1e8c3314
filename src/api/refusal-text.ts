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
    // What came until then is told.
  }
  return withoutKey(Buffer.concat(chunks).toString('utf8'), key).slice(0, maxCharacters)
}

// Also as JSON or a URL would write it.
function withoutKey(text: string, key: string): string {
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]
  return forms.reduce((rest, form) => (form === '' ? rest : rest.replaceAll(form, '[key]')), text)
}
