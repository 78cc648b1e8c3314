import { UserError } from '../errors.ts'

export type PictureKind = 'png' | 'jpeg' | 'webp' | 'gif'

/** How a file of a kind begins, a character a byte. */
type Sign = string | RegExp

const kinds: readonly [kind: PictureKind, sign: Sign][] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', '\xff\xd8\xff'],
  ['webp', /^RIFF.{4}WEBP/su],
  ['gif', /^GIF8[79]a/u],
]

const instead = 'Send a PNG, JPEG, WebP or GIF picture.'

/** The first that fits says what the file is, and what to do instead. */
const others: readonly [signs: readonly Sign[], words: string][] = [
  [[/^$/u], `This file is empty. ${instead}`],
  [
    [/^\s*<.*?\bsvg\b/isu],
    'SVG drawings can’t be taken, as they can hold code. Save it as a PNG picture and send that.',
  ],
  [[/^\s*</u], `This is a web page or a text with markup, not a picture. ${instead}`],
  [['%PDF'], 'This is a PDF. Save the page as a PNG or JPEG picture and send that.'],
  [
    [/^.{4}ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/su],
    'HEIC and AVIF files can’t be taken. Save it as a JPEG, or send it as a photo rather than as a file.',
  ],
  [
    [/^.{4}ftyp/su, /^RIFF.{4}AVI /su, '\x1aE\xdf\xa3'],
    `This is a video or a moving picture. ${instead}`,
  ],
  [
    ['PK\x03\x04', '\x1f\x8b', 'Rar!', '7z\xbc\xaf', '\xfd7zXZ', 'BZh'],
    `This is an archive. Unpack it and send the picture in it. ${instead}`,
  ],
  [
    ['BM', 'II*\0', 'MM\0*', '8BPS', '\0\0\x01\0', '\0\0\0\fJXL', '\xff\n'],
    'Pictures of this format can’t be taken. Save it as a PNG or JPEG and send that.',
  ],
]

/**
 * What kind of picture the bytes are, whatever the file's name says.
 * @throws UserError that says what to send instead
 */
export function pictureKind(bytes: Uint8Array): PictureKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const kind = kinds.find(([, sign]) => begins(head, sign))?.[0]
  if (kind !== undefined) return kind
  const text = head.replace(/^\xef\xbb\xbf/u, '')
  const words = others.find(([signs]) => signs.some((sign) => begins(text, sign)))?.[1]
  throw new UserError(words ?? `This file is no picture that can be read. ${instead}`)
}

function begins(text: string, sign: Sign): boolean {
  return typeof sign === 'string' ? text.startsWith(sign) : sign.test(text)
}
