import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  firstUnseen,
  harmless,
  harmlessInLanguage,
  linkIn,
  printable,
  shorten,
  shortenUnits,
} from '../../../src/core/text.ts'
import { hostileText, longHostileText } from '../../hostile.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const graphemes = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment)

describe('harmless', () => {
  test('every character that is not seen is removed, however harmless the rest of the text is', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCodePoint(code)
      if (firstUnseen(character) === undefined) continue
      if (harmless(`a${character}b`) !== 'ab') expect.fail(code.toString(16))
    }
  })

  const kept: [what: string, text: string][] = [
    ['a plain name', 'Moon Otter'],
    ['an emoji family', '👨‍👩‍👧‍👦 Family'],
    ['an emoji with a skin tone and a trade', '👩🏽‍🚀'],
    ['the flag of a country', '🇩🇪'],
    ['the flag of a part of a country', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a flag of two emoji', '🏳️‍🌈'],
    ['a key', '1️⃣'],
    ['a heart with its presentation', '❤️'],
    ['an eye that speaks', '👁️‍🗨️'],
    ['a Chinese character of one look', '葛\u{e0100}'],
    ['Arabic', 'قمر الثعلب'],
    ['Persian with its joiner', 'می\u200cخواهم'],
    ['Devanagari with its joiner', 'क\u094d\u200dष'],
    ['Sinhala with its joiner', 'ශ්\u200dරී'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Chinese, Japanese and Korean', '月のカワウソ 달 수달'],
    ['letters with one accent, composed or not', 'é e\u0301'],
    ['Vietnamese, decomposed', 'ti\u0065\u0302\u0301ng'],
    ['signs', '<@&1> *_~|` [x](y) $X #y /z'],
  ]
  test.each(kept)('keeps %s', (_, text) => {
    expect(harmless(text)).toBe(text)
  })

  const changed: [what: string, text: string, shown: string][] = [
    ['bidi overrides', 'Safe \u202egnp.exe\u202c', 'Safe gnp.exe'],
    ['bidi isolates and marks', '\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c', 'abc'],
    ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['a soft hyphen', 'So\u00adft', 'Soft'],
    ['tag characters that hide a text', 'a\u{e0068}\u{e0069}\u{e007f}b', 'ab'],
    ['control characters', 'a\0b\u0007c\u001b[31m', 'a b c [31m'],
    ['the second half of the first 256', 'a\u0085b\u009bc', 'a b c'],
    ['line breaks of all kinds', 'a\nb\r\nc\vd\fe\u2028f\u2029g', 'a b c d e f g'],
    ['wide and narrow blanks', 'a\u00a0b\u2003c\u3000d\u2800e', 'a b c d e'],
    ['runs of blanks', '  a \n\t  b  ', ' a b '],
    ['letters that draw nothing', 'a\u3164b\u115fc\u1160d\uffa0e', 'abcde'],
    ['halves of surrogate pairs', 'a\ud83db\udc69c', 'abc'],
    ['private characters', 'a\ue000b\u{f0000}c', 'abc'],
    ['characters that are none', 'a\ufffeb\u{1ffff}c', 'abc'],
    ['a tower of marks', `Z${'\u0301'.repeat(40)}algo`, 'Z\u0301\u0301\u0301algo'],
    ['a tower with joiners in it', `Z${'\u0301\u200b'.repeat(40)}`, 'Z\u0301\u0301\u0301'],
    ['marks that sit on nothing', '\u0301\u0302a \ufe0fb', 'a b'],
    ['looks for what has only one', 'Mo\ufe0fon\ufe01\u{e0100}1\ufe0f', 'Moon1'],
    ['a joiner between Latin letters', 'pay\u200dpal', 'paypal'],
    ['a joiner at the edge of an emoji', '👩\u200d a\u200d👩', '👩 a👩'],
    ['a bidi mark before a joiner', '\u061c\u200cب', 'ب'],
  ]
  test.each(changed)('cleans %s', (_, text, shown) => {
    expect(harmless(text)).toBe(shown)
  })

  test('keeps the no-break spaces of figures in a text of a language, and cleans the rest of it as ever', () => {
    expect(harmlessInLanguage('18\u00a0%, 1\u202f000\u00a0M')).toBe('18\u00a0%, 1\u202f000\u00a0M')
    expect(harmlessInLanguage('a \u00a0b\u200bc\u2003d')).toBe('a bc d')
  })

  test('gives one line of well-formed text without invisible characters, for any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = harmless(text)
        expect(shown.isWellFormed()).toBe(true)
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u2060\u200b\ufeff]/u)
        expect(shown).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
        expect(shown).not.toMatch(/ {2}|(?:^| )\p{M}|\p{M}{4}/u)
      }),
      { numRuns: 600 },
    )
  })
})

