import { readFileSync } from 'node:fs'
import { FluentResource } from '@fluent/bundle'
import { expect, test } from 'vitest'
import { locales } from '../../src/core/catalogue.ts'
import { literalsOf } from './literals.ts'
import { readSources } from './sources.ts'

const sources = readSources().filter(({ path }) => /^(?:src|commands)\//u.test(path))

/** Names of the variables in each message of a language. */
function messagesOf(locale: string): Map<string, Set<string>> {
  const text = readFileSync(`locales/${locale}.ftl`, 'utf8')
  const { body } = new FluentResource(text)
  return new Map(
    body.map(({ id, value }) => [id, new Set(JSON.stringify(value).match(variable) ?? [])]),
  )
}

const variable = /(?<="type":"var","name":")[^"]+/gu

/** The keys that the code asks for, with the names of the arguments it gives; undefined if it spreads others into them. */
function uses(): { path: string; key: string; names: Set<string> | undefined }[] {
  return sources.flatMap(({ path, text: source }) => {
    const text = source.replaceAll(comment, '')
    return [...text.matchAll(/(?<![\w.])t\(\s*'(?<key>[^']+)'(?<comma>,\s*\{)?/gu)].map((match) => {
      const { key = '', comma } = match.groups ?? {}
      if (comma === undefined) return { path, key, names: new Set<string>() }
      return { path, key, names: namesOf(text.slice(match.index + match[0].length)) }
    })
  })
}

const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu

/** Names of an object's properties; `text` begins behind its opening brace. */
function namesOf(text: string): Set<string> | undefined {
  const names = new Set<string>()
  let depth = 1
  let isName = true
  for (const [part] of text.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\.{3}|\w+|[^\s\w]/gu)) {
    if ('})]'.includes(part)) depth -= 1
    if (depth === 0) break
    if (depth === 1 && isName) names.add(part)
    isName = depth === 1 && part === ','
    if ('{(['.includes(part)) depth += 1
  }
  names.delete(',')
  return names.has('...') ? undefined : names
}

const english = messagesOf('en')

test('each text that the code asks for is in the catalogue, and gets the arguments that it names', () => {
  const asked = uses()
  expect(asked.length).toBeGreaterThan(0)
  const wrong = asked.filter(({ key, names }) => {
    const needed = english.get(key)
    if (!needed) return true
    return names && (needed.size !== names.size || [...needed].some((name) => !names.has(name)))
  })
  expect(wrong).toEqual([])
})

test('each text of the catalogue is used', () => {
  const asked = new Set(uses().map(({ key }) => key))
  expect([...english.keys()].filter((key) => !asked.has(key))).toEqual([])
})

test('no other language has texts or arguments that English lacks', () => {
  for (const locale of locales) {
    for (const [key, names] of messagesOf(locale)) {
      expect([locale, key, english.has(key)]).toEqual([locale, key, true])
      expect([...names].filter((name) => !english.get(key)?.has(name))).toEqual([])
    }
  }
})

/** Files with texts that people read. */
const shown = sources.filter(({ path }) =>
  /^(?:commands|src\/(?:core|views|alerts|launch|telegram|discord|web))\//u.test(path),
)

/** A sentence, a label of several words, or a part that is put together with others. */
const words =
  /^[^\p{Ll}]*\p{Lu}\p{L}*[,’]? \p{L}{2,}|\p{L}{2,}[,:;]? \p{L}{2,}.*[.!?…:]$|^[.,;:]? \p{L}{2,}|\p{L}{3,} $/u
/** Calls whose texts are for operators, logs, databases and libraries. */
const technical =
  /(?:^|\.)(?:(?!User)\w*Error|sql|literal|ref|debug|info|warn|error|refine|addIssue|RegExp|Set|includes)$/u

/** Texts that are the same in every language, or not for people who use the bot. */
const exempt: Readonly<Record<string, RegExp>> = {
  'src/core/text.ts': /^Arabic/u,
  'src/views/lookalike.ts': /^(?:[A-Z][A-Za-z]+ )+(?:[A-Z]\w+|(?:liquid )?staked Ether 2\.0)$/u,
  // Reasons of a start or a connection that fails, for the log.
  'src/core/adapter.ts': /^A message was not sent/u,
  'src/discord/adapter.ts': /^Discord refuses/u,
  'src/discord/errors.ts': /^Discord /u,
  'src/discord/platform.ts': /^shards $/u,
  'src/discord/gateway.ts': /^Discord (?:closed|refuses)/u,
  'src/discord/transport.ts': /^Discord /u,
  'src/telegram/adapter.ts': /^Telegram (?:refuses|can’t call)/u,
  'src/telegram/polling.ts': /^Another process|^Telegram ended/u,
  'src/alerts/sending.ts': /^ now$/u,
  // Examples of what a creator writes, and names of wallets.
  'src/launch/questions/token.ts': /moonotter|^Moon Otter|^Night patrols/u,
  'src/web/signing/page/wallet-links.ts': /^(?:Coinbase|Trust|OKX) Wallet$/u,
  // For the log, the operator, or other programs.
  'src/launch/metadata.ts': /^odd $/u,
  'src/launch/ipfs.ts': /./u,
  'src/launch/payload.ts': /^Launch $/u,
  'src/launch/settings.ts': /layout|not of a/u,
  'src/launch/table.ts': /row|there are|another form/u,
  'src/launch/table/sale.ts': /^locked $/u,
  'src/web/server.ts': /PORT|HOST/u,
  'src/web/readiness.ts': /^wrong $/u,
  'src/web/signing/routes.ts': /./u,
  'src/web/signing/page/wallet.ts': /^ was not answered$/u,
}

/** The beginning of a command line, and units that are written alike everywhere. */
const commandPart = /^(?:add|alerts|asset|change|choose|mute) (?:in:)?$|^asset:OTTER $|^ chain:/u
const unit = /^ (?:[kM]B|UTC|tokens)$|^[^\p{L}]*charset/u
/** Markup of the signing page, between its texts. */
const markup = /[<>]|\b(?:class|alt|id)=/u

/** The texts that are written where they are shown, instead of in the catalogue. */
function strayTexts(): string[] {
  return shown.flatMap(({ path, text }) =>
    literalsOf(text)
      .filter(({ calls }) => !calls.some((call) => technical.test(call)))
      .filter(({ value }) => words.test(value))
      .filter(({ value }) => !commandPart.test(value) && !unit.test(value) && !markup.test(value))
      .filter(({ value }) => !exempt[path]?.test(value))
      .map(({ value }) => `${path}: ${value}`),
  )
}

test('every text that people read is in the catalogue', () => {
  expect(strayTexts()).toEqual([])
})
