import type { Alerts } from '../../src/alerts/alerts.ts'
import type { Permissions } from '../../src/alerts/permission.ts'
import type { Subscription } from '../../src/alerts/subscription.ts'
import type { AlertsLine } from '../../src/alerts/views/rule.ts'
import { UserError } from '../../src/errors.ts'

/**
 * Finds the subscription that a line names: people use its number in the list, buttons its id (`#57`), which never
 * changes.
 * @throws Refusal if there is none
 */
export async function meantSubscription(
  [word = '']: readonly string[],
  permissions: Permissions,
  line: AlertsLine,
  alerts: Alerts,
): Promise<{ subscription: Subscription; position: number }> {
  const { mark, digits } = /^(?<mark>#?)(?<digits>\d{1,15})$/u.exec(word)?.groups ?? {}
  if (digits === undefined) {
    throw new UserError([
      'Say which one by its number in the list, which ',
      { code: line.typed('') },
      ' shows.',
    ])
  }
  const { follows } = await alerts.of(permissions)
  const number = Number(digits)
  const index = mark === '#' ? follows.findIndex(({ id }) => id === number) : number - 1
  const subscription = follows[index]
  if (subscription) return { subscription, position: index + 1 }
  throw new UserError([
    mark === '#' ? 'That is no longer followed here. ' : `There is no alert ${digits} here. `,
    { code: line.typed('') },
    mark === '#' ? ' lists what is.' : ' lists them.',
  ])
}
