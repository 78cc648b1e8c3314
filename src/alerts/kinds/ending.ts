import { z } from 'zod'
import { figuresOf } from '../../api/figures.ts'
import { type Text, t } from '../../core/view.ts'
import { proceedsFields, soldBlocks, worthFields } from '../../views/facts.ts'
import { type Countdown, trimmedAssetSchema } from '../asset.ts'
import { assetEventViews, capDetail, endDetail, type Headline, timeAhead } from './asset-view.ts'
import {
  type AlertKind,
  type AssetPoll,
  aboutAsset,
  type Detected,
  hour,
  integerIn,
  minimums,
  minute,
  ranges,
} from './kind.ts'

/** Minutes before the end. */
const setting = z.strictObject({ minutes: integerIn(ranges.minutes) })
type Setting = z.output<typeof setting>

const body = z.object({
  kind: z.literal('ending'),
  asset: trimmedAssetSchema,
  /** Minutes to the end at the last observation and now; rounded up. */
  fromMinutes: z.number(),
  minutes: z.number(),
  endsAt: z.number(),
})
type Body = z.output<typeof body>

/** An auction is about to end. */
export const ending: AlertKind<Setting, Body> = {
  id: 'ending',
  label: t('alerts-kind-ending'),
  about: t('alerts-about-ending'),
  assets: 'either',
  minimums,
  inFollowButton: true,
  setting,
  options: ['minutes'],
  settingFrom: ({ minutes = 60 }) => ({ minutes }),
  optionsFrom: ({ minutes }) => ({ minutes }),
  presets: () =>
    [15, 60, 180, 1440].map((minutes) => ({ label: duration(minutes), options: { minutes } })),
  example: () => 'minutes:30',
  ruleText: ({ minutes }, { name }) =>
    name === undefined
      ? t('alerts-rule-ending', { time: duration(minutes) })
      : t('alerts-rule-ending-one', { time: duration(minutes), name }),
  shortText: ({ minutes }) => t('alerts-short-ending', { time: duration(minutes) }),
  typed: {
    label: t('alerts-set-ending'),
    ask: () => t('alerts-ask-ending', { example: { code: '30' }, hours: { code: '2h' } }),
    options(text) {
      const { count, unit } = /^(?<count>\d{1,4}) *(?<unit>h|m)/iu.exec(text)?.groups ?? {}
      const factor = unit?.toLowerCase() === 'h' ? 60 : 1
      return { minutes: count === undefined ? text : String(Number(count) * factor) }
    },
  },
  never: ({ figures: { endsAt } }) => (endsAt === undefined ? t('alerts-never-ends') : undefined),
  remark({ minutes }, { figures: { endsAt }, now }) {
    if (endsAt === undefined) return undefined
    const left = (endsAt - now) / minute
    if (left >= minutes) return undefined
    const shorter = [720, 180, 60, 30, 15, 5].find((each) => each < left)
    return {
      text: t('alerts-already-ending', { time: duration(minutes) }),
      instead: shorter === undefined ? undefined : { minutes: shorter },
    }
  },
  isOver: (phase) => phase === 'graduated' || phase === 'ended',
  detection: {
    from: 'asset-and-settings',
    detector(settings) {
      const all = [...new Set(settings.map(({ minutes }) => minutes))]
      return (poll) => detectEnding(poll, all)
    },
    matches: ({ minutes }, { minutes: left, fromMinutes }) =>
      minutes >= left && minutes < fromMinutes,
    isDue({ ending: countdown }, now, settings) {
      if (countdown === undefined) return false
      const left = minutesTo(countdown.endsAt, now)
      if (settings === undefined) return left < countdown.minutes
      return settings.some(({ minutes }) => left <= minutes && minutes < countdown.minutes)
    },
  },
  body,
  ...assetEventViews<Body>({
    headline: ({ body: { endsAt }, now }) => headline(endsAt - now),
    blocks({ body: { asset, endsAt }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      const fields = [
        ...timeAhead(t('asset-ends'), endsAt, now),
        ...worthFields(asset, figures, chain),
        ...proceedsFields(asset, figures, chain),
      ]
      return [...soldBlocks(figures.progress), { kind: 'fields', fields }]
    },
    details: ({ body: { asset, endsAt }, chain, units, now }) => [
      ...capDetail(asset, figuresOf(asset, units), chain),
      ...endDetail(endsAt, now),
    ],
  }),
  rank: () => 3,
}

/** `90 min`, `3 h` */
function duration(minutes: number): Text {
  return minutes % 60 === 0
    ? t('alerts-hours', { count: minutes / 60 })
    : t('alerts-minutes', { count: minutes })
}

/** "Soon" is for what can't wait; a longer time is given in hours, of which there are at least two. */
function headline(left: number): Headline {
  if (left <= 1.5 * hour) {
    return { text: (token) => t('alerts-ending-soon', { token }), tone: 'neutral' }
  }
  const hours = Math.round(left / hour)
  return { text: (token) => t('alerts-ending', { hours, token }), tone: 'neutral' }
}

/** Stands for "never observed" as minutes to the end: more than any rule can ask for. */
const neverObserved = 1441
/** Seconds by which an end must move for its countdown to restart. */
const minShift = 600
/**
 * Limits on restarting a countdown that was notified: seconds between two restarts, and how many. An end that jitters
 * would be notified forever otherwise.
 */
const restartPause = hour
const maxRestarts = 3

/** Rounded up; 0 once it is over. */
function minutesTo(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / minute))
}

