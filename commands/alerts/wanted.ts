import { type Kind, kinds } from '../../src/alerts/rule.ts'
import { kindNamed, noSuchKind } from '../../src/alerts/rules.ts'
import { nearest } from '../../src/core/command.ts'
import { Refusal } from '../../src/core/view.ts'
import type { Asked } from './asked.ts'
import { otherSetting } from './presets.ts'

/** Parses the kinds after `add`, without duplicates. @throws UserError that names the unknown word */
export function wantedKinds({ words, line }: Asked): Kind[] {
  const typed = words.flatMap((word) => word.split(',')).filter(Boolean)
  const wanted = [...new Set(typed.flatMap((word) => kindNamed(word) ?? []))]
  const [strange] = typed.filter((word) => kindNamed(word) === undefined)
  if (strange === undefined) return wanted
  const [first] = wanted
  const isSlip = nearest(strange.toLowerCase(), kinds) !== undefined
  if (first === undefined || isSlip) throw noSuchKind(strange)
  const isOfOne = first === 'price' || first === 'mcap'
  const example = `${isOfOne ? 'asset:OTTER ' : ''}${otherSetting(first)}`
  throw new Refusal([
    `There are no alerts called "${strange}". An option has its name before it, as in `,
    { code: line.typed(`add ${first}`, example) },
    '.',
  ])
}
