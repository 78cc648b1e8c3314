import ipaddr from 'ipaddr.js'

/** All of IPv6 that is given out for the public net. */
const publicIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address belongs to some machine on the public net. Every other kind is refused: private, loopback,
 * link-local, shared, multicast, reserved, and such as carry an IPv4 address inside, whatever that one is.
 */
export function isPublicAddress(address: string): boolean {
  // Only the plain spellings: others read an octet with a leading zero as they like.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(publicIpv6)
}
