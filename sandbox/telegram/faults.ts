/**
 * What befalls a call. `mute`: it is done and never answered. `stumble`: it is done and answered with a 500. `fail`: it
 * is not done and answered with a 500. `cut`: it is not done, and the connection breaks.
 */
export type Fault = 'mute' | 'stumble' | 'fail' | 'cut'
