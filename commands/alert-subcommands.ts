import { kindIds, kinds, kindWord } from '../src/alerts/kinds/list.ts'
import { valueNames } from '../src/alerts/views/list.ts'
import { mutes } from '../src/alerts/views/menu.ts'
import { oneOf, optional, type Param, type Subcommand } from '../src/core/command.ts'
import { t } from '../src/core/view.ts'
import { alertsParams } from './alert-options.ts'
import type { Services } from './services.ts'

/** Larger than the number of any alert in a list. */
const maxListNumber = 1000

/** The number of an alert in the list. */
function listNumber(): Param<string, Services> {
  return {
    about: t('alerts-param-number'),
    example: '1',
    required: true,
    integer: { min: 1, max: maxListNumber },
    parse: (raw) => raw,
  }
}

const ruleParams = Object.keys(alertsParams).filter((name) => name !== 'what' && name !== 'page')

/** The uses of `/alerts` for which people type something; the others are behind buttons. */
export const alertsSubcommands: readonly Subcommand<Services>[] = [
  { name: 'list', about: t('alerts-sub-list'), options: ['page', 'in'] },
  {
    name: 'add',
    about: t('alerts-sub-add'),
    value: {
      name: valueNames.add,
      param: optional(
        oneOf(
          t('alerts-param-kind'),
          kindIds.map((value) => ({
            value,
            label: kinds[value].label,
            word: kindWord(value),
          })),
        ),
      ),
    },
    options: ruleParams,
  },
  {
    name: 'change',
    about: t('alerts-sub-change'),
    value: { name: valueNames.change, param: listNumber() },
    options: ruleParams,
  },
  {
    name: 'remove',
    about: t('alerts-sub-remove'),
    value: { name: valueNames.remove, param: listNumber() },
    options: ['in'],
  },
  {
    name: 'mute',
    about: t('alerts-sub-mute'),
    value: {
      name: valueNames.mute,
      param: {
        about: t('alerts-param-for'),
        example: '8h',
        required: false,
        parse: (raw) => raw,
        complete: async (typed) =>
          mutes
            .map(([label, value]) => ({ label, value }))
            .filter(({ value }) => value.startsWith(typed.trim().toLowerCase())),
      },
    },
    options: ['in'],
  },
  { name: 'unmute', about: t('alerts-sub-unmute'), options: ['in'] },
]
