import { rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import type { TokenMetadata } from '../../../src/api/schema.ts'

export const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const picture = rawBlockCid(Buffer.from('a picture'))

/** Metadata in which something stands in every field. */
export const typed = {
  name: 'Moon Otter',
  description: 'Night patrols on three rivers.',
  image_hash: picture,
  social_links: [
    { label: 'Website', url: 'https://otter.example' },
    { label: 'X', url: 'https://x.com/otter' },
  ],
  vesting_recipients: [
    { address: friend, amount: 5 },
    { address: wallet, amount: 25_000_000, percentage: 2.5 },
  ],
  fee_receiver: wallet,
  categories: ['builder-coin'],
} as const satisfies TokenMetadata

/** The least. */
export const bare: TokenMetadata = {
  name: 'Moon Otter',
  description: '',
  image_hash: '',
  social_links: [],
  vesting_recipients: [],
}
