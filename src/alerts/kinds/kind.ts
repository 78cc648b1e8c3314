import Big from 'big.js'
import { z } from 'zod'
import { baseTokens } from '../../api/asset.ts'
import type { Figures } from '../../api/figures.ts'
import type { Asset, ListStatus } from '../../api/schema.ts'
import type { Money, MoneyField, Units } from '../../api/units.ts'
import { shortAddress } from '../../chain/address.ts'
import { type Chain, chainById, numeraireSymbol } from '../../chain/chains.ts'
import type { Locale } from '../../core/catalogue.ts'
import { exactly, inDollars } from '../../core/number.ts'
import { type Item, type Span, type Text, type Tone, t, type View } from '../../core/view.ts'
import type { Quoted } from '../../views/money.ts'
import { chainName } from '../../views/token.ts'
import {
  type AssetState,
  type Phase,
  type Point,
  type Reached,
  storable,
  type TrimmedAsset,
} from '../asset.ts'

/** Seconds. */
export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** Which assets a rule is about; an absent field means any. Addresses are compared without case. */
export const scopeSchema = z.object({
  chain: z.number().optional(),
  asset: z.string().optional(),
  numeraire: z.string().optional(),
  creator: z.string().optional(),
  category: z.string().optional(),
  /** A part of the name or symbol, in lower case. */
  name: z.string().optional(),
  /** The least market cap, and the least raised: plain decimals above zero, in the units of the API's figures. */
  mcap: z.string().optional(),
  raised: z.string().optional(),
})
export type Scope = z.output<typeof scopeSchema>

/** The options of a line that set a rule up, each parsed already: its scope, and the setting of its kind. */
export interface RuleOptions {
  category?: string | undefined
  name?: string | undefined
  numeraire?: string | undefined
  creator?: string | undefined
  asset?: string | undefined
  chain?: number | undefined
  mcap?: string | undefined
  raised?: string | undefined
  percent?: readonly number[] | undefined
  minutes?: number | undefined
  above?: string | undefined
  below?: string | undefined
  move?: number | undefined
  hour?: number | undefined
  zone?: string | undefined
}

export type SettingOption = Exclude<keyof RuleOptions, keyof Scope>

/** A figure of which rules can ask for the least. */
export type Minimum = keyof Reached
export const minimums = ['mcap', 'raised'] as const satisfies readonly Minimum[]
/** The field of the API that says in which unit it is. */
const minimumFields: Readonly<Record<Minimum, MoneyField>> = {
  mcap: 'pool_market_cap',
  raised: 'pool_current_total_proceeds',
}

/** The smallest and the largest value of each option that is a whole number. */
export const ranges = {
  percent: [1, 100],
  minutes: [5, 1440],
  move: [1, 1000],
  hour: [0, 23],
} as const satisfies Partial<Record<SettingOption, readonly [number, number]>>
/** Maximum percentages in one rule. */
export const maxPercents = 20

/** Parses a whole number in a range. */
export function integerIn([min, max]: readonly [number, number]) {
  return z.int().min(min).max(max)
}

/**
 * A kind of alert: all that the bot knows of it. `Setting` is what people can set, `Body` what is stored of an event.
 * The watcher, the database and the views know kinds by this interface alone; `kinds/list.ts` is the only list.
 */
export interface AlertKind<Setting = unknown, Body extends EventBody = EventBody> {
  /** As it is stored, and as people type it. */
  readonly id: string
  /** The word that people type, and are told to type, if it is not the id. */
  readonly word?: string
  /** The label of its button. */
  readonly label: Text
  /** When it notifies, for /help and the menu: "an auction goes live". */
  readonly about: Text
  /** Whether a rule is about one asset, about many, or about either. */
  readonly assets: 'one' | 'many' | 'either'
  /** The figures of which a rule about many can ask for the least. */
  readonly minimums: readonly Minimum[]
  /** Whether the Follow button of a card subscribes to it. */
  readonly inFollowButton: boolean

