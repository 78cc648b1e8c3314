import { UserError } from '../../errors.ts'
import { doubtOf, type Role } from '../../views/lookalike.ts'
import type { LaunchSettings } from '../settings.ts'
import { always, type Doubt, never, ofLaunches, type Question } from './question.ts'
import { readText } from './text.ts'

const maxName = 32
const maxDescription = 500

export const name: Question = {
  id: 'name',
  label: 'Name',
  names: ['name', 'token name', 'token'],
  field: { kind: 'line', most: 300, about: `Up to ${maxName} characters` },
  applies: always,
  skipped: never,
  ask: () => ({
    words: ['What is the token called?'],
    example: 'Moon Otter',
    allowed: `1 to ${maxName} characters on one line, emoji too.`,
  }),
  parse: (text) => ({
    name: readText(text, { what: 'A name', max: maxName, maxBytes: 256, names: true }),
  }),
  doubts: {
    find: ({ answers: { name = '' } }) => doubtsOf(name, 'name'),
    keep: 'Use this name',
  },
  text: ({ answers }) => answers.name,
}

export const symbol: Question = {
  id: 'symbol',
  label: 'Symbol',
  names: ['symbol', 'ticker'],
  field: { kind: 'line', most: 100, about: 'The short name that traders see' },
  applies: ofLaunches,
  skipped: never,
  ask: ({ settings }) => ({
    words: ['Which symbol does it have, the short name that traders see?'],
    example: 'OTTER',
    allowed: `${settings.symbol.allowed}.`.replace(/\.\.$/u, '.'),
  }),
  parse: (text, { settings }) => ({ symbol: readSymbol(text, settings.symbol) }),
  doubts: {
    find: ({ answers: { symbol = '' } }) => doubtsOf(symbol, 'symbol'),
    keep: 'Use it anyway',
  },
  text: ({ answers }) => answers.symbol,
}

function doubtsOf(text: string, role: Role): Doubt[] {
  const words = doubtOf(text, role)
  return words === undefined ? [] : [{ about: text, words }]
}

function readSymbol(raw: string, { pattern, allowed }: LaunchSettings['symbol']): string {
  const limits = { what: 'A symbol', max: 32, maxBytes: 128 }
  const text = readText(raw.trim().replace(/^\$\s*/u, ''), limits)
  // The operator's pattern may lack anchors. The flags g and y would make `test` depend on the previous call.
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags.replaceAll(/[gy]/gu, ''))
  if (whole.test(text)) return text
  throw new UserError(`“${text}” can’t be a symbol. Allowed: ${allowed}.`.replace(/\.\.$/u, '.'))
}

export const description: Question = {
  id: 'description',
  label: 'Description',
  names: ['description', 'about'],
  field: {
    kind: 'paragraph',
    most: 2_000,
    about: `What it is, in up to ${maxDescription} characters`,
  },
  applies: always,
  skipped: () => ({ description: '' }),
  ask: () => ({
    words: ['What is it? The description stands on its page and can’t be changed later.'],
    example: 'Night patrols on three rivers.',
    allowed: `Up to ${maxDescription} characters, on several lines if you like.`,
  }),
  parse: (text) => ({
    description: readText(text, {
      what: 'A description',
      max: maxDescription,
      maxBytes: 2_000,
      lines: true,
    }),
  }),
  text: ({ answers }) => answers.description,
}