/**
 * At most one event, for all minutes that passed since the end was last observed. If the end is moved later, the
 * countdown restarts from there. If the API still lists the auction as live after its end by our clock, nothing is
 * concluded; once both agree that it is over, the missed minutes produce an event that counts as late.
 */
function detectEnding(poll: AssetPoll, minutes: readonly number[]): Detected {
  const { chain, now, asset, phase, isFirstSeenLate } = poll
  const { endsAt } = poll.figures
  const previous = poll.before?.ending
  if (endsAt === undefined) return {}
  const isOver = endsAt <= now
  if (phase === 'live' ? isOver : !isOver || previous === undefined) return {}
  const left = minutesTo(endsAt, now)
  if (isFirstSeenLate) return { state: { ending: { endsAt, minutes: left } } }
  const restarted = previous && restartedCountdown(previous, endsAt, now)
  if (restarted) return { state: { ending: { ...restarted, minutes: left } } }
  const before = previous ?? { endsAt, minutes: neverObserved }
  const countdown: Countdown = {
    ...before,
    // Keep the earliest of several close ends: the event's key contains it and must not change with small shifts.
    endsAt: Math.min(endsAt, before.endsAt),
    minutes: Math.min(left, before.minutes),
  }
  const crossed = minutes.filter((each) => left <= each && each < before.minutes)
  if (crossed.length === 0) return { state: { ending: countdown } }
  const about = aboutAsset({ chain, asset })
  const event = {
    ...about,
    key: `ending:${chain}:${about.asset}:${countdown.endsAt}:${Math.min(...crossed)}`,
    at: now,
    usefulUntil: endsAt,
    body: { kind: 'ending', asset, fromMinutes: before.minutes, minutes: left, endsAt },
  }
  return { state: { ending: { ...countdown, wasNotified: true } }, event }
}

/** The state of a countdown that restarts because the end moved later; undefined if it may not restart. */
function restartedCountdown(
  previous: Countdown,
  endsAt: number,
  now: number,
): Omit<Countdown, 'minutes'> | undefined {
  const { wasNotified, restarts } = previous
  if (endsAt <= previous.endsAt + minShift) return undefined
  if (!wasNotified) return { endsAt, restarts }
  const { count, at } = restarts ?? { count: 0, at: 0 }
  const mayRestart = count < maxRestarts && now >= at + restartPause
  return mayRestart ? { endsAt, restarts: { count: count + 1, at: now } } : undefined
}
