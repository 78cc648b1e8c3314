import type { Payload } from './payload.ts'
import type { LaunchSettings } from './settings.ts'

/** Where people sign. */
export interface SigningPlace {
  /** The one host of every link; every message names it. */
  host: string
  /** The link with this token. */
  url(token: string, payload: Pick<Payload, 'chain' | 'to' | 'digest'>): string
}

/** The operator's own signing page, else the bot's; undefined where there is neither. */
export function signingPlace({
  publicUrl,
  signingUrlTemplate: template,
}: Pick<LaunchSettings, 'publicUrl' | 'signingUrlTemplate'>): SigningPlace | undefined {
  if (template !== undefined) {
    return {
      host: hostOf(template),
      url: (token, { chain, to, digest }) => {
        const values: Record<string, string> = { token, chain: String(chain), to, digest }
        return template.replaceAll(/\{(token|chain|to|digest)\}/gu, (whole, name: string) =>
          encodeURIComponent(values[name] ?? whole),
        )
      },
    }
  }
  if (publicUrl === undefined) return undefined
  return { host: hostOf(publicUrl), url: (token) => `${publicUrl}/s/${token}` }
}

function hostOf(url: string): string {
  return new URL(url.replaceAll(/[{}]/gu, '')).host
}
