import type { Store } from './schema.ts'

export type Fence = (tx: Store) => Promise<void>

/** The fence of a process that is alone on its database. */
export const unfenced: Fence = async () => undefined