  /** Parses and normalises a setting: equal ones have equal JSON. */
  readonly setting: z.ZodType<Setting>
  /** The options that make the setting. */
  readonly options: readonly SettingOption[]
  /** The setting of a new rule, with defaults for options that are absent. */
  settingFrom(options: RuleOptions): Setting
  /** The options that make this setting, to change some of them. */
  optionsFrom(setting: Setting): RuleOptions
  /**
   * The settings that are offered as buttons; none if there is nothing to set. `current` is the present value of the asset's
   * `figure`, for a kind that has one, to offer values near it; undefined if no asset was chosen yet.
   */
  presets(current?: Money): readonly Preset[]
  /** Options as a person may type them; `current` as in `presets`. */
  example(current?: Money): string
  /** A rule in words, without its filters and without a full stop. */
  ruleText(setting: Setting, subject: Subject): Text
  /** The label with the setting in few words, for a button; the label alone if there is nothing to set. */
  shortText(setting: Setting, units: Units): Text
  /** How a person types a setting alone; undefined if there is nothing to set. */
  readonly typed?: TypedSetting
  /** Says why no alert can come for an asset as it is, such as one without an end: then none is offered. */
  never?(asset: PresentAsset): Text | undefined
  /** Says of a new rule about one asset that, as the asset is now, it can't notify of anything yet or any more. */
  remark?(setting: Setting, asset: PresentAsset): Remark | undefined
  /** Explains a setting that may not be the one a person wants, with options that change it. */
  hint?(setting: Setting): Hint | undefined
  /** The figure of an asset that rules compare. */
  readonly figure?: ComparedFigure

  /** Whether an asset in this phase can produce no more events of the kind. */
  isOver(phase: Phase): boolean
  /** The way events are found. */
  readonly detection: Detection<Setting, Body>
  /** Parses what is stored of an event. */
  readonly body: z.ZodType<Body>

  /** An event as a message of its own. */
  view(event: ShownEvent<Body>): View
  /** An event as one line among others; undefined if it always goes in a message of its own. */
  line?(event: ShownEvent<Body>): EventLine
  /**
   * The importance of an event in its asset's sale, 0 for the highest: of several events of one sale that go out together
   * only the most important is shown. Absent for kinds that are not about a sale.
   * In use: 0 graduated, 1 sold out, 2 live, 3 ending, 4 to 5 a share sold (the larger the lower), 5 incoming. Take the
   * place among these that yours deserves, fractions included; of two with the same rank the later is shown.
   */
  rank?(body: Body): number
}

/** Settings as options of a line, with the label of their button. */
export interface Preset {
  label: Text
  options: RuleOptions
}

/** The context that texts of rules need. */
export interface Subject {
  /** The name of the one asset; undefined if the rule is about many. */
  name: Text | undefined
  units: Units
}

/** An asset as it is now, to compare a rule with. */
export interface PresentAsset {
  figures: Figures
  chain: Chain
  quoted: Quoted
  /** Unix seconds. */
  now: number
}

/** A remark on a rule; `instead` are options of the same kind that would notify. */
interface Remark {
  text: Text
  instead?: RuleOptions | undefined
}

/** Makes a text that ends with `line`, a line that changes the setting with these options. */
interface Hint {
  text: (line: Span) => Text
  options: string
}

/** A setting as a person types it when asked: `0.002`, not `above:0.002`. */
export interface TypedSetting {
  /** The label of its form and field. */
  label: Text
  /** Asks for it; `current` as in `presets`. */
  ask(current?: Money): Text
  /**
   * The options that a text means, as they stand in a command line, which reads them. Numbers are read as people of the language
   * write them; `current` as in `presets`.
   * @throws UserError if they can't be told without more
   */
  options(
    text: string,
    by: { current?: Money | undefined; locale: Locale },
  ): Readonly<Record<string, string>>
}

