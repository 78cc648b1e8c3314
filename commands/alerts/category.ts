import { anyCategory } from '../../src/alerts/rules.ts'
import { categories } from '../../src/api/requests.ts'
import { type Choice, type Param, text } from '../../src/core/command.ts'
import { UserError } from '../../src/errors.ts'
import { categoryNamed } from '../params.ts'
import type { Services } from '../services.ts'
import { ifSoon } from './values.ts'

/** Discord's limit of choices. */
const maxCompletions = 25

/** A category as typed; `meantCategory` resolves it, which takes requests to the API. */
export function watchedCategory(): Param<string, Services> {
  return {
    ...text<Services>('Only this category', categories[0], 100),
    complete: async (typed, services) => {
      const names = [...(await knownCategories(services)), anyCategory]
      const term = typed.trim().toLowerCase()
      const matching = names.filter((name) => name.toLowerCase().includes(term))
      return matching.slice(0, maxCompletions).map((name): Choice => ({ value: name, label: name }))
    },
  }
}

/**
 * Resolves a category to the API's spelling: a documented one, or one that listed assets have.
 * @throws Refusal that lists the categories
 */
export async function meantCategory(typed: string, services: Services): Promise<string> {
  if (typed.toLowerCase() === anyCategory) return anyCategory
  const documented = categoryNamed(typed, categories)
  if (documented) return documented
  const known = await knownCategories(services)
  const found = categoryNamed(typed, known)
  if (found) return found
  const names = known.flatMap((name) => [{ code: name }, ', '])
  throw new UserError([
    `category: There is none called "${typed}". There are: `,
    ...names,
    'and ',
    { code: anyCategory },
    '.',
  ])
}

/** The documented categories, then those of the newest and the live assets. */
async function knownCategories({ api, chains }: Services): Promise<string[]> {
  const lists = chains.flatMap(({ id: chain }) =>
    (['all', 'live'] as const).map((status) => ifSoon(api.assets({ chain, status }))),
  )
  const items = (await Promise.all(lists)).flatMap((read) => read?.value.items ?? [])
  const thirdParty = items.flatMap(({ asset_categories: named = [] }) => named)
  return [...new Set([...categories, ...thirdParty.filter(isPlainName)])].slice(0, maxCategories)
}

/** Maximum categories in an error. */
const maxCategories = 20

/** Only plain names: these are third-party texts, and they go into lines that others run. */
function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u.test(name) && name.toLowerCase() !== anyCategory
}
