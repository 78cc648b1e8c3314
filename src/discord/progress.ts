import { Paced } from '../chat/paced.ts'
import type { View } from '../chat/view.ts'

/** Discord takes five edits of an answer in two seconds; people read more slowly. */
const betweenShows = 1_000

/** Shows one view after another in the same place, a second apart at least; what goes wrong with one is reported. */
export function progress(
  put: (view: View) => Promise<unknown>,
  report: (error: unknown) => void,
): Paced {
  return new Paced(async (view) => {
    await put(view).catch(report)
    return { pause: betweenShows }
  })
}
