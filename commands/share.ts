import { baseToken } from '../src/api/asset.ts'
import { tokenUrl } from '../src/chain/chains.ts'
import { optional } from '../src/core/command.ts'
import { t, type View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { fakeBlocks } from '../src/views/facts.ts'
import { shareButtons } from '../src/views/links.ts'
import { chainName, tokenLabel } from '../src/views/token.ts'
import { fakeReasons, ifSoon } from './lookup.ts'
import { address, chain } from './params.ts'
import { command } from './services.ts'

/** Behind the Share button of a card: links that open a post about the token, to be sent by the person. */
export const share = command({
  name: 'share',
  about: t('share-about'),
  unlisted: true,
  ephemeral: true,
  params: { asset: address(t('param-asset')), chain: optional(chain()) },
  run: async ({ asset, chain: on }, services): Promise<View> => {
    const chain = on ?? services.chains[0]
    const url = tokenUrl(chain, asset)
    if (url === undefined) throw new UserError(t('share-nowhere', { chain: chainName(chain) }))
    // One that was launched a moment ago is not listed yet.
    const [read, fake] = await Promise.all([
      ifSoon(services.api.asset(asset, chain.id)),
      fakeReasons(asset, chain, services),
    ])
    const found = read?.value
    const { token_name: name, token_symbol: symbol } = (found && baseToken(found)) ?? {}
    return {
      title: [found ? t('share-title', { token: tokenLabel(found) }) : t('share-title-unlisted')],
      ...(fake && { tone: 'bad' as const }),
      blocks: [
        ...fakeBlocks({ fake }),
        { kind: 'text', spans: [t('share-text')] },
        { kind: 'text', spans: [{ code: url }] },
      ],
      buttons: [shareButtons({ address: asset, name, symbol }, chain)],
    }
  },
})
