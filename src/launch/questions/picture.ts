import { UserError } from '../../errors.ts'
import { parseCid } from '../cid.ts'
import { always, type Question } from './question.ts'

export const picture: Question = {
  id: 'picture',
  label: 'Picture',
  names: ['picture', 'image', 'logo', 'cid'],
  field: { kind: 'line', most: 1_000, about: 'A CID, or a link to a picture on IPFS' },
  applies: always,
  skipped: () => ({ picture: null }),
  ask: ({ canPublish }) => ({
    words: canPublish
      ? ['Which picture does it have? A photo or a file, or where it is on IPFS.']
      : ['Which picture does it have? This bot can’t publish files, so say where it is on IPFS.'],
    example: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
    allowed: canPublish
      ? 'PNG, JPEG, WebP or GIF up to 10 MB; it is cut to a square. Or a CID, or an IPFS link.'
      : 'A CID, an ipfs:// address or the https link of an IPFS gateway.',
  }),
  parse: (text, { canPublish, answers }) => {
    const cid = parseCid(text)
    // A form sends back the current CID; its bytes may still be unpublished.
    if (cid !== undefined && answers.picture?.cid === cid) return { picture: answers.picture }
    if (cid !== undefined) return { picture: { cid, stored: false } }
    throw new UserError(
      `That is no CID and no IPFS link. ${canPublish ? 'Send the picture itself, or' : 'Publish the picture on IPFS, then'} paste its CID.`,
    )
  },
  text: ({ answers }) => (answers.picture === null ? '' : answers.picture?.cid),
}
