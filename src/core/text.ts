import confusables from 'unhomoglyph/data.json' with { type: 'json' }
import { type Message, t } from './view.ts'

let segmenter: Intl.Segmenter | undefined

/** Splits a text into what people see as characters. The segmenter is made for the first text: that takes as long as a dozen modules. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

// Joiners that are kept: between two emoji, which they combine into one, and between letters of these scripts.
const scripts =
  'Arabic Syriac Mongolian Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Oriya Sinhala Tamil Telugu'
const letter = `[[${scripts.replaceAll(/\w+ ?/gu, (name) => `\\p{Script=${name.trim()}}`)}]--\\p{Cf}]`
const joiners =
  '(?<=\\p{Extended_Pictographic}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})' +
  `|(?<=${letter})[\\u200c\\u200d](?=${letter})`
// Variation selectors that are kept: after characters that have variants.
const variationSelectors =
  '(?<=\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?)[\\ufe0e\\ufe0f]' +
  '|(?<=[0-9#*])\\ufe0f(?=\\u20e3)' +
  '|(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]' +
  '|(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]'
// Group 1 is what is kept. The rest is removed: format characters (bidi controls, zero-width, tags), lone surrogates,
// private use, and letters that draw nothing.
const invisible = new RegExp(
  `(${joiners}|${variationSelectors}|\\p{RGI_Emoji_Tag_Sequence})` +
    '|[\\p{Cf}\\p{Cs}\\p{Co}\\p{Variation_Selector}\\p{Noncharacter_Code_Point}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0]',
  'gv',
)
// Whether `harmless` can change a text at all.
const suspicious = /[[\p{C}\p{M}\p{Z}\u115f\u1160\u2800\u3164\uffa0]--[ ]]| {2}/v
const strayMarks = /(?<=^|[\s\p{Cc}\p{Z}\u2800])\p{M}+/gu
const stackedMarks = /(\p{M}{3})\p{M}+/gu
const spaces = /[\s\p{Cc}\p{Z}\u2800]+/gu
const noBreak = /^[\u00a0\u202f]$/u

/**
 * Makes text by strangers safe to show within other text, on one line: removes control, bidi and invisible characters,
 * turns each run of white space into one space, removes combining marks without a base, and cuts stacks of marks to
 * three. Emoji sequences and the joiners that scripts need are kept.
 */
export function harmless(text: string): string {
  if (!suspicious.test(text)) return text
  return cleaned(text, () => ' ')
}

/**
 * The same for a text in the reader's language, with our words and those of strangers: the no-break spaces of our figures
 * stay, such as those in “1 500 000” in Russian. Those of strangers were made plain when the text was put into the language.
 */
export function harmlessInLanguage(text: string): string {
  if (!suspicious.test(text)) return text
  return cleaned(text, (run) => (noBreak.test(run) ? run : ' '))
}

function cleaned(text: string, space: (run: string) => string): string {
  return text
    .replace(invisible, (_, kept: string | undefined) => kept ?? '')
    .replace(strayMarks, '')
    .replace(spaces, space)
    .replace(stackedMarks, '$1')
}

/** Characters that act on a terminal, or reverse the order of its text. */
const acting = /[[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]--[\n]]/gv

/** Makes lines with strangers' words safe to print; unlike `harmless` it keeps lines and spaces. */
export function printable(lines: string): string {
  return lines.replace(acting, '')
}

/** The first invisible character that `harmless` removes; undefined if there is none. */
export function firstUnseen(text: string): string | undefined {
  for (const [found, kept] of text.matchAll(invisible)) {
    if (kept === undefined) return found
  }
  return undefined
}

/** Number of characters as people count them (grapheme clusters). */
export function countCharacters(text: string): number {
  return [...graphemesOf(text)].length
}

/** Characters of which each is a cluster. */
const oneEach = /^[ -~]*$/u

