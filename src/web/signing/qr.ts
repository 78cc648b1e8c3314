import { renderSVG } from 'uqr'

/** A QR code as an SVG picture. It is black on white in dark mode too: many cameras read no other. */
export function qrCode(text: string): string {
  return renderSVG(text, { ecc: 'M', border: 3 })
}
