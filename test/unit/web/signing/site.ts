import { randomBytes } from 'node:crypto'
import type { Attachment } from '../../../../src/core/view.ts'
import type { SigningRequest } from '../../../../src/launch/signing-wire.ts'
import { createLogger, type Logger } from '../../../../src/log.ts'
import { WebServer, webApp } from '../../../../src/web/server.ts'
import { bundlePage } from '../../../../src/web/signing/bundle.ts'
import { webParts } from '../parts.ts'
import { MapDesk } from './desk.ts'
import { signingRequest } from './payload.ts'

/** The signing page over a desk of the test's own. */
export interface Site {
  signingService: MapDesk
  /** Without a trailing slash. */
  url: string
  /** A new link; gives its token. */
  add(request?: Partial<SigningRequest>, picture?: Attachment): string
  stop(): Promise<void>
}

export function linkToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Starts it; `publicUrl` where that is not where it listens. */
export async function startSite(
  options: { publicUrl?: string; pageOrigin?: string; log?: Logger } = {},
): Promise<Site> {
  const signingService = new MapDesk()
  const page = await bundlePage()
  // The address has to be known before what listens there is made.
  const probe = new WebServer(webApp(webParts()))
  const port = await probe.start(0)
  await probe.stop()
  const url = `http://127.0.0.1:${port}`
  const { publicUrl = url, pageOrigin, log = createLogger('silent', []) } = options
  const signing = { signingService, publicUrl, pageOrigin, page, log }
  const server = new WebServer(webApp(webParts({ signing })))
  await server.start(port)
  return {
    signingService,
    url,
    add(request, picture) {
      const token = linkToken()
      signingService.entries.set(token, {
        request: signingRequest(request),
        ...(picture && { picture }),
      })
      return token
    },
    stop: () => server.stop(),
  }
}