/**
 * Shortens a text to at most `max` grapheme clusters, and at most `2 * max` UTF-16 units, since one cluster can be
 * arbitrarily long. A cut ends with an ellipsis, which counts as one.
 * @example
 *   shorten('Moon Otter', 6) // 'Moon…'
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  // Half a surrogate pair at the end would count as a character.
  const window = text.slice(0, max * 2).replace(/[\ud800-\udbff]$/, '')
  if (oneEach.test(window)) return withEllipsis(window.slice(0, max - 1))
  let lastFit = 0
  let count = 0
  for (const { index } of graphemesOf(window)) {
    if (count < max) lastFit = index
    count += 1
    if (count > max) break
  }
  if (count <= max && window.length === text.length) return text
  return withEllipsis(window.slice(0, lastFit))
}

/** Shortens a text to at most `max` UTF-16 units, cut between grapheme clusters: for limits of the platforms. */
export function shortenUnits(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  // The ellipsis replaces the whole cluster at its position.
  const replaced = graphemesOf(text.slice(0, max + 1)).containing(max - 1)
  return withEllipsis(text.slice(0, replaced?.index ?? 0))
}

function withEllipsis(text: string): string {
  return `${text.toWellFormed().trimEnd()}…`
}

/** Splits items into rows of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const rows: T[][] = []
  for (let at = 0; at < items.length; at += size) rows.push(items.slice(at, at + size))
  return rows
}

const cells = 10

/** The ratio from which the first cell is full: half a cell. */
const firstCellFrom = 0.05

/** A bar of ten cells for a ratio of 0 to 1. Rounded down, so that a full bar means 1; the first cell is full from 0.05 on. */
export function progressBar(ratio: number): string {
  const bounded = Math.min(1, Math.max(0, ratio))
  const full = Math.max(bounded < firstCellFrom ? 0 : 1, Math.floor(bounded * cells))
  return '▰'.repeat(full) + '▱'.repeat(cells - full)
}

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
const maxExamined = 256

/** Whether a text is all ASCII. */
export function isAscii(text: string): boolean {
  return ascii.test(text)
}

/** For each look-alike, the letter that it resembles; made for the first text, as it takes as long as a dozen modules. */
let likenesses: ReadonlyMap<string, string> | undefined
/** Matches the look-alikes of ASCII. */
const asciiLikenesses = /[01`"|I%m]/g

function unhomoglyph(text: string): string {
  likenesses ??= new Map<string, string>(Object.entries(confusables))
  const known = likenesses
  const like = (character: string) => known.get(character) ?? character
  if (!isAscii(text)) return Array.from(text, like).join('')
  return text.replace(asciiLikenesses, like)
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
  const examined = text.slice(0, maxExamined)
  const known = asciiLetters()
  // Most texts are words of ASCII, of which none has to be looked up.
  if (isAscii(examined)) {
    return examined.replace(/[^A-Za-z0-9]/g, (each) => (known.has(each) ? each : ''))
  }
  return [...examined].filter((each) => (isAscii(each) ? known.has(each) : isLetter(each))).join('')
}

function isLetter(character: string): boolean {
  return (
    visible.test(skeleton(character) + unhomoglyph(character)) &&
    !/\p{Variation_Selector}/u.test(character)
  )
}

let lettersOfAscii: ReadonlySet<string> | undefined

/** The letters and digits of ASCII, and what looks like one. */
function asciiLetters(): ReadonlySet<string> {
  lettersOfAscii ??= new Set(
    Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(isLetter),
  )
  return lettersOfAscii
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
  { name: t('script-cyrillic'), letter: /\p{Script=Cyrillic}/u },
  { name: t('script-greek'), letter: /\p{Script=Greek}/u },
  { name: t('script-armenian'), letter: /\p{Script=Armenian}/u },
  { name: t('script-cherokee'), letter: /\p{Script=Cherokee}/u },
  { name: t('script-coptic'), letter: /\p{Script=Coptic}/u },
  { name: t('script-lisu'), letter: /\p{Script=Lisu}/u },
]

/** A look-alike letter of another script in a word with Latin letters, and its script's name; undefined if there is none. */
export function strayLetter(text: string): { letter: string; script: Message } | undefined {
  if (isAscii(text)) return undefined
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
  const unified = text.slice(0, maxExamined).normalize('NFKC').replaceAll(dots, '.')
  const readings = isAscii(unified) ? [] : [[...unified].map(readCharacter).join('')]
  return [unified, ...readings]
    .map((each) => site.exec(each)?.[0])
    .find((found) => found !== undefined)
}
