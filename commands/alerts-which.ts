import type { Alerts, Where } from '../src/alerts/follow/alerts.ts'
import type { Follow } from '../src/alerts/follow/follow.ts'
import { UserError } from '../src/errors.ts'

/**
 * The alert that is meant: people name it by its number in the list, buttons by its own (`#57`), which stays the same
 * whatever becomes of the others.
 * @throws UserError where there is none
 */
export async function meantFollow(
  [word = '']: readonly string[],
  where: Where,
  alerts: Alerts,
): Promise<{ follow: Follow; position: number }> {
  const { mark, digits } = /^(?<mark>#?)(?<digits>\d{1,15})$/u.exec(word)?.groups ?? {}
  if (digits === undefined) {
    throw new UserError('Say which one by its number in the list, which /alerts shows.')
  }
  const { follows } = await alerts.of(where)
  const number = Number(digits)
  const index = mark === '#' ? follows.findIndex(({ id }) => id === number) : number - 1
  const follow = follows[index]
  if (follow) return { follow, position: index + 1 }
  throw new UserError(
    mark === '#'
      ? 'That is no longer followed here. /alerts lists what is.'
      : `There is no alert ${digits} here. /alerts lists them.`,
  )
}
