import { assetPage } from '../../../commands/asset-page.ts'
import { address, chain, page } from '../../../commands/params.ts'
import { command } from '../../../commands/services.ts'
import { formatLine, optional } from '../../../src/core/command.ts'
import { t } from '../../../src/core/view.ts'

export const creator = command({
  name: 'creator',
  about: t('creator-about'),
  params: {
    creator: address(t('creator-account')),
    chain: optional(chain()),
    page: optional(page()),
  },
  run: ({ creator, chain, page = 1 }, services) => {
    const shownChain = chain ?? services.chains[0]
    return assetPage(services, {
      title: [t('creator-title', { creator })],
      chain: shownChain,
      filter: { creator },
      page,
      lineOf: (other) => formatLine('creator', creator, { chain: shownChain.id, page: other }),
      emptyText: t('creator-none', { chain: shownChain.name }),
    })
  },
})