/** A figure that rules of a kind compare. */
export interface ComparedFigure {
  of(figures: Figures): Money | undefined
  text(money: Money, chain: Chain, quoted: Quoted): Text
}

/** The source from which a kind finds events, and how events are then matched with rules. */
type Detection<Setting, Body> =
  /** From an asset's last state and its present one. An event is for every rule whose scope the asset is in. */
  | { from: 'asset'; detect(poll: AssetPoll): Detected }
  /** From both states too, but only at the values that rules set, such as 50% sold; `matches` picks the rules. */
  | {
      from: 'asset-and-settings'
      /** @param settings those of all rules whose subscribers would be notified now */
      detector(settings: readonly Setting[]): (poll: AssetPoll) => Detected
      /** Whether an event, which may be about several settings, is about this one. */
      matches(setting: Setting, body: Body): boolean
      /** Whether an asset that did not change must be compared all the same, because a time has come; with `settings` only if one of them names it. */
      isDue?(state: Pick<AssetState, 'ending'>, now: number, settings?: readonly Setting[]): boolean
    }
  /** For each rule by itself, from what it remembers. An event names its rule, and its key contains a time. */
  | { from: 'rule-memory'; detect(rule: RuleWithMemory<Setting>, poll: RulePoll): RuleDetected }
  /** By the clock, for each rule by itself, in digest-scheduler.ts. An event names its rule, and its key contains a time. */
  | { from: 'schedule' }

/** An asset as a poll found it, beside its stored state. */
export interface AssetPoll {
  chain: number
  /** Unix seconds. */
  now: number
  asset: TrimmedAsset
  figures: Figures
  units: Units
  phase: Phase
  /** The phase that the asset has entered since the last poll, if that is to be notified. */
  entered: ListStatus | undefined
  /** Undefined if the asset was never seen. */
  before: AssetState | undefined
  /** The points recorded by earlier polls, oldest first. */
  history: readonly Point[]
  /**
   * Observed for the first time, in a phase whose beginning is not notified because it was before the bot watched: nor is
   * anything else that has happened by now.
   */
  isFirstSeenLate: boolean
}

/** Fields of the asset's new state that differ from the old one, and the event that led to them. */
export interface Detected {
  state?: Partial<AssetState>
  event?: Event | undefined
}

/** A rule with subscribers. `memory` (JSON) is what its kind stored about it; '' at first. */
export interface RuleWithMemory<Setting = unknown> {
  id: number
  setting: Setting
  memory: string
}

export type RulePoll = Pick<AssetPoll, 'chain' | 'now' | 'asset' | 'figures' | 'history'>

/** The rule's new memory, and the event that led to it. */
export interface RuleDetected {
  memory: string
  event?: Event | undefined
}

/** An event to show, with its chain and the time of showing. */
export interface ShownEvent<Body extends EventBody = EventBody> {
  body: Body
  chain: number
  units: Units
  /** Unix seconds. */
  now: number
}

export interface EventLine {
  item: Item
  tone: Tone
}

/** The columns of an event that is about one asset. */
export function aboutAsset({ chain, asset }: { chain: number; asset: Asset }) {
  return { chain, asset: asset.asset_address.toLowerCase() }
}

/** Seconds for which live or incoming assets are notified although their end or start has passed by our clock. */
const grace = 900

/** The end until which an event is useful; if it has passed although the API still lists the asset, a while from now. */
export function usefulUntil(end: number | undefined, now: number): number {
  if (end === undefined) return now + day
  return end > now ? end : now + grace
}

/** A text about auctions with the filters that say which: `Every auction that goes live · Base · by 0xabcd…1234`. */
export function withFilters(text: Text, filters: readonly Text[]): Text {
  if (filters.length === 0) return text
  const parts = filters.flatMap((filter, index) => (index === 0 ? [filter] : [' · ', filter]))
  return t('alerts-rule-filtered', { rule: text, filters: parts })
}

