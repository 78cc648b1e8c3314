import { html, nothing, type TemplateResult } from 'lit-html'

/** Content that lit-html can show; strings become text, never markup. */
export type Content = TemplateResult | string | undefined | readonly Content[]

/** Makes a button; while busy it looks disabled but keeps the focus. */
export function button(
  { action, kind, busy = false }: { action: string; kind?: 'main' | 'quiet'; busy?: boolean },
  label: Content,
  press: () => unknown,
): TemplateResult {
  return html`<button type="button" data-action=${action} class=${kind ?? nothing}
    aria-disabled=${busy ? 'true' : nothing} @click=${press}>${label}</button>`
}

/** Makes a link that opens in a new tab and sends no referrer. */
export function outLink(href: string, label: Content): TemplateResult {
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">${label}</a>`
}

/** Shows a text under a small label. */
export function labelled(label: string, content: Content): TemplateResult {
  return html`<p class="label">${label}</p>${content}`
}

/**
 * Shows a full address that links to the explorer. Lines break between groups that are easy to compare; the characters
 * that the chat shows are highlighted.
 */
export function addressView(address: string, explorer?: string): TemplateResult {
  const groups = address.slice(2).match(/.{1,4}/gu) ?? []
  const shown = groups.map((group, index) =>
    index === 0 || index === groups.length - 1
      ? html`<wbr><b>${group}</b>`
      : html`<wbr><span>${group}</span>`,
  )
  const code = html`<code class="address">0x${shown}</code>`
  return explorer === undefined ? code : outLink(`${explorer}/address/${address}`, code)
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Shortens untrusted text to one line of at most `max` graphemes, without invisible characters or ones that change the
 * direction. Wallets' browsers may be too old for what `core/text.ts` does.
 */
export function clean(words: string, max: number): string {
  const line = words
    .slice(0, max * 16)
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  if (characters.length <= max) return line
  return `${characters.slice(0, max - 1).join('')}…`
}

/** Escapes invisible characters, so that different texts never look the same. */
export function visible(words: string): string {
  const shown = words
    .slice(0, 200)
    .replaceAll(/(?! )[\p{C}\p{Z}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
  return words.length > 200 ? `${shown}…` : shown
}
