import { type Kind, kinds } from '../../src/alerts/rule.ts'
import { kindNamed, noSuchKind } from '../../src/alerts/rules.ts'
import { nearest } from '../../src/core/command.ts'
import { UserError } from '../../src/errors.ts'
import type { AlertsRequest } from './asked.ts'
import { otherSetting } from './presets.ts'

/** Parses the kinds after `add`, without duplicates. @throws UserError that names the unknown word */
export function wantedKinds({ words, line }: AlertsRequest): Kind[] {
  const typed = words.flatMap((word) => word.split(',')).filter(Boolean)
  const requested = [...new Set(typed.flatMap((word) => kindNamed(word) ?? []))]
  const [unknownWord] = typed.filter((word) => kindNamed(word) === undefined)
  if (unknownWord === undefined) return requested
  const [first] = requested
  const isTypo = nearest(unknownWord.toLowerCase(), kinds) !== undefined
  if (first === undefined || isTypo) throw noSuchKind(unknownWord)
  const needsAsset = first === 'price' || first === 'mcap'
  const example = `${needsAsset ? 'asset:OTTER ' : ''}${otherSetting(first)}`
  throw new UserError([
    `There are no alerts called "${unknownWord}". An option has its name before it, as in `,
    { code: line.typed(`add ${first}`, example) },
    '.',
  ])
}
