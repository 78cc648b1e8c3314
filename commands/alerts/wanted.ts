import { type Kind, kinds } from '../../src/alerts/rule.ts'
import { kindNamed, noSuchKind } from '../../src/alerts/rules.ts'
import type { LineOptions } from '../../src/alerts/views/rule.ts'
import { categories } from '../../src/api/requests.ts'
import { nearest } from '../../src/core/command.ts'
import { Refusal, type Span } from '../../src/core/view.ts'
import { categoryNamed } from '../params.ts'
import type { Asked } from './asked.ts'
import { withoutCoin } from './category.ts'
import { isNumber, settingsMeant, takesNumber } from './numbers.ts'

const everything: readonly string[] = ['all', 'everything', 'any', 'anything', '*']
const aboutAuctions = 'add live incoming progress ending graduated'
/** Alerts about a price need an asset, whichever it is. */
const someAsset = 'OTTER'

/** The kinds that the words behind `add` name, each once. @throws UserError with the line that was probably meant */
export function wantedKinds(asked: Asked): Kind[] {
  const { args, words, line } = asked
  const listed = words.flatMap((word) => word.split(',')).filter(Boolean)
  const typed = withoutCoin(listed, args.category)
  const wanted = [...new Set(typed.flatMap((word) => kindNamed(word) ?? []))]
  const others = typed.filter((word) => kindNamed(word) === undefined)
  if (others.length === 0) return wanted
  if (others.some((word) => everything.includes(word.toLowerCase()))) {
    const all = line.typed(aboutAuctions, optionsTyped(asked))
    throw new Refusal(['Say which. All that is told of auctions: ', { code: all }, '.'])
  }
  const strange = others.filter((word) => !isNumber(word))
  const scope = scopeMeant(strange, wanted, asked)
  throw new Refusal([
    ...lead(strange, others, wanted, asked),
    ...meant(typed, wanted, scope, asked),
    '.',
  ])
}

function lead(
  strange: readonly string[],
  others: readonly string[],
  wanted: readonly Kind[],
  { args: { percent = [] } }: Asked,
): string[] {
  const words = others.filter((word) => !strange.includes(word)).join(' ')
  if (strange.length > 0) {
    return [
      `There are no alerts called "${strange.join(' ')}". If that is what they are to be about, send `,
    ]
  }
  if (wanted.length === 0) return [`What is to be told at ${words}? For example `]
  if (!wanted.some(takesNumber))
    return [`${wanted.join(' and ')} can’t be set to ${words}. Without a number: `]
  if (wanted.includes('progress') && others.length + percent.length > 1) {
    return ['Lists have no spaces in them, and need the name of their option: ']
  }
  return [`Say what ${words} is: `]
}

/** The line with the names of its options, and another one where a value could be above or below. */
function meant(
  typed: readonly string[],
  wanted: readonly Kind[],
  scope: LineOptions,
  asked: Asked,
): Span[] {
  const setting = settingsMeant(wanted.length > 0 ? typed : ['ending', ...typed], asked.args)
  const options = { ...optionsTyped(asked), ...scope }
  const isExample =
    options.asset === undefined && wanted.some((kind) => kind === 'price' || kind === 'mcap')
  const write = (own: LineOptions): Span => ({
    code: asked.line.typed(`add ${wanted.length > 0 ? wanted.join(' ') : 'ending'}`, {
      ...options,
      ...(isExample && { asset: someAsset }),
      ...own,
    }),
  })
  const { above, ...rest } = setting
  return [
    write(setting),
    ...(above === undefined
      ? []
      : [' for when it rises above that, ', write({ ...rest, below: above }), ' for below']),
    ...(isExample ? [`, with your asset in the place of ${someAsset}`] : []),
  ]
}

/** What words that are no kinds could be instead. @throws UserError where they are more likely a slip, or nothing */
function scopeMeant(
  strange: readonly string[],
  wanted: readonly Kind[],
  { args, services }: Asked,
): LineOptions {
  const [first] = strange
  if (first === undefined) return {}
  const slip = strange.find((word) => nearest(word.toLowerCase(), kinds) !== undefined)
  if (slip !== undefined) throw noSuchKind(slip)
  const words = strange.join(' ')
  const isOne = wanted.some((kind) => kind === 'price' || kind === 'mcap')
  const isFree = wanted.length > 0 && args.asset === undefined
  const category = categoryNamed(words, categories)
  if (isFree && !isOne && category !== undefined && args.category === undefined) return { category }
  const chain = services.chains.find(({ slug }) => slug === words.toLowerCase())
  if (isFree && !isOne && chain && args.chain === undefined) return { chain: chain.slug }
  const { category: narrowed = args.numeraire ?? args.creator } = args
  if (isFree && narrowed === undefined && !wanted.includes('digest')) return { asset: words }
  throw noSuchKind(first)
}

/** The options of the line as they can be typed again, in the order of the command. */
function optionsTyped({ args }: Asked): LineOptions {
  const { chain, percent } = args
  return {
    ...args,
    what: undefined,
    in: undefined,
    page: undefined,
    chain: chain === undefined || chain === 'any' ? chain : chain.slug,
    percent: percent?.join(','),
  }
}
