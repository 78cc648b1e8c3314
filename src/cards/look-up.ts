import { Resolver } from 'node:dns/promises'

/** Names that no name server outside knows, by RFC 6761 and its kin. */
const reserved = /(?:^|\.)(?:example|invalid|test|localhost|local|internal|onion|alt)\.?$/u

/**
 * Every address of a host, of either family. It asks the name servers themselves, this machine's unless told others:
 * names of this machine's own are nobody's business here.
 */
export async function lookUp(host: string, servers?: readonly string[]): Promise<string[]> {
  if (reserved.test(host)) return []
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers) resolver.setServers(servers)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}
