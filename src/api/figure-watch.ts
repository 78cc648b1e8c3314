import { readFigures } from './figures.ts'
import type { Asset } from './schema.ts'
import type { UnitField, Units } from './units.ts'

/** What a watch over figures goes by. */
export interface FigureWatchOptions {
  units: Units
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  /** Hears of each field of an asset that is not shown because it contradicts others. */
  onHidden?: ((field: UnitField) => void) | undefined
}

/** For so many milliseconds after it was seen last a contradiction is told of. */
const toldFor = 600_000
/** A stranger's one odd token says nothing of the settings: of a list so great a part has to be odd. */
const leastPart = 0.1

/** Notices figures that contradict each other, which says that a unit is not what API_UNITS says. */
export class FigureWatch {
  readonly #options: FigureWatchOptions
  #lastSeen: number | undefined

  constructor(options: FigureWatchOptions) {
    this.#options = options
  }

  /** Looks through the assets of one answer. */
  look(assets: readonly Asset[]): void {
    const { units, now, onHidden } = this.#options
    const counts = new Map<UnitField, number>()
    for (const asset of assets) {
      for (const field of readFigures(asset, units).broken) {
        onHidden?.(field)
        counts.set(field, (counts.get(field) ?? 0) + 1)
      }
    }
    const isCommon = [...counts.values()].some((count) => count >= assets.length * leastPart)
    if (isCommon) this.#lastSeen = now()
  }

  /** For /healthz. */
  state(): 'ok' | 'run the doctor' {
    const { now } = this.#options
    const isRecent = this.#lastSeen !== undefined && now() - this.#lastSeen < toldFor
    return isRecent ? 'run the doctor' : 'ok'
  }
}
