import { formatLine, optional } from '../src/core/command.ts'
import { t } from '../src/core/view.ts'
import { addressSpan, chainName } from '../src/views/token.ts'
import { assetPage } from './asset-page.ts'
import { chainsToSearch } from './lookup.ts'
import { address, chain, page } from './params.ts'
import { command } from './services.ts'

/** Behind the Creator button of a card: a creator's tokens, and alerts about those to come. Its line fits into a button. */
export const by = command({
  name: 'by',
  about: t('by-about'),
  unlisted: true,
  params: {
    creator: address(t('param-creator')),
    chain: optional(chain()),
    page: optional(page()),
  },
  run: ({ creator, chain: named, page = 1 }, services) => {
    const [shown] = chainsToSearch(named, services)
    const on = { chain: shown.id }
    const who = addressSpan(shown, creator)
    return assetPage(services, {
      title: [
        services.chains.length > 1
          ? t('by-title-on', { creator: who, chain: chainName(shown) })
          : t('by-title', { creator: who }),
      ],
      chain: shown,
      filter: { creator },
      page,
      lineOf: (other) => formatLine('by', creator, { ...on, page: other }),
      buttonRows: [
        [{ label: t('by-button-alerts'), line: formatLine('creators', creator, on), asNew: true }],
      ],
      emptyText: t('by-none', { chain: chainName(shown) }),
    })
  },
})
