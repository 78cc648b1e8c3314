import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../src/cards/token-image.ts'

const notPublic: [about: string, address: string][] = [
  ['this machine', '127.0.0.1'],
  ['this machine by another number', '127.8.9.1'],
  ['no address', '0.0.0.0'],
  ['this net', '0.1.2.3'],
  ['private 10', '10.0.0.1'],
  ['private 172.16', '172.16.0.1'],
  ['the last of private 172', '172.31.255.255'],
  ['private 192.168', '192.168.1.1'],
  ['link-local', '169.254.0.1'],
  ['metadata of clouds', '169.254.169.254'],
  ['shared by carriers', '100.64.0.1'],
  ['metadata of another cloud', '100.100.100.200'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['benchmarks', '198.18.0.1'],
  ['6to4 relays', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['this machine', '::1'],
  ['no address', '::'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local of old', 'fec0::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['metadata of clouds', 'fd00:ec2::254'],
  ['multicast', 'ff02::1'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1'],
  ['a public IPv4 in IPv6', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4', '2002:7f00:1::1'],
  ['Teredo', '2001::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['benchmarks', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['discarded', '100::1'],
  ['segment routing', '5f00::1'],
  ['not given out', '4000::1'],
  ['an octal number', '0177.0.0.1'],
  ['an octal number, which others read as private', '010.8.8.8'],
  ['a number alone', '2130706433'],
  ['a public one as a number alone', '134744072'],
  ['a hexadecimal number', '0x7f.0.0.1'],
  ['three parts', '127.0.1'],
  ['a name', 'localhost'],
  ['nothing', ''],
]

test.each(notPublic)('%s (%s) is not public', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450::8a',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
