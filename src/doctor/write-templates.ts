import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Template } from '../launch/draft.ts'
import type { Asked } from '../launch/table.ts'

const mostTries = 100

/**
 * Writes the templates, one of them with what to pin it with, beside the file that has them now. Never over a file that
 * is there: then the next number is taken.
 * @param beside undefined if TEMPLATES itself has them: the current folder is taken
 * @returns the path
 */
export async function writeTemplates(
  templates: readonly Template[],
  pinned: { template: Template; expects: Asked },
  beside: string | undefined,
): Promise<string> {
  const list = templates.map((each) =>
    each === pinned.template ? { ...each, expects: pinned.expects } : each,
  )
  const text = `${JSON.stringify(list, null, 2)}\n`
  const folder = beside === undefined ? '.' : dirname(beside)
  for (let number = 1; number <= mostTries; number += 1) {
    const path = join(folder, `templates.proposed${number === 1 ? '' : `-${number}`}.json`)
    try {
      await writeFile(path, text, { flag: 'wx' })
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  throw new Error(`there are ${mostTries} proposals in ${folder} already`)
}
