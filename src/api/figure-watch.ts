import { LRUCache } from 'lru-cache'
import { readFigures } from './figures.ts'
import type { Asset } from './schema.ts'
import type { UnitField, Units } from './units.ts'

/** Options of `FigureWatch`. */
interface FigureWatchOptions {
  units: Units
  /** Called for each field of an asset that is not shown because it contradicts others. */
  onHidden?: ((field: UnitField) => void) | undefined
}

/** Max assets in the sample: those read last. */
const maxAssets = 200

/**
 * A single contradictory token says nothing about the settings: this part of the sample, and this number, must be odd.
 */
const minOddPart = 0.1

const minOdd = 2

/** Detects assets whose figures contradict each other. If there are many, a unit in API_UNITS is probably wrong. */
export class FigureWatch {
  readonly #options: FigureWatchOptions
  /** Whether each asset in the sample has contradictory figures. */
  readonly #oddAssets = new LRUCache<string, boolean>({ max: maxAssets })

  constructor(options: FigureWatchOptions) {
    this.#options = options
  }

  /** Adds the assets of one answer to the sample. */
  check(assets: readonly Asset[]): void {
    const { units, onHidden } = this.#options
    for (const asset of assets) {
      const { broken } = readFigures(asset, units)
      for (const field of broken) onHidden?.(field)
      this.#oddAssets.set(asset.asset_address.toLowerCase(), broken.length > 0)
    }
  }

  /** Returns the state for /healthz. */
  state(): 'ok' | 'run the doctor' {
    const samples = [...this.#oddAssets.values()]
    const odd = samples.filter((isOdd) => isOdd).length
    return odd >= minOdd && odd >= samples.length * minOddPart ? 'run the doctor' : 'ok'
  }
}
