import { z } from 'zod'
import { moduleBook } from '../../chain/airlock/modules.ts'
import { type Block, type Span, type Text, t, text } from '../../core/view.ts'
import { askedOf, reviewViewpoint } from '../build-inputs.ts'
import type { Answers, Template } from '../draft.ts'
import { launchTemplates } from '../questions/list.ts'
import type { Scope } from '../questions/question.ts'
import { askedRows, type Row } from '../table.ts'

/** The rows that say what a template does to those who choose it. */
const explained: readonly Row['key'][] = [
  'opening',
  'curve',
  'raise',
  'trading',
  'tradingFee',
  'shares',
  'proceeds',
]

/** Max templates that are explained in full: a message has no room for more. */
const maxExplained = 4

/** Lists the rows that a template and the answers ask for. */
export function draftRows(
  answers: Answers,
  pinned: Template | undefined,
  { settings }: Pick<Scope, 'settings'>,
): Row[] {
  const { chain = 0 } = answers
  const book = moduleBook(chain, settings.modules[chain])
  const rows = askedRows(askedOf(answers, pinned), reviewViewpoint(answers, pinned, book))
  return rows.map((row) => {
    const drawing = row.key === 'curve' ? curveDrawing(pinned) : undefined
    const asked = row.asked
    return drawing === undefined || asked === undefined
      ? row
      : { ...row, asked: t('terms-curve-drawn', { drawing, curve: asked }) }
  })
}

/** Explains the templates that can be chosen; with many of them only as far as the operator does. */
export function templatesBlocks(scope: Scope): Block[] {
  const templates = launchTemplates(scope)
  return templates.flatMap((each) =>
    templates.length > maxExplained ? shortBlocks(each) : templateBlocks(each, scope),
  )
}

/** Explains what a template does: price, what is raised and what if it is not, how long it takes, fees. */
export function templateBlocks(template: Template, scope: Scope): Block[] {
  const { id, chain, expects = {} } = template
  const rows = draftRows({ chain, template: id }, template, scope)
  const fields = explained.flatMap((key): [Text, Span[]][] => {
    if (key === 'raise' && expects.raise === null) {
      return [[t('terms-raise'), [t('launch-template-no-minimum')]]]
    }
    const row = rows.find((each) => each.key === key)
    return row?.asked && key in expects ? [[row.label, [row.asked]]] : []
  })
  return [
    ...shortBlocks(template),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : []),
  ]
}

function shortBlocks({ label, about }: Template): Block[] {
  return [text({ bold: label }, ...(about === undefined ? [] : [': ', about]))]
}

const opening = z.object({ cap: z.union([z.string(), z.tuple([z.string(), z.string()])]) })
const curve = z.object({ cap: z.string() })

const levels = '▁▂▃▄▅▆▇█'
const columns = 12

/**
 * Draws the price over what is sold, or over the time if it falls: between its two ends it changes by the same factor with
 * each step.
 */
function curveDrawing(template: Template | undefined): string | undefined {
  const first = opening.safeParse(template?.expects?.opening).data?.cap
  const last = Number(curve.safeParse(template?.expects?.curve).data?.cap)
  const from = Number(typeof first === 'string' ? first : first?.[0])
  if (!(from > 0 && last > 0)) return undefined
  const [low, high] = [Math.min(from, last), Math.max(from, last)]
  return Array.from({ length: columns }, (_, index) => {
    const price = from * (last / from) ** (index / (columns - 1))
    const level = high === low ? 0 : ((price - low) / (high - low)) * (levels.length - 1)
    return levels[Math.round(level)] ?? ''
  }).join('')
}