/** An amount as rules store it, with its currency. */
export function limitText(limit: string, field: MoneyField, units: Units): Text {
  return units[field].startsWith('usd')
    ? inDollars(exactly(limit))
    : t('alerts-limit-quote', { amount: exactly(limit) })
}

/** A minimum's amount with its currency. */
export function minimumText(minimum: Minimum, limit: string, units: Units): Text {
  return limitText(limit, minimumFields[minimum], units)
}

/** Which of many assets; none for all. */
export function filtersOf(
  { chain, category, creator, numeraire, name, mcap, raised }: Scope,
  units: Units,
): Text[] {
  const where = chain === undefined ? undefined : chainById(chain)
  // An address of a quote token only has a symbol on a given chain.
  const symbol = where && numeraire && numeraireSymbol(where, numeraire)
  return [
    ...(where ? [chainName(where)] : []),
    ...(category ? [category] : []),
    ...(numeraire ? [t('alerts-filter-quote', { token: symbol || shortAddress(numeraire) })] : []),
    ...(creator ? [t('alerts-filter-creator', { creator: shortAddress(creator) })] : []),
    ...(name ? [t('alerts-filter-name', { name })] : []),
    ...(mcap ? [t('alerts-filter-mcap', { amount: minimumText('mcap', mcap, units) })] : []),
    ...(raised
      ? [t('alerts-filter-raised', { amount: minimumText('raised', raised, units) })]
      : []),
  ]
}

/** The figures of which rules can ask for the least. */
export function reachedBy({ marketCap, proceeds }: Figures): Reached {
  return { mcap: storable(marketCap)?.amount, raised: storable(proceeds)?.amount }
}

/** Whether the figures are at least what the scope asks for; one that is unknown is not. */
export function hasReached(scope: Scope, reached: Reached): boolean {
  return minimums.every((minimum) => {
    const [least, value] = [scope[minimum], reached[minimum]]
    return least === undefined || (value !== undefined && Big(value).gte(least))
  })
}

/** The larger of each figure. */
export function highestOf(one: Reached, other: Reached): Reached {
  const larger = (minimum: Minimum) => {
    const [a, b] = [one[minimum], other[minimum]]
    return a === undefined || (b !== undefined && Big(b).gt(a)) ? b : a
  }
  return { mcap: larger('mcap'), raised: larger('raised') }
}

/** Whether an asset's name or symbol contains the part that a scope asks for. */
export function isNamed({ name }: Scope, asset: Asset): boolean {
  if (name === undefined) return true
  return baseTokens(asset)
    .flatMap(({ token_name, token_symbol }) => [token_name, token_symbol])
    .some((each) => each?.toLowerCase().includes(name))
}

/** The stored JSON of an event. The event's kind knows the other fields, and parses them. */
export interface EventBody {
  readonly kind: string
  /** The asset as the API returned it at that time; absent if the event is about many. */
  readonly asset?: TrimmedAsset
  readonly [field: string]: unknown
}

/** Something that happened, before it is matched with rules. */
export interface Event<Body extends EventBody = EventBody> {
  /** Unique: if the same thing is detected twice it has the same key. */
  key: string
  /** 0 if it is not about a single chain. */
  chain: number
  /** Lower-case address; '' if it is not about a single asset. */
  asset: string
  /** The id of the one rule whose subscribers are notified; absent if rules are matched. */
  rule?: number
  /** Unix seconds. */
  at: number
  /** Unix seconds; nobody is notified after it. */
  usefulUntil: number
  /**
   * The asset's figures, for rules that ask for the least. With `before`, the event is only for rules that these figures did not
   * satisfy: it comes late, once its asset got there. Absent if the event is about many assets.
   */
  reached?: { now: Reached; before?: Reached | undefined } | undefined
  body: Body
}
