import type { Figures } from '../../api/figures.ts'
import type { Point } from '../point.ts'
import { storable, storableShare } from '../storable.ts'

const apart = 60
/** More can't be told apart in the picture of a card. */
const mostPoints = 96

/**
 * The course of an asset with how it stands now: a point more at most once a minute and only where something changed.
 * When there are too many every second of the older half goes, so that the course stays whole and is finest at its end.
 */
export function recorded(
  history: readonly Point[],
  facts: Pick<Figures, 'price' | 'progress'>,
  now: number,
): readonly Point[] {
  const last = history.at(-1)
  const price = storable(facts.price)?.amount
  const progress = storableShare(facts.progress)
  if (price === undefined && progress === undefined) return history
  if (last?.price === price && last?.progress === progress) return history
  // A clock that was set back must not stop the record.
  if (last && Math.abs(now - last.at) < apart) return history
  const point = { at: now, price, progress }
  return thinned([...history.filter(({ at }) => at < now), point])
}

function thinned(points: Point[]): Point[] {
  if (points.length <= mostPoints) return points
  const middle = Math.floor(points.length / 2)
  return points.filter((_, index) => index >= middle || index % 2 === 0)
}
