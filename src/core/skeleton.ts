import unhomoglyph from 'unhomoglyph'

/**
 * Small capitals: Unicode counts only some of them as confusable, but people read all of them. The x is one already.
 */
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ'].map((character, index) => [
    character,
    String.fromCodePoint(0x61 + index),
  ]),
)
/** First letter of each alphabet of pictures that NFKC leaves alone: in a disc, in a square, and those of flags. */
const pictureAlphabets = [0x1f150, 0x1f170, 0x1f1e6]
const ascii = /^[\0-\x7f]*$/u
const visible = /[\p{L}\p{N}\p{M}]/u
const marks = /\p{M}/gu
/** A name is judged by its beginning: no more of it is shown. */
const maxJudged = 256

/** Whether a text is written with the letters, digits and signs of ASCII alone. */
export function isAscii(text: string): boolean {
  return ascii.test(text)
}

/**
 * What a text looks like (UTS 39, "skeleton"): texts with the same skeleton can be taken for each other. Not for people
 * to read: an m becomes rn, and 0, 1 and I become O, l and l. The case of letters stays.
 */
export function skeleton(text: string): string {
  return plain(unhomoglyph(plain(text.normalize('NFKC'))))
}

/**
 * Keys of a text that is not ASCII alone: it looks like another, whatever the case of their letters, where they share
 * one. There are two since a few letters look like one letter and are, by NFKC, a variant of another (ſ: f, s).
 */
export function looseKeys(text: string): string[] {
  const keys = [skeleton(text), skeleton(unhomoglyph(text))]
  return [...new Set(keys.map(looseKey))]
}

/** A skeleton as such a key. Only a small m becomes rn: so does a big one here. */
export function looseKey(key: string): string {
  return key.toLowerCase().replaceAll('rn', 'm')
}

/** The text with what has no letter or digit in it left out: space, punctuation, emoji. */
export function lettersOf(text: string): string {
  return [...text.slice(0, maxJudged)]
    .filter(
      (character) =>
        visible.test(skeleton(character) + unhomoglyph(character)) &&
        !/\p{Variation_Selector}/u.test(character),
    )
    .join('')
}

/** The text without accents and other marks on its letters. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replaceAll(marks, '').normalize('NFC')
}

/** A text in the ASCII letters that it looks like, to be searched for; undefined where it is such or looks like none. */
export function asciiReading(text: string): string | undefined {
  if (isAscii(text)) return undefined
  const read = [...plain(text.normalize('NFKC'))].map(readCharacter).join('')
  return isAscii(read) && visible.test(read) ? read : undefined
}

function readCharacter(character: string): string {
  if (isAscii(character)) return character
  const read = plain(unhomoglyph(character))
  // Unicode gives I and l one look: what is a capital was meant as one.
  return read === 'l' && /\p{Lu}/u.test(character) ? 'I' : read
}

/** Letters that are drawn in some other way as plain ones. */
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
/** Scripts with letters that look like Latin ones; others (of Japanese, say) stand beside Latin letters honestly. */
const alike = [
  { name: 'Cyrillic', letter: /\p{Script=Cyrillic}/u },
  { name: 'Greek', letter: /\p{Script=Greek}/u },
  { name: 'Armenian', letter: /\p{Script=Armenian}/u },
  { name: 'Cherokee', letter: /\p{Script=Cherokee}/u },
  { name: 'Coptic', letter: /\p{Script=Coptic}/u },
  { name: 'Lisu', letter: /\p{Script=Lisu}/u },
]

/** A letter of another script in a word of Latin ones, with the name of its script; undefined where there is none. */
export function strayLetter(text: string): { letter: string; script: string } | undefined {
  for (const [found] of text.matchAll(word)) {
    if (!latin.test(found)) continue
    for (const { name, letter } of alike) {
      const stray = letter.exec(found)?.[0]
      if (stray !== undefined) return { letter: stray, script: name }
    }
  }
  return undefined
}

/** What people know from addresses of sites; a name may well have a dot before something else. */
const topLevels =
  'com|org|net|io|xyz|app|fi|finance|me|gg|co|link|site|website|online|dev|ai|to|cc|tv|ly|ru|cn|uk|de|eu|us|top|vip|' +
  'info|pro|fun|club|exchange|network|money|world|live|space|tech|store|shop|cash|trade|market|markets|capital|fund|' +
  'foundation|dao|chat|page|wtf|lol|meme|zone|sh|gov|edu|biz|click|life|today|win|bid|claims|events|news|art|games'
const site = new RegExp(
  `(?<![a-z0-9@])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:${topLevels})(?![a-z0-9])|https?:\\/\\/\\S*|\\bwww\\.\\S*`,
  'iu',
)
const dots = /[\u3002\uff61\uff0e\u2024]/gu

/** The part of a text that looks like the address of a site, in ASCII letters; undefined where none does. */
export function linkIn(text: string): string | undefined {
  const unified = text.slice(0, maxJudged).normalize('NFKC').replaceAll(dots, '.')
  return [unified, [...unified].map(readCharacter).join('')]
    .map((each) => site.exec(each)?.[0])
    .find((found) => found !== undefined)
}
