import { showcaseAddresses } from '../sandbox/interface/showcase.ts'

/** The asset that warm commands ask for: a live auction, whose card is the longest. */
export const warmAsset = showcaseAddresses.moonOtter
