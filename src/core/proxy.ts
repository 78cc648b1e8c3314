import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

/** The operator's proxies. Their URLs may hold a password. */
export interface ProxySettings {
  /** For https; that of http if there is none. */
  https?: string | undefined
  /** For http. */
  http?: string | undefined
  /** Hosts that are reached without them, with commas between. */
  none?: string | undefined
}

/** Names of this machine, which no proxy reaches. */
const loopback = 'localhost,127.0.0.1,::1'
/** Milliseconds for a proxy to open a connection. */
const proxyTimeout = 10_000

/**
 * Makes the connections to one service, through the operator's proxy if there is one. Requests have to name their origin.
 * @example
 * const pool = connectionsTo(url.origin, { connections: 32, maxResponseSize: 1_000_000 }, proxy)
 */
export function connectionsTo(
  origin: string,
  options: Pool.Options,
  proxy: ProxySettings | undefined,
): Dispatcher {
  return proxy ? proxiedConnections(options, proxy) : new Pool(origin, options)
}

/** Makes connections to any service, through the proxies. */
export function proxiedConnections(
  options: Pool.Options,
  { https = '', http = '', none = '' }: ProxySettings,
): Dispatcher {
  return new EnvHttpProxyAgent({
    ...options,
    // Empty ones keep it from reading the environment.
    httpsProxy: https,
    httpProxy: http,
    noProxy: `${loopback},${none}`,
    // Without its own the agent forgets the options where it does not open a tunnel.
    factory: (to, ours) => new Pool(to, { ...options, ...ours }),
    // A proxy that hangs would hold its connections for minutes.
    clientFactory: (to, ours) => new Pool(to, { ...ours, headersTimeout: proxyTimeout }),
  })
}
