import { assetPage } from '../../../commands/asset-page.ts'
import { address, chain, page } from '../../../commands/params.ts'
import { command } from '../../../commands/services.ts'
import { formatLine, optional } from '../../../src/core/command.ts'

export const creator = command({
  name: 'creator',
  about: 'What one account has created',
  params: {
    creator: address('The account'),
    chain: optional(chain()),
    page: optional(page()),
  },
  run: ({ creator, chain, page = 1 }, services) => {
    const shownChain = chain ?? services.chains[0]
    return assetPage(services, {
      title: [`Created by ${creator}`],
      chain: shownChain,
      filter: { creator },
      page,
      lineOf: (other) => formatLine('creator', creator, { chain: shownChain.id, page: other }),
      emptyText: `Nothing on ${shownChain.name} is by this account.`,
    })
  },
})
