import unhomoglyph from 'unhomoglyph'

/** Small capitals by the letter they look like: Unicode lists only some of them as confusable. There is none of x. */
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ'].map((character, index) => [
    character,
    String.fromCodePoint(0x61 + index),
  ]),
)
/** Code points of A in the alphabets that NFKC does not normalize: in a disc, in a square, and regional indicators. */
const pictureAlphabets = [0x1f150, 0x1f170, 0x1f1e6]
const ascii = /^[\0-\x7f]*$/u
const visible = /[\p{L}\p{N}\p{M}]/u
const marks = /\p{M}/gu
/** UTF-16 units of a name that are examined: no more of it is shown. */
const maxLength = 256

/** Whether a text is all ASCII. */
export function isAscii(text: string): boolean {
  return ascii.test(text)
}

/**
 * The skeleton of a text (UTS 39): texts with the same skeleton look alike. Not for display: m becomes rn, and 0, 1 and
 * I become O, l and l. Case is preserved.
 */
export function skeleton(text: string): string {
  return plain(unhomoglyph(plain(text.normalize('NFKC'))))
}

/**
 * Keys of a text that is not all ASCII: it looks like another text, ignoring case, if they share a key. There are two
 * keys because a few letters look like one letter but are a variant of another by NFKC (ſ: f, s).
 */
export function looseKeys(text: string): string[] {
  const keys = [skeleton(text), skeleton(unhomoglyph(text))]
  return [...new Set(keys.map(looseKey))]
}

/** The key of a skeleton. Lower case with m for rn, since a skeleton has rn for m but keeps M. */
export function looseKey(key: string): string {
  return key.toLowerCase().replaceAll('rn', 'm')
}

/** Removes characters without a letter or digit: space, punctuation, emoji. */
export function lettersOf(text: string): string {
  return [...text.slice(0, maxLength)]
    .filter(
      (character) =>
        visible.test(skeleton(character) + unhomoglyph(character)) &&
        !/\p{Variation_Selector}/u.test(character),
    )
    .join('')
}

/** Removes accents and other marks from letters. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replaceAll(marks, '').normalize('NFC')
}

/** The ASCII letters that a text looks like, for a search; undefined if it is ASCII already or looks like none. */
export function asciiReading(text: string): string | undefined {
  if (isAscii(text)) return undefined
  const read = [...plain(text.normalize('NFKC'))].map(readCharacter).join('')
  return isAscii(read) && visible.test(read) ? read : undefined
}

function readCharacter(character: string): string {
  if (isAscii(character)) return character
  const read = plain(unhomoglyph(character))
  // I and l have the same skeleton: keep an upper-case letter upper case.
  return read === 'l' && /\p{Lu}/u.test(character) ? 'I' : read
}

/** Replaces small capitals and letters in discs or squares by plain letters. */
function plain(text: string): string {
  return isAscii(text) ? text : Array.from(text, plainCharacter).join('')
}

function plainCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const first = pictureAlphabets.find((start) => code >= start && code < start + 26)
  if (first !== undefined) return String.fromCodePoint(0x41 + code - first)
  return smallCapitals.get(character) ?? character
}

const word = /[\p{L}\p{M}]+/gu
const latin = /\p{Script=Latin}/u
/** Scripts with letters that look like Latin ones; words may mix Latin with other scripts, such as Japanese. */
const lookalikeScripts = [
  { name: 'Cyrillic', letter: /\p{Script=Cyrillic}/u },
  { name: 'Greek', letter: /\p{Script=Greek}/u },
  { name: 'Armenian', letter: /\p{Script=Armenian}/u },
  { name: 'Cherokee', letter: /\p{Script=Cherokee}/u },
  { name: 'Coptic', letter: /\p{Script=Coptic}/u },
  { name: 'Lisu', letter: /\p{Script=Lisu}/u },
]

/** A look-alike letter of another script in a word with Latin letters, and its script's name; undefined if there is none. */
export function strayLetter(text: string): { letter: string; script: string } | undefined {
  for (const [found] of text.matchAll(word)) {
    if (!latin.test(found)) continue
    for (const { name, letter } of lookalikeScripts) {
      const stray = letter.exec(found)?.[0]
      if (stray !== undefined) return { letter: stray, script: name }
    }
  }
  return undefined
}

/** Well-known top-level domains; a dot before other text, as in a name, makes no address. */
const topLevels =
  'com|org|net|io|xyz|app|fi|finance|me|gg|co|link|site|website|online|dev|ai|to|cc|tv|ly|ru|cn|uk|de|eu|us|top|vip|' +
  'info|pro|fun|club|exchange|network|money|world|live|space|tech|store|shop|cash|trade|market|markets|capital|fund|' +
  'foundation|dao|chat|page|wtf|lol|meme|zone|sh|gov|edu|biz|click|life|today|win|bid|claims|events|news|art|games'
const site = new RegExp(
  `(?<![a-z0-9@])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:${topLevels})(?![a-z0-9])|https?:\\/\\/\\S*|\\bwww\\.\\S*`,
  'iu',
)
const dots = /[\u3002\uff61\uff0e\u2024]/gu

/** The part of a text that looks like the address of a site, in ASCII letters; undefined if there is none. */
export function linkIn(text: string): string | undefined {
  const unified = text.slice(0, maxLength).normalize('NFKC').replaceAll(dots, '.')
  return [unified, [...unified].map(readCharacter).join('')]
    .map((each) => site.exec(each)?.[0])
    .find((found) => found !== undefined)
}
