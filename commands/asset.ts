import { oneOf, optional } from '../src/core/command.ts'
import { t } from '../src/core/view.ts'
import { choicesView, findAsset } from './lookup.ts'
import { assetTerm, chain } from './params.ts'
import { command, type Services } from './services.ts'

export const asset = command({
  name: 'asset',
  about: t('asset-about'),
  params: {
    asset: assetTerm(t('param-asset'), 'OTTER'),
    chain: optional(chain()),
    show: optional(
      oneOf<'details', Services>(t('param-show'), [
        { value: 'details', label: t('asset-button-details') },
      ]),
    ),
  },
  run: async ({ asset: term, chain: named, show }, services, { locale }, showProgress) => {
    const found = await findAsset(term, named, services)
    if (!('choices' in found)) {
      if (show === 'details') return services.cards.detailed(found.read, found.chain)
      return services.cards.pictured(found.read, found.chain, locale, showProgress)
    }
    return choicesView(term, found, services)
  },
})
