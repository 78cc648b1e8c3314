import { baseToken } from '../src/api/asset.ts'
import { tokenUrl } from '../src/chain/chains.ts'
import { plainText } from '../src/core/catalogue.ts'
import { optional } from '../src/core/command.ts'
import { type Button, t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { tokenLabel, tokenName, tokenSymbol } from '../src/views/token.ts'
import { ifSoon } from './alert-options.ts'
import { address, chain } from './params.ts'
import { command } from './services.ts'

/** Discord's limit for the address of a button; Telegram's is higher. */
const maxUrl = 512

/** Behind the Share button of a card: links that open a post about the token, to be sent by the person. */
export const share = command({
  name: 'share',
  about: t('share-about'),
  hidden: true,
  ephemeral: true,
  params: { asset: address(t('param-asset')), chain: optional(chain()) },
  run: async ({ asset, chain: on }, services): Promise<View> => {
    const chain = on ?? services.chains[0]
    const url = tokenUrl(chain, asset)
    if (url === undefined) throw new UserError(t('share-nowhere', { chain: chain.name }))
    // One that was launched a moment ago is not listed yet.
    const found = (await ifSoon(services.api.asset(asset, chain.id)))?.value
    const { token_name: name, token_symbol: symbol } = (found && baseToken(found)) ?? {}
    const shownName = inert(name === undefined ? '' : plainText(tokenName(name)))
    const shownSymbol = inert(tokenSymbol(symbol) ?? '')
    const texts = [`${shownName} ${shownSymbol}`, shownSymbol, shownName].map((text) => text.trim())
    const links = [...texts, '']
      .map((text) => linksOf(url, text))
      .find((all) => all.every((link) => link.length <= maxUrl))
    const [telegram = '', x = '', farcaster = ''] = links ?? []
    const buttons: Button[] = [
      { label: 'Telegram', url: telegram },
      { label: 'X', url: x },
      { label: 'Farcaster', url: farcaster },
    ]
    return {
      title: [found ? t('share-title', { token: tokenLabel(found) }) : t('share-title-unlisted')],
      blocks: [
        { kind: 'text', spans: [t('share-text')] },
        { kind: 'text', spans: [{ code: url }] },
      ],
      buttons: [buttons],
    }
  },
})

/**
 * A stranger's words for a post that another person sends: without what would mention somebody, tag or link there. A
 * ticker's $ stays.
 */
function inert(text: string): string {
  return text
    .replace(/[@#:/\\.＠＃]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
}

/**
 * Pages where a post is written:
 * https://core.telegram.org/widgets/share, https://docs.x.com/x-for-websites/tweet-button/guides/web-intent,
 * https://docs.farcaster.xyz/reference/farcaster/intent-urls
 */
function linksOf(url: string, text: string): string[] {
  return [
    `https://t.me/share/url?${query({ url, text })}`,
    `https://x.com/intent/post?${query({ text, url })}`,
    `https://farcaster.xyz/~/compose?${query({ text, 'embeds[]': url })}`,
  ]
}

/** Blanks are %20: Telegram's page shows a plus as it is. */
function query(values: Record<string, string>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}
