import { LRUCache } from 'lru-cache'
import { readFigures } from './figures.ts'
import type { Asset } from './schema.ts'
import type { UnitField, Units } from './units.ts'

/** Options of a watch over figures. */
export interface FigureWatchOptions {
  units: Units
  /** Hears of each field of an asset that is not shown because it contradicts others. */
  onHidden?: ((field: UnitField) => void) | undefined
}

/** The number of assets that are remembered: the ones read last. */
const maxAssets = 200
/** A stranger's odd token says nothing of the settings: so great a part has to be odd, and more than one. */
const minPart = 0.1
const minOdd = 2

/** Notices figures that contradict each other, which says that a unit is not what API_UNITS says. */
export class FigureWatch {
  readonly #options: FigureWatchOptions
  /** Whether each of the assets that were read last is odd. */
  readonly #odd = new LRUCache<string, boolean>({ max: maxAssets })

  constructor(options: FigureWatchOptions) {
    this.#options = options
  }

  /** Looks through the assets of one answer. */
  look(assets: readonly Asset[]): void {
    const { units, onHidden } = this.#options
    for (const asset of assets) {
      const { broken } = readFigures(asset, units)
      for (const field of broken) onHidden?.(field)
      this.#odd.set(asset.asset_address.toLowerCase(), broken.length > 0)
    }
  }

  /** For /healthz. */
  state(): 'ok' | 'run the doctor' {
    const all = [...this.#odd.values()]
    const odd = all.filter((isOdd) => isOdd).length
    return odd >= minOdd && odd >= all.length * minPart ? 'run the doctor' : 'ok'
  }
}