describe('shorten', () => {
  test.each([
    ['Moon Otter', 10, 'Moon Otter'],
    ['Moon Otters', 10, 'Moon Otte…'],
    ['Moon Otter', 6, 'Moon…'],
    ['👍👍👍👍', 3, '👍👍…'],
    ['🇩🇪🇫🇷', 1, '…'],
    ['e\u0301e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301…'],
    ['abc', 0, ''],
    ['abc', -5, ''],
    ['', 0, ''],
  ])('%s in %i', (text, most, shown) => {
    expect(shorten(text, most)).toBe(shown)
  })

  test('shows what is before one endless character', () => {
    expect(shorten(`Hello ${'👩\u200d'.repeat(5000)}👩`, 40)).toBe('Hello…')
  })

  test('never exceeds the limit, and never shows half a character', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 70 }), (raw, most) => {
        const text = raw.toWellFormed()
        const shown = shorten(text, most)
        const parts = graphemes(shown)
        expect(parts.length).toBeLessThanOrEqual(most)
        expect(shown.length).toBeLessThanOrEqual(2 * most)
        if (shown === text) return
        expect(shown.endsWith('…')).toBe(true)
        const whole = graphemes(text).slice(0, -1)
        const kept = graphemes(shown.slice(0, -1))
        expect(whole.slice(0, kept.length).join('').startsWith(kept.join(''))).toBe(true)
        expect(kept.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, kept.length - 1)))
      }),
      { numRuns: 500 },
    )
  })

  test('does a bounded amount of work on text without a bound', () => {
    // Ten thousand walks through all of this would take hours.
    const endless = '👩\u200d'.repeat(5_000_000)
    for (let times = 0; times < 10_000; times += 1) shorten(endless, 48)
    expect(shorten(endless, 48)).toBe('…')
  })
})

describe('shortenUnits', () => {
  test.each([
    ['Moon Otter', 10, 'Moon Otter'],
    ['Moon Otters', 10, 'Moon Otte…'],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 12, '👨‍👩‍👧‍👦…'],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 11, '…'],
    ['👍👍', 3, '👍…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['abc', -1, ''],
  ])('%s in %i', (text, most, shown) => {
    expect(shortenUnits(text, most)).toBe(shown)
  })

  test('never exceeds the limit of units, and never leaves half a pair', () => {
    fc.assert(
      fc.property(longHostileText, fc.integer({ min: 0, max: 5000 }), (raw, most) => {
        const text = raw.toWellFormed()
        const shown = shortenUnits(text, most)
        expect(shown.length).toBeLessThanOrEqual(most)
        expect(shown.isWellFormed()).toBe(true)
        if (text.length <= most) expect(shown).toBe(text)
      }),
      { numRuns: 150 },
    )
  })

  test('uses most of the limit if the characters are short', () => {
    expect(shortenUnits('a'.repeat(9000), 4096)).toHaveLength(4096)
    expect(shortenUnits('👍'.repeat(9000), 4096)).toHaveLength(4095)
  })
})

test('what is printed keeps its lines and spaces, and has nothing that acts on a terminal', () => {
  expect(printable('a  b\n  c\td')).toBe('a  b\n  cd')
  expect(printable('\u001b]0;x\u0007\u009b2J\r\u007f\u202e\u2066\u2028y')).toBe(']0;x2Jy')
})

test('an address of a site is looked for in as much of a name as is shown', () => {
  expect(linkIn('Moon Otter at otter.xyz')).toBe('otter.xyz')
  expect(linkIn(`${'otter '.repeat(42)}otter.xyz`)).toBe(undefined)
})
