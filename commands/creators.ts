import { formatLine, optional, parseLine } from '../src/core/command.ts'
import { t } from '../src/core/view.ts'
import { alerts } from './alerts.ts'
import { address, chain, otherChat } from './params.ts'
import { command } from './services.ts'

/** Behind the button of a creator's page: an alert about each auction of that creator. Its line fits into a button. */
export const creators = command({
  name: 'creators',
  about: t('creators-about'),
  forAsker: true,
  unlisted: true,
  params: {
    creator: address(t('param-creator')),
    chain: optional(chain()),
    in: optional(otherChat()),
  },
  mutates: () => true,
  run: ({ creator, chain, in: target }, services, context, show) => {
    const line = formatLine('alerts', 'add live', { creator, chain: chain?.id, in: target })
    return alerts.run(parseLine(line), services, context, show)
  },
})
