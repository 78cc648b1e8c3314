import { onTestFinished } from 'vitest'
import { GatewayServer } from '../../../sandbox/ipfs/gateway.ts'
import { KuboServer } from '../../../sandbox/ipfs/kubo.ts'
import { gatewayReader, type IpfsReader, kuboReader } from '../../../src/launch/ipfs.ts'

/** A Kubo node, closed after the test. */
export async function kuboNode(): Promise<KuboServer> {
  const node = await KuboServer.start()
  onTestFinished(() => node.stop())
  return node
}

/** A gateway to what a node has, closed after the test. */
export async function gatewayTo(
  node: KuboServer,
  options: { subdomains?: boolean } = {},
): Promise<GatewayServer> {
  const gateway = await GatewayServer.start({ of: node, ...options })
  onTestFinished(() => gateway.stop())
  return gateway
}

/** Closed after the test. */
export function reading(way: 'kubo' | 'gateway', url: string): IpfsReader {
  const reader = way === 'kubo' ? kuboReader({ url }) : gatewayReader({ url })
  onTestFinished(() => reader.close())
  return reader
}
