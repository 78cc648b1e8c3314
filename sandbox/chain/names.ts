import { type Address, type Hex, keccak256, namehash, toBytes } from 'viem'

/** A name of the local chain's registry, such as `ada.base.eth`. */
export interface ChainName {
  name: string
  /** Addresses by the coin's number: 60 is ether's, 0x80000000 and a chain's id that of the chain. */
  addresses?: Readonly<Record<number, Address>>
  /** It is resolved by a server off the chain, and has no addresses here. */
  isOffchain?: boolean
}

/**
 * Where the contracts stand that names are looked up in, by chain id.
 * Sources: https://docs.ens.domains/learn/deployments and https://github.com/base/basenames#contract-addresses.
 */
const places: Readonly<Record<number, { registry: Address; universal?: Address }>> = {
  1: {
    registry: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
    universal: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe',
  },
  8453: { registry: '0xB94704422c2a1E396835A571837Aa5AE53285a95' },
}

/** What puts contracts on a chain. */
interface Deployer {
  account(): Promise<Address>
  place(name: string, at?: Address): Promise<Address>
  write(name: string, address: Address, functionName: string, args: unknown[]): Promise<void>
}

/** Puts the contracts for names on the chain, and registers these names. */
export async function deployNames(
  deployer: Deployer,
  chainId: number,
  names: readonly ChainName[],
): Promise<void> {
  const stands = places[chainId]
  if (!stands) throw new Error(`there are no names on chain ${chainId}`)
  const registry = await deployer.place('NameRegistry', stands.registry)
  await deployer.write('NameRegistry', registry, 'claimRoot', [])
  const resolver = await deployer.place('NameResolver')
  await deployer.write('NameResolver', resolver, 'setRegistry', [registry])
  const offchain = await deployer.place('OffchainNameResolver')
  if (stands.universal) {
    const universal = await deployer.place('UniversalResolver', stands.universal)
    await deployer.write('UniversalResolver', universal, 'setRegistry', [registry])
  }
  const owner = await deployer.account()
  const owned = new Set([''])
  const own = async (name: string, resolvedBy: Address) => {
    const [label = '', ...rest] = name.split('.')
    const parent = rest.join('.')
    if (!owned.has(parent)) await own(parent, unset)
    owned.add(name)
    const args = [namehash(parent), keccak256(toBytes(label)), owner, resolvedBy, 0n]
    await deployer.write('NameRegistry', registry, 'setSubnodeRecord', args)
  }
  for (const { name, addresses = {}, isOffchain = false } of names) {
    await own(name, isOffchain ? offchain : resolver)
    for (const [coin, address] of Object.entries(addresses)) {
      const args: [Hex, bigint, Address] = [namehash(name), BigInt(coin), address]
      await deployer.write('NameResolver', resolver, 'setAddr', args)
    }
  }
}

const unset: Address = '0x0000000000000000000000000000000000000000'
