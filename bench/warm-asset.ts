import { showcaseAddresses } from '../sandbox/interface/showcase.ts'

/** The asset that warm commands ask for: a live auction, whose card has most to say. */
export const warmAsset = showcaseAddresses.moonOtter
