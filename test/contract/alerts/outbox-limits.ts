/** Limits of a claim that takes all there is. */
export const limits = { maxChats: 100, maxEvents: 10, lease: 60 }
